"""Sensitive numbers as bins: values of one bin are one secret, published as one interval.

`bins:` edges or equal widths give half-open bins ``[1000, 2000)``. `difference:` begins a new bin where the gap to the
next smaller value exceeds the difference, so any two values in different bins differ by more than it; such a bin is
published as ``[smallest, largest]`` of the values that are published.

Numbers are the decimals as written: a float stands for its shortest decimal, so 0.3 lies in ``[0.3, 0.4)``.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, lcm

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import PolicyError, Problem, TableError
from sfumato.exact import as_fraction
from sfumato.policy.columns import Bins, Column
from sfumato.table.distinct import Distinct, recoded
from sfumato.table.words import counted
from sfumato.taxonomy.notation import Interval

__all__ = ["Binning", "binning"]

_LARGE = Fraction(2**1000)

Numbers = NDArray[np.int64] | NDArray[np.float64]
Sides = Sequence[tuple[Fraction, Fraction]]
_INT64 = 2**63
_EXACT = 2.0**52  # below it a guess misses by one at most


@dataclass(frozen=True, eq=False)
class Binning:
    """labels   the bins that occur, as published, ascending
    codes    per entry the bin, -1 for a missing value
    linked   whether bins follow from the data, and so their labels
    """

    labels: pl.Series
    codes: NDArray[np.int32]
    linked: bool = False

    def of_first(self, entries: int) -> Binning:
        """The bins of the first entries."""
        used, codes = np.unique(self.codes[:entries], return_inverse=True)
        at = used[used >= 0]
        return replace(self, labels=self.labels.gather(at), codes=(codes + len(at) - len(used)).astype(np.int32))

    def telling(self, found: Distinct, some: NDArray[np.bool_], known: Container[str]) -> Binning:
        """The same bins, called by nothing but values of some entries; without any, or if it is known, as before."""
        if not self.linked:
            return self
        told = np.bincount(found.codes[some & (found.codes >= 0)], minlength=len(found.values)) > 0
        return replace(self, labels=self.named(found, told, known))

    def named(self, found: Distinct, values: NDArray[np.bool_], known: Container[str]) -> pl.Series:
        """What bins are called by nothing but some of the column's values."""
        told = np.flatnonzero(values)
        numbers = found.values.to_numpy()[told]
        bins, starts = np.unique(self.codes[found.first_entries[told]], return_index=True)
        ends = np.append(starts[1:], len(told))[: len(starts)] - 1
        labels = self.labels.to_list()
        for place, name in zip(bins.tolist(), _spans(numbers, starts, ends), strict=True):
            labels[place] = labels[place] if labels[place] in known else name
        return pl.Series(self.labels.name, labels, dtype=pl.String)


def binning(name: str, column: Column, found: Distinct) -> Binning | None:
    """The bins of a sensitive column, or None if the policy asks for none."""
    if column.bins is None and column.difference is None:
        return None
    try:
        texts, bins = _binned(name, column, found)
    except OverflowError:
        raise TableError(
            f"column {name!r}: its bins are too narrow, too wide or too far off for its numbers; choose others"
        ) from None
    codes = recoded(bins, found.codes)
    return Binning(pl.Series(name, texts, dtype=pl.String), codes, column.difference is not None)


def _binned(name: str, column: Column, found: Distinct) -> tuple[list[str], NDArray[np.int64]]:
    """Labels and per value its bin; `OverflowError` where numbers and bins have no common scale."""
    numbers = found.values.to_numpy()
    if column.difference is not None:
        return _linked(numbers, column.difference)
    wanted = column.bins
    sides = _equal(numbers, wanted) if isinstance(wanted, Bins) else _given(name, wanted or ())
    return _between(name, found, sides)


def _given(name: str, edges: Sequence[Fraction]) -> Sides:
    if any(low >= high for low, high in pairwise(edges)):
        raise PolicyError([Problem(f"columns.{name}.bins", "", "edges must ascend")])
    return list(pairwise(edges))


def _equal(numbers: Numbers, bins: Bins) -> Sides:
    """Bins of one width around the numbers."""
    if numbers.dtype.kind == "i":
        scale = lcm(bins.origin.denominator, bins.width.denominator)
        origin, width = int(bins.origin * scale), int(bins.width * scale)
        places = {(number * scale - origin) // width for number in numbers.tolist()}
    else:
        with np.errstate(all="ignore"):
            guesses = np.unique(np.floor((numbers - float(bins.origin)) / float(bins.width)))
        if not (np.abs(guesses) < _EXACT).all():
            raise OverflowError
        # A rounded guess misses by one at most.
        places = {int(guess) + step for guess in guesses.tolist() for step in (-1, 0, 1)}
    lows = [bins.origin + place * bins.width for place in sorted(places)]
    return [(low, low + bins.width) for low in lows]


def _between(name: str, found: Distinct, sides: Sides) -> tuple[list[str], NDArray[np.int64]]:
    numbers = found.values.to_numpy()
    place = _reached(numbers, [low for low, _ in sides]) - 1
    outside = (place < 0) | (_reached(numbers, [high for _, high in sides]) > place)
    if outside.any():
        rows = counted(int(found.counts[outside].sum()), "row")
        raise TableError(
            f"column {name!r}: {rows} outside its bins; a bin includes its lower edge, not its upper one. "
            "Add edges, or give {width}"
        )
    used, bins = np.unique(place, return_inverse=True)
    return [str(Interval(*sides[at])) for at in used], bins


def _reached(numbers: Numbers, bounds: Sequence[Fraction]) -> NDArray[np.int64]:
    """Per number, how many of the ascending bounds are not above it; exact."""
    if numbers.dtype.kind == "i":
        whole = [max(ceil(bound), -_INT64) for bound in bounds if ceil(bound) < _INT64]
        return np.searchsorted(np.array(whole, dtype=np.int64), numbers, side="right").astype(np.int64)
    rounded = np.array([float(bound) for bound in bounds])
    count = np.searchsorted(rounded, numbers, side="right").astype(np.int64)
    # Rounding is monotone, so only a number that a bound rounds to can still lie below that bound.
    above = np.array([as_fraction(float(bound)) < bound for bound in bounds], dtype=np.bool_)
    last = np.maximum(count - 1, 0)
    return np.asarray(count - ((count > 0) & (rounded[last] == numbers) & above[last])) if len(bounds) else count


def _linked(numbers: Numbers, difference: Fraction) -> tuple[list[str], NDArray[np.int64]]:
    begins = np.ones(len(numbers), dtype=np.bool_)
    begins[1:] = _apart(numbers, difference)
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(numbers))[: len(starts)] - 1
    return _spans(numbers, starts, ends), np.cumsum(begins) - 1


def _spans(numbers: Numbers, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> list[str]:
    bounds = zip(numbers[starts].tolist(), numbers[ends].tolist(), strict=True)
    return [str(Interval(as_fraction(low), as_fraction(high), high_closed=True)) for low, high in bounds]


def _apart(numbers: Numbers, difference: Fraction) -> NDArray[np.bool_]:
    """Per gap between neighbours, whether it exceeds the difference; exact."""
    if numbers.dtype.kind == "i":
        unsigned = numbers.astype(np.uint64)  # the gap of two 64-bit integers may need the 64th bit
        return np.asarray(unsigned[1:] - unsigned[:-1] > np.uint64(min(floor(difference), 2**64 - 1)))
    with np.errstate(over="ignore"):  # infinite slack: looked at exactly
        gaps, limit = np.diff(numbers), float(min(difference, _LARGE))
        apart = gaps > limit
        slack = 8 * np.finfo(np.float64).eps * (np.abs(numbers[1:]) + np.abs(numbers[:-1]) + limit)
        slack[gaps >= float(_LARGE)] = np.inf
    for at in np.flatnonzero(np.abs(gaps - limit) <= slack).tolist():
        apart[at] = as_fraction(float(numbers[at + 1])) - as_fraction(float(numbers[at])) > difference
    return np.asarray(apart)
