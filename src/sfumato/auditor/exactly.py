"""Comparisons that never rest on a rounded number.

Counts are compared as integers: machine integers where no result can leave 62 bits, Python's otherwise. Logarithms
are compared in decimals of growing precision with a proven error bound; where the two sides are equal, which no
precision can show, by factoring both over pairwise coprime integers. N^N is never computed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Exact",
    "Flags",
    "Ints",
    "below_exp",
    "largest_ratio",
    "log_sum_sign",
    "smallest_ratio",
    "times",
    "widened",
]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Exact = NDArray[Any]
"""Integers: int64, or Python's own where int64 is too small."""

_LIMIT = 2**62
_FLOATS = 10**300
_FIRST_DIGITS = 40


def times(numbers: Exact, factor: int) -> Exact:
    """``numbers * factor``, exact."""
    peak = max(1, abs(int(numbers.max(initial=0))), abs(int(numbers.min(initial=0))))
    return np.asarray(widened(peak * abs(factor), numbers)[0] * factor)


def widened(bound: int, *arrays: Ints) -> tuple[Exact, ...]:
    """The same numbers, ready for arithmetic in which nothing exceeds `bound`."""
    return arrays if bound < _LIMIT else tuple(array.astype(object) for array in arrays)


def largest_ratio(above: Exact, below: Exact) -> tuple[Fraction, int]:
    """The largest of many fractions with positive denominators, and where it stands first.

    >>> largest_ratio(np.array([1, 3, 6]), np.array([2, 4, 8]))
    (Fraction(3, 4), 1)
    """
    if max(int(np.abs(above).max()), int(below.max())) > _FLOATS:
        ratios = [Fraction(int(top), int(bottom)) for top, bottom in zip(above, below, strict=True)]
        best = max(range(len(ratios)), key=ratios.__getitem__)
        return ratios[best], best
    rough = np.asarray(above, dtype=np.float64) / np.asarray(below, dtype=np.float64)
    # Two conversions and a division err by less than 4 units in the last place, 1e-15 of the result.
    close = np.flatnonzero(rough >= rough.max() - 1e-14 * abs(float(rough.max())))
    tops, bottoms = above[close], below[close]
    tops, bottoms = widened(max(int(np.abs(tops).max()), 1) * int(bottoms.max()), tops, bottoms)
    best = 0
    while (more := tops * bottoms[best] > tops[best] * bottoms).any():
        best = int(more.argmax())
    return Fraction(int(tops[best]), int(bottoms[best])), int(close[best])


def smallest_ratio(above: Exact, below: Exact) -> tuple[Fraction, int]:
    """The smallest of many fractions with positive denominators, and where it stands first."""
    negative, at = largest_ratio(-above, below)
    return -negative, at


def log_sum_sign(powers: Mapping[int, int]) -> int:
    """The sign of Σ e·ln x over positive integers x with integer weights e: -1, 0 or 1.

    >>> log_sum_sign({8: 2, 4: -3}), log_sum_sign({3: 2, 2: -3}), log_sum_sign({2: 1, 3: -1})
    (0, 1, -1)
    """
    digits = _FIRST_DIGITS
    while True:
        sign = _sign_within(powers, digits)
        if sign or (digits == _FIRST_DIGITS and _is_one(powers)):
            return sign
        digits *= 2


def _sign_within(powers: Mapping[int, int], digits: int) -> int:
    """The sign as far as that many digits show it; 0 if they do not."""
    context = Context(prec=digits)
    terms = [context.multiply(Decimal(e), context.ln(Decimal(x))) for x, e in powers.items()]
    total, size = Decimal(0), Decimal(0)
    for term in terms:
        total, size = context.add(total, term), context.add(size, abs(term))
    # A term errs by two roundings, a sum of m terms by m more, each below 10^(1-digits) of `size`; doubled for `size`.
    error = context.multiply(size, Decimal(2 * (len(terms) + 3)).scaleb(1 - digits))
    return (total > error) - (total < -error)


def _is_one(powers: Mapping[int, int]) -> bool:
    """Whether Π x^e = 1: rewrite it over pairwise coprime integers, where only zero exponents can do that."""
    base: dict[int, int] = {}
    todo = [(x, e) for x, e in powers.items() if x > 1]
    while todo:
        x, e = todo.pop()
        shared = next((y for y in base if math.gcd(x, y) > 1), None)
        if shared is None:
            base[x] = e
            continue
        f, common = base.pop(shared), math.gcd(x, shared)
        parts = ((x // common, e), (shared // common, f), (common, e + f))
        todo += [part for part in parts if part[0] > 1]
    return not any(base.values())


def below_exp(ratio: Fraction, power: Fraction) -> bool:
    """Whether ``ratio < e**power`` for a positive ratio. Equality needs power 0: e to another rational is irrational.

    >>> below_exp(Fraction(27, 10), Fraction(1)), below_exp(Fraction(28, 10), Fraction(1))
    (True, False)
    """
    if power == 0:
        return ratio < 1
    digits = _FIRST_DIGITS
    while True:
        context = Context(prec=digits)
        logs = [context.ln(Decimal(ratio.numerator)), context.ln(Decimal(ratio.denominator))]
        bound = context.divide(Decimal(power.numerator), Decimal(power.denominator))
        gap = context.subtract(context.subtract(logs[0], logs[1]), bound)
        error = (logs[0] + logs[1] + abs(bound) + 1) * Decimal(10).scaleb(1 - digits)
        if abs(gap) > error:
            return gap < 0
        digits *= 2
