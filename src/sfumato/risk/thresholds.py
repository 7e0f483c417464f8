"""Thresholds of risk, as whole numbers of rows.

Risk is one over a number of rows, so a threshold says how many rows there must be. Whether the risk must be *below* the
threshold or may be *at* it makes a difference only where one over it is a whole number; rounding one over it does harm:
0.09 means 12 rows under both readings, since 1/11 is more than 0.09.

>>> [(str(each), each.k) for each in thresholds_of(["0.09", "1/5", "<=1/5"])]
[('at most 0.2', 5), ('below 0.2', 6), ('below 0.09', 12)]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.exact import as_fraction, as_text

__all__ = ["DEFAULT", "Threshold", "ThresholdLike", "thresholds_of"]

ThresholdLike: TypeAlias = str | int | float | Fraction
"""A number or a text: ``0.09``, ``"1/11"`` (risk must be below it), ``"<=0.2"`` (risk may be that)."""

DEFAULT: tuple[str, ...] = ("0.2", "0.09", "0.05")
"""Those that guidance on health data names most often."""

_CLOSE = 1e-9
"""By how much a number of rows that is not whole may be off; who is that close counts as being at risk."""


@dataclass(frozen=True)
class Threshold:
    """A risk that nobody should reach; where it is not `strict`, one that nobody should exceed."""

    value: Fraction
    strict: bool = True

    def __str__(self) -> str:
        return f"{'below' if self.strict else 'at most'} {as_text(self.value)}"

    @property
    def k(self) -> int:
        """The least number of rows that keeps it."""
        least = 1 / self.value
        return int(least) + 1 if self.strict else -int(-least // 1)

    def broken(self, rows: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Who is at risk, by the rows that may be theirs; whole numbers are compared exactly."""
        least = float(1 / self.value)
        near = rows <= least * (1 + _CLOSE) if self.strict else rows < least * (1 - _CLOSE)
        return np.where(rows == np.rint(rows), rows < self.k, near)

    def reached(self, chances: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which chances break it: those at it, too, where it is strict."""
        value = float(self.value)
        return np.asarray(chances >= value - _CLOSE if self.strict else chances > value + _CLOSE)


def thresholds_of(given: Iterable[ThresholdLike] | ThresholdLike | None) -> tuple[Threshold, ...]:
    """Thresholds as they were written, the largest first; those by default, if none is given."""
    each = DEFAULT if given is None else (given,) if isinstance(given, (str, int, float, Fraction)) else tuple(given)
    return tuple(sorted({_read(one) for one in each}, key=lambda found: (-found.value, found.strict)))


def _read(given: ThresholdLike) -> Threshold:
    text = given.strip() if isinstance(given, str) else given
    strict = not (isinstance(text, str) and text.startswith("<="))
    number = text.lstrip("<=").strip() if isinstance(text, str) else text
    try:
        value = as_fraction(number)
    except ValueError as error:
        raise InputError(f"threshold {given!r}: {error}") from error
    if not 0 < value <= 1:
        raise InputError(f"threshold {given!r}: must be above 0 and at most 1, such as 0.09, '1/11' or '<=0.2'")
    return Threshold(value, strict)
