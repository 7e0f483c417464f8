"""How much each base value of a sensitive column weighs in a generalized one."""

from __future__ import annotations

from fractions import Fraction

from sfumato.policy.parameters import Weights
from sfumato.table.domain import Domain
from sfumato.taxonomy.text import text_of

__all__ = ["resolved_weights"]


def resolved_weights(weights: Weights, column: Domain) -> tuple[Fraction, ...]:
    """The weight of every code: as given, else 1 or the number of rows, and 0 for a value that the table lacks."""
    counts = column.counts.tolist()
    if weights == "table":
        return tuple(map(Fraction, counts))
    given = dict(weights)
    texts = [None if value is None else text_of(value) for value in column.values.to_list()]
    return tuple(given.get(text, Fraction(int(count > 0))) for text, count in zip(texts, counts, strict=True))
