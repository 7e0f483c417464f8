"""The (c,l) rule that the recursive models share: one count against the others, once l - 2 of those are ruled out."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import numpy as np
from numpy.typing import NDArray

from sfumato.models.compare import compare

__all__ = ["nearest_cl", "needed_c", "uniform_cl"]

Ints = NDArray[np.int64]


def needed_c(first: Ints, tail: Ints) -> NDArray[np.float64]:
    """What c must exceed: first / tail, `inf` where there is no tail, 0 where there is nothing to bound."""
    out = np.where(first > 0, np.inf, 0.0)
    np.divide(first, tail, out=out, where=tail > 0)
    return out


def uniform_cl(c: Fraction, l: int) -> int:
    """The least L such that 1 < c * (L - l + 1): L rows with different values, of which l - 1 may be ruled out."""
    return 1 if l == 1 else l + floor(1 / c)


def nearest_cl(first: int, others: Ints, c: Fraction, l: int) -> tuple[Fraction, int]:
    """The least c, in hundredths, that suits this l; if none does, the largest l that suits this c.

    first     the count that is bounded
    others    all other counts, in descending order
    """
    if l == 1:
        return c, l
    tails = np.cumsum(others[::-1])[::-1]  # of l = 2, 3, ...
    if l - 2 < len(tails):
        return Fraction(floor(Fraction(100 * first, int(tails[l - 2]))) + 1, 100), l
    kept = int((compare(np.full_like(tails, first), c, tails) < 0).sum())  # tails fall, so these come first
    return c, kept + 1
