"""(alpha,k)-anonymity: at least k rows in every group and no sensitive value in more than alpha of them.

Guarantee: k-anonymity, and nobody's value is guessed with more than probability alpha: simple 1/alpha.

Deviation: the paper bounds one sensitive value, or a list of them; here all values of the column are bounded.

R. C.-W. Wong et al., (alpha, k)-Anonymity, 2006, doi:10.1145/1150402.1150499

>>> groups = Groups.of_counts("condition", [{0: 2, 1: 1, 2: 1}, {0: 1, 1: 1, 2: 1}])
>>> AlphaKModel(promises.AlphaK("0.5", 4), "condition").holds(groups)
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
from sfumato.models.contract import Groups
from sfumato.models.gauge import Gauge, Test
from sfumato.models.runs import maxima
from sfumato.policy import promises

__all__ = ["AlphaKModel"]


@dataclass(frozen=True)
class AlphaKModel(OfColumn):
    """n >= k and r_1 <= alpha n."""

    promise: promises.AlphaK
    higher_is_better = False
    counts_rows = True
    prefers_even = True
    coarsens = True

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        even = compare(maxima(self.histogram(groups)), self.promise.alpha, groups.sizes) <= 0
        return even & (groups.sizes >= self.promise.k)

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """The largest share of a value; sizes have no part in it."""
        shares = maxima(self.histogram(groups)) / np.maximum(groups.sizes, 1)
        return np.where(groups.sizes > 0, shares, np.inf)

    def distinct_l(self) -> int:
        alpha: Fraction = self.promise.alpha
        return ceil(1 / alpha)

    def least_rows(self) -> int:
        return max(self.promise.k, self.distinct_l())

    def hopeless(self, groups: Groups) -> NDArray[np.bool_]:
        return super().hopeless(groups) | (groups.sizes < self.promise.k)

    def gauge(self) -> Gauge:
        alpha: Fraction = self.promise.alpha
        share: Test = ("most", float(alpha.numerator), float(alpha.denominator), 0.0)
        return Gauge(self.statistics[0], self.least_rows(), self.distinct_l(), (share,))

    def uniform_l(self) -> int:
        return max(self.promise.k, self.distinct_l())

    def nearest(self, whole: Groups) -> promises.AlphaK | None:
        """The least alpha, and k unless there are fewer rows."""
        rows = int(whole.sizes[0])
        if not rows:
            return None
        share = Fraction(int(maxima(self.histogram(whole))[0]), rows)
        return replace(self.promise, alpha=share, k=min(self.promise.k, rows))
