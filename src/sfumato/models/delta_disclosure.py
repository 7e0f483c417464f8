"""delta-disclosure privacy: every sensitive value within a factor e^delta of its share of the original table, in every
group.

Guarantee: knowing the group multiplies the odds of no value by more than e^delta or less than e^-delta, so that a
group leaks little; it must then have every value of the table.

The comparison is strict. The reference is the original table and never moves (see `t_closeness`). Exact: a ratio of
counts never equals e^delta, which is irrational, so enough digits of a logarithm always decide.

J. Brickell, V. Shmatikov, The Cost of Privacy, 2008, doi:10.1145/1401890.1401904
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.models.column import OfColumn
from sfumato.models.contract import Facts, Groups
from sfumato.models.logs import sign_of_logs
from sfumato.models.runs import distinct, reduced, spread
from sfumato.policy import promises

__all__ = ["DeltaDisclosureModel"]

_BEYOND = 1000
"""More than the logarithm of any ratio of counts."""


@dataclass(frozen=True, eq=False)
class DeltaDisclosureModel(OfColumn):
    """|log(p / q)| < delta for every value of the original table; a value that is absent fails.

    whole    original rows per code
    """

    promise: promises.DeltaDisclosure
    whole: NDArray[np.int64]
    higher_is_better = False

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        column = facts.column(promise.on)
        return cls(promise, column.name, column.counts)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        histogram = self.histogram(groups)
        moved = self._moved(groups)
        delta = float(min(self.promise.delta, Fraction(_BEYOND)))
        within = moved < delta
        near = np.isfinite(moved) & (np.abs(moved - delta) <= 2.0**-48 * (moved + delta + 1))
        doubt = np.flatnonzero(near)
        sizes = spread(histogram, groups.sizes)
        known: dict[Fraction, bool] = {}
        for run in doubt:
            ratio = self._ratio(int(histogram.values[run]), int(histogram.counts[run]), int(sizes[run]))
            if ratio not in known:
                known[ratio] = _within(ratio, self.promise.delta)
            within[run] = known[ratio]
        good = reduced(np.add, histogram, within.astype(np.int64))
        keeps: NDArray[np.bool_] = (groups.sizes > 0) & (good == self._values) & (distinct(histogram) == good)
        return keeps

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """The largest |log(p / q)|, which delta must exceed; `inf` where a value is absent."""
        histogram = self.histogram(groups)
        return np.where(
            (groups.sizes > 0) & (distinct(histogram) == self._values),
            reduced(np.maximum, histogram, self._moved(groups)),
            np.inf,
        )

    def distinct_l(self) -> int:
        return max(1, self._values)

    def nearest(self, whole: Groups) -> promises.DeltaDisclosure | None:
        """The least delta, in hundredths; none if a value is absent."""
        level = float(self.level(whole)[0])
        if level == np.inf:
            return None
        hundredths = max(1, floor(100 * level))
        while True:
            near = replace(self, promise=replace(self.promise, delta=Fraction(hundredths, 100)))
            if near.holds(whole)[0]:
                return near.promise
            hundredths += 1

    def obstacle(self, whole: Groups) -> str:
        missing = self._values - int(distinct(self.histogram(whole))[0])
        if missing:
            return f"{missing} of the {self._values} values of column {self.column!r} are absent"
        return f"the share of a value of column {self.column!r} changes by e^{float(self.level(whole)[0]):.4g}"

    @property
    def _values(self) -> int:
        return int((self.whole > 0).sum())

    def _moved(self, groups: Groups) -> NDArray[np.float64]:
        """|log(p / q)| of every run, off by less than 2**-53 * (8 |log| + 16); `inf` where the table lacks it."""
        histogram = self.histogram(groups)
        share = histogram.counts / spread(histogram, groups.sizes)
        there = self.whole[histogram.values] / self.whole.sum()
        moved: NDArray[np.float64] = np.full(len(share), np.inf)
        np.log(np.divide(share, there, out=moved, where=there > 0), out=moved)
        return np.abs(moved)

    def _ratio(self, value: int, count: int, rows: int) -> Fraction:
        """p / q, turned to be at least 1."""
        ratio = Fraction(count * int(self.whole.sum()), rows * int(self.whole[value]))
        return max(ratio, 1 / ratio)


def _within(ratio: Fraction, delta: Fraction) -> bool:
    """log ratio < delta."""
    power = delta.denominator
    return sign_of_logs({ratio.numerator: power, ratio.denominator: -power}, constant=-delta.numerator) < 0
