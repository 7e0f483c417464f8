"""The settings of Mondrian."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from sfumato.policy.method import REFINED, Method

__all__ = ["Mondrian"]


class Mondrian(Method):
    """Split the table in two again and again, as long as both halves keep the promise.

    Each cut goes through the median of the quasi-identifier that is widest there, so that groups are small where people
    are many. Fast, and good on numbers; `polish` on top of it loses less still.

    >>> import sfumato as sf
    >>> sf.Mondrian(relaxed=True, polish=True)
    Mondrian(polish=True, relaxed=True)

    LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006.
    https://doi.org/10.1109/ICDE.2006.101
    """

    method: Literal["mondrian"] = Field("mondrian", description="which algorithm decides who shares a group")
    relaxed: bool = Field(
        False, description="rows equal at the median may go to either side, so that groups are smaller"
    )
    others: ClassVar[tuple[Mapping[str, Any], ...]] = REFINED
