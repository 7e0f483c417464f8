"""Cells as other tools write them: ARX, sdcMicro, pandas and people. What each stands for among the values of a column.

A value may have spaces around it, a number decimals (``30.0``), a text another spelling where the policy makes them
one. Besides the notation of releases there are ``[20, 30[``, ``(20.0, 30.0]``, ``20-29``, ``<20``, ``80+``, ``{a, b}``,
``81***``, ``2*``, ``813*`` for a beginning, spans of days, months, quarters, years, and empty cells. A text that fits
none of these, and is neither a value nor a label of the column's hierarchy, is not read: who asks must say so.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property

from sfumato.exact import as_fraction
from sfumato.policy.columns import Column
from sfumato.release.days import days_meant_by
from sfumato.release.writing import Writing
from sfumato.table.spelling import folded
from sfumato.taxonomy.notation import read_interval

__all__ = ["ForeignCells"]

Codes = range | list[int]
Way = Callable[["ForeignCells", str], Codes | None]
"""The codes that a text stands for; None if it is no such text."""

_MEMBER = re.compile(r'"(?:[^"\\]|\\.)*"|[^,"{}]+', re.DOTALL)
_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9])")
_SUPPRESSED = "*"


@dataclass(frozen=True, eq=False)
class ForeignCells:
    """The values of a column, made ready to be found.

    texts   how each code is written; None is a missing value
    nodes   the codes that labels of the hierarchy stand for
    """

    texts: Sequence[str | None]
    nodes: Mapping[str, range]
    column: Column
    writing: Writing

    def codes(self, cell: str | None) -> Codes | None:
        """Those that a cell stands for, ascending; None if it cannot be read."""
        if cell is None or cell.strip() in self.writing.marks:
            return self._blank(cell)
        text = cell.strip()
        if set(text) == {_SUPPRESSED}:
            return range(len(self.texts))
        named = self._named(cell, text)
        if named is not None:
            return named
        found = [codes for way in _WAYS[self.column.kind] if (codes := way(self, text)) is not None]
        return next((codes for codes in found if len(codes)), found[0] if found else None)

    def _blank(self, cell: str | None) -> Codes:
        """A missing value or a suppressed one; where such a text is a value of the column, it is that value."""
        if cell is not None and cell in self._places:
            return [self._places[cell]]
        missing = [code for code, text in enumerate(self.texts) if text is None]
        hidden = self.writing.blank == "suppressed" or (self.writing.blank == "auto" and not missing)
        return range(len(self.texts)) if hidden else missing

    def _named(self, cell: str, text: str) -> Codes | None:
        """A label or a value, as it stands there or without spaces; or in another spelling."""
        for each in (cell, text):
            if each in self.nodes:
                return self.nodes[each]
            if each in self._places:
                return [self._places[each]]
        return self._spelled.get(folded(text, ("space", *self.column.merged))) if self.column.kind == "text" else None

    @cached_property
    def _places(self) -> dict[str, int]:
        return {text: code for code, text in enumerate(self.texts) if text is not None}

    @cached_property
    def _spelled(self) -> dict[str, list[int]]:
        """Codes by what is left of their texts, and labels likewise, where only one value or label looks so."""
        ways = ("space", *self.column.merged)
        found: dict[str, set[int]] = {}
        for text, code in self._places.items():
            found.setdefault(folded(text, ways), set()).add(code)
        made = {look: [*codes] for look, codes in found.items() if len(codes) == 1}
        for label, codes in self.nodes.items():
            made.setdefault(folded(label, ways), [*codes])
        return made

    def _numbers(self, text: str) -> Codes | None:
        """A number, or numbers between two bounds, with either decimal sign."""
        tries = (text, _COMMA.sub(".", text)) if self.writing.decimal == "," else (text,)
        for each in tries:
            number = _number(each)
            if number is not None:
                return self._within(number, number, True, True)
            interval = read_interval(each.replace(" to ", "-"))
            if interval is not None:
                return self._within(interval.low, interval.high, interval.low_closed, interval.high_closed)
        return None

    @cached_property
    def _line(self) -> tuple[list[Fraction], list[int]]:
        """Values that are numbers, ascending, and their codes."""
        found = sorted((number, code) for text, code in self._places.items() if (number := _number(text)) is not None)
        return [number for number, _ in found], [code for _, code in found]

    def _within(self, low: Fraction | None, high: Fraction | None, low_closed: bool, high_closed: bool) -> list[int]:
        numbers, codes = self._line
        begin = 0 if low is None else (bisect_left if low_closed else bisect_right)(numbers, low)
        end = len(codes) if high is None else (bisect_right if high_closed else bisect_left)(numbers, high)
        return sorted(codes[begin:end])

    def days(self, text: str) -> Codes | None:
        """A day, a unit of the calendar, or days between two."""
        span = days_meant_by(text, self.writing.date)
        if span is None:
            return None
        days, codes = self._calendar
        begin = 0 if span[0] is None else bisect_left(days, span[0])
        end = len(codes) if span[1] is None else bisect_right(days, span[1])
        return sorted(codes[begin:end])

    @cached_property
    def _calendar(self) -> tuple[list[date], list[int]]:
        """Values that are days, ascending, and their codes."""
        found = sorted((day, code) for text, code in self._places.items() if (day := _day(text)) is not None)
        return [day for day, _ in found], [code for _, code in found]

    def _members(self, text: str) -> Codes | None:
        """Everything that one of the members of a set stands for; None if one of them cannot be read."""
        if not (text.startswith("{") and text.endswith("}")):
            return None
        found: set[int] = set()
        for member in filter(None, (each.strip() for each in _MEMBER.findall(text[1:-1]))):
            try:
                codes = self.codes(json.loads(member) if member.startswith('"') else member)
            except ValueError:
                return None
            if codes is None:
                return None
            found.update(codes)
        return sorted(found)

    def _masked(self, text: str) -> Codes | None:
        """Texts as long as a mask that agree with it where it shows something; if there are none, that begin so."""
        if _SUPPRESSED not in text:
            return None
        shown = text.partition(_SUPPRESSED)[0]
        texts, codes = self._sorted
        begin, end = bisect_left(texts, shown), bisect_left(texts, shown + chr(0x10FFFF))
        near = list(zip(texts[begin:end], codes[begin:end], strict=True))
        same = [code for each, code in near if len(each) == len(text) and _agree(text, each)]
        begins = not same and set(text[len(shown) :]) == {_SUPPRESSED}
        return sorted([code for _, code in near] if begins else same)

    @cached_property
    def _sorted(self) -> tuple[list[str], list[int]]:
        found = sorted(self._places.items())
        return [text for text, _ in found], [code for _, code in found]


def _agree(mask: str, text: str) -> bool:
    return all(shown in (_SUPPRESSED, each) for shown, each in zip(mask, text, strict=True))


def _number(text: str) -> Fraction | None:
    try:
        return as_fraction(text.strip())
    except ValueError:
        return None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


_AS_NUMBERS: tuple[Way, ...] = (ForeignCells._numbers, ForeignCells._members, ForeignCells._masked)
_WAYS: dict[str, tuple[Way, ...]] = {
    "integer": _AS_NUMBERS,
    "number": _AS_NUMBERS,
    "date": (ForeignCells.days, ForeignCells._members, ForeignCells._masked),
    "text": (ForeignCells._members, ForeignCells._masked, ForeignCells._numbers, ForeignCells.days),
}
