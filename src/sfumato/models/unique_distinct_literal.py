"""Unique-distinct l-diversity to the letter: exactly l different sensitive values in every group, however often each.

Guarantee: no more than distinct l. The group {a, a, a, a, b} keeps it at l = 2 and discloses a with probability 4/5,
so it implies neither entropy, recursive nor simple l. Offered to reproduce the paper's text, not to be relied on.

Does not survive merging: {b, c} and {a, c} make three values. Attainable iff g groups exist with
m <= g l <= sum of min(n_i, g) over the m values: a value joins at least one and at most min(n_i, g) of them, g l
memberships are needed, and any such choice can be dealt out in turn. The right side minus g l is concave in g and 0
at g = 0, so the least g with g l >= m decides.

Y. Ye et al., BSGI: An Effective Algorithm towards Stronger l-Diversity, 2008, Definition 2,
doi:10.1007/978-3-540-85654-2_3

>>> groups = Groups.of_counts("disease", [{0: 4, 1: 1}, {0: 1, 1: 1, 2: 1}])
>>> UniqueDistinctLiteralModel(promises.UniqueDistinctLiteral(2), "disease").holds(groups)
array([ True, False])
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.models.column import OfColumn
from sfumato.models.compare import WIDE
from sfumato.models.contract import Groups
from sfumato.models.runs import distinct, reduced, spread
from sfumato.policy import promises

__all__ = ["UniqueDistinctLiteralModel"]


@dataclass(frozen=True)
class UniqueDistinctLiteralModel(OfColumn):
    """m = l."""

    promise: promises.UniqueDistinctLiteral
    survives_merging = False
    uniform_exactly = True

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        keeps: NDArray[np.bool_] = distinct(self.histogram(groups)) == self.promise.l
        return keeps

    def level(self, groups: Groups) -> NDArray[np.float64]:
        return distinct(self.histogram(groups)).astype(np.float64)

    def distinct_l(self) -> int:
        return self.promise.l

    def uniform_l(self) -> int:
        return self.promise.l

    def relaxed(self) -> promises.DistinctL:
        return promises.DistinctL(self.promise.l, self.promise.on)

    def attainable(self, groups: Groups) -> NDArray[np.bool_]:
        histogram, l = self.histogram(groups), min(self.promise.l, WIDE - 1)
        least = -(-distinct(histogram) // l)
        places = reduced(np.add, histogram, np.minimum(histogram.counts, spread(histogram, least)))
        return (least > 0) & (least * l <= places)

    def nearest(self, whole: Groups) -> promises.UniqueDistinctLiteral | None:
        """The closest attainable l, the larger of two; as many as there are values is always one."""
        values, l = int(distinct(self.histogram(whole))[0]), self.promise.l
        for each in sorted(range(1, values + 1), key=lambda each: (abs(each - l), -each)):
            near = replace(self, promise=replace(self.promise, l=each))
            if near.attainable(whole)[0]:
                return near.promise
        return None

    def obstacle(self, whole: Groups) -> str:
        histogram = self.histogram(whole)
        values, once = int(distinct(histogram)[0]), int((histogram.row(0)[1] == 1).sum())
        return f"column {self.column!r} has {values} different values, {once} of them once"
