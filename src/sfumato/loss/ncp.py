"""NCP: the share of its domain that a cell could stand for.

(leaves of the node − 1)/(leaves of the tree − 1) in a taxonomy, (high − low)/(range of the column) for numbers and
dates, (values in the set − 1)/(values − 1) for text without a hierarchy. The loss of a table is the weighted mean over
rows and quasi-identifiers.

Reference: Xu, Wang, Pei, Wang, Shi, Fu: Utility-based anonymization using local recoding. KDD 2006.
https://doi.org/10.1145/1150402.1150504
Deviation: one is taken from both counts of leaves, so that an exact value costs 0 and the root 1 in every tree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.loss.contract import Floats, Ints, Weighted
from sfumato.table.domain import Domain

__all__ = ["NCP", "share_of_domain"]


def share_of_domain(column: Domain, low: Ints, high: Ints, values: Ints | None = None) -> Floats:
    """How much of its domain each interval of codes could stand for: 0 (one value) to 1 (all)."""
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


@dataclass(frozen=True)
class NCP(Weighted):
    """Normalised certainty penalty."""

    def cost(self, column: Domain, low: Ints, high: Ints, values: Ints | None = None) -> Floats:
        return share_of_domain(column, low, high, values)
