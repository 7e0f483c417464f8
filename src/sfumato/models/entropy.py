"""Entropy l-diversity: the entropy of the sensitive values of every group is at least log l, for any real l >= 1.

Guarantee: as hard to guess, in the sense of entropy, as l equally frequent values; implies l different values.

Exact. With l = a/b, counts n_i and N rows the condition reads (bN)^N >= a^N prod n_i^n_i. These powers are never
formed: floats decide where the gap exceeds their error, the rest is left to the sign of a sum of logarithms. Uniform
groups, on which plain floats fail (l = 3, 6, 7, 10, ...), need neither: they keep l iff they have l values.

A. Machanavajjhala et al., l-Diversity: Privacy Beyond k-Anonymity, 2006, Definition 4.1, doi:10.1109/ICDE.2006.1

Every group of the paper's 3-diverse table has the counts 2, 1, 1:

>>> groups = Groups.of_counts("condition", [{0: 1, 1: 1, 2: 2}])
>>> [bool(EntropyLModel(promises.EntropyL(l), "condition").holds(groups)[0]) for l in ("2.8", "2.83")]
[True, False]
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, gcd

import numpy as np
from numpy.typing import NDArray

from sfumato.models.column import OfColumn
from sfumato.models.compare import compare
from sfumato.models.contract import Groups, Histogram
from sfumato.models.gauge import Gauge, of_entropy
from sfumato.models.logs import sign_of_logs
from sfumato.models.runs import descending, distinct, maxima, minima, reduced, spread
from sfumato.policy import promises

__all__ = ["EntropyLModel"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class EntropyLModel(OfColumn):
    """-sum p log p >= log l."""

    promise: promises.EntropyL
    shape = True
    prefers_even = True
    coarsens = True

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        histogram, l = self.histogram(groups), self.promise.l
        values = distinct(histogram)
        enough = compare(values, l, np.ones_like(values)) >= 0  # entropy is at most the log of their number
        uneven = enough & (maxima(histogram) != minima(histogram))
        if not uneven.any():
            return enough
        entropy, goal = _entropy(histogram, groups.sizes), float(np.log(float(l)))
        gap = entropy - goal
        error = 2.0**-52 * (values + 16) * (entropy + goal + 1)
        holds: NDArray[np.bool_] = enough & (~uneven | (gap > 0))
        doubt = np.flatnonzero(uneven & (np.abs(gap) <= error))
        holds[doubt] = _exactly(histogram, doubt, l)
        return holds

    def level(self, groups: Groups) -> Floats:
        histogram = self.histogram(groups)
        values = distinct(histogram)
        even = maxima(histogram) == minima(histogram)
        return np.where(even, values, np.exp(_entropy(histogram, groups.sizes)))

    def distinct_l(self) -> int:
        l: Fraction = self.promise.l
        return ceil(l)

    def gauge(self) -> Gauge:
        return of_entropy(self.statistics[0], float(self.promise.l), self.distinct_l())

    def uniform_l(self) -> int:
        return self.distinct_l()

    def uniform_nearest(self, most: int, whole: Groups) -> promises.EntropyL:
        return replace(self.promise, l=Fraction(most))

    def nearest(self, whole: Groups) -> promises.EntropyL | None:
        """l to two decimals."""
        for hundredths in range(floor(100 * float(self.level(whole)[0])) + 1, 99, -1):
            near = replace(self, promise=replace(self.promise, l=Fraction(hundredths, 100)))
            if near.holds(whole)[0]:
                return near.promise
        return None

    def obstacle(self, whole: Groups) -> str:
        return f"{super().obstacle(whole)}, and its entropy is that of {self.level(whole)[0]:.4g} even values"


def _entropy(histogram: Histogram, sizes: NDArray[np.int64]) -> Floats:
    """Entropy of each group in nats, off by less than 2**-53 * ((m + 12) * entropy + 4) for m values.

    A share is rounded at most three times, which moves its logarithm by as many units of 2**-53; the logarithm itself
    is off by less than 8 of them relative, the product by one more, and a sum of m terms of one sign by m - 1.
    """
    share = histogram.counts / spread(histogram, sizes)
    return -reduced(np.add, histogram, share * np.log(share)) + 0.0


def _exactly(histogram: Histogram, which: NDArray[np.int64], l: Fraction) -> NDArray[np.bool_]:
    """Whether these groups keep l, by integers; groups of one shape are judged once."""
    ranked, values = descending(histogram), distinct(histogram)[which]
    answers = np.zeros(len(which), dtype=np.bool_)
    for number in np.unique(values):
        here = np.flatnonzero(values == number)
        counts = ranked[histogram.starts[which[here], np.newaxis] + np.arange(number)]
        counts //= np.gcd.reduce(counts, axis=1, keepdims=True)
        shapes, shape_of = np.unique(counts, axis=0, return_inverse=True)
        verdicts = np.array([_keeps(Counter(shape.tolist()), l) for shape in shapes], dtype=np.bool_)
        answers[here] = verdicts[shape_of.reshape(-1)]
    return answers


def _keeps(kinds: Counter[int], l: Fraction) -> bool:
    """N log(bN) >= N log a + sum n log n, for counts n that occur so and so often."""
    rows = sum(count * times for count, times in kinds.items())
    powers = Counter({count: -count * times for count, times in kinds.items()})
    for base, power in ((rows, rows), (l.denominator, rows), (l.numerator, -rows)):
        powers[base] += power
    common = gcd(*powers.values())
    return sign_of_logs({base: power // common for base, power in powers.items()} if common else {}) >= 0
