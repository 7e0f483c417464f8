"""Nodes of Mondrian's top cuts, while a cut is looked for: what is known of each, and what it asks next.

A node whose rows were counted by every column tries its most costly one. Its halves are counted right away, as if the
cut were made: it mostly is, and then a level takes one pass. If it is not, the statistics of all other cuts are asked
for at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.mondrian.asks import Answer, CutLine, Question
from sfumato.partition.mondrian.halving import CodeWindow, Halving

__all__ = ["Halves", "Searched", "Sizes", "TopNode"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Sizes:
    """Which nodes are worth a pass: those above `small` that have two sides of `least` rows."""

    small: int
    least: int

    def large(self, rows: int) -> bool:
        return rows > self.small and rows >= 2 * self.least


@dataclass(frozen=True, eq=False)
class TopNode:
    """Rows that no cut so far tells apart.

    number       in the tree of cuts
    low, high    codes that they lie between, per column: the least and the highest once they are counted
    whole        their statistics, in one line; None: not counted yet
    """

    number: int
    rows: int
    low: Ints
    high: Ints
    whole: Ints | None

    def question(self, blocks: int, statistics: bool) -> Question:
        """Its rows by every column, and its statistics."""
        columns = np.flatnonzero(self.low < self.high).tolist()
        ends = self.low.tolist(), self.high.tolist()
        windows = tuple(CodeWindow.over(column, ends[0][column], ends[1][column], blocks) for column in columns)
        return Question(windows, (None,) if statistics else ())

    def told(self, answer: Answer) -> TopNode:
        """The same with its box."""
        low, high = self.low.copy(), self.high.copy()
        for window, cells, least, most in answer.windows:
            if cells.sum() != self.rows:
                raise ValueError(f"{int(cells.sum())} rows were counted where there are {self.rows}")
            low[window.column], high[window.column] = least, most
        return replace(self, low=low, high=high, whole=answer.sides[0] if answer.sides else self.whole)

    @property
    def statistics(self) -> Ints:
        """`whole`, of a node that was counted."""
        if self.whole is None:
            raise ValueError("these rows were not counted")
        return self.whole


Halves = tuple[TopNode, TopNode]


@dataclass(frozen=True, eq=False)
class Searched:
    """A node of which rows were counted by every column.

    order       columns that may still be cut, the next to be tried first
    halvings    where each would be
    judged      cuts whose sides were judged: the statistics of the left one if both keep the promise, None if not
    failed      whether one did not
    """

    node: TopNode
    order: tuple[int, ...]
    halvings: Mapping[int, Halving]
    judged: Mapping[int, Ints | None] = field(default_factory=dict)
    failed: bool = False

    @property
    def ahead(self) -> tuple[int, int] | None:
        """The cut that is tried next, if it is known where: after which code, and rows left of it."""
        return self.halvings[self.order[0]].cut

    @property
    def decided(self) -> bool:
        """Whether that cut is to be made."""
        return self.judged.get(self.order[0]) is not None

    @property
    def line(self) -> CutLine:
        """That cut as a tree takes it."""
        return self.node.number, self.order[0], self._cut[0]

    def halves(self, numbers: tuple[int, int]) -> Halves:
        """What that cut makes of the node; statistics are known if it was judged."""
        node, column, (code, rows), left = self.node, self.order[0], self._cut, self.judged.get(self.order[0])
        high, low = node.high.copy(), node.low.copy()
        high[column], low[column] = code, code + 1
        rest = None if left is None else node.statistics - left
        return TopNode(numbers[0], rows, node.low, high, left), TopNode(
            numbers[1], node.rows - rows, low, node.high, rest
        )

    @property
    def _cut(self) -> tuple[int, int]:
        if self.ahead is None:
            raise ValueError("it is not known yet where to cut")
        return self.ahead

    def settled(self, least: int) -> Searched:
        """The same without columns of which it is known that they cannot be cut, up to the first that may be."""
        place, failed = 0, self.failed
        for column in self.order:
            cut = self.halvings[column].cut
            if cut is None or self.judged.get(column) is not None:
                break
            if min(cut[1], self.node.rows - cut[1]) >= least:
                if column not in self.judged:
                    break
                failed = True
            place += 1
        return replace(self, order=self.order[place:], failed=failed)

    def proposed(self, sizes: Sizes) -> bool:
        """Whether the next cut is tried as if it were made: the first of a node, if halves have to be cut again."""
        cut = self.ahead
        if self.failed or cut is None:
            return False
        return sizes.large(cut[1]) or sizes.large(self.node.rows - cut[1])

    @property
    def trials(self) -> list[tuple[int, tuple[int, int]]]:
        """Cuts to be judged next, by column: the first one, or all that are known after one has failed."""
        columns = self.order if self.failed else self.order[:1]
        found = ((column, self.halvings[column].cut) for column in columns if column not in self.judged)
        return [(column, cut) for column, cut in found if cut is not None]

    def question(self, blocks: int) -> Question:
        """Where cuts are, and the left sides of those to be judged."""
        columns = self.order if self.failed or self.ahead is None else ()
        windows = [window for column in columns for window in self.halvings[column].windows(blocks)]
        return Question(tuple(windows), tuple((column, code) for column, (code, _) in self.trials))

    def told(self, answer: Answer) -> Searched:
        """The same with what was counted by blocks."""
        halvings = dict(self.halvings)
        for window, cells, _, _ in answer.windows:
            halvings[window.column] = halvings[window.column].told(window, cells)
        return replace(self, halvings=halvings)
