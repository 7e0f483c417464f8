"""How likely an order of rows is by chance: bounds that hold for every table, so that an alarm means something.

Rows that were shuffled stand in every order with the same probability. Three events are bounded by that, two of them
exactly, with n rows of which n_v have the value v, of D values:

together   every value in one run of rows: D! · Π n_v! / n!
sorted     in ascending or in descending order: 2 · Π n_v! / n!
following  a rank correlation of r between place and score: with z² = r²(n-1), at most 2·exp(-z²/4). Places are drawn
           without replacement, so negatively associated, and uniform, so strictly sub-Gaussian; scores of both signs
           cost a factor of 2 in the exponent (Cauchy-Schwarz).

K. Joag-Dev, F. Proschan, *Negative association of random variables*, 1983, doi:10.1214/aos/1176346079; J. Arbel and
others, *On strict sub-Gaussianity, optimal proxy variance and symmetry*, 2020, doi:10.1051/ps/2019018.
Probabilities are natural logarithms, since few of them fit a floating-point number.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "LIMIT",
    "correlation",
    "follows",
    "is_sorted",
    "log_factorials",
    "readable_chance",
    "sorted_chance",
    "together_chance",
]

LIMIT = math.log(1e-6)
"""What is likelier than that, over all that was looked at in a release, is no alarm."""

Codes = NDArray[np.integer[Any]]


def together_chance(counts: NDArray[np.int64]) -> float:
    """That every value stands in one run."""
    found = counts[counts > 0]
    return math.lgamma(len(found) + 1) + _arrangements(found)


def sorted_chance(counts: NDArray[np.int64]) -> float:
    """That all stand in order, up or down."""
    return min(math.log(2) + _arrangements(counts[counts > 0]), 0.0)


def is_sorted(codes: Codes) -> bool:
    """Whether codes ascend or descend."""
    return len(codes) > 1 and bool((codes[1:] >= codes[:-1]).all() or (codes[1:] <= codes[:-1]).all())


def correlation(
    scores: NDArray[np.float64], counts: NDArray[np.int64] | None = None, places: NDArray[Any] | None = None
) -> float:
    """Of scores with their places; 0 if they are all the same.

    Several rows may share a score: `counts` says how many, and `places` what their places, from 0 on, add up to.
    """
    counts = np.ones(len(scores), np.int64) if counts is None else counts
    places = np.arange(len(scores), dtype=np.float64) if places is None else places
    rows = int(counts.sum())
    if rows < 2:
        return 0.0
    centred = scores - float(scores @ counts) / rows
    spread = float((centred * centred) @ counts) * rows * (rows * rows - 1) / 12
    return float(centred @ (places - counts * ((rows - 1) / 2))) / math.sqrt(spread) if spread > 0 else 0.0


def follows(found: float, rows: int) -> float:
    """That the scores of so many rows go with their places at least so closely."""
    return min(math.log(2) - found * found * (rows - 1) / 4, 0.0)


def readable_chance(log: float) -> str:
    """A power of ten that is no less.

    >>> readable_chance(math.log(3e-9)), readable_chance(-5000.0)
    ('1e-8', '1e-2171')
    """
    return f"1e{math.ceil(log / math.log(10))}"


def _arrangements(counts: NDArray[np.int64]) -> float:
    """One over the number of different orders."""
    return log_factorials(counts) - math.lgamma(int(counts.sum()) + 1)


def log_factorials(counts: NDArray[np.int64]) -> float:
    """The sum of the logarithms of their factorials; each different one is computed once."""
    found, times = np.unique(counts, return_counts=True)
    return math.fsum(n * math.lgamma(count + 1) for count, n in zip(found.tolist(), times.tolist(), strict=True))
