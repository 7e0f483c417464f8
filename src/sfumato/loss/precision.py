"""Height and precision: how far up its hierarchy a cell stands.

Precision loss of a cell is the level of its node divided by the height of the hierarchy, of a table the weighted mean.
Height counts levels: the same, each column weighted by the height of its hierarchy, so that under full-domain recoding
it is the height of the node in the lattice divided by that of its top. A column without a hierarchy has two levels: the
value itself, and anything else. A column with one value has nothing to lose: what it shows costs 0, also `*`, which is
counted among blank cells all the same.

References: Sweeney: Achieving k-anonymity privacy protection using generalization and suppression. IJUFKS 10(5), 2002.
https://doi.org/10.1142/S021848850200165X
Samarati: Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001.
https://doi.org/10.1109/69.971193
Deviation: in an unbalanced tree a short branch repeats its leaf at the bottom, and a leaf has level 0 wherever it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.loss.contract import Floats, Ints, Weighted
from sfumato.table.domain import Domain

__all__ = ["Height", "Precision"]


def _height(column: Domain) -> int:
    if column.size < 2:
        return 0
    return column.taxonomy.height if column.taxonomy is not None else 1


@dataclass(frozen=True)
class Precision(Weighted):
    """Level of the published node over the height of its hierarchy."""

    def cost(self, column: Domain, low: Ints, high: Ints, values: Ints | None = None) -> Floats:
        tree = column.taxonomy
        if tree is None:
            return (low < high).astype(np.float64)
        node = tree.cover(low, high)
        level = np.where(node < tree.size, 0, tree.height - tree.depth[node])
        return np.asarray(level / max(tree.height, 1), dtype=np.float64)


@dataclass(frozen=True)
class Height(Precision):
    """Levels climbed over levels there are."""

    def weight(self, column: Domain) -> float:
        return super().weight(column) * _height(column)
