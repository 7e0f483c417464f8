"""What every cut of Mondrian obeys, and what a group costs in each column, by which cuts are tried: no rows needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.loss.contract import Loss
from sfumato.models.contract import Model
from sfumato.table.domain import Domain

if TYPE_CHECKING:
    from sfumato.partition.mondrian.loops.segments import CutRules, Trees

__all__ = ["BoxCosts", "rules_of"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_NARROW = 128
"""Columns with no more codes have a table of what every interval costs."""


def rules_of(columns: Sequence[Domain], model: Model, relaxed: bool = False) -> CutRules:
    """Where these columns may be cut, and what both sides of a cut have if they can keep the promise."""
    from sfumato.partition.mondrian.loops.segments import CutRules

    wanted = model.distinct_l() if any(model.statistics) else 1
    return CutRules(_trees(columns), max(model.least_rows(), 1), wanted, relaxed)


@dataclass(frozen=True, eq=False)
class BoxCosts:
    """What boxes cost, column by column and weighted: looked up where columns are narrow, asked for where not."""

    loss: Loss
    columns: tuple[Domain, ...]
    tables: Floats
    offset: Ints
    sizes: Ints

    @classmethod
    def of(cls, columns: tuple[Domain, ...], loss: Loss) -> BoxCosts:
        tables, offset, used = [np.zeros(1)], [], 1
        for column in columns:
            narrow = column.size <= _NARROW
            offset.append(used if narrow else -1)
            if narrow:
                low, high = np.triu_indices(column.size)
                table = np.zeros((column.size, column.size))
                table[low, high] = loss.weight(column) * loss.cost(column, low, high)
                tables.append(table.reshape(-1))
                used += table.size
        sizes = np.array([column.size for column in columns], dtype=np.int64)
        return cls(loss, columns, np.concatenate(tables), np.array(offset, dtype=np.int64), sizes)

    def of_boxes(self, low: Ints, high: Ints) -> Floats:
        # Clipped: of a column without a table, whatever is found is replaced.
        cost: Floats = self.tables.take(self.offset + low * self.sizes + high, mode="clip")
        for index in np.flatnonzero(self.offset < 0).tolist():
            column = self.columns[index]
            cost[:, index] = self.loss.weight(column) * self.loss.cost(column, low[:, index], high[:, index])
        return cost


def _trees(columns: Sequence[Domain]) -> Trees:
    """All taxonomies in one list of nodes; a node is cut after the last code of each of its children but the last."""
    from sfumato.partition.mondrian.loops.segments import Trees

    none = np.zeros(0, dtype=np.int64)
    leaves, parent, last, edges, nodes = [], [none], [none], [none], 0
    for column in columns:
        tree = column.taxonomy
        leaves.append(-1 if tree is None else nodes)
        if tree is not None:
            parent.append(tree.parent + nodes)  # no box reaches beyond the root, so nobody asks for its parent
            last.append(tree.last)
            edges += [tree.last[children[:-1]] for children in tree.children]
            nodes += len(tree.labels)
    edge_from = np.cumsum([len(each) for each in edges], dtype=np.int64)
    return Trees(
        np.array(leaves, dtype=np.int64), np.concatenate(parent), np.concatenate(last), edge_from, np.concatenate(edges)
    )
