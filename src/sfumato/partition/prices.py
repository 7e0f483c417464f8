"""What the algorithms that look for near rows pay for a box: the information loss of the papers, weighted.

ncp        leaves below the node over all leaves, nothing for a single value; the share of the range for numbers and
           dates, of the values in order for text without a hierarchy (Xu et al. 2006)
heights    levels of the tree below the node over all levels, otherwise the same (Byun et al. 2007)

loss       what the policy's loss makes of a cell, as far as tables and trees reach; the share of the range for columns
           of many values without a hierarchy

A missing value together with another costs all there is.

References: Xu, Wang, Pei, Wang, Shi, Fu: Utility-based anonymization using local recoding. KDD 2006.
https://doi.org/10.1145/1150402.1150504
Byun, Kamra, Bertino, Li: Efficient k-anonymization using clustering techniques. DASFAA 2007.
https://doi.org/10.1007/978-3-540-71703-4_18
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.loss.contract import Loss
from sfumato.loss.ncp import share_of_domain
from sfumato.table.domain import Domain
from sfumato.taxonomy.tree import Taxonomy

if TYPE_CHECKING:
    from sfumato.kernels.box_prices import Prices

__all__ = ["Information", "prices_of"]

Floats = NDArray[np.float64]
Information = Literal["ncp", "heights", "loss"]

_NARROW = 128
"""Columns with no more codes have a table of what every interval costs."""


def prices_of(columns: Sequence[Domain], loss: Loss, information: Information) -> Prices:
    """Prices of the columns' intervals, by their weights."""
    from sfumato.kernels.box_prices import LINE, TABLE, TREE, Prices

    kinds, offsets, missing = [], [], []
    numbers, parent, last = [np.zeros(0)], [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    used = 0
    for column in columns:
        tree, weight = column.taxonomy, loss.weight(column)
        if column.size <= _NARROW:
            made, kind = weight * _table(column, loss, information), TABLE
        elif tree is not None:
            made, kind = weight * _of_nodes(column, tree, loss, information), TREE
        else:
            made, kind = weight * _line(column), LINE
        kinds.append(kind)
        offsets.append(used)
        missing.append(-1 if column.missing is None else column.missing)
        numbers.append(made)
        wide = kind == TREE and tree is not None
        parent.append(tree.parent if wide and tree is not None else np.zeros(len(made), dtype=np.int64))
        last.append(tree.last if wide and tree is not None else np.zeros(len(made), dtype=np.int64))
        used += len(made)
    return Prices(
        np.array(kinds, dtype=np.int64),
        np.array(offsets, dtype=np.int64),
        np.array([column.size for column in columns], dtype=np.int64),
        np.array(missing, dtype=np.int64),
        np.array([loss.weight(column) for column in columns], dtype=np.float64),
        np.concatenate(numbers),
        np.concatenate(parent).astype(np.int64),
        np.concatenate(last).astype(np.int64),
    )


def _table(column: Domain, loss: Loss, information: Information) -> Floats:
    low, high = np.triu_indices(column.size)
    table = np.zeros((column.size, column.size))
    if information == "loss":
        table[low, high] = loss.cost(column, low, high)
    elif column.taxonomy is not None:
        nodes = column.taxonomy.cover(low, high)
        table[low, high] = _of_nodes(column, column.taxonomy, loss, information)[nodes]
    else:
        table[low, high] = share_of_domain(column, low, high)
    return table.reshape(-1)


def _of_nodes(column: Domain, tree: Taxonomy, loss: Loss, information: Information) -> Floats:
    """The price of every node."""
    if information == "loss":
        return loss.cost(column, tree.first, tree.last)
    if information == "ncp":
        return np.asarray(np.where(tree.leaf_counts > 1, tree.leaf_counts / tree.size, 0.0))
    below = np.zeros(len(tree.labels))
    for node in range(len(below) - 1):  # every child before its parent
        above = tree.parent[node]
        below[above] = max(below[above], below[node] + 1)
    return np.asarray(below / max(below.max(), 1.0))


def _line(column: Domain) -> Floats:
    """Positions so that differences are shares of the domain."""
    if column.positions is None:
        return np.arange(column.size) / max(column.size - 1, 1)
    known = column.positions[: column.missing]
    span = float(known[-1] - known[0]) if len(known) else 0.0
    return np.asarray((column.positions - (known[0] if len(known) else 0.0)) / (span or 1.0))
