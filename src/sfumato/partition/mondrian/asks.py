"""What is asked of rows that somebody else holds, and what is told of them: histograms, which add up.

`Asks` is all that a counting process needs: arrays, to be pickled and sent. Whoever holds the rows packs the codes of
each into words (`WordLayout`), hands them to `count` in chunks of any size and order, and adds up the answers of all
processes. What is told depends on the rows alone, and takes as much room however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.mondrian.halving import CodeWindow

if TYPE_CHECKING:
    from sfumato.partition.mondrian.loops.descent import AskedCells

__all__ = ["Answer", "Asks", "Chunk", "CutLine", "CutTree", "Question", "Tallied", "count", "span_of"]

Ints = NDArray[np.int64]
Chunk = tuple[Ints, Ints | None]
"""Words of rows, a line each, and how many rows each stands for; None: one."""
CutLine = tuple[int, int, int]
"""A node, by which column it is cut, and after which code."""

_EVERY = (0, 0, 0, 0)
"""A side of all rows: the field has no bits, and so the code 0."""
_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class CutTree:
    """The cuts so far: a line per node, as the loops of `descent` read it; node 0 is the whole table.

    fields    where words have the code of each quasi-identifier
    """

    fields: Ints
    nodes: Ints

    @classmethod
    def start(cls, fields: Ints) -> CutTree:
        return cls(fields, _leaves(0, 1))

    def cut(self, cuts: Sequence[CutLine]) -> CutTree:
        """Nodes cut. The halves of the i-th are `halves(i)`."""
        nodes = np.concatenate((self.nodes, _leaves(len(self.nodes), 2 * len(cuts))))
        for place, (node, column, code) in enumerate(cuts):
            word, shift, mask = self.fields[column].tolist()
            nodes[node] = word, mask << shift, code << shift, self.halves(place)[0], -1
        return CutTree(self.fields, nodes)

    def halves(self, place: int) -> tuple[int, int]:
        """What the halves of the next cuts are numbered."""
        left = len(self.nodes) + 2 * place
        return left, left + 1

    def numbered(self, nodes: Iterable[int]) -> CutTree:
        """The same with these nodes numbered from 0 on, and no others."""
        which, lines = list(nodes), self.nodes.copy()
        lines[:, -1] = -1
        lines[which, -1] = np.arange(len(which))
        return CutTree(self.fields, lines)

    def leaf_of(self, words: Ints) -> NDArray[np.int32]:
        """The number of every row's node."""
        from sfumato.partition.mondrian.loops.descent import slots_of_rows

        found: NDArray[np.int32] = slots_of_rows(words, self.nodes)
        return found


def _leaves(first: int, count: int) -> Ints:
    """The lines of nodes that are not cut."""
    made = np.zeros((count, 5), dtype=np.int64)
    made[:, 3], made[:, 4] = np.arange(first, first + count), -1
    return made


class Question(NamedTuple):
    """What is asked of the rows of a node: windows, and the statistics of those up to some codes of columns.

    A side is a column and a code; None: all rows.
    """

    windows: tuple[CodeWindow, ...] = ()
    sides: tuple[tuple[int, int] | None, ...] = ()


class Answer(NamedTuple):
    """What was told of a node: per window its blocks and its least and highest code, per side its statistics."""

    windows: tuple[tuple[CodeWindow, Ints, int, int], ...]
    sides: tuple[Ints, ...]


@dataclass(frozen=True, eq=False)
class Asks:
    """What to count in one pass over all rows: of which nodes, and what of each.

    tree        the cuts that lead to nodes; the slot of a node is the place of what is asked of it
    windows     of all slots, and `window_from` where those of each begin; the same of `sides`
    counted     where words have the code that each statistic counts, and its place in a side
    room        cells of the answer
    """

    tree: Ints
    windows: Ints
    window_from: Ints
    sides: Ints
    side_from: Ints
    counted: Ints
    room: int

    @classmethod
    def of(cls, tree: CutTree, counted: Ints, questions: Mapping[int, Question]) -> Asks:
        """Questions by node."""
        windows: list[tuple[int, ...]] = []
        sides: list[tuple[int, ...]] = []
        window_from, side_from, used, span = [0], [0], 0, span_of(counted)
        fields = tree.fields.tolist()
        for question in questions.values():
            for window in question.windows:
                windows.append((*fields[window.column], window.base, window.shift, window.size, used))
                used += window.size
            for side in question.sides:
                sides.append((*(_EVERY if side is None else (*fields[side[0]], side[1])), used))
                used += span
            window_from.append(len(windows))
            side_from.append(len(sides))
        return cls(
            tree.numbered(questions).nodes,
            np.array(windows, dtype=np.int64).reshape(-1, 7),
            np.array(window_from, dtype=np.int64),
            np.array(sides, dtype=np.int64).reshape(-1, 5),
            np.array(side_from, dtype=np.int64),
            counted,
            used,
        )

    @property
    def cells(self) -> AskedCells:
        """The same for loops."""
        from sfumato.partition.mondrian.loops.descent import AskedCells

        return AskedCells(self.tree, self.windows, self.window_from, self.sides, self.side_from, self.counted)

    def answers(self, questions: Sequence[Question], told: Tallied) -> list[Answer]:
        """What was told, question by question."""
        if told.cells.shape != (self.room,) or len(told.low) != len(self.windows):
            raise ValueError("this was told to other questions")
        answers, at, line, span = [], 0, 0, span_of(self.counted)
        for question in questions:
            windows, sides = [], []
            for window in question.windows:
                cells = told.cells[at : at + window.size]
                windows.append((window, cells, *_ends(window, cells, int(told.low[line]), int(told.high[line]))))
                at, line = at + window.size, line + 1
            for _ in question.sides:
                sides.append(told.cells[at : at + span].copy())  # outlives the rest
                at += span
            answers.append(Answer(tuple(windows), tuple(sides)))
        return answers


def span_of(counted: Ints) -> int:
    """Cells of a side: all values of all statistics."""
    return int(counted[:, -1].sum())


def _ends(window: CodeWindow, cells: Ints, low: int, high: int) -> tuple[int, int]:
    """The least and the highest code: where a block is one code, by which blocks have rows."""
    if window.shift:
        return low, high
    found = np.flatnonzero(cells)
    return (window.base + int(found[0]), window.base + int(found[-1])) if len(found) else (low, high)


@dataclass(frozen=True, eq=False)
class Tallied:
    """What was counted: cells, and of windows whose blocks have several codes the least and the highest code.

    Answers to the same questions add up, in any order.
    """

    cells: Ints
    low: Ints
    high: Ints

    @classmethod
    def none(cls, asks: Asks) -> Tallied:
        """Of no rows."""
        low = np.full(len(asks.windows), _NEVER)
        return cls(np.zeros(asks.room, dtype=np.int64), low, np.full(len(low), -1))

    def __add__(self, other: Tallied) -> Tallied:
        if self.cells.shape != other.cells.shape or self.low.shape != other.low.shape:
            raise ValueError("answers to different questions do not add up")
        return Tallied(self.cells + other.cells, np.minimum(self.low, other.low), np.maximum(self.high, other.high))

    @classmethod
    def all_of(cls, asks: Asks, parts: Iterable[Tallied]) -> Tallied:
        """All parts together."""
        return reduce(cls.__add__, parts, cls.none(asks))


def count(asks: Asks, chunks: Iterable[Chunk]) -> Tallied:
    """What is told of some rows, chunk by chunk, in one thread; the lock of the interpreter is let go of meanwhile."""
    from sfumato.partition.mondrian.loops.descent import count_rows

    told, none = Tallied.none(asks), np.zeros(0, dtype=np.int64)
    for words, counts in chunks:
        count_rows(
            np.ascontiguousarray(words), none if counts is None else counts, asks.cells, told.cells, told.low, told.high
        )
    return told
