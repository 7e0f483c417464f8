"""(tau,l)-diversity: the k most frequent values fill at most psi(k) of every group, for every k.

psi rises evenly from tau at k = 1 to 1 at k = l, or as the promise lists it. Counts are induced: a generalized value
counts for the base values below it (see `induced`).

Guarantee: who knows the group and nothing else believes in the k likeliest values with psi(k) at most. It does not
cover who knows the weights to be wrong, nor who replays an algorithm that generalizes only what it must.

Merging: with fixed weights the sum of the k largest induced counts is convex, so unions keep the promise. Generalizing
one more value does not always help: from ``a a b b c`` with one a as {a, b}, the largest share rises from 2/5 to 1/2.

Simple l-diversity is (1/l, l). The comparison allows equality and is exact.

H. Tian, W. Zhang, Extending l-diversity to generalize sensitive data, 2011, doi:10.1016/j.datak.2010.09.001

>>> import polars as pl
>>> from sfumato.table.domain import Domain
>>> column = Domain("s", pl.Series("s", ["a", "b", "c"]), np.array([2, 1, 1]))
>>> model = TauLModel.bind(promises.TauL("1/2", 3), Facts(4, {"s": column}))
>>> model.holds(Groups.of_counts("s", [{0: 2, 1: 1, 2: 1}, {0: 3, 1: 2, 2: 1}]))  # psi: 1/2, 3/4, 1
array([ True, False])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.models.column import OfColumn
from sfumato.models.compare import WIDE, compare
from sfumato.models.contract import Facts, Groups, Histogram, Neighbours, ShareCaps
from sfumato.models.induced import Induced
from sfumato.models.psi import psi
from sfumato.models.runs import descending, distinct, owners
from sfumato.models.strength import ladders_to_tau, neighbours_of_tau
from sfumato.models.values import which_codes
from sfumato.policy import promises
from sfumato.policy.promise import Promise
from sfumato.table.weights import resolved_weights

__all__ = ["TauLModel"]

Exact = NDArray[Any]


@dataclass(frozen=True, eq=False)
class TauLModel(OfColumn):
    """F(k) <= psi(k) for all k, F(k) being the sum of the k largest induced shares.

    weights     of every base value, in a generalized one
    showable    values that a row has, or that a generalized value may stand for
    """

    promise: promises.TauL
    induced: Induced
    weights: tuple[Fraction, ...]
    showable: int
    higher_is_better = False
    counts_induced = True
    prefers_even = True

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        column = facts.column(promise.on)
        if promise.weights != "table":
            which_codes(column, [text for text, _ in promise.weights], "weights")
        weights = resolved_weights(promise.weights, column)
        showable = sum(bool(weight or count) for weight, count in zip(weights, column.counts.tolist(), strict=True))
        return cls(promise, column.name, Induced.of(column, weights), weights, showable)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        kept: NDArray[np.bool_] = groups.sizes > 0
        for k, top, rows in self._tops(groups):
            kept &= compare(top, psi(self.promise, k), rows) <= 0
        return kept

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """The least tau that would do: 1 or more where none does."""
        level = np.where(groups.sizes > 0, 0.0, np.inf)
        for k, top, rows in self._tops(groups):
            share = top.astype(np.float64) / np.maximum(rows, 1).astype(np.float64)
            np.maximum(level, self._least_tau(k, share), out=level)
        return level

    def _least_tau(self, k: int, share: Any) -> Any:
        """The tau whose bound for k values is that share; where psi is listed, all of it is scaled."""
        l, listed = self.promise.l, self.promise.psi
        exact = isinstance(share, Fraction)
        if listed:
            scale = self.promise.tau / listed[k - 1]
            return share * (scale if exact else float(scale))
        return (share * (l - 1) - (k - 1)) / (l - k)

    def hopeless(self, groups: Groups) -> NDArray[np.bool_]:
        """Too few different values, unless some are generalized and stand for more."""
        histogram = self.histogram(groups)
        general = np.zeros(histogram.groups, dtype=np.bool_)
        general[owners(histogram)[histogram.values >= len(self.induced.weights)]] = True
        return ~general & (distinct(histogram) < self.promise.l)

    def distinct_l(self) -> int:
        """Of values as they are in the table; a generalized one stands for several."""
        return self.promise.l

    def least_rows(self) -> int:
        return self.promise.l

    def uniform_l(self) -> int:
        """k of L rows are within psi(k) for every k."""
        if not self.promise.psi:
            return self.promise.l
        return max(self.promise.l, *(ceil(k / psi(self.promise, k)) for k in range(1, self.promise.l)))

    def caps(self) -> ShareCaps:
        return ShareCaps(self.column, tuple(psi(self.promise, k) for k in range(1, self.promise.l)), self.weights)

    def neighbours(self, values: int) -> Neighbours:
        return neighbours_of_tau(self.promise, values)

    def ladders(self, values: int) -> tuple[tuple[Promise, ...], ...]:
        return ladders_to_tau(self.promise, values)

    def root_holds(self) -> bool:
        """Whether rows that say nothing of the value keep the promise; else generalizing cannot be the remedy."""
        ranked, total = sorted(self.induced.weights, reverse=True), sum(self.induced.weights)
        shares = (sum(ranked[:k]) <= psi(self.promise, k) * total for k in range(1, self.promise.l))
        return total > 0 and all(shares)

    def out_of_reach(self, allowed: int) -> str | None:
        """Fewer values than l fill more than psi of every group."""
        if self.showable >= self.promise.l:
            return None
        return f"column {self.column!r} has {self.showable} different values, generalized or not"

    def nearest(self, whole: Groups) -> promises.TauL | None:
        """The least tau with the same l, or with as many values as there are."""
        if not whole.sizes[0]:
            return None
        ranked, rows = self._ranked(whole)
        l = min(self.promise.l, len(ranked))
        if l < 2 or (self.promise.psi and l < self.promise.l):
            return None
        shares = [Fraction(int(sum(ranked[:k])), rows) for k in range(1, l)]
        if self.promise.psi:
            least = [max(pair) for pair in zip(self.promise.psi, shares, strict=True)]
            return replace(self.promise, tau=least[0], psi=tuple(least))
        near = replace(self, promise=replace(self.promise, l=l, tau=Fraction(l - 1, l)))
        taus = [near._least_tau(k, share) for k, share in enumerate(shares, 1)]
        return replace(near.promise, tau=max(Fraction(1, l), *taus))

    def obstacle(self, whole: Groups) -> str:
        ranked, rows = self._ranked(whole)
        n = int(whole.sizes[0])
        if len(ranked) < self.promise.l:
            return f"column {self.column!r} has {len(ranked)} different values"
        tops = [(k, Fraction(int(sum(ranked[:k])), rows)) for k in range(1, self.promise.l)]
        k, share = max(tops, key=lambda pair: pair[1] - psi(self.promise, pair[0]))
        fill = "the most frequent value fills" if k == 1 else f"the {k} most frequent values fill"
        allowed = int(psi(self.promise, k) * n)
        return f"in column {self.column!r} {fill} {float(share * n):.6g} of {n} rows, {allowed} are allowed"

    def _ranked(self, whole: Groups) -> tuple[list[int], int]:
        """Induced counts of the first group, descending, and what they sum up to."""
        histogram, factor = self.induced.spread(self.histogram(whole).only(0))
        return sorted(map(int, histogram.counts), reverse=True), int(whole.sizes[0]) * factor

    def _tops(self, groups: Groups) -> Iterator[tuple[int, Exact, Exact]]:
        """For every k below l: the sum of each group's k largest induced counts, and of all of them."""
        histogram, factor = self.induced.spread(self.histogram(groups))
        sizes: Exact = groups.sizes
        if factor > 1:
            wide = int(sizes.max(initial=0)) * factor >= WIDE
            sizes = (sizes.astype(object) if wide else sizes) * factor
        ranked = _ranked(histogram)
        sums: Exact = np.concatenate((np.zeros(1, dtype=ranked.dtype), np.cumsum(ranked)))
        first, last = histogram.starts[:-1], histogram.starts[1:]
        for k in range(1, min(self.promise.l - 1, int(distinct(histogram).max(initial=0))) + 1):
            yield k, sums[np.minimum(first + k, last)] - sums[first], sizes


def _ranked(histogram: Histogram) -> Exact:
    """Counts in descending order within every group, whatever their size."""
    if histogram.counts.dtype != object:
        return descending(histogram)
    counts, mine = histogram.counts, owners(histogram)
    by_count = np.argsort(-counts, kind="stable")
    return np.asarray(counts[by_count[np.argsort(mine[by_count], kind="stable")]])
