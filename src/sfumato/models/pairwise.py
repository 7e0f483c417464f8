"""Pairwise l-diversity: all sensitive values of a group different, and at least l of them. What BSGI really promises.

Guarantee: every value of a group is equally likely, with probability at most 1/l, also once some are ruled out.

Does not survive merging: {b, c} and {b, c} make {b, b, c, c}. A recipient without group ids merges groups that look
alike, so it needs a published group id; what survives is simple l.

Attainable iff no value fills more than 1/l of the rows: deal the rows, sorted by value, in turn to as many groups as
the most frequent value has rows.

Y. Ye et al., BSGI: An Effective Algorithm towards Stronger l-Diversity, 2008, doi:10.1007/978-3-540-85654-2_3

A group of the paper's result has three values at l = 2:

>>> groups = Groups.of_counts("disease", [{0: 1, 1: 1, 2: 1}, {0: 2, 1: 2}])
>>> PairwiseLModel(promises.PairwiseL(2), "disease").holds(groups)
array([ True, False])
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.models.compare import compare
from sfumato.models.contract import Groups
from sfumato.models.different import AllDifferent
from sfumato.models.runs import distinct, maxima
from sfumato.policy import promises

__all__ = ["PairwiseLModel"]


@dataclass(frozen=True)
class PairwiseLModel(AllDifferent):
    """n = m >= l."""

    promise: promises.PairwiseL
    prefers_even = True

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        values = distinct(self.histogram(groups))
        different: NDArray[np.bool_] = values == groups.sizes
        return different & (values >= self.promise.l)

    def attainable(self, groups: Groups) -> NDArray[np.bool_]:
        return (groups.sizes > 0) & (
            compare(maxima(self.histogram(groups)), 1 / Fraction(self.promise.l), groups.sizes) <= 0
        )

    def uniform_nearest(self, most: int, whole: Groups) -> promises.PairwiseL:
        return replace(self.promise, l=most)

    def nearest(self, whole: Groups) -> promises.PairwiseL | None:
        if not whole.sizes[0]:
            return None
        return replace(self.promise, l=int(whole.sizes[0] // maxima(self.histogram(whole))[0]))
