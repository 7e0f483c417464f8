"""Full-domain recoding: every column at one level of its hierarchy, the same for all rows.

A node of the lattice is a level per quasi-identifier: 0 shows values as they are, the highest shows `*`. A column
without a hierarchy has these two levels, also if it has one value only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.loss.contract import Loss
from sfumato.table.domain import Domain

__all__ = ["ANYTHING", "Ladder", "Ladders", "Node"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Node = tuple[int, ...]

ANYTHING = -1
"""What a column without a hierarchy shows at its top level."""


@dataclass(frozen=True, eq=False)
class Ladder:
    """The levels of one column.

    steps     per level, a dense number for every code; codes that look alike share it
    shown     per level, what every such number shows: a node of the taxonomy, or a code or `ANYTHING` without one
    costs     per level, the loss of every such number
    """

    column: Domain
    steps: tuple[Ints, ...]
    shown: tuple[Ints, ...]
    costs: tuple[Floats, ...]

    @classmethod
    def of(cls, column: Domain, loss: Loss) -> Ladder:
        steps, shown, costs = [], [], []
        for node, low, high in _levels(column):
            begins = np.append(True, low[1:] != low[:-1])[: len(low)]  # codes that look alike stand together
            first, last = low[begins], high[begins]
            steps.append(np.cumsum(begins) - 1)
            shown.append(node[begins])
            costs.append(loss.cost(column, first, last, last - first + 1))
        return cls(column, tuple(steps), tuple(shown), tuple(costs))

    @property
    def height(self) -> int:
        return len(self.steps) - 1

    def size(self, level: int) -> int:
        """How many different things the column shows at a level."""
        return len(self.costs[level])

    def lift(self, below: int, above: int) -> Ints:
        """The number at the higher level for every number at the lower one."""
        lifted = np.zeros(self.size(below), dtype=np.int64)
        lifted[self.steps[below]] = self.steps[above]
        return lifted

    def spent(self, counts: Floats) -> tuple[Floats, Floats]:
        """Mean and highest cost of a row at every level, from the rows of every number at the lowest."""
        present, rows = counts > 0, max(int(counts.sum()), 1)
        levels = [self.costs[level][self.lift(0, level)] for level in range(self.height + 1)]
        means = np.array([cost @ counts / rows for cost in levels])
        return means, np.array([cost[present].max(initial=0.0) for cost in levels])


def _levels(column: Domain) -> list[tuple[Ints, Ints, Ints]]:
    """Per level and code: what it shows, the first and the last code that look like it."""
    codes = np.arange(column.size, dtype=np.int64)
    tree = column.taxonomy
    if tree is not None:
        return [(node, tree.first[node], tree.last[node]) for node in tree.levels]
    anything = np.full_like(codes, ANYTHING)
    return [(codes, codes, codes), (anything, np.zeros_like(codes), np.full_like(codes, column.size - 1))]


@dataclass(frozen=True, eq=False)
class Ladders:
    """The ladders of all quasi-identifiers, also as flat lists for the kernels.

    lifts      every table from a lower to a higher level, one after the other
    lift_at    where that of column c from level a to level b begins: ``[c, a, b]``
    words      where a key holds what columns show: per word, a row (column, shift, mask) for each
    """

    each: tuple[Ladder, ...]
    lifts: NDArray[np.int32]
    lift_at: Ints
    words: tuple[Ints, ...]

    @classmethod
    def of(cls, columns: Sequence[Domain], loss: Loss) -> Ladders:
        ladders = tuple(Ladder.of(column, loss) for column in columns)
        levels = max(ladder.height for ladder in ladders) + 1
        lifts: list[Ints] = []
        lift_at = np.zeros((len(ladders), levels, levels), dtype=np.int64)
        end = 0
        for index, ladder in enumerate(ladders):
            for below in range(ladder.height + 1):
                for above in range(below, ladder.height + 1):
                    lift_at[index, below, above] = end
                    end += ladder.size(below)
                    lifts.append(ladder.lift(below, above))
        return cls(ladders, np.concatenate(lifts).astype(np.int32), lift_at, _words(ladders))

    def __len__(self) -> int:
        return len(self.each)

    @property
    def top(self) -> Node:
        return tuple(ladder.height for ladder in self.each)

    def told(self, blank: Mapping[str, Fraction]) -> Node:
        """The highest node that tells enough: not at the top where only a share of the rows may show `*`."""
        return tuple(
            max(ladder.height - 1, 0) if blank.get(ladder.column.name, 1) < 1 else ladder.height for ladder in self.each
        )

    def keys(self, codes: Sequence[NDArray[np.int32]]) -> tuple[NDArray[np.uint64], ...]:
        """The keys of rows at the bottom, word by word, from their codes column by column."""
        from sfumato.partition.lattice.loops.rollup import pack

        words = []
        for fields in self.words:
            key = np.zeros(len(codes[0]), dtype=np.uint64)
            for axis, shift, _ in fields.tolist():
                pack(key, codes[axis], self.each[axis].steps[0].astype(np.uint64) << np.uint64(shift))
            words.append(key)
        return tuple(words)

    def shown(self, keys: Sequence[NDArray[np.uint64]], node: Node, axis: int) -> Ints:
        """What one column shows of every key at a node."""
        word = next(index for index, fields in enumerate(self.words) if axis in fields[:, 0])
        _, shift, mask = self.words[word][self.words[word][:, 0] == axis][0].tolist()
        codes = (keys[word] >> np.uint64(shift)) & np.uint64(mask)
        shown: Ints = self.each[axis].shown[node[axis]][codes.astype(np.int64)]
        return shown


def _words(ladders: Sequence[Ladder]) -> tuple[Ints, ...]:
    """Bits for the values of every column, as many columns to a word as fit."""
    words: list[list[tuple[int, int, int]]] = [[]]
    used = 0
    for axis, ladder in enumerate(ladders):
        bits = max(ladder.size(0) - 1, 1).bit_length()
        if used + bits > 63:
            words.append([])
            used = 0
        words[-1].append((axis, used, (1 << bits) - 1))
        used += bits
    return tuple(np.array(fields, dtype=np.int64) for fields in words)
