"""How far a group's distribution lies from that of the whole table: earth mover's distance, three ground distances.

Each distance is an exact fraction: the integer `work(...)` over ``scale * n`` for a group of n rows. All are computed
from the runs of the histogram alone, without a table of groups by values, in int64 where the largest possible number
fits and in Python integers otherwise.

N. Li, T. Li, S. Venkatasubramanian, t-Closeness, 2007, doi:10.1109/ICDE.2007.367856

The paper's salaries of 3k, 4k, ... 11k, once each, against the groups {3k, 4k, 5k} and {6k, 8k, 11k}:

>>> salaries = Ordered(np.arange(9), np.arange(1, 10))
>>> work = salaries.work(Histogram.of_counts([{0: 1, 1: 1, 2: 1}, {3: 1, 5: 1, 8: 1}]), np.array([3, 3]))
>>> (work / (salaries.scale * 3)).round(3)
array([0.375, 0.167])
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import Refused
from sfumato.models.compare import integers
from sfumato.models.contract import Histogram
from sfumato.models.runs import distinct, owners, reduced, spread
from sfumato.table.domain import Domain
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["DISTANCES", "Distance", "Equal", "Hierarchical", "Ordered"]

Ints = NDArray[np.int64]


class Distance(Protocol):
    """A ground distance together with the distribution of the original table."""

    @classmethod
    def of(cls, column: Domain) -> Self:
        """The distance to that column's distribution; `Refused` if the column lacks what it needs."""
        ...

    @property
    def scale(self) -> int: ...

    @property
    def step(self) -> Fraction:
        """No two values are nearer than this."""
        ...

    def work(self, histogram: Histogram, sizes: Ints) -> NDArray[Any]:
        """The distance of each group times ``scale * n``."""
        ...


def _reference(column: Domain) -> Ints:
    """The original counts, divided by what they have in common."""
    counts = column.counts
    return counts // max(int(np.gcd.reduce(counts)), 1)


@dataclass(frozen=True, eq=False)
class Equal:
    """All values equally far apart: half the sum of |p - q|, which is the sum of what p exceeds q by."""

    whole: Ints

    @classmethod
    def of(cls, column: Domain) -> Self:
        return cls(_reference(column))

    @property
    def scale(self) -> int:
        return int(self.whole.sum())

    @property
    def step(self) -> Fraction:
        return Fraction(1)

    def work(self, histogram: Histogram, sizes: Ints) -> NDArray[Any]:
        kind = integers(self.scale * int(sizes.max(initial=0)))
        here = histogram.counts.astype(kind) * self.scale
        there = self.whole[histogram.values].astype(kind) * spread(histogram, sizes)
        return reduced(np.add, histogram, np.maximum(here - there, 0))


@dataclass(frozen=True, eq=False)
class Ordered:
    """Values on a line, one step apart: the sum of |P - Q| of cumulated shares, divided by m - 1.

    Only the m values that occur count as steps: those of the original table and, where rows are judged that were left
    out of it, those of these rows. A missing value, where it is one, comes last.
    """

    place: Ints
    cumulated: Ints

    @classmethod
    def of(cls, column: Domain) -> Self:
        if not column.ordered:
            raise Refused(
                f"column {column.name!r} has no order, which the ordered distance needs: give it a type number or "
                f"date, or an order: list"
            )
        whole, present = _reference(column), column.occurring
        return cls(np.cumsum(present) - 1, np.cumsum(whole[present]))

    @property
    def scale(self) -> int:
        return self._rows * max(len(self.cumulated) - 1, 1)

    @property
    def step(self) -> Fraction:
        return Fraction(1, max(len(self.cumulated) - 1, 1))

    @property
    def _rows(self) -> int:
        return int(self.cumulated[-1]) if len(self.cumulated) else 1

    def work(self, histogram: Histogram, sizes: Ints) -> NDArray[Any]:
        """Between two values that a group has, P stays and Q climbs: one crossing, found by bisection, and two sums."""
        steps = len(self.cumulated)
        kind = integers(2 * self._rows * int(sizes.max(initial=0)) * (steps + 1))
        below = np.concatenate(([0], np.cumsum(self.cumulated.astype(kind))))
        size = spread(histogram, sizes).astype(kind)
        start = self.place[histogram.values]
        stop = np.append(start, steps)[1:]
        stop[histogram.starts[1:][distinct(histogram) > 0] - 1] = steps
        height = self._heights(histogram).astype(kind) * self._rows
        crossing = np.searchsorted(self.cumulated, (height // size).astype(np.int64), side="right")
        crossing = np.clip(crossing, start, stop)
        over = (crossing - start) * height - size * (below[crossing] - below[start])
        under = size * (below[stop] - below[crossing]) - (stop - crossing) * height
        out = reduced(np.add, histogram, over + under)
        first = histogram.starts[:-1][distinct(histogram) > 0]
        out[distinct(histogram) > 0] += size[first] * below[start[first]]
        return out

    @staticmethod
    def _heights(histogram: Histogram) -> Ints:
        """Rows of the group up to and including each run."""
        sums = np.concatenate(([0], np.cumsum(histogram.counts)))
        heights: Ints = sums[1:] - spread(histogram, sums[histogram.starts[:-1]])
        return heights


@dataclass(frozen=True, eq=False)
class Hierarchical:
    """Values in a tree of height H: two are as far apart as their lowest common ancestor is high, divided by H.

    The cost is the sum over inner nodes of height / H times what must cross them: the smaller of what their children
    have too much and too little. A short branch is padded at the bottom, so a node at depth d has the height H - d.
    """

    whole: Ints
    tree: Taxonomy

    @classmethod
    def of(cls, column: Domain) -> Self:
        if column.taxonomy is None:
            raise Refused(f"column {column.name!r} has no hierarchy, which the hierarchical distance needs")
        return cls(_reference(column), column.taxonomy)

    @property
    def scale(self) -> int:
        return max(int(self.whole.sum()), 1) * max(self.tree.height, 1)

    @property
    def step(self) -> Fraction:
        return Fraction(1, max(self.tree.height, 1))

    def work(self, histogram: Histogram, sizes: Ints) -> NDArray[Any]:
        """Level by level. Only nodes that the group has values under can have a child with too much."""
        rows = int(self.whole.sum())
        kind = integers(rows * int(sizes.max(initial=0)) * (self.tree.height + 1) ** 2)
        below = np.concatenate(([0], np.cumsum(self.whole)))
        here = (below[self.tree.last + 1] - below[self.tree.first]).astype(kind)
        group, leaf, count = owners(histogram), histogram.values, histogram.counts.astype(kind)
        extra = count * rows - here[leaf] * sizes[group]
        out = np.zeros(histogram.groups, dtype=kind)
        for level in range(1, self.tree.height + 1 if len(leaf) else 1):
            node = self.tree.at_level(level)[leaf]
            first = np.flatnonzero(np.append(True, (np.diff(node) != 0) | (np.diff(group) != 0)))
            surplus = np.add.reduceat(np.maximum(extra, 0), first)
            group, leaf, node, count = group[first], leaf[first], node[first], np.add.reduceat(count, first)
            extra = count * rows - here[node] * sizes[group]
            np.add.at(out, group, level * np.minimum(surplus, surplus - extra))
        return out


DISTANCES: dict[str, type[Distance]] = {"equal": Equal, "ordered": Ordered, "hierarchical": Hierarchical}
