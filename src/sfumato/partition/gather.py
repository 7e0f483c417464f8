"""Groups by what they hold: their rows in an order of their own, their boxes, and which is nearest to which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.contract import Task

__all__ = ["Boxes", "first_rows", "loss_of_groups"]

Ints = NDArray[np.int64]


def first_rows(canonical: Ints, labels: Ints, count: int) -> list[Ints]:
    """The rows of every group in canonical order."""
    order = canonical[labels[canonical] >= 0]
    order = order[np.argsort(labels[order], kind="stable")]
    starts = np.searchsorted(labels[order], np.arange(count + 1))
    return [order[begin:end] for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]


@dataclass(frozen=True, eq=False)
class Boxes:
    """Per group its rows' number and the interval of codes that it spans in every quasi-identifier."""

    task: Task
    sizes: Ints
    low: Ints
    high: Ints

    @classmethod
    def of(cls, task: Task, groups: Sequence[Ints]) -> Boxes:
        sizes = np.array([len(rows) for rows in groups], np.int64)
        starts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64)
        rows = np.concatenate([np.empty(0, np.int64), *groups])
        codes = [column.codes[rows].astype(np.int64) for column in task.table.quasi]
        low = np.stack([np.minimum.reduceat(each, starts) for each in codes], axis=1)
        high = np.stack([np.maximum.reduceat(each, starts) for each in codes], axis=1)
        return cls(task, sizes, low, high)

    def nearest(self, group: int) -> int:
        """The group that costs least to join: what rows of both lose by it; the first of several."""
        low, high = np.minimum(self.low, self.low[group]), np.maximum(self.high, self.high[group])
        joined = self._costs(low, high)
        alone = self._costs(self.low, self.high)
        extra = joined * (self.sizes + self.sizes[group]) - alone * self.sizes
        extra[group] = np.inf
        return int(np.argmin(extra))

    def _costs(self, low: Ints, high: Ints) -> NDArray[np.float64]:
        """What a row of each box loses."""
        loss = self.task.loss
        costs = np.zeros(len(low))
        for place, column in enumerate(self.task.table.quasi):
            costs += loss.weight(column) * loss.cost(column, low[:, place], high[:, place])
        return costs


def loss_of_groups(task: Task, labels: Ints) -> float:
    """The loss of a partition whose groups show the least that covers them; suppressed rows lose all."""
    count = int(labels.max(initial=-1)) + 1
    table, loss, suppressed = task.table, task.loss, int((labels < 0).sum())
    groups = first_rows(np.arange(table.rows), labels, count)
    boxes = Boxes.of(task, groups)
    means = []
    for place, column in enumerate(table.quasi):
        cells = loss.cost(column, boxes.low[:, place], boxes.high[:, place], _values(column.codes, groups))
        means.append((float(cells @ boxes.sizes) + suppressed) / max(table.rows, 1))
    weights = np.array([loss.weight(column) for column in table.quasi])
    return loss.value(np.array(means), weights, boxes.sizes, table.rows)


def _values(codes: NDArray[np.int32], groups: Sequence[Ints]) -> Ints:
    """How many different values every group has."""
    owner = np.repeat(np.arange(len(groups)), [len(rows) for rows in groups])
    span = int(codes.max(initial=0)) + 1
    keys = np.unique(owner * span + codes[np.concatenate([np.empty(0, np.int64), *groups])])
    return np.bincount(keys // span, minlength=len(groups)).astype(np.int64)
