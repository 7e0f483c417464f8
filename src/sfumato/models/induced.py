"""Induced counts: what generalized values of a sensitive column say about its base values.

A row that shows an inner node of the taxonomy counts for every base value below it, in proportion to the weights of
these; a row that shows a base value counts for that one alone. Counts are scaled by one common denominator, so they
stay whole numbers. Weights are fixed, so induced counts add up when groups merge.

H. Tian, W. Zhang, Extending l-diversity to generalize sensitive data, 2011, Definition 7,
doi:10.1016/j.datak.2010.09.001
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.models.compare import WIDE
from sfumato.models.contract import Histogram
from sfumato.models.runs import owners
from sfumato.table.domain import Domain

__all__ = ["Induced"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Induced:
    """Weights of the base values as coprime whole numbers, and the range of codes below every node."""

    weights: tuple[int, ...]
    first: Ints
    last: Ints

    @classmethod
    def of(cls, column: Domain, weights: Sequence[Fraction]) -> Induced:
        scale = lcm(*(weight.denominator for weight in weights))
        whole = [int(weight * scale) for weight in weights]
        shared = gcd(*whole) or 1
        tree, codes = column.taxonomy, np.arange(column.size, dtype=np.int64)
        first, last = (codes, codes) if tree is None else (tree.first, tree.last)
        return cls(tuple(weight // shared for weight in whole), first, last)

    @cached_property
    def sums(self) -> tuple[int, ...]:
        """The weight below every node."""
        upto = [0]
        for weight in self.weights:
            upto.append(upto[-1] + weight)
        return tuple(upto[last + 1] - upto[first] for first, last in zip(self.first, self.last, strict=True))

    def spread(self, histogram: Histogram) -> tuple[Histogram, int]:
        """Counts of base values, times a factor; the histogram itself if no value is an inner node."""
        inner = histogram.values >= len(self.weights)
        if not inner.any():
            return histogram, 1
        factor = lcm(*(self.sums[node] for node in np.unique(histogram.values[inner]).tolist()))
        if not factor:
            raise ValueError("a generalized value has no base value with a weight")
        room = int(histogram.counts.sum()) * factor
        dtype: Any = np.int64 if room < WIDE else object
        first, last = self.first[histogram.values], self.last[histogram.values]
        wide = last - first + 1
        entry = np.repeat(np.arange(len(wide)), wide)
        leaf = np.arange(len(entry)) - np.repeat(np.cumsum(wide) - wide, wide) + first[entry]
        parts = np.array([factor // (self.sums[node] or 1) for node in range(len(self.sums))], dtype=object)
        share = np.where(
            inner[entry], parts[histogram.values[entry]] * np.array(self.weights, dtype=object)[leaf], factor
        )
        amount = (share * histogram.counts.astype(object)[entry]).astype(dtype)
        kept = amount > 0
        keys, place = np.unique(owners(histogram)[entry][kept] * len(self.weights) + leaf[kept], return_inverse=True)
        counts = np.zeros(len(keys), dtype=dtype)
        np.add.at(counts, place, amount[kept])
        starts = np.searchsorted(keys, np.arange(histogram.groups + 1) * len(self.weights))
        return Histogram(starts.astype(np.int64), keys % len(self.weights), counts), factor
