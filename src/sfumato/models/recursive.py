"""Recursive (c,l)-diversity: the most frequent value of a group occurs less than c times as often as the values from
the l-th on together.

Guarantee: after l - 2 values have been ruled out, the rest is still (c,2)-diverse. Implies l different values.

The comparison is strict, and l = 1 always holds. So the counts 2, 1, 1, which the paper calls (2,3)-diverse in
passing, are not: they need c > 2.

A. Machanavajjhala et al., l-Diversity: Privacy Beyond k-Anonymity, 2006, Definition 4.2, doi:10.1109/ICDE.2006.1

>>> groups = Groups.of_counts("condition", [{0: 1, 1: 1, 2: 2}])
>>> [bool(RecursiveCLModel(promises.RecursiveCL(c, 3), "condition").holds(groups)[0]) for c in ("2", "2.01")]
[False, True]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.models.column import OfColumn
from sfumato.models.compare import compare
from sfumato.models.contract import Groups, Neighbours
from sfumato.models.gauge import Gauge, Test
from sfumato.models.runs import descending, largest, maxima
from sfumato.models.strength import neighbours_of_recursive
from sfumato.models.tails import nearest_cl, needed_c, uniform_cl
from sfumato.policy import promises

__all__ = ["RecursiveCLModel"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class RecursiveCLModel(OfColumn):
    """l = 1, or r_1 < c (r_l + ... + r_m)."""

    promise: promises.RecursiveCL
    higher_is_better = False
    shape = True
    prefers_even = True
    coarsens = True

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        if self.promise.l == 1:
            return groups.sizes > 0
        return compare(maxima(self.histogram(groups)), self.promise.c, self._tail(groups)) < 0

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """The number that c must exceed; `inf` where no c will do."""
        if self.promise.l == 1:
            return np.where(groups.sizes > 0, 0.0, np.inf)
        return np.where(groups.sizes > 0, needed_c(maxima(self.histogram(groups)), self._tail(groups)), np.inf)

    def distinct_l(self) -> int:
        return self.promise.l

    def gauge(self) -> Gauge:
        c: Fraction = self.promise.c
        tops: Test = ("tops", float(c.numerator), float(c.denominator), float(self.promise.l))
        return Gauge(self.statistics[0], self.distinct_l(), self.distinct_l(), (tops,))

    def uniform_l(self) -> int:
        return uniform_cl(self.promise.c, self.promise.l)

    def neighbours(self, values: int) -> Neighbours:
        return neighbours_of_recursive(self.promise, values)

    def nearest(self, whole: Groups) -> promises.RecursiveCL | None:
        counts = descending(self.histogram(whole))
        if not len(counts):
            return None
        c, l = nearest_cl(int(counts[0]), counts[1:], self.promise.c, self.promise.l)
        return replace(self.promise, c=c, l=l)

    def obstacle(self, whole: Groups) -> str:
        tail = int(self._tail(whole)[0])
        return f"{super().obstacle(whole)}, the values from number {self.promise.l} on together {tail}"

    def _tail(self, groups: Groups) -> Ints:
        histogram, ruled_out = self.histogram(groups), self.promise.l - 1
        if ruled_out == 1:
            return groups.sizes - maxima(histogram)
        return groups.sizes - largest(histogram, descending(histogram), ruled_out)
