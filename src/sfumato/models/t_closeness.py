"""t-closeness: the sensitive values of every group are distributed within distance t of the whole original table.

Guarantee: knowing the group moves a belief that starts from the whole table by at most t, in earth mover's distance
(see `distances` for equal, ordered and hierarchical).

The reference is the original table, suppressed rows included, and never moves: taken from the released rows it would
change with each suppression, and groups that kept the promise could fail.

N. Li, T. Li, S. Venkatasubramanian, t-Closeness: Privacy Beyond k-Anonymity and l-Diversity, 2007,
doi:10.1109/ICDE.2007.367856
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.models.column import OfColumn
from sfumato.models.compare import WIDE, compare
from sfumato.models.contract import Facts, Groups
from sfumato.models.distances import DISTANCES, Distance
from sfumato.models.gauge import Gauge, Test
from sfumato.models.runs import reduced
from sfumato.policy import promises

__all__ = ["TClosenessModel"]


@dataclass(frozen=True, eq=False)
class TClosenessModel(OfColumn):
    """EMD(group, original table) <= t."""

    promise: promises.TCloseness
    distance: Distance
    whole: NDArray[np.int64]
    higher_is_better = False

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        column = facts.column(promise.on)
        return cls(promise, column.name, DISTANCES[promise.distance].of(column), column.counts)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        work, full = self._work(groups)
        return (groups.sizes > 0) & (compare(work, self.promise.t, full) <= 0)

    def hopeless(self, groups: Groups) -> NDArray[np.bool_]:
        """Values of the table that the group lacks have to be brought from others, at least one step each."""
        histogram, rows = self.histogram(groups), int(self.whole.sum())
        absent = rows - reduced(np.add, histogram, self.whole[histogram.values])
        return compare(absent, self.promise.t / self.distance.step, np.full(len(absent), rows)) > 0

    def gauge(self) -> Gauge:
        """No distance is longer than that where all values are equally far apart.

        A group has as many values as it takes for the most frequent ones of the table to fill enough of it.
        """
        near: Test = ("distance", float(self.promise.t) * (1 - 1e-12), 0.0, 0.0)
        enough = (1 - self.promise.t / self.distance.step) * int(self.whole.sum())
        fewest = int(np.searchsorted(np.cumsum(-np.sort(-self.whole)), ceil(enough))) + 1
        return Gauge(self.statistics[0], 1, 1, (near,), self.whole, max(1, fewest))

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """The distance."""
        work, full = self._work(groups)
        out = np.full(len(groups.sizes), np.inf)
        np.divide(work.astype(np.float64), full.astype(np.float64), out=out, where=groups.sizes > 0)
        return out

    def nearest(self, whole: Groups) -> promises.TCloseness | None:
        """The least t, in hundredths: 0 for the original table itself."""
        if not whole.sizes[0]:
            return None
        work, full = self._work(whole)
        return replace(self.promise, t=Fraction(ceil(Fraction(100 * int(work[0]), int(full[0]))), 100))

    def obstacle(self, whole: Groups) -> str:
        distance = float(self.level(whole)[0])
        return f"in column {self.column!r} these {int(whole.sizes[0])} rows lie {distance:.4g} from the original table"

    def _work(self, groups: Groups) -> tuple[NDArray[Any], NDArray[Any]]:
        """Numerators and denominators of the distances."""
        scale = self.distance.scale
        top = int(groups.sizes.max(initial=0))
        full = groups.sizes * scale if scale * top < WIDE else groups.sizes.astype(object) * scale
        return self.distance.work(self.histogram(groups), groups.sizes), full
