"""What boxes are made of: the different combinations of quasi-identifiers and of what is promised about, as items, and
the nodes that each of their codes may be shown as.

Costs are whole numbers, 2³⁰ for a row that shows nothing, and are never rounded up: sums are exact in any order, and
what is proven of them holds for the loss.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.loss.contract import Loss
from sfumato.models.contract import Gauge, Model
from sfumato.partition.contract import Task
from sfumato.table.domain import Domain
from sfumato.table.packing import Packed
from sfumato.table.tuples import Columns, Tuples

if TYPE_CHECKING:
    from sfumato.partition.boxes.loops.walk import Heights, Needs

__all__ = ["WHOLE", "BoxItems", "scale_of", "searched", "tree_nodes"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

WHOLE = 1 << 30
"""What a row costs that shows nothing."""
_STEPS = 4
"""Depths below the root of a column without a hierarchy, whose values are cut into as many runs at each."""


@dataclass(frozen=True, eq=False)
class BoxItems:
    """Different combinations, and how many rows have each.

    columns   quasi-identifiers of more than one value, wide ones first
    codes     [column, item]
    values    of what is promised about
    packed    which of them every tuple is
    shares    of a class that each value can fill at most
    """

    columns: tuple[Domain, ...]
    codes: Codes
    values: Codes
    rows: Ints
    packed: Packed
    heights: Heights
    needs: Needs
    shares: NDArray[np.float64]

    @classmethod
    def of(cls, task: Task, gauge: Gauge) -> BoxItems:
        from sfumato.partition.boxes.loops.walk import Needs

        columns = searched(task.table)
        needs = Needs(max(task.model.least_rows(), 1), _different(task.model, gauge))
        few = max(needs.rows, needs.values)
        return cls.made(task.table, columns, gauge, _heights(columns, task.loss, few), needs)

    @classmethod
    def made(cls, table: Tuples, columns: tuple[Domain, ...], gauge: Gauge, heights: Heights, needs: Needs) -> BoxItems:
        """Of these columns, and of those that a gauge counts."""
        fields = [(table.codes[each.name], each.size) for each in columns]
        fields.append(_promised(table, gauge.columns))
        packed = Packed.of(fields, table.counts, canonical=True)
        codes = np.stack([packed.codes(place) for place in range(len(fields))]).astype(np.int32)
        mine, shares = np.ascontiguousarray(codes[:-1]), gauge.shares(fields[-1][1])
        return cls(columns, mine, codes[-1], packed.counts, packed, heights, needs, shares)

    def __len__(self) -> int:
        return len(self.rows)


def searched(table: Tuples) -> tuple[Domain, ...]:
    """The columns that make a difference, wide ones first."""
    return tuple(sorted((each for each in table.quasi if each.size > 1), key=lambda each: -each.size))


def _promised(table: Tuples, promised: Columns) -> tuple[Codes, int]:
    if not promised:
        return np.zeros(len(table), dtype=np.int32), 1
    return table.counted_by(promised), table.size_of(promised)


def _different(model: Model, gauge: Gauge) -> int:
    return max(model.distinct_l(), gauge.fewest) if gauge.columns else 1


def shows_set(column: Domain) -> bool:
    """Whether a class shows the values that it has, and no others."""
    return column.taxonomy is None and column.positions is None


def scale_of(columns: tuple[Domain, ...], loss: Loss) -> float:
    """Cost of a unit of loss."""
    total = sum(loss.weight(column) for column in columns)
    return WHOLE / total if total > 0 else 0.0


def _heights(columns: tuple[Domain, ...], loss: Loss, few: int) -> Heights:
    from sfumato.partition.boxes.loops.walk import Heights

    every, scale = [list(_nodes(column, few)) for column in columns], scale_of(columns, loss)
    depth, size = max(map(len, every)), max(column.size for column in columns)
    node, cost = np.full((len(columns), depth, size), -1, np.int32), np.zeros((len(columns), depth, size), np.int64)
    for place, (column, depths) in enumerate(zip(columns, every, strict=True)):
        for each, (first, last) in enumerate(depths):
            there = first >= 0
            low, high = first[there], last[there]
            if shows_set(column):
                high = np.minimum(high, low + few - 1)
            paid = loss.weight(column) * loss.cost(column, low, high, high - low + 1)
            node[place, each, : column.size] = first
            cost[place, each, : column.size][there] = np.floor(np.maximum(paid, 0.0) * scale)
    sizes = np.array([column.size for column in columns], dtype=np.int64)
    return Heights(node, cost, np.array([len(depths) for depths in every], dtype=np.int64), sizes)


def tree_nodes(column: Domain) -> Iterator[tuple[Ints, Ints]]:
    """Per depth from the root of a hierarchy, the first and the last code of the node that every code is under; -1 for
    none."""
    tree = column.taxonomy
    if tree is None:
        raise ValueError(f"column {column.name!r} has no hierarchy")
    node = np.arange(column.size)
    above = [node]
    while (tree.depth[node] > 0).any():
        node = np.where(tree.depth[node] > 0, tree.parent[node], node)
        above.append(node)
    for depth in range(int(tree.depth[: column.size].max()) + 1):
        first, last = np.full(column.size, -1), np.full(column.size, -1)
        for nodes in above:
            here = tree.depth[nodes] == depth
            first[here], last[here] = tree.first[nodes[here]], tree.last[nodes[here]]
        yield first, last


def _nodes(column: Domain, few: int) -> Iterator[tuple[Ints, Ints]]:
    """The same of any column: where it has no hierarchy, its values are cut into runs."""
    if column.taxonomy is not None:
        yield from tree_nodes(column)
        return
    codes, width = np.arange(column.size), column.size
    base = max(2, int(np.ceil(column.size ** (1 / _STEPS))))
    while width > 1:
        if width in range(2, few) or width == column.size or not shows_set(column):  # others cost as much as all values
            yield codes // width * width, np.minimum(codes // width * width + width, column.size) - 1
        width = -(-width // base)
    yield codes, codes
