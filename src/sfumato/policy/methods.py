"""How a release is made: the vocabulary of `partition:`, `form:` and `loss:`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sfumato.policy.columns import Strict
from sfumato.policy.promises import Ratio

__all__ = ["Generalized", "Loss", "Mondrian", "Suppression"]


class Mondrian(Strict):
    """Split the table in two again and again, as long as both halves keep the promise."""

    method: Literal["mondrian"] = Field("mondrian", description="which algorithm decides who shares a group")
    relaxed: bool = Field(False, description="rows equal at the median may go to either side")


class Generalized(Strict):
    """One table: quasi-identifiers generalized group by group, everything else as it is."""

    publish: Literal["generalized"] = Field("generalized", description="how a group is shown")
    group_id: bool = Field(False, description="publish a column that names the group of each row")


class Loss(Strict):
    """What to lose least of."""

    metric: Literal["ncp"] = Field("ncp", description="share of its domain that a cell may stand for")
    weights: dict[str, Annotated[Ratio, Field(ge=0)]] = Field(
        default_factory=dict, description="importance of quasi-identifiers, default 1"
    )


class Suppression(Strict):
    """How much may be left out."""

    limit: Ratio = Field(default=0, ge=0, le=1, validate_default=True, description="largest share of rows")
    keep: bool = Field(False, description="keep suppressed rows as '*'; that class must keep the promise as well")
    columns: dict[str, Annotated[Ratio, Field(ge=0, le=1)]] = Field(
        default_factory=dict, description="largest share of rows whose cell in that column says nothing ('*')"
    )
