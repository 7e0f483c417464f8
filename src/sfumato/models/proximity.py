"""Proximity: whatever number is guessed, at most 1/m of a group lie near it; for sensitive numbers, dates and orders.

Different values that are nearly the same protect nobody: salaries of 1000, 1001 and 1002 are three values, and tell
what somebody earns. A value x is near a guess y if

absolute    |x - y| <= e
relative    |x - y| <= e |y|

and a bin, of which only the bounds are known, if any number in it is. A missing value is near nothing but itself.

Guarantee: who knows nothing but the group guesses nobody's value to within e with more than probability 1/m, whichever
number they guess. Implies simple m.

Deviation: in the paper a guess is the value of a row of the group. Such a promise does not survive merging: with m = 2
and e = 1 both {0, 2} and {1, 10} keep it, and of {0, 1, 2, 10} three lie near 1. Here every number may be guessed,
which implies the paper's (e,m)-anonymity and survives merging: near any guess there is at most 1/m of both groups.

Near a guess lies a stretch of the values in order, so that one count per value of a group decides: that of the stretch
which it ends. Exact: bounds are compared as fractions, once; groups are then counted by places alone.

J. Li, Y. Tao, X. Xiao, Preservation of Proximity Privacy in Publishing Numerical Sensitive Data, SIGMOD 2008,
doi:10.1145/1376616.1376666

>>> near = ProximityModel(promises.Proximity(e=1, m=2), "salary", np.arange(4), np.array([0, 0, 0, 3]))
>>> near.holds(Groups.of_counts("salary", [{0: 1, 3: 1}, {0: 1, 1: 1, 3: 1}, {0: 1, 2: 1, 3: 2}]))
array([ True, False,  True])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import Refused
from sfumato.models.column import OfColumn
from sfumato.models.compare import compare
from sfumato.models.contract import Facts, Groups, Neighbours
from sfumato.models.runs import owners, reduced
from sfumato.policy import promises
from sfumato.table.domain import Domain

__all__ = ["ProximityModel"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ProximityModel(OfColumn):
    """The largest stretch of near values <= n / m.

    place    per code, its place in the order of the values
    first    per place, that of the least value which is near a guess together with it
    """

    promise: promises.Proximity
    place: Ints
    first: Ints

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        column = facts.column(promise.on)
        near = sorted(_guesses(promise, column))
        order = [code for *_, code in near]
        order += sorted({*range(column.size)} - {*order})  # a missing value, near nothing else
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        first, begin = np.arange(len(order)), 0
        for at, (least, _, _) in enumerate(near):
            while near[begin][1] < least:
                begin += 1
            first[at] = begin
        return cls(promise, column.name, place, first)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return (groups.sizes > 0) & (compare(self._near(groups), 1 / self.promise.m, groups.sizes) <= 0)

    def level(self, groups: Groups) -> NDArray[np.float64]:
        return groups.sizes / np.maximum(self._near(groups), 1)

    def distinct_l(self) -> int:
        m: Fraction = self.promise.m
        return ceil(m)

    def neighbours(self, values: int) -> Neighbours:
        return Neighbours(implies=(promises.SimpleL(self.promise.m, on=self.promise.on),))

    def nearest(self, whole: Groups) -> promises.Proximity | None:
        if not whole.sizes[0]:
            return None
        return replace(self.promise, m=Fraction(int(whole.sizes[0]), int(self._near(whole)[0])))

    def obstacle(self, whole: Groups) -> str:
        near, rows = int(self._near(whole)[0]), int(whole.sizes[0])
        return f"in column {self.column!r} the values of {near} of {rows} rows lie that near to one another"

    def _near(self, groups: Groups) -> Ints:
        """The most rows of each group that lie near one guess."""
        histogram = self.histogram(groups)
        size, group, place = len(self.place), owners(histogram), self.place[histogram.values]
        keys = group * size + place
        order = np.argsort(keys, kind="stable")
        keys, counts = keys[order], histogram.counts[order]
        sums = np.concatenate(([0], np.cumsum(counts)))
        begin = np.searchsorted(keys, group * size + self.first[place[order]])  # runs of a group stay together
        near: Ints = reduced(np.maximum, histogram, sums[1:] - sums[begin])
        return near


def _guesses(promise: promises.Proximity, column: Domain) -> Iterator[tuple[Fraction, Fraction, int]]:
    """The least and the greatest guess that each code is near, and the code; none for a missing value."""
    line = column.line
    if line is None:
        raise Refused(
            f"column {column.name!r} has no order, which {promise.name} needs: give it a type integer, number or date,"
            " or an order: list"
        )
    if promise.neighbourhood == "relative" and not line.measured:
        raise Refused(f"column {column.name!r} is not of numbers, so that nothing is a share of its values")
    e, relative = promise.e, promise.neighbourhood == "relative"
    for code, value in enumerate(column.values.to_list()):
        if value is None:
            continue
        low, high = line.bounds(value)
        if relative:
            yield low / (1 + e if low >= 0 else 1 - e), high / (1 - e if high >= 0 else 1 + e), code
        else:
            yield low - e, high + e, code
