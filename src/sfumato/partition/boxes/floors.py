"""What cells may be shown as, each at no more than it costs: what a lower bound on the loss counts with.

A column with a hierarchy shows nodes of it, and these are as they are. Of others, whatever a form may show has a way
here that covers as much and costs no more:

a number or date   an interval. Intervals of like cost lie within runs that are a little longer, and cost no less than
                   the least of them.
a text             a set: one value, or at least as much as two values that follow one another.

The more columns there are, the more boxes: then intervals are told apart less finely, and at last columns count as if
they were shown at their least cost. Both make the bound lower.

A loss never costs less for a wider interval, and that is all that is used of it. Costs that may be less than 0 are
raised by as much for all that a column can show, which is taken off at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from sfumato.loss.contract import Loss
from sfumato.models.contract import Gauge, Model
from sfumato.partition.boxes.items import WHOLE, BoxItems, searched, tree_nodes
from sfumato.partition.contract import Task
from sfumato.table.domain import Domain
from sfumato.table.tuples import Columns

__all__ = ["Floors", "Necessary"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

Way = tuple[Ints, Floats]
"""The first code of what every code is shown as, -1 if it is not; and what that costs at least."""

_FINEST = 6
"""Intervals are told apart by their cost down to 2⁻⁶ of all."""
_FINE = (12, 6, 3, 2, 1)
"""And by so many costs, as far as there is room."""
_FEW = 8
"""Values of a column whose intervals are told apart by each cost."""
_ROUNDING = 1e-12
"""By which the cost of an interval may differ from one computation to another."""
_ROOM = 4_000_000_000
"""Ways to show all columns, times tuples, at most."""


@dataclass(frozen=True)
class Necessary:
    """What every class has that keeps a promise, whatever else it has.

    rows      at least
    values    different ones, of these columns together, at least
    """

    rows: int = 1
    values: int = 1
    columns: Columns = ()

    @classmethod
    def of(cls, model: Model, edits: bool) -> Necessary:
        """What is known of a model. Of a part that asks of sets of quasi-identifiers apart, or that can be kept by
        generalizing sensitive values alone, nothing is."""
        parts = [part for part in model.conjuncts if not (part.knowing or (edits and part.counts_induced))]
        made = cls(max((part.least_rows() for part in parts), default=1))
        for part in parts:
            columns = tuple(dict.fromkeys(name for columns in part.statistics for name in columns))
            gauge = part.gauge()
            values = max(part.distinct_l(), 1 if gauge is None else gauge.fewest)
            if columns and values > made.values:
                made = cls(made.rows, values, columns)
        return made

    @property
    def nothing(self) -> bool:
        return self.rows <= 1 and self.values <= 1


@dataclass(frozen=True, eq=False)
class Floors:
    """Items with what their boxes cost at least.

    unit     of cost that one of loss is
    shift    of loss that every row has more, so that nothing costs less than 0
    """

    items: BoxItems
    unit: float
    shift: float

    @classmethod
    def of(cls, task: Task, needed: Necessary) -> Floors:
        from sfumato.partition.boxes.loops.walk import Heights, Needs

        table, loss, columns = task.table, task.loss, searched(task.table)
        total = sum(loss.weight(column) for column in table.quasi)
        share = [loss.weight(column) / total if total else 0.0 for column in columns]
        ways = _told_apart(columns, loss, share, len(table))
        least = [min(0.0, *(float(cost.min()) for _, cost in each)) for each in ways]
        shift = -sum(part * low for part, low in zip(share, least, strict=True))
        unit = WHOLE / (1 + shift)
        shape = len(columns), max(map(len, ways)), max(column.size for column in columns)
        node, cost = np.full(shape, -1, np.int32), np.zeros(shape, np.int64)
        for place, each in enumerate(ways):
            for depth, (first, paid) in enumerate(each):
                there = first >= 0
                node[place, depth, : len(first)] = first
                cost[place, depth, : len(first)][there] = np.floor((paid[there] - least[place]) * share[place] * unit)
        depths, sizes = np.array([len(each) for each in ways]), np.array([column.size for column in columns])
        heights, needs = Heights(node, cost, depths, sizes), Needs(needed.rows, needed.values)
        return cls(BoxItems.made(table, columns, Gauge(needed.columns), heights, needs), unit, shift)

    def loss(self, prices: Ints) -> float:
        """What rows lose that pay these prices, on average."""
        rows = self.items.rows
        return int(prices @ rows) / int(rows.sum()) / self.unit - self.shift


def _told_apart(columns: Sequence[Domain], loss: Loss, share: Sequence[float], tuples: int) -> list[list[Way]]:
    """The ways of every column, as fine as there is room for."""
    for fine in _FINE:
        ways = [_ways(column, loss, fine) for column in columns]
        if prod(map(len, ways)) * tuples <= _ROOM:
            return ways
    gain = [part * _first_step(each) for part, each in zip(share, ways, strict=True)]
    for place in np.argsort(gain, kind="stable").tolist():
        if prod(map(len, ways)) * tuples > _ROOM:
            ways[place] = _ways(columns[place], loss, 0)
    return ways


def _first_step(ways: Sequence[Way]) -> float:
    """What a column costs at least that is not shown as it is."""
    costs = np.unique(np.concatenate([cost for _, cost in ways]))
    return float(costs[1] - costs[0]) if len(costs) > 1 else 0.0


def _ways(column: Domain, loss: Loss, fine: int) -> list[Way]:
    """How a column may be shown, told apart as finely as asked; with 0, only that it may be anything."""
    made = list(_of_tree(column, loss) if column.taxonomy is not None else _of_values(column, loss, fine))
    if fine:
        return made
    return [(np.zeros(column.size, dtype=np.int64), np.full(column.size, min(float(cost.min()) for _, cost in made)))]


def _of_tree(column: Domain, loss: Loss) -> Iterator[Way]:
    for first, last in tree_nodes(column):
        there = first >= 0
        cost = np.full(column.size, np.inf)
        cost[there] = loss.cost(column, first[there], last[there], last[there] - first[there] + 1)
        yield first, cost


def _of_values(column: Domain, loss: Loss, fine: int) -> Iterator[Way]:
    codes = np.arange(column.size)
    yield codes, loss.cost(column, codes, codes, np.ones_like(codes))
    values = np.full(column.size - 1, 2 if column.positions is None else 1)
    least = float(loss.cost(column, codes[:-1], codes[1:], values).min())
    if column.positions is None or fine < 2:
        yield np.zeros_like(codes), np.full(column.size, least)
        return
    every, grain = _every_cost(column, loss), 0.0
    if not 0 < len(every) <= fine:
        steps = [2.0 ** (_FINEST * (step / fine - 1)) for step in range(1, fine)]
        steps, grain = [step for step in steps if step > least], 0.5
        every = list(zip([least, *steps], [*steps, np.inf], strict=True))
    for least, most in every:
        rows = list(_rows_of_runs(column, loss, most, grain * most))
        yield from ((first, np.full(column.size, least)) for first in rows)
        if len(rows) == 1 and not rows[0].any():
            return  # wider intervals cost more, and cover no more


def _every_cost(column: Domain, loss: Loss) -> list[tuple[float, float]]:
    """What intervals of a column of few values cost, each cost by itself; nothing if it has more."""
    if column.size > _FEW:
        return []
    low, high = np.triu_indices(column.size, 1)
    return [(cost, cost) for cost in np.unique(loss.cost(column, low, high, np.ones_like(low))).tolist()]


def _rows_of_runs(column: Domain, loss: Loss, most: float, grain: float) -> Iterator[Ints]:
    """Runs of values such that every interval which costs no more than `most` lies within one, in rows of runs that do
    not overlap: per code the first of its run, or -1.

    Runs begin with every stretch that costs no more than the grain, and end where an interval ends that begins with the
    last value of the stretch and costs as much as it may.
    """
    stretch, reach = _furthest(column, loss, grain), _furthest(column, loss, most)
    runs: list[list[tuple[int, int]]] = []
    begin, before = 0, -1
    while begin < column.size:
        last = int(stretch[begin])
        end = int(reach[last])
        if end > before:
            mine = next((row for row in runs if row[-1][1] < begin), None)
            if mine is None:
                mine = []
                runs.append(mine)
            mine.append((begin, end))
        begin, before = last + 1, max(before, end)
    for row in runs:
        first = np.full(column.size, -1)
        for begin, end in row:
            first[begin : end + 1] = begin
        yield first


def _furthest(column: Domain, loss: Loss, most: float) -> Ints:
    """Per code, the last one up to which an interval from it costs no more; itself if none does."""
    codes = np.arange(column.size)
    known, beyond = codes.copy(), np.full(column.size, column.size)
    while (beyond - known > 1).any():
        middle = np.where(beyond - known > 1, (known + beyond) // 2, known)
        within = (loss.cost(column, codes, middle, np.ones_like(codes)) <= most + _ROUNDING) | (middle == codes)
        known, beyond = np.where(within, middle, known), np.where(within, beyond, middle)
    return known
