"""Comparing counts with a fraction of other counts, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["WIDE", "compare", "integers"]

WIDE = 2**63
"""The first integer that int64 does not hold."""

_SCREEN = 2.0**-49
_PLAIN = (Fraction(1, 10**200), Fraction(10**200))
_LARGE = 10**100


def integers(bound: int) -> type[Any]:
    """The dtype in which integers of magnitude up to `bound`, and differences of two such, are exact."""
    return np.int64 if 2 * bound < WIDE else object


def compare(left: NDArray[Any], ratio: Fraction, right: NDArray[Any]) -> NDArray[np.int64]:
    """The sign of ``left - ratio * right``, entry by entry; nothing may be negative.

    In int64 where all products fit. Otherwise floats decide what is further apart than their error, which is
    less than 4 * 2**-53 relative on either side, and Python integers decide the rest.
    """
    up, down = ratio.numerator, ratio.denominator
    if max(int(left.max(initial=1)) * down, int(right.max(initial=1)) * max(up, 1)) < WIDE:
        gap: NDArray[np.int64] = left.astype(np.int64) * down - right.astype(np.int64) * up
        return np.sign(gap)
    if not _PLAIN[0] < ratio < _PLAIN[1] or max(int(left.max(initial=1)), int(right.max(initial=1))) > _LARGE:
        return _signs(left, ratio, right)
    near = left.astype(np.float64)
    far = right.astype(np.float64) * float(ratio)
    signs = np.sign(near - far).astype(np.int64)
    doubt = np.abs(near - far) <= _SCREEN * (near + far)
    signs[doubt] = _signs(left[doubt], ratio, right[doubt])
    return signs


def _signs(left: NDArray[Any], ratio: Fraction, right: NDArray[Any]) -> NDArray[np.int64]:
    up, down = ratio.numerator, ratio.denominator
    pairs = ((int(x) * down, int(y) * up) for x, y in zip(left, right, strict=True))
    return np.array([(x > y) - (x < y) for x, y in pairs], dtype=np.int64)
