"""Unique-distinct l-diversity, read strictly: exactly l rows in every group, all with different sensitive values.

Guarantee: every value of a group has probability 1/l, also once some are ruled out.

Deviation: the paper's letter asks for exactly l different values and does not bound how often each occurs, which its
own claims need; `unique_distinct_literal` is that reading. Nor does the paper's algorithm keep "exactly l": what it
keeps is pairwise l-diversity.

Does not survive merging. Attainable iff l divides the number of rows and no value fills more than 1/l of them.

Y. Ye et al., BSGI: An Effective Algorithm towards Stronger l-Diversity, 2008, Definition 2,
doi:10.1007/978-3-540-85654-2_3

>>> groups = Groups.of_counts("disease", [{0: 1, 1: 1}, {0: 1, 1: 1, 2: 1}, {0: 4, 1: 1}])
>>> UniqueDistinctLModel(promises.UniqueDistinctL(2), "disease").holds(groups)
array([ True, False, False])
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from sfumato.models.compare import WIDE
from sfumato.models.contract import Groups
from sfumato.models.different import AllDifferent
from sfumato.models.runs import distinct, maxima
from sfumato.policy import promises

__all__ = ["UniqueDistinctLModel"]


@dataclass(frozen=True)
class UniqueDistinctLModel(AllDifferent):
    """n = m = l."""

    promise: promises.UniqueDistinctL
    uniform_exactly = True

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        different: NDArray[np.bool_] = distinct(self.histogram(groups)) == groups.sizes
        exact: NDArray[np.bool_] = groups.sizes == self.promise.l
        return different & exact

    def attainable(self, groups: Groups) -> NDArray[np.bool_]:
        share, rest = np.divmod(groups.sizes, min(self.promise.l, WIDE - 1))
        able: NDArray[np.bool_] = (groups.sizes > 0) & (rest == 0)
        return able & (maxima(self.histogram(groups)) <= share)

    def uniform_nearest(self, most: int, whole: Groups) -> promises.UniqueDistinctL | None:
        return self.nearest(whole)  # so many must divide the number of rows

    def nearest(self, whole: Groups) -> promises.UniqueDistinctL | None:
        """The closest l that divides the number of rows, the larger of two."""
        rows, top, l = int(whole.sizes[0]), int(maxima(self.histogram(whole))[0]), self.promise.l
        if not rows:
            return None
        small = [each for each in range(1, isqrt(rows) + 1) if rows % each == 0]
        able = [each for each in (*small, *(rows // each for each in small)) if each * top <= rows]
        return replace(self.promise, l=min(able, key=lambda each: (abs(each - l), -each)))

    def obstacle(self, whole: Groups) -> str:
        rest = int(whole.sizes[0]) % self.promise.l
        return f"{super().obstacle(whole)}, and groups of {self.promise.l} leave {rest} over"
