"""What the published cells of a column stand for, as codes of its domain: each different cell is read once.

`cells.covered` says what a cell means, value by value. Here the same is found for all values of a domain at once where
these have an order: a node of a tree is a run of its leaves, an interval a run of numbers or days. Cells of a table
that another tool made are read as `foreign` says; which of them could not be read is kept.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sfumato.exact import as_fraction
from sfumato.policy.columns import Column
from sfumato.release.cells import covered
from sfumato.release.foreign import ForeignCells
from sfumato.release.writing import Writing
from sfumato.table.domain import Domain
from sfumato.taxonomy.notation import Interval, read_interval
from sfumato.taxonomy.text import text_of

__all__ = ["CellSpans"]

Ints = NDArray[np.int64]

_SUPPRESSED = "*"


@dataclass(frozen=True, eq=False)
class CellSpans:
    """The codes that every different cell of a column stands for.

    low, high   the least and the largest; of a cell that stands for no value of the domain, 0 and -1
    values      how many of them
    starts, members   of a cell with gaps between them, all: ``members[starts[c]:starts[c + 1]]``; of others none
    unread      the cells that stand for none since they cannot be read
    """

    low: Ints
    high: Ints
    values: Ints
    starts: Ints
    members: Ints
    unread: Ints = field(default_factory=lambda: np.zeros(0, np.int64))

    @classmethod
    def of(
        cls, cells: Sequence[str | None], domain: Domain, column: Column, writing: Writing | None = None
    ) -> CellSpans:
        """Read the different cells of a published column; `writing` is that of a bare table.

        >>> import polars as pl
        >>> ages = Domain("age", pl.Series([20, 25, 31]), np.array([1, 1, 1]), ordered=True)
        >>> spans = CellSpans.of(["[20, 25]", "31", "*", "{20, 31}"], ages, Column(role="quasi", type="integer"))
        >>> list(zip(spans.low.tolist(), spans.high.tolist(), spans.values.tolist()))
        [(0, 1, 2), (2, 2, 1), (0, 2, 3), (0, 2, 2)]
        >>> spans.has(np.array([3, 3, 0]), np.array([1, 2, 1])).tolist()
        [False, True, True]
        """
        reader = _Reader.of(domain, column)
        read = [reader.codes(cell) for cell in cells] if writing is None else reader.foreign(cells, writing)
        return cls.listed([() if codes is None else codes for codes in read], _none(read))

    @classmethod
    def listed(cls, found: Sequence[Sequence[int]], unread: Ints | None = None) -> CellSpans:
        """Of cells whose codes are known, ascending."""
        low = np.array([codes[0] if len(codes) else 0 for codes in found], dtype=np.int64)
        high = np.array([codes[-1] if len(codes) else -1 for codes in found], dtype=np.int64)
        values = np.array([len(codes) for codes in found], dtype=np.int64)
        torn = [codes if high - low >= len(codes) else () for codes, low, high in zip(found, low, high, strict=True)]
        starts = np.concatenate(([0], np.cumsum([len(codes) for codes in torn]))).astype(np.int64)
        members = np.concatenate([np.zeros(0, np.int64), *(np.asarray(codes, np.int64) for codes in torn)])
        return cls(low, high, values, starts, members, np.zeros(0, np.int64) if unread is None else unread)

    def __len__(self) -> int:
        return len(self.low)

    @property
    def torn(self) -> NDArray[np.bool_]:
        """Which cells have gaps between their values."""
        return np.diff(self.starts) > 0

    def has(self, cells: Ints, codes: Ints) -> NDArray[np.bool_]:
        """Whether the cell of each pair stands for the code of it."""
        within = (self.low[cells] <= codes) & (codes <= self.high[cells])
        doubtful = np.flatnonzero(within & self.torn[cells])
        if len(doubtful):
            size = int(self.high.max()) + 1
            owner = np.repeat(np.arange(len(self)), np.diff(self.starts))
            listed = np.append(owner * size + self.members, -1)  # in order: a cell's codes ascend
            wanted = cells[doubtful] * size + codes[doubtful]
            within[doubtful] = listed[np.searchsorted(listed[:-1], wanted)] == wanted
        return np.asarray(within)


@dataclass(frozen=True, eq=False)
class _Reader:
    """A domain made ready to be searched.

    nodes     the runs of codes that labels of its tree stand for
    texts     how values are written; None is a missing one
    numbers   values in order, as far as they are numbers in ascending order; else None
    """

    domain: Domain
    column: Column
    nodes: dict[str, range]
    texts: list[str | None]
    places: dict[str | None, int]
    numbers: list[Fraction] | None

    @classmethod
    def of(cls, domain: Domain, column: Column) -> _Reader:
        texts = [None if value is None else text_of(value) for value in domain.values]
        tree = domain.taxonomy
        nodes = {}
        if tree is not None:  # of two nodes with one label the higher one, as a reader of it must take it
            spans = zip(tree.labels, tree.first.tolist(), tree.last.tolist(), strict=True)
            nodes = {label: range(first, last + 1) for label, first, last in spans}
        numbers = _ascending(texts) if column.kind in ("integer", "number") else None
        places = {text: code for code, text in enumerate(texts)}
        return cls(domain, column, nodes, texts, places, numbers)

    def codes(self, cell: str | None) -> range | list[int]:
        """Those that a cell stands for, ascending."""
        if cell == _SUPPRESSED:
            return range(self.domain.size)
        if cell is not None and cell in self.nodes:
            return self.nodes[cell]
        if cell in self.places:
            return range(self.places[cell], self.places[cell] + 1)
        interval = None if self.numbers is None or cell is None else _interval(cell)
        if interval is not None and self.numbers is not None:
            return _within(interval, self.numbers)
        days = None if self.column.kind != "date" or cell is None else self._dates.days(cell)
        if days is not None:
            return days
        meant = covered(cell, self.texts, self.column, None)
        return sorted(self.places[text] for text in meant)

    @cached_property
    def _dates(self) -> ForeignCells:
        """Days, which are found in one way whoever wrote them."""
        return ForeignCells(self.texts, self.nodes, self.column, Writing())

    def foreign(self, cells: Sequence[str | None], writing: Writing) -> list[range | list[int] | None]:
        """The same of cells that another tool wrote; None for one that cannot be read, in its notation or in ours."""
        reader = ForeignCells(self.texts, self.nodes, self.column, writing)
        return [self._either(cell, reader.codes(cell)) for cell in cells]

    def _either(self, cell: str | None, codes: range | list[int] | None) -> range | list[int] | None:
        if codes is None and cell is not None:
            return self.codes(cell) or None
        return codes


def _none(found: Sequence[object]) -> Ints:
    return np.array([place for place, each in enumerate(found) if each is None], dtype=np.int64)


def _ascending(texts: Sequence[str | None]) -> list[Fraction] | None:
    """Values as numbers, those that are not missing, if they ascend."""
    known = texts[:-1] if texts and texts[-1] is None else texts
    try:
        numbers = [as_fraction(text) for text in known if text is not None]
    except ValueError:
        return None
    return numbers if all(low < high for low, high in pairwise(numbers)) else None


def _interval(cell: str) -> Interval | None:
    """Numbers between two bounds, as an interval or by two dots; or one number."""
    low, dots, high = cell.partition("..")
    if not dots:
        return read_interval(cell) or _number(cell)
    try:
        ends = [None if not end else as_fraction(end) for end in (low, high)]
    except ValueError:
        return None
    return Interval(ends[0], ends[1], True, True)


def _number(cell: str) -> Interval | None:
    try:
        number = as_fraction(cell)
    except ValueError:
        return None
    return Interval(number, number, True, True)


def _within(interval: Interval, numbers: Sequence[Fraction]) -> range:
    low, high = 0, len(numbers)
    if interval.low is not None:
        low = (bisect_left if interval.low_closed else bisect_right)(numbers, interval.low)
    if interval.high is not None:
        high = (bisect_right if interval.high_closed else bisect_left)(numbers, interval.high)
    return range(low, max(low, high))
