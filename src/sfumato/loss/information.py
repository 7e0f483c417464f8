"""Information utility, as a loss: a cell published as node v is worth 1/leaves(v), and costs the rest.

A number or text without a hierarchy is worth one over the values that it could be. The loss of a table is the weighted
mean over rows and all columns, quasi-identifiers and sensitive ones, each with a weight of 1 unless the policy gives it
another; a suppressed row is worth nothing. A search that leaves sensitive values alone makes the same choices without
them.

Reference: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011,
Definition 14. https://doi.org/10.1016/j.datak.2010.09.001
Deviation: none with weights of 1 and no suppression; 1 minus the loss is the paper's measure of a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.loss.contract import Floats, Ints, Weighted
from sfumato.table.domain import Domain

__all__ = ["InformationUtility"]


@dataclass(frozen=True)
class InformationUtility(Weighted):
    """One minus the information of a cell."""

    all_columns: ClassVar[bool] = True

    def cost(self, column: Domain, low: Ints, high: Ints, values: Ints | None = None) -> Floats:
        if column.taxonomy is not None:
            leaves = column.taxonomy.leaf_counts[column.taxonomy.cover(low, high)]
        else:
            between = high - low + 1
            leaves = between if values is None or column.positions is not None else values
            if column.missing is not None:
                leaves = np.where((high == column.missing) & (low < high), column.size, leaves)
        return np.asarray(1 - 1 / leaves)
