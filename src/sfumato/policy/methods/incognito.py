"""The settings of Incognito."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from sfumato.policy.method import REFINED, Method

__all__ = ["Incognito"]


class Incognito(Method):
    """As lattice without suppression, by the algorithm of the paper: subset by subset of the columns.

    `Lattice` finds the same and is faster; this one is for who wants the algorithm of the paper.

    >>> import sfumato as sf
    >>> sf.Incognito()
    Incognito()

    LeFevre, DeWitt, Ramakrishnan: Incognito: Efficient full-domain k-anonymity. SIGMOD 2005.
    https://doi.org/10.1145/1066157.1066164
    """

    method: Literal["incognito"] = Field("incognito", description="which algorithm decides who shares a group")
    choose: Literal["best", "random"] = Field(
        "best", description="the minimal recoding of least loss, or any that keeps the promise, by secret chance"
    )
    others: ClassVar[tuple[Mapping[str, Any], ...]] = REFINED
