"""Non-uniform entropy: the bits that are needed to tell the original cell from what is published.

A cell of value v published as a node g costs log₂(n(g)/n(v)) bits, n counting rows of the original table. The loss of a
table is the weighted sum of bits over that of a table which says nothing.

Reference: Gionis, Tassa: k-anonymization with minimal loss of information. IEEE TKDE 21(2), 2009.
https://doi.org/10.1109/TKDE.2008.129
Deviation: a set of texts without a hierarchy counts the rows of every value between its first and last.

The bits of a cell are log₂ n(g) − log₂ n(v), and the second term does not depend on what is published. `cost` spreads
it evenly over the rows, so that the cost of an interval does not depend on the row: sums over the table are exact,
a single cell may cost less than 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.loss.contract import Floats, Ints, Weighted
from sfumato.table.domain import Domain

__all__ = ["NonUniformEntropy"]


@dataclass(frozen=True)
class NonUniformEntropy(Weighted):
    """Bits lost over bits that can be lost."""

    def cost(self, column: Domain, low: Ints, high: Ints, values: Ints | None = None) -> Floats:
        most = _bits(column)
        if not most:
            return np.zeros(len(low))
        if column.taxonomy is not None:
            node = column.taxonomy.cover(low, high)
            low, high = column.taxonomy.first[node], column.taxonomy.last[node]
        upto = np.concatenate([[0], np.cumsum(column.counts)])
        rows = np.maximum(upto[high + 1] - upto[low], 1)
        if column.taxonomy is None and column.missing is not None:
            rows = np.where((high == column.missing) & (low < high), upto[-1], rows)
        return np.asarray(1 - (np.log2(upto[-1]) - np.log2(rows)) / most)

    def weight(self, column: Domain) -> float:
        return super().weight(column) * _bits(column)


def _bits(column: Domain) -> float:
    """Mean bits of a cell that says nothing: the entropy of the column."""
    share = column.counts[column.counts > 0] / max(column.counts.sum(), 1)
    return float(-(share * np.log2(share)).sum())
