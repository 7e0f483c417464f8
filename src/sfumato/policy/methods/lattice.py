"""The settings of the search in the lattice of full-domain recodings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from sfumato.policy.method import REFINED, Method
from sfumato.policy.parameters import Count

__all__ = ["Lattice"]

Levels = dict[str, Annotated[Count, Field(ge=0)]]


class Lattice(Method):
    """Every column at one level of its hierarchy, the same for all rows; the least loss there is.

    Easy to explain, since a column looks the same in all rows, and exact: no other choice of levels loses less. Rows
    may be left out as far as the policy allows. `sf.lattice` shows all choices.

    >>> import sfumato as sf
    >>> sf.Lattice(maximum={"zip": 3})
    Lattice(maximum={'zip': 3})

    Samarati: Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001.
    https://doi.org/10.1109/69.971193
    """

    method: Literal["lattice"] = Field("lattice", description="which algorithm decides who shares a group")
    choose: Literal["best", "random"] = Field(
        "best", description="the recoding of least loss, or any that keeps the promise, by secret chance"
    )
    minimum: Levels = Field(default_factory=dict, description="lowest level allowed, 0 (as it is) if not given")
    maximum: Levels = Field(default_factory=dict, description="highest level allowed, `*` if not given")
    others: ClassVar[tuple[Mapping[str, Any], ...]] = REFINED
