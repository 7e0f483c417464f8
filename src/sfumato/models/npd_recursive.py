"""npd-recursive (c1,c2,l)-diversity: pd-recursive (c1,l), and every protected value in at least c2 percent of each
group, so that no group rules it out.

c2 is a percentage, and the comparison with it is not strict. A protected value that the table does not have makes the
promise infeasible unless c2 = 0.

A. Machanavajjhala et al., l-Diversity: Privacy Beyond k-Anonymity, 2006, Definition 4.4, doi:10.1109/ICDE.2006.1
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.models.column import OfColumn
from sfumato.models.compare import compare
from sfumato.models.contract import Facts, Groups
from sfumato.models.pd_recursive import PdRecursiveModel
from sfumato.models.runs import reduced, spread
from sfumato.models.values import which_codes
from sfumato.policy import promises

__all__ = ["NpdRecursiveModel"]


@dataclass(frozen=True, eq=False)
class NpdRecursiveModel(OfColumn):
    """pd-recursive (c1,l), and r_w >= c2/100 * n for every w in W.

    positive     the pd-recursive part
    protected    a flag per code: in W
    """

    promise: promises.NpdRecursive
    positive: PdRecursiveModel
    protected: NDArray[np.bool_]
    higher_is_better = False

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        column = facts.column(promise.on)
        positive = promises.PdRecursive(promise.c1, promise.l, promise.disclosable, promise.on)
        protected = which_codes(column, promise.protected, "protected")
        return cls(promise, column.name, PdRecursiveModel.bind(positive, facts), protected)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return self.positive.holds(groups) & self._none_ruled_out(groups)

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """The number that c1 must exceed, as for pd-recursive; c2 has no part in it."""
        return self.positive.level(groups)

    def distinct_l(self) -> int:
        return max(1, int(self.protected.sum())) if self.promise.c2 else 1

    def nearest(self, whole: Groups) -> promises.NpdRecursive | None:
        """Raises c1, or lowers l, and lowers c2, only where it must."""
        near, positive = self.promise, self.positive.nearest(whole)
        if positive is None:
            return None
        if not self.positive.holds(whole)[0]:
            near = replace(near, c1=positive.c, l=positive.l)
        if not self._none_ruled_out(whole)[0]:
            hundredths = floor(Fraction(100 * 100 * self._rarest(whole), int(whole.sizes[0])))
            near = replace(near, c2=Fraction(hundredths, 100))
        return near

    def obstacle(self, whole: Groups) -> str:
        reasons = []
        if not self.positive.holds(whole)[0]:
            reasons.append(self.positive.obstacle(whole))
        if not self._none_ruled_out(whole)[0]:
            rarest, rows = self._rarest(whole), int(whole.sizes[0])
            reasons.append(f"in column {self.column!r} the rarest protected value fills {rarest} of {rows} rows")
        return "; ".join(reasons)

    def _none_ruled_out(self, groups: Groups) -> NDArray[np.bool_]:
        histogram, share = self.histogram(groups), self.promise.c2 / 100
        if not share:
            return groups.sizes > 0
        frequent = compare(histogram.counts, share, spread(histogram, groups.sizes)) >= 0
        met = reduced(np.add, histogram, (frequent & self.protected[histogram.values]).astype(np.int64))
        keeps: NDArray[np.bool_] = (groups.sizes > 0) & (met == self.protected.sum())
        return keeps

    def _rarest(self, whole: Groups) -> int:
        values, counts = self.histogram(whole).row(0)
        present = counts[self.protected[values]]
        return int(present.min()) if len(present) == self.protected.sum() else 0
