"""The exact sign of a sum of logarithms of integers: what entropy and delta-disclosure need at their boundary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Context, Decimal
from math import gcd

__all__ = ["sign_of_logs"]

_FIRST_DIGITS = 30


def sign_of_logs(powers: Mapping[int, int], constant: int = 0) -> int:
    """The sign of ``constant + sum(power * log(base))`` over positive integer bases: -1, 0 or 1.

    More and more digits are taken until the sum leaves its error. That ends, because the sum is zero only if
    constant = 0 and the product of base**power is 1 (e to a rational power other than 0 is irrational), which is
    tested by factoring the bases over integers without common divisors. The powers are never multiplied out.

    >>> sign_of_logs({4: 1, 2: -2}), sign_of_logs({3: 1}, constant=-1), sign_of_logs({2: 10**6, 3: -630930})
    (0, 1, -1)
    """
    terms = {base: power for base, power in powers.items() if base > 1 and power}
    slack = 2 * sum(map(abs, terms.values()))
    digits = _FIRST_DIGITS
    while True:
        total = constant * 10**digits + sum(power * _log(base, digits) for base, power in terms.items())
        if abs(total) > slack:
            return 1 if total > 0 else -1
        if digits == _FIRST_DIGITS and not constant and _product_is_one(terms):
            return 0
        digits *= 2


def _log(base: int, digits: int) -> int:
    """``10**digits * log(base)``, off by less than 2: Decimal's logarithm is correctly rounded, and is below 10**6."""
    context = Context(prec=digits + 8)
    return int(context.scaleb(context.ln(Decimal(base)), digits))


def _product_is_one(powers: Mapping[int, int]) -> bool:
    """Whether the product of base**power is 1: every element of a coprime base must occur to the power 0."""
    return all(
        sum(power * _multiplicity(base, factor) for base, power in powers.items()) == 0
        for factor in _coprime_base(powers)
    )


def _multiplicity(number: int, factor: int) -> int:
    times = 0
    while number % factor == 0:
        number //= factor
        times += 1
    return times


def _coprime_base(numbers: Iterable[int]) -> list[int]:
    """Integers above 1 without common divisors, of which every given number is a product."""
    base: list[int] = []
    waiting = list(numbers)
    while waiting:
        number = waiting.pop()
        for index, factor in enumerate(base):
            common = gcd(number, factor)
            if common > 1:
                del base[index]
                waiting += [each for each in (common, factor // common, number // common) if each > 1]
                break
        else:
            base.append(number)
    return base
