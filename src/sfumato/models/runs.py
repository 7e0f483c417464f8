"""Sums, maxima and ranks within every group of a histogram, whole arrays at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Histogram

__all__ = ["descending", "distinct", "largest", "maxima", "minima", "owners", "reduced", "spread"]

Ints = NDArray[np.int64]


def distinct(histogram: Histogram) -> Ints:
    """Number of different values of each group."""
    return histogram.starts[1:] - histogram.starts[:-1]


def spread(histogram: Histogram, per_group: NDArray[Any]) -> NDArray[Any]:
    """One entry per group made one per run."""
    return np.repeat(per_group, distinct(histogram))


def owners(histogram: Histogram) -> Ints:
    """The group of each run."""
    return spread(histogram, np.arange(histogram.groups, dtype=np.int64))


def reduced(operation: np.ufunc, histogram: Histogram, per_run: NDArray[Any]) -> NDArray[Any]:
    """Each group's entries joined by a ufunc; 0 for an empty group."""
    filled = histogram.starts[:-1] < histogram.starts[1:]  # reduceat misreads empty segments
    out = np.zeros(histogram.groups, dtype=per_run.dtype)
    if filled.any():
        out[filled] = operation.reduceat(per_run, histogram.starts[:-1][filled])
    return out


def maxima(histogram: Histogram) -> Ints:
    """The count of each group's most frequent value."""
    return reduced(np.maximum, histogram, histogram.counts)


def minima(histogram: Histogram) -> Ints:
    """The count of each group's rarest value."""
    return reduced(np.minimum, histogram, histogram.counts)


def descending(histogram: Histogram) -> Ints:
    """The counts, each group's in descending order."""
    counts = histogram.counts
    top = int(counts.max(initial=0)) + 1
    if top * (histogram.groups + 1) < 2**63:  # one sort of one key is several times faster than lexsort
        return top - 1 - np.sort(owners(histogram) * top + (top - 1 - counts)) % top
    return counts[np.lexsort((-counts, owners(histogram)))]


def largest(histogram: Histogram, ranked: Ints, number: int) -> Ints:
    """The sum of each group's `number` largest counts; `ranked` is the histogram's `descending`."""
    sums = np.concatenate(([0], np.cumsum(ranked)))
    first, last = histogram.starts[:-1], histogram.starts[1:]
    return sums[np.minimum(first + min(max(number, 0), len(ranked)), last)] - sums[first]
