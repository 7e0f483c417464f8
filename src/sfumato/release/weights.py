"""The weights of base values that a promise counts generalized ones by, as (tau,l) does: public, so that anybody can.

They follow from the policy and the published rows: values that some row shows, and those that the policy weighs. Which
others occurred would tell what was hidden. So would ``weights: table``, which are not stated: how often values occur in
the original, less what is published.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from fractions import Fraction

import polars as pl

from sfumato.errors import Refused
from sfumato.policy.document import Policy
from sfumato.policy.parameters import Weights
from sfumato.policy.promise import Promise
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.text import text_of

__all__ = ["public_weights"]


def public_weights(
    policy: Policy,
    generalized: Container[str],
    table: Tuples,
    published: Iterable[pl.DataFrame],
) -> dict[str, dict[str, str]]:
    """Per generalized column of such a promise the weights of base values; "" is a missing value."""
    asked: dict[str, Promise] = {}
    for column, promise in policy.promise.asked_of(policy.sensitive):
        if promise.weighing is not None and asked.setdefault(column, promise).weighing != promise.weighing:
            both = " and ".join(dict.fromkeys((asked[column].title, promise.title)))
            raise Refused(
                f"column {column!r}: two {both} promises give its values different weights; give them the same"
            )
    told = {name: promise.weighing for name, promise in asked.items() if name in generalized}
    frames = tuple(published) if told else ()
    return {
        column: _public(weights, table[column], (frame[column] for frame in frames if column in frame.columns))
        for column, weights in told.items()
        if weights != "table"
    }


def _public(weights: Weights, original: Domain, published: Iterable[pl.Series]) -> dict[str, str]:
    shown = {text for column in published for text in _texts(column)}
    given: dict[str, Fraction] = dict.fromkeys(
        _texts(original.published.filter(original.counts > 0)) & shown, Fraction(1)
    ) | dict(weights)
    return {text: str(weight) for text, weight in sorted(given.items())}


def _texts(column: pl.Series) -> set[str]:
    return {"" if value is None else text_of(value) for value in column.unique()}
