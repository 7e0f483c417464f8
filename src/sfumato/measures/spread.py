"""What a release says of how values are distributed: one by one, and of two columns together.

A cell that stands for several values is each of those that occur in the original, with the same weight; one that stands
for a single value is that one. Two columns that stand side by side are counted row by row. Where quasi-identifiers are
exact and secrets stand apart, a group's are independent of each other: it gives each pair its product.

Numbers and dates with many values are looked at in bins, each with about as many rows of the original.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.release.spans import CellSpans
from sfumato.release.subject import ShownCells, Subject
from sfumato.table.domain import Domain
from sfumato.table.packing import Packed

__all__ = ["CodeRuns", "Spread", "original_pairs", "published_pairs", "published_values"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_ROOM = 4_000_000
"""Numbers that are worked on at a time."""


@dataclass(frozen=True, eq=False)
class CodeRuns:
    """Codes of a column in runs: the bin of every code, and where each run begins, with the end of the last."""

    of: Ints
    starts: Ints

    @classmethod
    def each(cls, domain: Domain) -> CodeRuns:
        """Every code by itself."""
        return cls(np.arange(domain.size), np.arange(domain.size + 1))

    @classmethod
    def few(cls, domain: Domain, most: int) -> CodeRuns:
        """At most so many for numbers and dates, of about as many rows each; every code by itself for others.

        >>> import polars as pl
        >>> ages = Domain("age", pl.Series([1, 2, 3, 4]), np.array([5, 1, 2, 2]), positions=np.arange(4.0))
        >>> CodeRuns.few(ages, 2).of.tolist(), CodeRuns.few(ages, 4).of.tolist()
        ([0, 1, 1, 1], [0, 1, 2, 3])
        """
        if domain.positions is None or int(domain.occurring.sum()) <= most:
            return cls.each(domain)
        known = domain.counts.copy()
        if domain.missing is not None:
            known[domain.missing] = 0
        before = np.cumsum(known) - known
        number = before * most // max(int(known.sum()), 1)
        if domain.missing is not None:  # it has no place among numbers: a bin of its own
            number[domain.missing] = number.max() + 1
        of = np.unique(number, return_inverse=True)[1].reshape(-1)
        return cls(of, np.searchsorted(of, np.arange(int(of.max()) + 2)))

    def __len__(self) -> int:
        return len(self.starts) - 1


@dataclass(frozen=True, eq=False)
class Spread:
    """How the cells of a column lie over its bins.

    single   per cell the bin of its only value, or -1
    wide     cells that stand for several values, and how much of each lies in every bin when asked
    """

    spans: CellSpans
    occurring: NDArray[np.bool_]
    bins: CodeRuns
    single: Ints
    wide: Ints

    @classmethod
    def of(cls, cells: ShownCells, bins: CodeRuns) -> Spread:
        spans, occurring = cells.spans, cells.domain.occurring
        alone = spans.values == 1
        single = np.where(alone, bins.of[np.where(alone, spans.low, 0)], -1)
        return cls(spans, occurring, bins, single, np.flatnonzero((spans.values > 1) & (cells.counts > 0)))

    @property
    def place(self) -> Ints:
        """Per cell its bin, or for a wide one its number among these after all bins; -1: it stands for nothing."""
        found = self.single.copy()
        found[self.wide] = len(self.bins) + np.arange(len(self.wide))
        return found

    def parts(self) -> Iterator[tuple[slice, Floats]]:
        """Wide cells by runs, with the share of every bin in each."""
        step = max(_ROOM // max(len(self.bins), 1), 1)
        upto = np.concatenate(([0], np.cumsum(self.occurring)))
        edges = self.bins.starts
        for begin in range(0, len(self.wide), step):
            mine = self.wide[begin : begin + step]
            low, high = self.spans.low[mine, None], self.spans.high[mine, None] + 1
            first, last = np.maximum(edges[:-1], low), np.minimum(edges[1:], high)
            found = np.where(last > first, upto[np.maximum(last, first)] - upto[first], 0).astype(np.float64)
            for at in np.flatnonzero(self.spans.torn[mine]).tolist():
                found[at] = self._torn(int(mine[at]))
            whole = found.sum(axis=1, keepdims=True)
            even = np.where(last > first, 1.0, 0.0)  # nothing below it occurs: any of its bins
            found = np.where(whole > 0, found, even)
            yield slice(begin, begin + len(mine)), found / found.sum(axis=1, keepdims=True)

    def _torn(self, cell: int) -> Floats:
        codes = self.spans.members[self.spans.starts[cell] : self.spans.starts[cell + 1]]
        return np.bincount(self.bins.of[codes[self.occurring[codes]]], minlength=len(self.bins)).astype(np.float64)

    def over_bins(self, mass: Floats) -> Floats:
        """What lies on places, bins and then wide cells (first axis), over bins alone."""
        found = mass[: len(self.bins)].copy()
        for run, share in self.parts():
            found += np.tensordot(share, mass[len(self.bins) :][run], axes=(0, 0))
        return found


def published_values(subject: Subject, name: str) -> Floats:
    """How many published rows have each value of a column."""
    cells = subject.cells(name)
    spans, occurring, size = cells.spans, cells.domain.occurring, cells.domain.size
    upto = np.concatenate(([0], np.cumsum(occurring)))
    many = upto[spans.high + 1] - upto[spans.low]
    owner = np.repeat(np.arange(len(spans)), np.diff(spans.starts))
    torn = spans.torn
    many[torn] = np.bincount(owner, weights=occurring[spans.members], minlength=len(spans))[torn]
    rare = (many == 0) & (spans.values > 0)  # nothing below it occurs: it is any of that
    each = cells.counts / np.where(rare, np.maximum(spans.values, 1), np.maximum(many, 1))
    runs = ~torn & (spans.values > 0)
    found = _laid(spans, each, runs & ~rare, size) * occurring + _laid(spans, each, runs & rare, size)
    np.add.at(found, spans.members, each[owner] * (occurring[spans.members] | rare[owner]))
    return found


def _laid(spans: CellSpans, each: Floats, which: NDArray[np.bool_], size: int) -> Floats:
    """Some cells without gaps laid over all codes that they stand for, each with so much on every one."""
    low, high, each = spans.low[which], spans.high[which], each[which]
    alone = low == high  # most of them: added by themselves, they are exact
    found = np.bincount(low[alone], weights=each[alone], minlength=size).astype(np.float64)
    low, after, each = low[~alone], high[~alone] + 1, each[~alone]
    rise = np.bincount(low, weights=each, minlength=size + 1) - np.bincount(after, weights=each, minlength=size + 1)
    cover = np.bincount(low, minlength=size + 1) - np.bincount(after, minlength=size + 1)
    return found + np.where(np.cumsum(cover)[:size] > 0, np.cumsum(rise)[:size], 0.0)


def original_pairs(subject: Subject, first: str, second: str, bins: tuple[CodeRuns, CodeRuns]) -> Floats:
    """Rows of the original by two columns."""
    found = subject.tuples.count([first, second])
    keys = bins[0].of[found.codes[0]] * len(bins[1]) + bins[1].of[found.codes[1]]
    made = np.bincount(keys, weights=found.counts, minlength=len(bins[0]) * len(bins[1]))
    return made.astype(np.float64).reshape(len(bins[0]), len(bins[1]))


def published_pairs(subject: Subject, quasi: str, secret: str, bins: tuple[CodeRuns, CodeRuns]) -> Floats:
    """Published rows by a quasi-identifier and a secret."""
    seen = subject.seen
    if not seen.exact or seen.changed or quasi in seen.beside:
        return _side_by_side(subject, quasi, secret, bins)
    people, secrets, sizes = subject.classes
    one, other = _by_class(subject, quasi, bins[0], people), _by_class(subject, secret, bins[1], secrets)
    return _products(one, other, sizes, bins)


def _side_by_side(subject: Subject, quasi: str, secret: str, bins: tuple[CodeRuns, CodeRuns]) -> Floats:
    one, other = subject.cells(quasi), subject.cells(secret)
    spreads = Spread.of(one, bins[0]), Spread.of(other, bins[1])
    packed = Packed.of_rows([(one.codes, len(one.texts)), (other.codes, len(other.texts))])
    first, second = spreads[0].place[packed.codes(0)], spreads[1].place[packed.codes(1)]
    told = (first >= 0) & (second >= 0)
    many = [len(spread.bins) + len(spread.wide) for spread in spreads]
    if spreads[1].wide.size:  # secrets first: there are fewer
        keys, counts = first[told] * many[1] + second[told], packed.counts[told]
        grid = np.bincount(keys, weights=counts, minlength=many[0] * many[1]).astype(np.float64).reshape(many)
        return spreads[0].over_bins(spreads[1].over_bins(grid.T).T)
    keys = first[told] * len(bins[1]) + second[told]
    grid = np.bincount(keys, weights=packed.counts[told], minlength=many[0] * len(bins[1])).astype(np.float64)
    return spreads[0].over_bins(grid.reshape(many[0], len(bins[1])))


Held = tuple[Ints, Ints, Floats]
"""Classes in ascending order, bins, and how much of each is there."""


def _by_class(subject: Subject, name: str, bins: CodeRuns, classes: Ints) -> Held:
    cells = subject.cells(name)
    spread = Spread.of(cells, bins)
    packed = Packed.of_rows([(cells.codes, len(cells.texts)), (classes, int(classes.max(initial=-1)) + 1)])
    place, owner, counts = spread.place[packed.codes(0)], packed.codes(1), packed.counts.astype(np.float64)
    alone = (place >= 0) & (place < len(bins))
    parts = [(owner[alone], place[alone], counts[alone])]
    for run, share in spread.parts():
        entries = np.flatnonzero((place >= len(bins) + run.start) & (place < len(bins) + run.stop))
        step = max(_ROOM // max(len(bins), 1), 1)
        for begin in range(0, len(entries), step):
            mine = entries[begin : begin + step]
            mass = share[place[mine] - len(bins) - run.start] * counts[mine, None]
            row, at = np.nonzero(mass)
            parts.append((owner[mine[row]], at, mass[row, at]))
    held = [np.concatenate(each) for each in zip(*parts, strict=True)]
    keys, at = np.unique(held[0] * len(bins) + held[1], return_inverse=True)
    mass = np.bincount(at.reshape(-1), weights=held[2], minlength=len(keys)).astype(np.float64)
    return keys // len(bins), keys % len(bins), mass


def _products(one: Held, other: Held, sizes: Ints, bins: tuple[CodeRuns, CodeRuns]) -> Floats:
    """Of every class, how much of one times how much of the other over its rows, summed."""
    made = np.zeros(len(bins[0]) * len(bins[1]))
    starts = np.searchsorted(other[0], np.arange(len(sizes) + 1))
    length = np.diff(starts)[one[0]]
    ends = np.cumsum(length)
    begin = 0
    while begin < len(length):
        before = ends[begin - 1] if begin else 0
        end = max(int(np.searchsorted(ends, before + _ROOM, side="right")), begin + 1)
        mine = np.arange(begin, end)
        which = np.repeat(mine, length[mine])
        at = np.arange(len(which)) - np.repeat(ends[mine] - length[mine] - before, length[mine]) + starts[one[0][which]]
        mass = one[2][which] * other[2][at] / np.maximum(sizes[one[0][which]], 1)
        made += np.bincount(one[1][which] * len(bins[1]) + other[1][at], weights=mass, minlength=len(made))
        begin = end
    return made.reshape(len(bins[0]), len(bins[1]))
