"""The second stage of boxes: classes by what they show, where that is less than a box of the search.

The search knows nodes of hierarchies, and for columns without one runs of values that it made up. Such columns show the
interval or the set of values that a class really has. So classes near one another are dissolved and built anew by that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Gauge
from sfumato.partition.boxes.items import BoxItems, shows_set
from sfumato.partition.boxes.search import rules_of
from sfumato.partition.contract import Task
from sfumato.partition.prices import prices_of
from sfumato.partition.uniform import without_gaps

if TYPE_CHECKING:
    from sfumato.partition.boxes.loops.classes import Rules
    from sfumato.partition.boxes.loops.shown import Cells, ClassesShown, Pool

__all__ = ["showing_less", "shows_less"]

Ints = NDArray[np.int64]
_PATIENCE = 6
"""Rounds in which nothing is gained, before it ends."""
_GAIN = 1e-4
"""Of the cost: what a round must gain to be more than nothing."""
_TARGETS = 24
"""Classes that a pool is dealt to, at most."""


def shows_less(items: BoxItems) -> bool:
    """Whether some column shows less than the boxes of the search."""
    return any(column.taxonomy is None for column in items.columns)


def showing_less(task: Task, items: BoxItems, gauge: Gauge, labels: Ints, done: int, work: int) -> Ints:
    """Labels of the rows of all items, improved until so much work is done; rows without one stay so."""
    from sfumato.partition.boxes.loops.shown import dealt_anew

    item = np.repeat(np.arange(len(items)), items.rows)
    rules, cells = rules_of(gauge, int(items.values.max()) + 1), _cells(task, items)
    shown, spare = _gathered(items, item, _cut(items, item, without_gaps(labels), rules), cells, task)
    pool = _pool(items, cells, len(rules.whole), task)
    cost, idle, number = float(shown.size @ shown.cost), 0, 0
    while done < work and idle < _PATIENCE:
        gained, more = dealt_anew(shown, cells, rules, pool, _near(task, shown, number), max(len(item) // 4, 64), spare)
        cost, done, number = cost - gained, done + more + 1, number + 1
        idle = 0 if gained > _GAIN * cost else idle + 1
        task.progress("boxes", min(done, work), work)
    return without_gaps(shown.group)


def _cut(items: BoxItems, item: Ints, labels: Ints, rules: Rules) -> Ints:
    """Classes cut into as many as keep the promise, rows that are alike together."""
    from sfumato.partition.boxes.loops.shown import cut

    keys = [items.codes[column][item] for column in range(len(items.columns))]
    order = np.lexsort([*keys, labels])
    order = order[np.searchsorted(labels[order], 0) :]
    made: Ints = labels.copy()
    made[order] = cut(labels[order], items.values[item[order]], rules)
    return made


def _near(task: Task, shown: ClassesShown, number: int) -> Ints:
    """Rows by all columns, in an order of the columns that is new every time."""
    turns = task.randomness.shuffle(shown.codes.shape[1], f"boxes columns {number}")
    ties = task.randomness.numbers(len(shown.codes), f"boxes order {number}")
    keys: list[NDArray[Any]] = [ties, *(shown.codes[:, column] for column in turns)]
    return np.lexsort(keys)


def _cells(task: Task, items: BoxItems) -> Cells:
    from sfumato.partition.boxes.loops.shown import Cells

    columns, loss = items.columns, task.loss
    sizes = [column.size for column in columns]
    sets = np.full((len(columns), max(sizes) + 1), -1.0)
    for place, column in enumerate(columns):
        if shows_set(column):
            many = np.arange(1, column.size + 1)
            cost = loss.weight(column) * loss.cost(column, np.zeros_like(many), many - 1, many)
            sets[place, 1 : column.size + 1] = cost - min(float(cost[0]), 0.0)
            sets[place, 0] = 0.0
    start = np.concatenate(([0], np.cumsum(sizes)))[:-1].astype(np.int64)
    return Cells(prices_of(columns, loss, "loss"), sets, start)


def _gathered(items: BoxItems, item: Ints, labels: Ints, cells: Cells, task: Task) -> tuple[ClassesShown, Ints]:
    """Classes as labels say, and the numbers that are left for others."""
    from sfumato.partition.boxes.loops.shown import ClassesShown

    codes = np.ascontiguousarray(items.codes.T[item])
    count, most = int(labels.max(initial=-1)) + 1, len(item) // max(items.needs.rows, 1) + 1
    room = max(count, most)
    order = np.argsort(labels, kind="stable")
    order = order[np.searchsorted(labels[order], 0) :]
    here = labels[order]
    first, after, size = np.full(room, -1), np.full(len(item), -1), np.bincount(here, minlength=room)
    starts = np.flatnonzero(np.diff(here, prepend=-1))
    first[here[starts]] = order[starts]
    same = here[1:] == here[:-1]
    after[order[:-1][same]] = order[1:][same]
    cost = np.zeros(room)
    for place, column in enumerate(items.columns):
        mine = codes[order, place].astype(np.int64)
        low, high = np.minimum.reduceat(mine, starts), np.maximum.reduceat(mine, starts)
        if shows_set(column):
            many = np.bincount(np.unique(here * column.size + mine) // column.size, minlength=count)
            cost[here[starts]] += cells.sets[place, many[here[starts]]]
        else:
            cost[here[starts]] += _priced(cells, place, low, high)
    spare = np.concatenate(([room - count], np.arange(room - 1, count - 1, -1), np.zeros(count, dtype=np.int64)))
    return ClassesShown(codes, items.values[item], labels.copy(), after, first, size, cost), spare


def _priced(cells: Cells, column: int, low: Ints, high: Ints) -> NDArray[np.float64]:
    from sfumato.partition.boxes.loops.shown import priced

    made: NDArray[np.float64] = priced(cells, column, low, high)
    return made


def _pool(items: BoxItems, cells: Cells, values: int, task: Task) -> Pool:
    from sfumato.partition.boxes.loops.shown import POOL, Pool

    columns, codes = len(items.columns), int(sum(column.size for column in items.columns))
    row, target = np.zeros((2, POOL), dtype=np.int64)
    group, size, different = np.zeros((3, _TARGETS), dtype=np.int64)
    many, low, high = np.zeros((3, _TARGETS, columns), dtype=np.int64)
    chance = (task.randomness.numbers(1, "boxes shown") >> np.uint64(1)).astype(np.int64) | 1
    return Pool(
        row, target, group, size, np.zeros(_TARGETS), different, np.zeros((_TARGETS, values), dtype=np.int64),
        np.zeros((_TARGETS, codes), dtype=np.int64), many, low, high, chance,
    )  # fmt: skip
