"""Groups by what they hold: their rows in an order of their own, their boxes, and which is nearest to which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.contract import Task

__all__ = ["GroupBoxes", "first_rows"]

Ints = NDArray[np.int64]


def first_rows(labels: Ints, count: int) -> list[Ints]:
    """The rows of every group in their order."""
    order = np.flatnonzero(labels >= 0)
    order = order[np.argsort(labels[order], kind="stable")]
    starts = np.searchsorted(labels[order], np.arange(count + 1))
    return [order[begin:end] for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]


@dataclass(frozen=True, eq=False)
class GroupBoxes:
    """Per group its rows' number and the interval of codes that it spans in every quasi-identifier.

    The task has rows one by one.
    """

    task: Task
    sizes: Ints
    low: Ints
    high: Ints

    @classmethod
    def of(cls, task: Task, groups: Sequence[Ints]) -> GroupBoxes:
        sizes = np.array([len(rows) for rows in groups], np.int64)
        starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)
        rows = np.concatenate([np.empty(0, np.int64), *groups])
        codes = [task.table.codes[column.name][rows].astype(np.int64) for column in task.table.quasi]
        low = np.stack([np.minimum.reduceat(each, starts) for each in codes], axis=1)
        high = np.stack([np.maximum.reduceat(each, starts) for each in codes], axis=1)
        return cls(task, sizes, low, high)

    def nearest(self, group: int) -> int:
        """The group that costs least to join; the first of several."""
        return int(np.argmin(self.blurred(group)))

    def blurred(self, group: int) -> NDArray[np.float64]:
        """What rows of a group and of each other one lose if they are joined."""
        low, high = np.minimum(self.low, self.low[group]), np.maximum(self.high, self.high[group])
        joined = self._costs(low, high)
        alone = self._costs(self.low, self.high)
        extra: NDArray[np.float64] = (
            joined * (self.sizes + self.sizes[group]) - alone * self.sizes - alone[group] * self.sizes[group]
        )
        extra[(self.sizes == 0) | (np.arange(len(extra)) == group)] = np.inf
        return extra

    @property
    def scale(self) -> float:
        """What all rows lose at most."""
        weights = sum(self.task.loss.weight(column) for column in self.task.table.quasi)
        return max(self.task.table.rows * weights, 1e-300)

    def join(self, kept: int, gone: int) -> None:
        """One group for two; the other is none any more."""
        self.low[kept] = np.minimum(self.low[kept], self.low[gone])
        self.high[kept] = np.maximum(self.high[kept], self.high[gone])
        self.sizes[kept] += self.sizes[gone]
        self.sizes[gone] = 0

    def _costs(self, low: Ints, high: Ints) -> NDArray[np.float64]:
        """What a row of each box loses."""
        loss = self.task.loss
        costs = np.zeros(len(low))
        for place, column in enumerate(self.task.table.quasi):
            costs += loss.weight(column) * loss.cost(column, low[:, place], high[:, place])
        return costs
