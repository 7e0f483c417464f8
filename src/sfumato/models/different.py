"""What promises of groups in which all values differ have in common."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.models.column import OfColumn
from sfumato.models.contract import Groups
from sfumato.models.runs import distinct
from sfumato.policy import promises

__all__ = ["AllDifferent"]


@dataclass(frozen=True)
class AllDifferent(OfColumn):
    """No value twice in a group; two groups that look alike may share one, so it does not survive merging."""

    promise: promises.PairwiseL | promises.UniqueDistinctL
    survives_merging = False

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """The number of values; 0 where one is repeated."""
        values = distinct(self.histogram(groups))
        return np.where(values == groups.sizes, values, 0).astype(np.float64)

    def distinct_l(self) -> int:
        return self.promise.l

    def uniform_l(self) -> int:
        return self.promise.l

    def uniform_only(self) -> bool:
        return True

    def relaxed(self) -> promises.SimpleL:
        return promises.SimpleL(Fraction(self.promise.l), self.promise.on)
