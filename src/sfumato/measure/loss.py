"""What generalization costs: the loss that partitioners minimise.

NCP of a cell is the share of its domain that it could stand for: (leaves of the node − 1)/(leaves of the tree − 1) in
a taxonomy, (high − low)/(range of the column) for numbers and dates, (values in the set − 1)/(values − 1) for text
without a hierarchy. A suppressed cell costs 1, one that tells all costs 0. The loss of a table is the weighted mean
over rows and quasi-identifiers.

Reference: Xu, Wang, Pei, Wang, Shi, Fu: Utility-based anonymization using local recoding. KDD 2006.
https://doi.org/10.1145/1150402.1150504
Deviation: one is taken from both counts of leaves, so that an exact value costs 0 and the root 1 in every tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.table.coded import CodedColumn

__all__ = ["NCP", "Loss", "mean_loss"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Loss(Protocol):
    """Cost of publishing the codes ``low..high`` of a column as one value, and how columns weigh."""

    def cost(self, column: CodedColumn, low: Ints, high: Ints, values: Ints | None = None) -> Floats:
        """Between 0 (exact) and 1 (says nothing), for many intervals at once.

        `values` counts the different values in each, where a set of them will be published; unknown while searching.
        """
        ...

    def weight(self, column: CodedColumn) -> float:
        """Importance of the column; 1 unless the policy says otherwise."""
        ...


@dataclass(frozen=True)
class NCP:
    """Normalised certainty penalty with column weights."""

    weights: Mapping[str, Fraction] = field(default_factory=dict)

    def cost(self, column: CodedColumn, low: Ints, high: Ints, values: Ints | None = None) -> Floats:
        if column.size < 2:
            return np.zeros(len(low))
        if column.taxonomy is not None:
            leaves = column.taxonomy.leaf_counts[column.taxonomy.cover(low, high)]
            return (leaves - 1) / (column.taxonomy.size - 1)
        if column.positions is None:
            share = (high - low if values is None else values - 1) / (column.size - 1)
        else:
            known = column.positions[: column.missing] if column.missing is not None else column.positions
            span = known[-1] - known[0] if len(known) else 0.0
            share = (column.positions[high] - column.positions[low]) / (span or 1.0)
        if column.missing is not None:  # nothing lies between a value and a missing one: together they say nothing
            share = np.where(high == column.missing, np.where(low == high, 0.0, 1.0), share)
        return np.asarray(share, dtype=np.float64)

    def weight(self, column: CodedColumn) -> float:
        return float(self.weights.get(column.name, 1))


def mean_loss(loss: Loss, columns: Sequence[CodedColumn], cells: Sequence[Floats], suppressed: int = 0) -> float:
    """Weighted mean of the cells' costs; each suppressed row counts as 1."""
    weights = np.array([loss.weight(column) for column in columns])
    rows = len(cells[0]) + suppressed if cells else suppressed
    if not rows or not weights.sum():
        return 0.0
    per_column = np.array([(cell.sum() + suppressed) / rows for cell in cells])
    return float((weights * per_column).sum() / weights.sum())
