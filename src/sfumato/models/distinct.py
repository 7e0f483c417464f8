"""Distinct l-diversity: at least l different sensitive values in every group.

Guarantee: nobody's value is certain, unless l - 1 values are ruled out. One of them may still be nearly certain.

A. Machanavajjhala et al., l-Diversity: Privacy Beyond k-Anonymity, 2006, doi:10.1109/ICDE.2006.1

The last group of the paper's 4-anonymous table has cancer four times:

>>> model = DistinctLModel(promises.DistinctL(2), "condition")
>>> model.holds(Groups.of_counts("condition", [{0: 2, 1: 2}, {0: 1, 1: 1, 2: 2}, {2: 4}]))
array([ True,  True, False])
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.models.column import OfColumn
from sfumato.models.contract import Groups
from sfumato.models.gauge import Gauge
from sfumato.models.runs import distinct
from sfumato.policy import promises

__all__ = ["DistinctLModel"]


@dataclass(frozen=True)
class DistinctLModel(OfColumn):
    """m >= l."""

    promise: promises.DistinctL
    shape = True
    prefers_even = True
    coarsens = True

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return distinct(self.histogram(groups)) >= self.promise.l

    def level(self, groups: Groups) -> NDArray[np.float64]:
        return distinct(self.histogram(groups)).astype(np.float64)

    def distinct_l(self) -> int:
        return self.promise.l

    def gauge(self) -> Gauge:
        return Gauge(self.statistics[0], self.distinct_l(), self.distinct_l())

    def uniform_l(self) -> int:
        return self.promise.l

    def uniform_nearest(self, most: int, whole: Groups) -> promises.DistinctL:
        return replace(self.promise, l=most)

    def nearest(self, whole: Groups) -> promises.DistinctL | None:
        values = int(distinct(self.histogram(whole))[0])
        return replace(self.promise, l=values) if values else None

    def obstacle(self, whole: Groups) -> str:
        return f"column {self.column!r} has {int(distinct(self.histogram(whole))[0])} different values"
