"""Numbers as they were written: every parameter is a fraction, never a rounded float."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction

__all__ = ["as_fraction", "as_text"]

_DIGITS = 1000
_EXPONENT = re.compile(r"[eE][+-]?0*([0-9]+)")


def as_fraction(number: object) -> Fraction:
    """The fraction that a person meant: ``0.1`` is 1/10, and ``"1/3"`` is allowed.

    A float stands for its shortest decimal, which is what was typed.

    >>> as_fraction(0.1), as_fraction("1/3"), as_fraction(3)
    (Fraction(1, 10), Fraction(1, 3), Fraction(3, 1))
    """
    if isinstance(number, bool) or not isinstance(number, (int, float, str, Decimal, Fraction)):
        raise ValueError("must be a number, or a fraction such as '1/3'")
    if isinstance(number, float):
        if not math.isfinite(number):
            raise ValueError("must be a finite number")
        number = repr(number)
    if isinstance(number, Decimal) and not number.is_finite():
        raise ValueError("must be a finite number")
    if len(str(number) if not isinstance(number, int) else hex(number)) > _DIGITS:
        raise ValueError("has too many digits")
    exponent = _EXPONENT.search(str(number)) if isinstance(number, (str, Decimal)) else None
    if exponent is not None and len(exponent[1]) > 3:
        raise ValueError("has too large an exponent")
    try:
        return Fraction(number)
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError("must be a number, or a fraction such as '1/3'") from error


def as_text(number: Fraction) -> str:
    """The shortest exact way to write it: a decimal when it ends, otherwise a fraction.

    >>> as_text(Fraction(3)), as_text(Fraction(1, 4)), as_text(Fraction(1, 3))
    ('3', '0.25', '1/3')
    """
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if number.denominator == 1 or rest != 1:
        return str(number)
    places = number.denominator.bit_length()
    digits = str(abs(number.numerator) * 10**places // number.denominator).zfill(places + 1)
    sign = "-" if number < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:].rstrip('0')}"
