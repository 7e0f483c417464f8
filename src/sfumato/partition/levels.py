"""Full-domain recoding: every column at one level of its hierarchy, the same for all rows.

A node of the lattice is a level per quasi-identifier: 0 shows values as they are, the highest shows `*`. A column
without a hierarchy has these two levels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.measure.loss import Loss
from sfumato.table.coded import CodedColumn

__all__ = ["Ladder", "Node"]

Ints = NDArray[np.int64]
Node = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Ladder:
    """The levels of one column.

    steps     per level, a dense number for every code; codes that look alike share it
    costs     per level, the loss of every such number
    """

    column: CodedColumn
    steps: tuple[Ints, ...]
    costs: tuple[NDArray[np.float64], ...]

    @classmethod
    def of(cls, column: CodedColumn, loss: Loss) -> Ladder:
        steps, costs = [], []
        for low, high in _spans(column):
            first, step = np.unique(low, return_inverse=True)
            top = np.zeros(len(first), dtype=np.int64)
            top[step] = high
            steps.append(step.astype(np.int64).reshape(-1))
            costs.append(loss.cost(column, first, top, top - first + 1))
        return cls(column, tuple(steps), tuple(costs))

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


def _spans(column: CodedColumn) -> list[tuple[Ints, Ints]]:
    """Per level, the first and last code that look like each code."""
    codes = np.arange(column.size, dtype=np.int64)
    tree = column.taxonomy
    if tree is not None:
        nodes = [tree.at_level(level) for level in range(tree.height + 1)]
        return [(tree.first[node], tree.last[node]) for node in nodes]
    if column.size < 2:
        return [(codes, codes)]
    return [(codes, codes), (np.zeros_like(codes), np.full_like(codes, column.size - 1))]
