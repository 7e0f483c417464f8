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
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.measures.uses.strips import Strip, Strips
from sfumato.progress import Progress, silent

__all__ = ["Queries", "answered"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_ROOM = 8_000_000
"""Numbers that may be held at a time: of queries times classes."""


@dataclass(frozen=True, eq=False)
class Queries:
    """Count queries, a row each.

    names       the columns, in the order of the next three
    low, high   the least and the largest code that a query asks for; -1 and -1 where it asks nothing of a column, 0
                and 0 where it asks for terms
    shares      the share of its domain that each predicate allows: the least is looked at first
    sets        the columns of terms
    starts, picks   query q asks for one of the terms ``picks[starts[q]:starts[q + 1]]`` in the column where it asks
    """

    names: tuple[str, ...]
    low: Ints
    high: Ints
    shares: Floats
    sets: frozenset[str]
    starts: Ints
    picks: Ints

    @classmethod
    def of(cls, names: Sequence[str], low: Ints, high: Ints, sizes: Sequence[int]) -> Queries:
        """Of codes between two alone."""
        shares = (high - low + 1) / np.maximum(np.array(sizes, dtype=np.int64), 1)
        none = np.zeros(len(low) + 1, dtype=np.int64)
        return cls(tuple(names), low, high, shares, frozenset(), none, np.zeros(0, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.low)

    def some(self, which: Ints) -> Queries:
        """Some of them, in that order."""
        length = np.diff(self.starts)[which]
        starts = np.concatenate(([0], np.cumsum(length))).astype(np.int64)
        place = np.arange(starts[-1]) - np.repeat(starts[:-1] - self.starts[which], length)
        picks = self.picks[place]
        return Queries(self.names, self.low[which], self.high[which], self.shares[which], self.sets, starts, picks)

    def and_then(self, others: Queries) -> Queries:
        """These and others of the same columns."""
        starts = np.concatenate((self.starts, self.starts[-1] + others.starts[1:]))
        low, high = np.concatenate((self.low, others.low)), np.concatenate((self.high, others.high))
        shares, picks = np.concatenate((self.shares, others.shares)), np.concatenate((self.picks, others.picks))
        return Queries(self.names, low, high, shares, self.sets, starts, picks)

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
    drawn = Strips(tuple(_drawn(strip, secrets) for strip in apart.strips), apart.spans)
    chance = _counted(drawn, queries.some(told), progress, stage)
    shown[told] = np.maximum(shown[told] - (1 - table.kept) * chance, 0.0) / table.kept
    return shown


def _drawn(strip: Strip, secrets: Sequence[str]) -> Strip:
    """What values are drawn from: each different one of a group."""
    return strip.once if set(strip.names) & set(secrets) else strip


def _counted(table: Strips, queries: Queries, progress: Progress, stage: str) -> Floats:
    """By classes: the product over strips of the share of the class that answers, times its rows."""
    sizes = max((strip.sizes for strip in table.strips), key=lambda each: int(each.sum())).astype(np.float64)
    found = np.zeros(len(queries), dtype=np.float64)
    step = max(min(_ROOM // max(len(sizes), 1), -(-len(queries) // 10)), 1)
    for begin in range(0, len(queries), step):
        progress(stage, begin, len(queries))
        asked = queries.some(np.arange(begin, min(begin + step, len(queries))))
        whole = np.broadcast_to(sizes, (len(asked), len(sizes))).copy()
        for strip in table.strips:
            if asked.asks(strip.names).any():
                own = np.maximum(strip.sizes, 1)
                whole *= _matched(strip, table, asked) / own
        found[begin : begin + step] = whole.sum(axis=1)
    progress(stage, len(queries), len(queries))
    return found


def _matched(strip: Strip, table: Strips, queries: Queries) -> Floats:
    from sfumato.measures.uses.loops.counting import matched

    spans = [table.spans[name] for name in strip.names]
    firsts = np.concatenate(([0], np.cumsum([len(each) for each in spans]))).astype(np.int64)
    ends = np.concatenate(([0], np.cumsum([len(each.members) for each in spans]))).astype(np.int64)
    starts = np.concatenate([each.starts[:-1] + end for each, end in zip(spans, ends, strict=False)] + [ends[-1:]])
    members = np.concatenate([each.members for each in spans])
    columns = [queries.names.index(name) for name in strip.names]
    low, high, shares = queries.low[:, columns], queries.high[:, columns], queries.shares[:, columns]
    order = np.argsort(np.where(low >= 0, shares, 2.0), axis=1, kind="stable")
    sorted_low = np.take_along_axis(low, order, axis=1)
    there = sorted_low >= 0
    sets = np.array([name in queries.sets for name in strip.names], dtype=np.bool_)
    owner = np.nonzero(there)[0]
    return np.asarray(
        matched(
            strip.cells,
            strip.counts.astype(np.float64),
            strip.begins,
            firsts,
            *(np.concatenate([getattr(each, name) for each in spans]) for name in ("low", "high", "values")),
            starts.astype(np.int64),
            members,
            sets,
            np.concatenate(([0], np.cumsum(there.sum(axis=1)))).astype(np.int64),
            order[there].astype(np.int64),
            sorted_low[there],
            np.take_along_axis(high, order, axis=1)[there],
            queries.starts[owner],
            queries.starts[owner + 1],
            queries.picks,
            max(int(each.max(initial=-1)) for each in (queries.picks, members)) + 1,
        )
    )
