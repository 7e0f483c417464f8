"""The loss of a partition by the policy's own measure, as a generalized table would report it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.loss.contract import all_columns, column_means
from sfumato.partition.contract import Partition, Task
from sfumato.table.domain import Domain

__all__ = ["measured"]

Ints = NDArray[np.int64]


def measured(task: Task, found: Partition) -> NDArray[np.float64]:
    """The loss, with every group a class of its own; and with groups that show the same as one class."""
    table, quasi, loss = task.table, task.table.quasi, task.loss
    kept = np.flatnonzero(found.groups >= 0)
    parts = kept[np.argsort(found.groups[kept], kind="stable")]
    groups, tuples = found.groups[parts], found.tuples[parts]
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    sizes = np.add.reduceat(found.counts[parts], starts)
    shown, cells = [], []
    for column in quasi:
        low, high, values = _spans(column, table.codes[column.name][tuples].astype(np.int64), starts, groups)
        if found.recoding is not None:
            low, high = found.recoding.span(column)
            values = high - low + 1
        shown += [low, high, values]
        cells.append(loss.cost(column, low, high, values))
    means, columns = column_means(cells, sizes, found.suppressed), quasi
    if all_columns(loss):
        means = np.append(means, [found.edited_mean(column, loss) for column in table.sensitive])
        columns = (*quasi, *table.sensitive)
    weights = np.array([loss.weight(column) for column in columns])
    classes = np.bincount(_alike(shown, len(sizes)), weights=sizes).astype(np.int64)
    return np.array([loss.value(means, weights, each, table.rows) for each in (sizes, classes)])


def _spans(column: Domain, codes: Ints, starts: Ints, labels: Ints) -> tuple[Ints, Ints, Ints]:
    """Lowest and highest code of every group, or those of the node that covers them, and the size of its set."""
    low, high = np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)
    if column.taxonomy is not None:
        node = column.taxonomy.cover(low, high)
        return column.taxonomy.first[node], column.taxonomy.last[node], column.taxonomy.leaf_counts[node]
    if column.positions is not None:
        return low, high, np.ones_like(low)
    return low, high, np.bincount(np.unique(labels * column.size + codes) // column.size)


def _alike(shown: list[Ints], groups: int) -> Ints:
    """A number for every group, equal for those that show the same."""
    if not shown:
        return np.zeros(groups, dtype=np.int64)
    return np.unique(np.stack(shown), axis=1, return_inverse=True)[1].reshape(-1)
