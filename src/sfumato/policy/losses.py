"""What to lose least of, and how much may be left out: the vocabulary of `loss:` and `suppression:`."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, Field

from sfumato.exact import as_fraction
from sfumato.extension import registered
from sfumato.policy.columns import Strict
from sfumato.policy.parameters import Ratio

__all__ = ["LOSS_METRICS", "LossSettings", "SuppressionSettings"]

_LEAST = Fraction(1, 10**100)
LOSS_METRICS = {
    "ncp": "share of its domain that a cell could stand for",
    "geometric": "the same, columns joined by their geometric mean: what ARX minimises",
    "discernibility": "share of the table that a row cannot be told apart from",
    "average-class-size": "rows for each class",
    "height": "levels climbed",
    "precision": "levels climbed over the height of the hierarchy",
    "non-uniform-entropy": "bits needed to get the original cell back",
    "information-utility": "one minus one over the values that a cell could stand for, sensitive cells counted too",
}


def _metric(given: object) -> object:
    if isinstance(given, str) and registered(LOSS_METRICS, "sfumato.losses", given) is None:
        raise ValueError(f"must be one of: {', '.join(LOSS_METRICS)}")
    return given


def _weight(given: object) -> Fraction:
    weight = as_fraction(given)
    if weight and not _LEAST <= abs(weight) <= 1 / _LEAST:
        raise ValueError("must be 0, or from 1e-100 to 1e100")
    return weight


class LossSettings(Strict):
    """What to lose least of."""

    metric: Annotated[str, BeforeValidator(_metric)] = Field("ncp", description="how loss is measured")
    weights: dict[str, Annotated[Ratio, BeforeValidator(_weight), Field(ge=0)]] = Field(
        default_factory=dict,
        description="importance of quasi-identifiers, default 1; of sensitive columns where the metric counts them",
    )


class SuppressionSettings(Strict):
    """How much may be left out."""

    limit: Ratio = Field(default=0, ge=0, le=1, validate_default=True, description="largest share of rows")
    keep: bool = Field(False, description="keep suppressed rows as '*'; that class must keep the promise as well")
    columns: dict[str, Annotated[Ratio, Field(ge=0, le=1)]] = Field(
        default_factory=dict, description="largest share of the published rows whose cell in that column says '*'"
    )
