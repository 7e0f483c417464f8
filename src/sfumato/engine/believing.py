"""Promises asked of beliefs: of what may be believed of somebody, as if it were the class that they are in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.adversaries.composed import Composed
from sfumato.adversaries.rests import Rests
from sfumato.errors import Refused
from sfumato.models.contract import Facts, Groups, Histogram, Model
from sfumato.models.registry import bind
from sfumato.policy.promises import Promise
from sfumato.release.fits import Chances

__all__ = ["Judges"]

Flags = NDArray[np.bool_]

_ROWS = 720_720
"""Chances count as shares of so many rows: halves, thirds, … fifteenths of them are whole."""


@dataclass(frozen=True, eq=False)
class Judges:
    """The promises of several releases, bound to the table of the last.

    Where a promise does not survive merging, the one that it implies and that does is asked: somebody may fit several
    classes, each of which keeps it.
    """

    parts: tuple[Model, ...]

    @classmethod
    def of(cls, promises: Iterable[Promise], facts: Facts) -> Judges:
        return cls(tuple(model for promise in promises for part in promise.parts for model in _bound(part, facts)))

    def require_measurable(self, column: str) -> None:
        """Refuse promises that ask more than what is believed of one column."""
        for part in self.parts:
            columns = tuple(filter(None, part.statistics))
            if part.terms_asked is not None or any(column in each and len(each) > 1 for each in columns):
                raise Refused(
                    f"{part.promise}: what several releases tell of several columns together, or of terms, is not"
                    " measured; promise it of each column, or do not publish about the same people again"
                )

    def exposed(self, composed: Composed) -> Flags:
        """Kinds of people of whom all releases together tell more than some promise allows, and none alone does."""
        left, telling = np.diff(composed.together.starts), composed.telling
        alone = np.stack(
            [~told | (np.diff(each.starts) > 1) for told, each in zip(telling, composed.alone, strict=True)]
        )
        found = alone.all(axis=0) & (left == 1)
        for part in self._about(composed.secret):
            kept = [_keeps(part, composed.secret, each) for each in composed.alone]
            both = [_keeps(part, composed.secret, composed.restricted(at)) for at in range(len(composed.alone))]
            found |= (np.stack(kept) | ~telling).all(axis=0) & (~np.stack(both) & telling).any(axis=0)
        return np.asarray(found & ~composed.contradicted)

    def broken(self, rests: Rests, column: str) -> int:
        """People in rests of classes that break a promise."""
        sizes = rests.sizes
        groups = Groups(sizes, {(column,): Histogram(rests.starts, rests.values, rests.counts)})
        held = [part.holds(groups) for part in self.parts if {*filter(None, part.statistics)} <= {(column,)}]
        return int(sizes[~np.logical_and.reduce(held)].sum()) if held and len(sizes) else 0

    def _about(self, column: str) -> Iterator[Model]:
        return (part for part in self.parts if {*filter(None, part.statistics)} == {(column,)})


def _bound(promise: Promise, facts: Facts) -> Iterator[Model]:
    """Its models, as far as the table can be asked for them: an earlier promise may speak of other columns."""
    try:
        models = bind(promise, facts).conjuncts
        relaxed = [None if model.survives_merging else model.relaxed() for model in models]
        yield from (
            model if weaker is None else bind(weaker, facts) for model, weaker in zip(models, relaxed, strict=True)
        )
    except Refused:
        return


def _keeps(part: Model, column: str, chances: Chances) -> Flags:
    """Which people's chances keep a promise, as if they were a class; nobody's that is not told of."""
    told = np.flatnonzero(np.diff(chances.starts) > 0)
    if not len(told):
        return np.zeros(len(chances.starts) - 1, dtype=np.bool_)
    starts = np.append(chances.starts[told], chances.starts[-1])
    rows = np.maximum(np.rint(chances.chances * _ROWS), 1).astype(np.int64)
    rows //= np.repeat(np.gcd.reduceat(rows, starts[:-1]), np.diff(starts))
    groups = Groups(np.add.reduceat(rows, starts[:-1]), {(column,): Histogram(starts, chances.values, rows)})
    found = np.zeros(len(chances.starts) - 1, dtype=np.bool_)
    found[told] = part.holds(groups)
    return found
