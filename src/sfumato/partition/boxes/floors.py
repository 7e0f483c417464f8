"""What cells may be shown as, each at no more than it costs: what a lower bound on the loss counts with.

A column with a hierarchy shows nodes of it, and these are as they are. Of others, whatever a form may show has a way
here that covers as much and costs no more:

a number or date   an interval. Intervals of like cost lie within one of two rows of runs, and cost no less than the
                   least of them: greedy runs of at most that cost are put together two by two, from the first on and
                   from the second on; an interval that is no dearer meets two neighbours at most.
a text             a set: one value, or at least as much as two values that follow one another.

A loss never costs less for a wider interval, and that is all that is used of it. Costs that may be less than 0 are
raised by as much for all that a column can show, which is taken off at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.loss.contract import Loss
from sfumato.models.contract import Model
from sfumato.partition.boxes.items import WHOLE, BoxItems, tree_nodes
from sfumato.partition.contract import Task
from sfumato.table.domain import Domain
from sfumato.table.packing import Packed
from sfumato.table.tuples import Columns

__all__ = ["Floors", "Necessary"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_FINEST = 6
"""Intervals are told apart by their cost down to 2⁻⁶ of all."""


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

        table, loss = task.table, task.loss
        columns = tuple(sorted((each for each in table.quasi if each.size > 1), key=lambda each: -each.size))
        total = sum(loss.weight(column) for column in table.quasi)
        ways = [list(_ways(column, loss)) for column in columns]
        share = [loss.weight(column) / total if total else 0.0 for column in columns]
        least = [min(0.0, *(float(cost.min()) for _, cost in each)) for each in ways]
        shift = -sum(part * low for part, low in zip(share, least, strict=True))
        unit = WHOLE / (1 + shift)
        shape = len(columns), max(map(len, ways)), max(column.size for column in columns)
        node, cost = np.full(shape, -1, np.int32), np.zeros(shape, np.int64)
        for place, each in enumerate(ways):
            for depth, (first, paid) in enumerate(each):
                node[place, depth, : len(first)] = first
                cost[place, depth, : len(first)] = np.floor((paid - least[place]) * share[place] * unit)
        fields = [(table.codes[each.name], each.size) for each in columns]
        if needed.columns:
            fields.append((table.counted_by(needed.columns), table.size_of(needed.columns)))
        packed = Packed.of(fields, table.counts, canonical=True)
        codes = np.stack([packed.codes(place) for place in range(len(fields))]).astype(np.int32)
        values = codes[-1] if needed.columns else np.zeros(len(packed.counts), dtype=np.int32)
        heights = Heights(
            node, cost, np.array([len(each) for each in ways]), np.array([column.size for column in columns])
        )
        needs = Needs(needed.rows, needed.values)
        mine = np.ascontiguousarray(codes[: len(columns)])
        return cls(BoxItems(columns, mine, values, packed.counts, packed, heights, needs), unit, shift)

    def loss(self, prices: Ints) -> float:
        """What rows lose that pay these prices, on average."""
        rows = self.items.rows
        return int(prices @ rows) / int(rows.sum()) / self.unit - self.shift


def _ways(column: Domain, loss: Loss) -> Iterator[tuple[Ints, Floats]]:
    """Per way to show a column, the first code of what every code is shown as, -1 for nothing; and its least cost."""
    codes = np.arange(column.size)
    if column.taxonomy is not None:
        for first, last in tree_nodes(column):
            cost, there = np.zeros(column.size), first >= 0
            cost[there] = loss.cost(column, first[there], last[there], last[there] - first[there] + 1)
            yield first, cost
        return
    yield codes, loss.cost(column, codes, codes, np.ones_like(codes))
    if column.positions is None:
        two = loss.cost(column, codes[:-1], codes[1:], np.full(column.size - 1, 2))
        yield np.zeros_like(codes), np.full(column.size, two.min())
    else:
        yield from _intervals(column, loss)


def _intervals(column: Domain, loss: Loss) -> Iterator[tuple[Ints, Floats]]:
    codes = np.arange(column.size)
    least = float(loss.cost(column, codes[:-1], codes[1:], np.ones_like(codes[1:])).min())
    for most in (*(2.0**-power for power in range(_FINEST, 0, -1)), np.inf):
        if most <= least:
            continue
        begins = _greedy(column, loss, most)
        for pairs in (begins[::2], np.union1d(0, begins[1::2])):
            yield pairs[np.searchsorted(pairs, codes, side="right") - 1], np.full(column.size, least)
            if len(begins) <= 2:
                return
        least = most


def _greedy(column: Domain, loss: Loss, most: float) -> Ints:
    """Where runs begin of which each is as long as it can be for that cost, or one value."""
    begins, at = [], 0
    while at < column.size:
        begins.append(at)
        last = np.arange(at + 1, column.size)
        dearer = loss.cost(column, np.full(len(last), at), last, np.ones_like(last)) > most
        at += 1 + (int(np.argmax(dearer)) if dearer.any() else len(last))
    return np.array(begins)
