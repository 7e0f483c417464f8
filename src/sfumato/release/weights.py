"""The weights of base values that a (tau,l) promise counts generalized ones by: public, so that anybody can count.

They follow from the policy and the published rows: values that some row shows, and those that the policy weighs. Which
others occurred would tell what was hidden. So would ``weights: table``, which are not stated: how often values occur in
the original, less what is published.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from fractions import Fraction

import polars as pl

from sfumato.errors import Refused
from sfumato.policy.document import Policy
from sfumato.policy.promises import AllOf, MultiAttribute, Promise, TauL
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
    asked: dict[str, TauL] = {}
    for column, promise in _asked(policy):
        if asked.setdefault(column, promise).weights != promise.weights:
            raise Refused(
                f"column {column!r}: two tau-l promises give its values different weights; give them the same"
            )
    told = {name: promise for name, promise in asked.items() if name in generalized and promise.weights != "table"}
    frames = tuple(published) if told else ()
    return {
        column: _weights(promise, table[column], (frame[column] for frame in frames if column in frame.columns))
        for column, promise in told.items()
    }


def _asked(policy: Policy) -> Iterator[tuple[str, TauL]]:
    for promise in policy.promise.promises:
        inner = promise.of if isinstance(promise, MultiAttribute) else promise
        parts: tuple[Promise, ...] = inner.promises if isinstance(inner, AllOf) else (inner,)
        for part in parts:
            if isinstance(part, TauL):
                columns = policy.sensitive if isinstance(promise, MultiAttribute) or part.on is None else (part.on,)
                yield from ((column, part) for column in columns)


def _weights(promise: TauL, original: Domain, published: Iterable[pl.Series]) -> dict[str, str]:
    shown = {text for column in published for text in _texts(column)}
    given: dict[str, Fraction] = dict.fromkeys(
        _texts(original.published.filter(original.counts > 0)) & shown, Fraction(1)
    ) | dict(promise.weights)
    return {text: str(weight) for text, weight in sorted(given.items())}


def _texts(column: pl.Series) -> set[str]:
    return {"" if value is None else text_of(value) for value in column.unique()}
