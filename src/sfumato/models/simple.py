"""Simple l-diversity: no sensitive value in more than 1/l of a group, for any real l >= 1.

Guarantee: who knows nothing but the group guesses nobody's value with more than probability 1/l. Implies l different
values, and for whole l is the same as "every count at most floor(n / l)".

X. Xiao, Y. Tao, Anatomy: Simple and Effective Privacy Preservation, VLDB 2006;
H. Tian, W. Zhang, Extending l-diversity to generalize sensitive data, 2011, doi:10.1016/j.datak.2010.09.001

>>> groups = Groups.of_counts("condition", [{0: 2, 1: 1, 2: 1}, {0: 3, 1: 2}])
>>> SimpleLModel(promises.SimpleL(2), "condition").holds(groups)
array([ True, False])
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from sfumato.models.column import OfColumn
from sfumato.models.compare import compare
from sfumato.models.contract import Groups, Neighbours
from sfumato.models.gauge import Gauge, Test
from sfumato.models.runs import maxima
from sfumato.models.strength import neighbours_of_simple
from sfumato.policy import promises

__all__ = ["SimpleLModel"]


@dataclass(frozen=True)
class SimpleLModel(OfColumn):
    """r_1 <= n / l."""

    promise: promises.SimpleL
    shape = True
    prefers_even = True
    coarsens = True

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return (groups.sizes > 0) & (compare(maxima(self.histogram(groups)), 1 / self.promise.l, groups.sizes) <= 0)

    def level(self, groups: Groups) -> NDArray[np.float64]:
        return groups.sizes / np.maximum(maxima(self.histogram(groups)), 1)

    def distinct_l(self) -> int:
        l: Fraction = self.promise.l
        return ceil(l)

    def gauge(self) -> Gauge:
        l: Fraction = self.promise.l
        share: Test = ("most", float(l.denominator), float(l.numerator), 0.0)
        return Gauge(self.statistics[0], self.distinct_l(), self.distinct_l(), (share,))

    def uniform_l(self) -> int:
        return self.distinct_l()

    def uniform_only(self) -> bool:
        l: Fraction = self.promise.l
        return l.denominator == 1

    def uniform_nearest(self, most: int, whole: Groups) -> promises.SimpleL:
        return replace(self.promise, l=Fraction(most))

    def neighbours(self, values: int) -> Neighbours:
        return neighbours_of_simple(self.promise)

    def nearest(self, whole: Groups) -> promises.SimpleL | None:
        if not whole.sizes[0]:
            return None
        return replace(self.promise, l=Fraction(int(whole.sizes[0]), int(maxima(self.histogram(whole))[0])))
