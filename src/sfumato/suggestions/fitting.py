"""A hierarchy that fits the values of a quasi-identifier, to begin with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from sfumato.suggestions.evidence import Evidence
from sfumato.suggestions.hints import Topic
from sfumato.suggestions.reading import Type

__all__ = ["Hierarchy", "fit_hierarchy", "fit_widths"]

Hierarchy = Mapping[str, object] | Literal["flat"]

_FEW_VALUES = 12


def fit_hierarchy(topics: Sequence[Topic], evidence: Evidence, kind: Type) -> tuple[Hierarchy | None, tuple[str, ...]]:
    """The hierarchy as in a policy, and what a person should know of it."""
    meanings = {topic.meaning for topic in topics}
    if kind == "date":
        return {"dates": ["month", "quarter", "year"]}, ()
    if kind in ("integer", "number"):
        if kind == "integer" and "an age" in meanings:
            return {"intervals": [5, 10, 20]}, ()
        widths = fit_widths(evidence.span, kind) if evidence.distinct > _FEW_VALUES else []
        return ({"intervals": widths}, ()) if widths else (None, ("a group shows the interval of its values",))
    if evidence.bands is not None:
        begin, width = evidence.bands
        origin = {"origin": _whole(begin)} if begin else {}
        return {"intervals": [_whole(2 * width), _whole(4 * width)], **origin}, ()
    if "a postcode" in meanings:
        if evidence.length:
            return {"mask": "right"}, ()
        return None, ("codes of different length: a hierarchy file is needed to cut them",)
    if evidence.distinct <= _FEW_VALUES:
        return None, ("few values: a group shows the set of those present",)
    return {"balanced": {"fanout": 3}}, (
        "grouped by frequency alone: a hierarchy file that knows the meaning is better",
    )


def fit_widths(span: float | None, kind: Type) -> list[int | float]:
    """Up to three widths of intervals, each twice the one before, the first about a twentieth of the range.

    >>> fit_widths(80, "integer"), fit_widths(0.7, "number"), fit_widths(15, "integer")
    ([5, 10, 20], [0.05, 0.1, 0.2], [2, 4, 8])
    """
    if not span or not math.isfinite(span):
        return []
    exponent = math.floor(math.log10(span / 20)) - 1
    steps = [(digit, exponent + power) for power in range(4) for digit in (1, 2, 5)]
    digit, power = next(step for step in steps if span <= 20.0001 * step[0] * 10.0 ** step[1])
    if kind == "integer" and digit * 10.0**power < 2:
        digit, power = 2, 0  # intervals of width 1 are the numbers themselves
    return [_plain(digit * factor, power) for factor in (1, 2, 4) if digit * factor * 10.0**power < span]


def _whole(number: Fraction) -> int | str:
    """A number as a policy takes it, exact."""
    return int(number) if number.denominator == 1 else str(number)


def _plain(digit: int, power: int) -> int | float:
    """The number as a person would write it: exact, since a float stands for its shortest decimal."""
    if power >= 0:
        return int(digit * 10**power)
    width = float(f"{digit}e{power}")
    return int(width) if width.is_integer() else width
