"""What to leave out of a table so that a promise becomes possible: the fewest rows, all of too frequent values.

Of all ways to keep N rows, capping the counts at one height is the most even. A promise about one column that does not
ask which value is which prefers even counts, so capping is best for every N, and evenness falls as the cap rises: the
highest cap that will do is found by bisection, and between it and the next every number of rows is tried.

For other promises, as many rows as can be dealt to groups of different values: enough, perhaps not the fewest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Groups, Histogram, Model
from sfumato.partition.apart import most_groups
from sfumato.policy import promises
from sfumato.table.coded import CodedTable

__all__ = ["Relief", "relief"]

Ints = NDArray[np.int64]

_EVEN = (
    promises.KAnonymity,
    promises.DistinctL,
    promises.EntropyL,
    promises.RecursiveCL,
    promises.SimpleL,
    promises.PairwiseL,
    promises.AlphaK,
    promises.TauL,
)
"""Promises about how even the counts of one column are; pairwise by what is attainable, which is simple l."""
_CELLS = 1 << 22


@dataclass(frozen=True)
class Relief:
    """Rows to leave out: how many, and of how many different values, the most frequent ones."""

    rows: int
    values: int


def relief(model: Model, coded: CodedTable) -> Relief | None:
    """Rows without which the promise is possible; None where no number is enough, or none is known."""
    columns = {name for statistic in model.statistics for name in statistic}
    if len(columns) != 1:
        return None
    (name,) = columns
    counts = coded[name].counts
    ordered = np.sort(counts[counts > 0])[::-1]
    left = ordered - (_capped(model, name, ordered) if _even(model.promise) else _dealt(model, ordered))
    return Relief(int(left.sum()), int((left > 0).sum())) if left.sum() < ordered.sum() else None


def _even(promise: promises.Promise) -> bool:
    parts = promise.promises if isinstance(promise, promises.AllOf) else (promise,)
    return all(isinstance(part, _EVEN) for part in parts)


def _capped(model: Model, column: str, ordered: Ints) -> Ints:
    """What stays of every value; nothing where no cap is enough."""
    low, high, least = 0, int(ordered.max(initial=0)), model.least_rows()
    while low < high:
        middle = (low + high + 1) // 2
        groups = _groups(column, np.minimum(ordered, middle)[None, :])
        if int(groups.sizes[0]) < least or bool(model.attainable(groups)[0]):  # too few rows ask for a higher cap
            low = middle
        else:
            high = middle - 1
    more = int((ordered > low).sum())
    steps = np.arange(more + 1 if more * len(ordered) < _CELLS else 1)  # one row more of the first, the first two, ...
    kept = np.minimum(ordered, low) + (np.arange(len(ordered)) < steps[:, None])
    passing = np.flatnonzero(model.attainable(_groups(column, kept)))
    return np.asarray(kept[passing[-1]] if len(passing) else np.zeros_like(ordered))


def _groups(column: str, rows: Ints) -> Groups:
    """One group per row of a matrix of counts."""
    group, value = np.nonzero(rows)
    starts = np.searchsorted(group, np.arange(len(rows) + 1)).astype(np.int64)
    return Groups(rows.sum(axis=1), {(column,): Histogram(starts, value.astype(np.int64), rows[group, value])})


def _dealt(model: Model, ordered: Ints) -> Ints:
    """What stays of every value where groups of different values are made; nothing where there is no size for them."""
    size = model.uniform_l()
    if size is None:
        return np.zeros_like(ordered)
    groups = most_groups(ordered, size)
    kept = np.minimum(ordered, groups)
    if model.uniform_exactly:
        kept = np.diff(np.minimum(np.cumsum(kept), groups * size), prepend=0)
    return kept
