"""Count queries, and what a table answers: of the original how many rows there are, of a release an estimate.

A query asks for rows with a predicate on each of some columns: codes between two, or one of some terms at least. A cell
that stands for several values answers by the share of them that the predicate holds of, as in both papers: 1 where the
predicate covers the cell, |leaves of b| / |leaves of the cell| where the cell covers the predicate b. What answers by
one strip of a class and what answers by another are taken to be independent, as nothing else is known: if 5 of the 10
rows of a group answer by quasi-identifiers, and 2 by the sensitive value, 1 does by both. Where values were changed at
random, kept with the probability p or else drawn from the different ones of their group, what chance brings is taken
off again: (shown − (1 − p) · by chance) / p, and no less than 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.measures.uses.loops.counting import Predicates, Rows, Said, by_class, in_all, listed
from sfumato.measures.uses.strips import Strip, Strips
from sfumato.progress import Progress, silent

__all__ = ["Queries", "answered"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_ROOM = 1_000_000
"""Numbers that may be held at a time: of queries times classes."""


@dataclass(frozen=True, eq=False)
class Queries:
    """Count queries, a row each.

    names       the columns, in the order of the next three
    low, high   the least and the largest code that a query asks for; -1 and -1 where it asks nothing of a column, 0
                and 0 where it asks for terms
    starts, picks   query q asks for one of the terms ``picks[starts[q]:starts[q + 1]]`` in the column where it asks
    """

    names: tuple[str, ...]
    low: Ints
    high: Ints
    starts: Ints
    picks: Ints

    @classmethod
    def of(cls, names: Sequence[str], low: Ints, high: Ints) -> Queries:
        """Of codes between two alone."""
        return cls(tuple(names), low, high, np.zeros(len(low) + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.low)

    def some(self, which: Ints) -> Queries:
        """Some of them, in that order."""
        length = np.diff(self.starts)[which]
        starts = np.concatenate(([0], np.cumsum(length))).astype(np.int64)
        place = np.arange(starts[-1]) - np.repeat(starts[:-1] - self.starts[which], length)
        return Queries(self.names, self.low[which], self.high[which], starts, self.picks[place])

    def and_then(self, others: Queries) -> Queries:
        """These and others of the same columns."""
        starts = np.concatenate((self.starts, self.starts[-1] + others.starts[1:]))
        low, high = np.concatenate((self.low, others.low)), np.concatenate((self.high, others.high))
        return Queries(self.names, low, high, starts, np.concatenate((self.picks, others.picks)))

    def asks(self, names: Sequence[str]) -> NDArray[np.bool_]:
        """Which of them ask for one of some columns."""
        mine = [place for place, name in enumerate(self.names) if name in names]
        return np.asarray((self.low[:, mine] >= 0).any(axis=1))


def answered(
    table: Strips, queries: Queries, secrets: Sequence[str] = (), progress: Progress = silent, stage: str = "queries"
) -> Floats:
    """How many rows answer each query.

    secrets   the columns whose values may have been changed at random
    """
    shown = _counted(table, queries, progress, stage)
    if table.kept is None or not len(queries):
        return shown
    told = np.flatnonzero(queries.asks(secrets))
    apart = table.of(secrets)
    if not table.kept:
        shown[told] = _counted(apart, queries.some(told), progress, stage)
        return shown
    drawn = replace(apart, strips=tuple(_drawn(strip, secrets) for strip in apart.strips))
    chance = _counted(drawn, queries.some(told), progress, stage)
    shown[told] = np.maximum(shown[told] - (1 - table.kept) * chance, 0.0) / table.kept
    return shown


def _drawn(strip: Strip, secrets: Sequence[str]) -> Strip:
    """What values are drawn from: each different one of a group."""
    return strip.once if set(strip.names) & set(secrets) else strip


def _counted(table: Strips, queries: Queries, progress: Progress, stage: str) -> Floats:
    """By classes: rows that answer by one strip, times the shares of their class that answer by the others."""
    *others, last = (_Indexed.of(strip, table) for strip in sorted(table.strips, key=lambda each: each.counts.sum()))
    found = np.zeros(len(queries), dtype=np.float64)
    step = max(min(_ROOM // max(len(last.sizes), 1), -(-len(queries) // 10)), 1)
    for begin in range(0, len(queries), step):
        progress(stage, begin, len(queries))
        asked = queries.some(np.arange(begin, min(begin + step, len(queries))))
        weights = np.ones((len(asked), len(last.sizes)))
        for other in others:
            other.by_class(asked, weights)
        found[begin : begin + step] = last.in_all(asked, weights)
    progress(stage, len(queries), len(queries))
    return found


@dataclass(frozen=True, eq=False)
class _Indexed:
    """A strip as loops take it. `sizes` are those of its classes, at least 1."""

    strip: Strip
    rows: Rows
    said: Said
    sizes: Floats

    @classmethod
    def of(cls, strip: Strip, table: Strips) -> _Indexed:
        spans = [table.spans[name] for name in strip.names]
        firsts = np.concatenate(([0], np.cumsum([len(each) for each in spans]))).astype(np.int64)
        ends = np.concatenate(([0], np.cumsum([len(each.members) for each in spans]))).astype(np.int64)
        starts = [*(each.starts[:-1] + end for each, end in zip(spans, ends, strict=False)), ends[-1:]]
        said = Said(
            firsts,
            np.concatenate([each.low for each in spans]),
            np.concatenate([each.high for each in spans]),
            np.concatenate([each.values for each in spans]),
            np.concatenate(starts).astype(np.int64),
            np.concatenate([each.members for each in spans]),
            np.array([name in table.sets for name in strip.names], dtype=np.bool_),
        )
        classes = np.repeat(np.arange(len(strip.begins) - 1, dtype=np.uint32), np.diff(strip.begins))
        cells = strip.cells.view(np.uint32)
        rows = Rows(cells, strip.counts.astype(np.float64), classes, *listed(cells, firsts))
        return cls(strip, rows, said, np.maximum(strip.sizes, 1).astype(np.float64))

    def by_class(self, queries: Queries, weights: Floats) -> None:
        by_class(self.rows, self.said, self._asked(queries), self.sizes, weights)

    def in_all(self, queries: Queries, weights: Floats) -> Floats:
        return np.asarray(in_all(self.rows, self.said, self._asked(queries), weights))

    def _asked(self, queries: Queries) -> Predicates:
        """Their predicates on the columns of this strip."""
        columns = [queries.names.index(name) for name in self.strip.names]
        low, high = queries.low[:, columns], queries.high[:, columns]
        owner, column = np.nonzero(low >= 0)
        most = max(int(each.max(initial=-1)) for each in (queries.picks, self.said.members))
        return Predicates(
            np.searchsorted(owner, np.arange(len(queries) + 1)).astype(np.int64),
            column.astype(np.int64),
            low[owner, column],
            high[owner, column],
            queries.starts[owner],
            queries.starts[owner + 1],
            queries.picks,
            most + 1,
        )
