"""What to leave out of a table so that a promise becomes possible: the fewest rows, all of too frequent values.

Of all ways to keep N rows, capping the counts at one height is the most even. A promise about one column that does not
ask which value is which prefers even counts, and its model says so; capping is best for every N then, and evenness
falls as the cap rises: the highest cap that will do is found by bisection, and between it and the next every number of
rows is tried.

For other promises, as many rows as can be dealt to groups of different values: enough, perhaps not the fewest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Groups, Histogram, Model
from sfumato.partition.apart.apart import most_groups
from sfumato.table.tuples import Tuples

__all__ = ["Relief", "at_least", "relief"]

Ints = NDArray[np.int64]

_CELLS = 1 << 22


@dataclass(frozen=True)
class Relief:
    """Rows to leave out: how many, and of how many different values, the most frequent ones."""

    rows: int
    values: int


def relief(model: Model, coded: Tuples) -> Relief | None:
    """Rows without which the promise is possible; None where no number is enough, or none is known."""
    name = _only_column(model)
    if name is None:
        return None
    ordered = _ordered(coded, name)
    even = model.prefers_even
    left = ordered - (_capped(model, name, ordered, _cap(model, name, ordered)) if even else _dealt(model, ordered))
    return Relief(int(left.sum()), int((left > 0).sum())) if left.sum() < ordered.sum() else None


def at_least(model: Model, coded: Tuples) -> int:
    """Rows that no release can do without leaving out; all rows: none keeps the promise; 0 where nothing is known.

    Of what does not survive merging, by what is attainable, which is necessary.
    """
    name = _only_column(model)
    if name is None or not model.prefers_even:
        return 0
    ordered = _ordered(coded, name)
    cap = _cap(model, name, ordered)
    if _few(ordered, cap):
        return int(ordered.sum() - _capped(model, name, ordered, cap).sum())
    # Not every number of rows is tried; but with a row more of every value it is too uneven, and so with yet more.
    return int(ordered.sum() - np.minimum(ordered, cap + 1).sum()) + 1


def _only_column(model: Model) -> str | None:
    columns = {name for statistic in model.statistics for name in statistic}
    return columns.pop() if len(columns) == 1 else None


def _ordered(coded: Tuples, column: str) -> Ints:
    """Rows of every value, the most frequent first."""
    counts = coded[column].counts
    return np.asarray(np.sort(counts[counts > 0])[::-1])


def _cap(model: Model, column: str, ordered: Ints) -> int:
    """The highest that will do for every value, or that leaves too few rows."""
    low, high, least = 0, int(ordered.max(initial=0)), model.least_rows()
    while low < high:
        middle = (low + high + 1) // 2
        groups = _groups(column, np.minimum(ordered, middle)[None, :])
        if int(groups.sizes[0]) < least or bool(model.attainable(groups)[0]):  # too few rows ask for a higher cap
            low = middle
        else:
            high = middle - 1
    return low


def _few(ordered: Ints, cap: int) -> bool:
    """Whether every number of rows between a cap and the next is tried."""
    return int((ordered > cap).sum()) * len(ordered) < _CELLS


def _capped(model: Model, column: str, ordered: Ints, cap: int) -> Ints:
    """What stays of every value; nothing where no cap is enough."""
    more = int((ordered > cap).sum())
    steps = np.arange(more + 1 if _few(ordered, cap) else 1)  # one row more of the first, the first two, ...
    kept = np.minimum(ordered, cap) + (np.arange(len(ordered)) < steps[:, None])
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
