"""Scales of pictures: where a number stands, and at which numbers an axis has a mark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

__all__ = ["Scale", "short", "written"]

_STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True)
class Scale:
    """From numbers to places; `marks` are the numbers that an axis shows."""

    low: float
    high: float
    begin: float
    end: float
    marks: tuple[float, ...]
    log: bool = False

    @classmethod
    def of(cls, values: Sequence[float], begin: float, end: float, log: bool = False) -> Scale:
        """One that has room for all values: from 0, or from a power of ten below them, up to a mark above them."""
        if log:
            powers = [log10(value) for value in values if value > 0] or [0.0]
            first, last = floor(min(powers)), ceil(max(powers))
            last = last + 1 if last == first else last
            marks = tuple(10.0**power for power in range(first, last + 1))
            return cls(float(first), float(last), begin, end, marks, log=True)
        least, most = min([0.0, *values]), max(values, default=1.0)
        most = most if most > least else least + 1
        step = _step((most - least) / 5)
        low, count = floor(least / step), ceil(round(most / step, 9))
        marks = tuple(round(each * step, 12) for each in range(low, count + 1))
        return cls(marks[0], marks[-1], begin, end, marks)

    @classmethod
    def within(cls, values: Sequence[float], begin: float, end: float) -> Scale:
        """One whose marks are the values themselves, with some room at both ends."""
        marks = tuple(sorted(set(values))) or (0.0,)
        room = (marks[-1] - marks[0]) * 0.04 or 1.0
        return cls(marks[0] - room, marks[-1] + room, begin, end, marks)

    def __call__(self, value: float) -> float:
        at = log10(value) if self.log else value
        return self.begin + (self.end - self.begin) * (at - self.low) / (self.high - self.low)

    def shows(self, value: float) -> bool:
        """Whether it has a place; on a scale of powers nothing stands for 0."""
        return value > 0 or not self.log


def _step(about: float) -> float:
    power = 10.0 ** floor(log10(about))
    return next(step for step in _STEPS if step * power >= about * (1 - 1e-9)) * power


def short(value: float) -> str:
    """A number as it stands at an axis.

    >>> [short(value) for value in (0.0, 0.25, 20000.0, 1e7)]
    ['0', '0.25', '20,000', '10⁷']
    """
    if value >= 1e6 and log10(value) % 1 == 0:
        return "10" + str(round(log10(value))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{value:,.10g}" if value < 1e15 else f"{value:g}"


def written(words: str) -> str:
    """Words as they stand in a picture, where a single l looks like a stroke.

    >>> written("recursive (3,l), l = 2")
    'recursive (3,ℓ), ℓ = 2'
    """
    return re.sub(r"\bl\b", "ℓ", words)
