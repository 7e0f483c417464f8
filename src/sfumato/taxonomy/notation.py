"""Intervals and masks as people write them, and the one notation that sfumato writes.

Written: ``[20, 25)``; a square bracket includes its bound, a round one excludes it, ``inf`` is no bound.
Read besides: ``[20, 30[``, ``]20, 30]``, ``[20,30]``, ``[20-30)``, ``20-29``, ``<20``, ``<=20``, ``>80``, ``>=80``,
``80+``, numbers also as ``1e+05``; masks as ``81***``, ``***81``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sfumato.exact import as_fraction, as_text

__all__ = ["Interval", "Mask", "read_interval", "read_mask"]


@dataclass(frozen=True)
class Interval:
    """Numbers between two bounds; None is no bound. By default the lower bound is included, the upper is not."""

    low: Fraction | None
    high: Fraction | None
    low_closed: bool = True
    high_closed: bool = False

    def __contains__(self, number: Fraction) -> bool:
        above = self.low is None or number > self.low or (self.low_closed and number == self.low)
        below = self.high is None or number < self.high or (self.high_closed and number == self.high)
        return above and below

    def __str__(self) -> str:
        """The interval in our notation."""
        low = "(-inf" if self.low is None else ("[" if self.low_closed else "(") + as_text(self.low)
        high = "inf)" if self.high is None else as_text(self.high) + ("]" if self.high_closed else ")")
        return f"{low}, {high}"


@dataclass(frozen=True)
class Mask:
    """A code some of whose characters are hidden on one side."""

    kept: str
    masked: int
    side: Literal["left", "right"]

    @property
    def length(self) -> int:
        return len(self.kept) + self.masked

    def __str__(self) -> str:
        stars = "*" * self.masked
        return self.kept + stars if self.side == "right" else stars + self.kept


_NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?(?:/[1-9][0-9]*|[eE][+-]?[0-9]{1,3})?"
_BRACKETS = re.compile(
    rf"([\[\](])\s*({_NUMBER}|-\s*(?:inf|∞))\s*[,;\u2013-]\s*({_NUMBER}|\+?\s*(?:inf|∞))\s*([\[\])])", re.ASCII
)
_DASH = re.compile(rf"({_NUMBER})\s*[-\u2013]\s*({_NUMBER})", re.ASCII)
_ABOVE = re.compile(rf"({_NUMBER})\s*\+", re.ASCII)
_BOUND = re.compile(rf"(<=|>=|<|>|\u2264|\u2265)\s*({_NUMBER})", re.ASCII)
_MASK = re.compile(r"(?P<stars>\*+)(?P<tail>[^*]+)|(?P<head>[^*]+)(?P<rest>\*+)", re.DOTALL)


def read_interval(text: str) -> Interval | None:
    """The interval that a text denotes, or None.

    >>> str(read_interval("[20, 30[")), str(read_interval("20-29")), str(read_interval(">=80"))
    ('[20, 30)', '[20, 29]', '[80, inf)')
    """
    text = text.strip()
    if match := _BRACKETS.fullmatch(text):
        opening, low, high, closing = match.groups()
        made = Interval(_bound(low), _bound(high), opening == "[", closing == "]")
    elif match := _DASH.fullmatch(text):
        made = Interval(as_fraction(match[1]), as_fraction(match[2]), high_closed=True)
    elif match := _ABOVE.fullmatch(text):
        made = Interval(as_fraction(match[1]), None)
    elif match := _BOUND.fullmatch(text):
        sign, bound = match[1].replace("\u2264", "<=").replace("\u2265", ">="), as_fraction(match[2])
        closed = sign.endswith("=")
        below = sign.startswith("<")
        made = Interval(None, bound, False, closed) if below else Interval(bound, None, closed)
    else:
        return None
    return made if made.low is None or made.high is None or made.low <= made.high else None


def _bound(text: str) -> Fraction | None:
    return None if text.endswith(("inf", "\u221e")) else as_fraction(text)


def read_mask(text: str) -> Mask | None:
    """The mask that a text denotes, or None.

    >>> read_mask("81***")
    Mask(kept='81', masked=3, side='right')
    """
    match = _MASK.fullmatch(text)
    if match is None:
        return None
    if match["head"] is not None:
        return Mask(match["head"], len(match["rest"]), "right")
    return Mask(match["tail"], len(match["stars"]), "left")
