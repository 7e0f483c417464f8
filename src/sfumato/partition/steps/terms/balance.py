"""What a partition loses of quasi-identifiers and of terms, as one number: the first times 1 - b, the second times b.

Terms lose the share of what removing all of them would cost, rows that are left out included; several columns count
the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.contract import Partition, Task
from sfumato.partition.partition_loss import measured
from sfumato.table.domain import SetDomain

__all__ = ["Balance"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Balance:
    """How lost terms are priced, and what they weigh."""

    weight: float
    cost: Literal["harmonic", "count"] = "harmonic"

    def of(self, task: Task, found: Partition, columns: Sequence[SetDomain]) -> tuple[float, float, float]:
        """The weighted loss, that of generalization, and that of terms."""
        blurred, lost = float(measured(task, found)[0]), self.terms(task, found, columns)
        return (1 - self.weight) * blurred + self.weight * lost, blurred, lost

    def terms(self, task: Task, found: Partition, columns: Sequence[SetDomain]) -> float:
        """The share of terms that is lost."""
        hidden = (found.groups < 0) & (not task.keep)
        shares = []
        for column in columns:
            offsets = column.offsets(task.table.codes[column.name][found.tuples])
            had = np.diff(offsets)
            stays = found.terms.get(column.name)
            gone = np.zeros(len(had), np.int64)
            if stays is not None:
                sums = np.concatenate(([0], np.cumsum(~stays)))
                gone = sums[offsets[1:]] - sums[offsets[:-1]]
            whole = self.price(had, had)
            paid = np.where(hidden, whole, self.price(had, gone))
            shares.append(float(paid @ found.counts / max(float(whole @ found.counts), 1e-300)))
        return sum(shares) / max(len(shares), 1)

    def price(self, had: Ints, gone: Ints) -> NDArray[np.float64]:
        """What rows pay for so many terms of so many."""
        if self.cost == "count":
            return gone.astype(np.float64)
        sums = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, int(had.max(initial=0)) + 1))))
        prices: NDArray[np.float64] = sums[had] - sums[had - gone]
        return prices
