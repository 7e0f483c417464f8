"""Published rows and original rows: which fits which, and how many can have one of their own.

Equal published rows are one kind, equal original rows one point, each with its count. A kind fits a point if every cell
covers its value. That every row can have a point of its own is a flow (Hall's theorem, with counts); where every point
fits one kind, a comparison of counts. Where there are too many pairs to look at, kinds are asked by themselves whether
the original has as many rows that fit them, and where these are too many as well, some of them: necessary, not enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.auditor.exactly import Ints
from sfumato.release.spans import CellSpans

__all__ = ["MOST", "STEPS", "Kinds", "Matching", "OriginalRows", "match"]

Codes = NDArray[np.int32]

MOST = 20_000_000
"""Pairs of a kind and a point that are looked at together."""
STEPS = 1_000_000_000
"""Of the search for an assignment."""
_SOME = 200_000
"""Kinds that are asked by themselves."""
_SAMPLE = 64
"""One in so many kinds is looked at first, to see whether there will be too many pairs."""
_FEW = 1 << 22
"""Comparisons that are made before a loop is compiled for them."""


@dataclass(frozen=True, eq=False)
class OriginalRows:
    """Different original rows: a row of codes each, and how many there are of it."""

    codes: Codes
    counts: Ints


@dataclass(frozen=True, eq=False)
class Kinds:
    """Different published rows: per column the cell of each, and what its cells stand for; and how many there are."""

    cells: tuple[Ints, ...]
    spans: tuple[CellSpans, ...]
    counts: Ints

    @cached_property
    def low(self) -> Codes:
        return self._columns([spans.low[cells] for cells, spans in zip(self.cells, self.spans, strict=True)])

    @cached_property
    def high(self) -> Codes:
        return self._columns([spans.high[cells] for cells, spans in zip(self.cells, self.spans, strict=True)])

    def _columns(self, parts: Sequence[Ints]) -> Codes:
        return np.ascontiguousarray(np.stack(parts, axis=1), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Matching:
    """What came out.

    nowhere    rows that no original row fits
    over       rows beyond those that can have an original row of their own, at least
    exact      whether that is the least possible; otherwise there may be more
    looked     one in so many kinds was asked by itself, if it is not; 0: none
    starts, points   kind k fits ``points[starts[k]:starts[k + 1]]``; None if there were too many to look at
    """

    nowhere: int
    over: int
    exact: bool
    starts: Ints | None = None
    points: Codes | None = None
    looked: int = 1


def match(kinds: Kinds, points: OriginalRows, most: int = MOST, steps: int = STEPS) -> Matching:
    """Give every published row an original row of its own, as far as there are any."""
    found = _pairs(kinds, points, most)
    if found is None:
        return _of_some(kinds, points, steps)
    starts, which = found
    fits = np.add.reduceat(np.append(points.counts[which], 0), np.minimum(starts[:-1], len(which)))
    fits[np.diff(starts) == 0] = 0
    degree = np.bincount(which, minlength=len(points.counts))
    if degree.max(initial=0) < 2:
        return _by_themselves(kinds, fits, True, starts, which)
    from sfumato.auditor.loops.flow import unmatched

    room = np.minimum(np.repeat(kinds.counts, np.diff(starts)), points.counts[which])
    left, finished = unmatched(starts, which, room, kinds.counts, points.counts, steps)
    if not finished:
        return _by_themselves(kinds, fits, False, starts, which)
    nowhere = int(kinds.counts[fits == 0].sum())
    return Matching(nowhere, int(left.sum()) - nowhere, True, starts, which)


def _by_themselves(
    kinds: Kinds, fits: Ints, exact: bool = False, starts: Ints | None = None, points: Codes | None = None
) -> Matching:
    """Every kind alone, by the number of original rows that fit it."""
    lacking = np.maximum(kinds.counts - fits, 0)
    nowhere = int(lacking[fits == 0].sum())
    return Matching(nowhere, int(lacking.sum()) - nowhere, exact, starts, points)


def _pairs(kinds: Kinds, points: OriginalRows, most: int) -> tuple[Ints, Codes] | None:
    """The points that each kind fits, kind by kind; None if there are too many."""
    count, many = len(kinds.counts), len(points.counts)
    if count * many * max(len(kinds.cells), 1) <= _FEW:
        inside = np.ones((count, many), dtype=np.bool_)
        for column in range(len(kinds.cells)):
            value = points.codes[:, column]
            inside &= (kinds.low[:, column, None] <= value) & (value <= kinds.high[:, column, None])
        owner, which = (each.astype(np.int32) for each in np.nonzero(inside))
    else:
        from sfumato.release.loops.boxes import holding

        if _too_many(kinds, points, most):
            return None
        which, owner = holding(points.codes, kinds.low, kinds.high, most)
    if len(which) > most:
        return None
    held = np.ones(len(which), dtype=np.bool_)
    for column, (cells, spans) in enumerate(zip(kinds.cells, kinds.spans, strict=True)):
        if spans.torn.any():
            held &= spans.has(cells[owner], points.codes[which, column].astype(np.int64))
    owner, which = owner[held], which[held]
    order = np.argsort(owner, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(owner, minlength=count)))).astype(np.int64)
    return starts, which[order]


def _too_many(kinds: Kinds, points: OriginalRows, most: int) -> bool:
    """Whether some of the kinds alone already have clearly more than their part of the pairs."""
    from sfumato.release.loops.boxes import holding

    if len(kinds.counts) < _SAMPLE * _SAMPLE:
        return False
    part = most * 5 // 4 // _SAMPLE
    low, high = (np.ascontiguousarray(each[::_SAMPLE]) for each in (kinds.low, kinds.high))
    return len(holding(points.codes, low, high, part)[0]) > part


def _of_some(kinds: Kinds, points: OriginalRows, steps: int) -> Matching:
    """How many original rows fit each of some kinds, gaps of cells aside."""
    from sfumato.auditor.loops.within import counted_in

    share = -(-len(kinds.counts) // _SOME)
    low, high = (np.ascontiguousarray(each[::share]) for each in (kinds.low, kinds.high))
    fits, finished = counted_in(points.codes, points.counts, low, high, steps)
    if not finished:
        return Matching(0, 0, False, looked=0)
    lacking = np.maximum(kinds.counts[::share] - fits, 0)
    nowhere = int(lacking[fits == 0].sum())
    return Matching(nowhere, int(lacking.sum()) - nowhere, False, looked=share)
