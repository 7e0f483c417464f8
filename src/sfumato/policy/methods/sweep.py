"""The settings of the sweep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from sfumato.policy.method import REFINED, Method
from sfumato.policy.parameters import Ratio

__all__ = ["Sweep"]


class Sweep(Method):
    """Close classes from the most informative levels on; what is left climbs, at last its sensitive values too.

    The one method that may show sensitive values by labels of their hierarchy, for (tau,l)-diversity.

    >>> import sfumato as sf
    >>> sf.Sweep(generalize="last")
    Sweep(generalize='last')

    Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011.
    https://doi.org/10.1016/j.datak.2010.09.001
    """

    method: Literal["sweep"] = Field("sweep", description="which algorithm decides who shares a group")
    faithful: bool = Field(
        False, description="sweep and generalize single rows, as the paper does; tells too much to be published"
    )
    worth: Literal["uniform", "leaves", "occurring"] = Field(
        "uniform",
        description="what a level tells: the mean over its values, each alike, by its base values, or by those of them"
        " that occur in the table",
    )
    value_weights: dict[str, dict[str, Annotated[Ratio, Field(gt=0)]]] = Field(
        default_factory=dict, description="per column, how much some of its values or labels count in that mean instead"
    )
    importance: tuple[str, ...] = Field(
        (), description="quasi-identifiers from the most important on, which settle ties; others follow"
    )
    generalize: Literal["anywhere", "last"] = Field(
        "anywhere",
        description="where sensitive values may be generalized: in any class, or in the last one alone",
    )
    balance: Annotated[Ratio, Field(gt=0)] | None = Field(
        None,
        description="how many times as dear a generalized sensitive value is as a quasi-identifier; none: as all of"
        " them together",
    )
    later: ClassVar[frozenset[str]] = frozenset({"value_weights", "generalize"})
    others: ClassVar[tuple[Mapping[str, Any], ...]] = REFINED
