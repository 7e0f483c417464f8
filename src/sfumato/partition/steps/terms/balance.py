"""What a partition loses of quasi-identifiers and of terms, as one number: the first times 1 - b, the second times b.

Terms lose the share of what removing all of them would cost, rows that are left out included; several columns count
the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.contract import Partition, Task
from sfumato.partition.partition_loss import measured
from sfumato.partition.steps.terms.costs import HARMONIC, Pricing, TermPrices
from sfumato.table.domain import SetDomain
from sfumato.table.tuples import Codes

__all__ = ["Balance"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Balance:
    """How lost terms are priced, and what they weigh."""

    weight: float
    cost: Pricing = HARMONIC

    def of(self, task: Task, found: Partition, columns: Sequence[SetDomain]) -> tuple[float, float, float]:
        """The weighted loss, that of generalization, and that of terms."""
        blurred, lost = float(measured(task, found)[0]), self.terms(task, found, columns)
        return (1 - self.weight) * blurred + self.weight * lost, blurred, lost

    def terms(self, task: Task, found: Partition, columns: Sequence[SetDomain]) -> float:
        """The share of terms that is lost."""
        hidden = (found.groups < 0) & (not task.keep)
        shares = []
        for column in columns:
            codes = task.table.codes[column.name][found.tuples]
            stays = found.terms.get(column.name)
            whole = self.price(column, codes)
            paid = np.where(hidden, whole, 0.0 if stays is None else self.price(column, codes, ~stays))
            shares.append(float(paid @ found.counts / max(float(whole @ found.counts), 1e-300)))
        return sum(shares) / max(len(shares), 1)

    def price(self, column: SetDomain, codes: Codes, lost: Flags | None = None) -> NDArray[np.float64]:
        """What rows with these sets pay for terms that they lose: `lost` of all rows in one line; None: all terms."""
        offsets = column.offsets(codes)
        gone = np.ones(int(offsets[-1]), np.bool_) if lost is None else lost
        if self.cost.by_number:
            sums = np.concatenate(([0], np.cumsum(gone)))
            return self._by_number(np.diff(offsets), sums[offsets[1:]] - sums[offsets[:-1]])
        cost, known = self.cost.of(column), dict[int, TermPrices]()
        made = np.zeros(len(codes))
        for row, code in enumerate(codes.tolist()):
            if code not in known:
                terms = column.terms[code].tolist()
                known[code] = cost.priced([len(terms)], [terms])
            places = np.flatnonzero(gone[offsets[row] : offsets[row + 1]])
            made[row] = known[code].units(0, places.tolist()) / known[code].scale
        return made

    def _by_number(self, had: Ints, gone: Ints) -> NDArray[np.float64]:
        """For so many terms of so many."""
        if self.cost.kind == "count":
            return gone.astype(np.float64)
        sums = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, int(had.max(initial=0)) + 1))))
        prices: NDArray[np.float64] = sums[had] - sums[had - gone]
        return prices
