"""Rows to learn from, drawn from a table as whoever has it could.

A release whose columns stand side by side is taken row by row. Where only a group leads from quasi-identifiers to
sensitive values, each row gets one that is drawn from its group's, which is all that the release says. A table of very
many rows is thinned to as many as are wanted, evenly over all that it shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.measures.uses.strips import Strip, Strips
from sfumato.randomness import Randomness
from sfumato.release.spans import CellSpans
from sfumato.table.domain import Domain

__all__ = ["Examples", "certain", "leaves"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Examples:
    """Rows, and what is to be said of each.

    features   columns to learn from
    cells      per feature the cell of every row, which stands for codes of the domain
    targets    per row a code of the target; one that stands for several is a random one of them
    counts     rows that each stands for
    """

    features: tuple[Domain, ...]
    cells: Mapping[str, Ints]
    spans: Mapping[str, CellSpans]
    target: Domain
    targets: NDArray[np.int32]
    counts: Ints

    def __len__(self) -> int:
        return len(self.targets)

    @classmethod
    def drawn(
        cls, table: Strips, features: Sequence[Domain], target: Domain, most: int, randomness: Randomness
    ) -> Examples:
        """One row each, as many as there are, but not more than `most`."""
        first, *others = sorted(table.strips, key=lambda strip: -int(strip.counts.sum()))
        rows = _thinned(first, most, randomness)
        cells = {name: first.cells[place, rows].astype(np.int64) for place, name in enumerate(first.names)}
        classes = np.searchsorted(first.begins, rows, side="right") - 1
        for number, strip in enumerate(others):
            mine = _partners(strip, classes, randomness.numbers(len(rows), f"rows of strip {number}"))
            cells |= {name: strip.cells[place, mine].astype(np.int64) for place, name in enumerate(strip.names)}
        numbers = randomness.numbers(len(rows), "targets")
        targets = leaves(table.spans[target.name], cells[target.name], target.size, numbers)
        return cls(tuple(features), cells, table.spans, target, targets, np.ones(len(rows), dtype=np.int64))

    @classmethod
    def whole(cls, table: Strips, features: Sequence[Domain], target: Domain) -> Examples:
        """The original, its equal rows counted."""
        strip = table.strips[0]
        cells = {name: strip.cells[place].astype(np.int64) for place, name in enumerate(strip.names)}
        return cls(tuple(features), cells, table.spans, target, cells[target.name].astype(np.int32), strip.counts)

    def codes(self, randomness: Randomness) -> NDArray[np.int32]:
        """A row per feature: a code for every row, a random one of those that its cell stands for."""
        made = np.empty((len(self.features), len(self)), dtype=np.int32)
        for place, domain in enumerate(self.features):
            numbers = randomness.numbers(len(self), f"leaves of {domain.name}")
            made[place] = leaves(self.spans[domain.name], self.cells[domain.name], domain.size, numbers)
        return made


def leaves(spans: CellSpans, cells: Ints, size: int, numbers: NDArray[np.uint64]) -> NDArray[np.int32]:
    """A code for every cell: one of those it stands for, each as likely; any at all, if it stands for none.

    >>> spans = CellSpans(*(np.array(each) for each in ([0, 0, 0], [1, 3, -1], [2, 2, 0], [0, 0, 2, 2], [0, 3])))
    >>> leaves(spans, np.array([0, 0, 1, 1, 2]), 4, np.array([0, 1, 0, 1, 6], dtype=np.uint64)).tolist()
    [0, 1, 0, 3, 2]
    """
    torn, none = spans.torn[cells], spans.values[cells] == 0
    low = np.where(none, 0, spans.low[cells])
    length = np.where(none, size, np.where(torn, spans.values[cells], spans.high[cells] - low + 1))
    step = (numbers % np.maximum(length, 1).astype(np.uint64)).astype(np.int64)
    if not torn.any():
        return (low + step).astype(np.int32)
    listed = np.append(spans.members, 0)[np.where(torn, spans.starts[cells] + step, 0)]
    return np.where(torn, listed, low + step).astype(np.int32)


def certain(table: Strips, names: Sequence[str], most: int) -> bool:
    """Whether drawing again would give the same: nothing stands for several values, is thinned or put together."""
    whole = len(table.strips) == 1 and int(table.strips[0].counts.sum()) <= most
    return whole and all(int(table.spans[name].values.max(initial=1)) == 1 for name in names)


def _thinned(strip: Strip, most: int, randomness: Randomness) -> Ints:
    """Which of the different rows to take, each as often as it is there; in the end evenly spread ones."""
    ends = np.cumsum(strip.counts)
    every = int(ends[-1]) if len(ends) else 0
    if every <= most:
        return np.repeat(np.arange(len(ends)), strip.counts)
    begin = int(randomness.numbers(1, "where to begin")[0] % np.uint64(every))
    places = (begin + np.arange(most) * every // most) % every
    return np.searchsorted(ends, np.sort(places), side="right")


def _partners(strip: Strip, classes: Ints, numbers: NDArray[np.uint64]) -> Ints:
    """For rows of some classes, a row of another strip that has the same class; of an empty one any."""
    ends = np.cumsum(strip.counts)
    sizes = strip.sizes[classes]
    before = np.concatenate(([0], ends))[strip.begins[classes]]
    before, sizes = np.where(sizes > 0, before, 0), np.where(sizes > 0, sizes, ends[-1])
    return np.searchsorted(ends, before + (numbers % sizes.astype(np.uint64)).astype(np.int64), side="right")
