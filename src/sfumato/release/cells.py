"""Which values a published cell stands for.

A text is read by the notation of releases (docs/reference/release.md): a value itself, ``*``, a set, an interval, two
bounds, days of the calendar, a mask, a beginning, texts between two. What the policy says of the column settles what
could be read in two ways; labels that somebody made up, as in a file, are read by the hierarchy alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import date
from fractions import Fraction

from sfumato.exact import as_fraction
from sfumato.policy.columns import BalancedHierarchy, Column, PrefixHierarchy
from sfumato.taxonomy.balanced import DASH
from sfumato.taxonomy.dates import days_between
from sfumato.taxonomy.notation import Interval, read_interval, read_mask
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["covered", "covers"]

Meaning = Callable[[str], bool]
"""Whether a value that is not missing is among those that a cell stands for."""

_SUPPRESSED = "*"
_MEMBER = re.compile(r'"(?:[^"\\]|\\.)*"|[^,"{}]+', re.DOTALL)


def covers(shown: str | None, value: str | None, column: Column | None = None, tree: Taxonomy | None = None) -> bool:
    """Whether a published cell may stand for a value of the data, as texts; None is a missing value.

    >>> covers("[40, 45)", "44"), covers("021**", "02113"), covers("2024-Q1", "2024-04-01"), covers("{F, M}", None)
    (True, True, False, False)
    """
    return bool(covered(shown, (value,), column, tree))


def covered(
    shown: str | None, values: Iterable[str | None], column: Column | None = None, tree: Taxonomy | None = None
) -> list[str | None]:
    """Those of some values that a published cell may stand for.

    >>> covered("[2, 3]", ["1", "2", "3", None]), covered("*", ["1", None])
    (['2', '3'], ['1', None])
    """
    if shown == _SUPPRESSED:
        return [*values]
    if shown is None:
        return [value for value in values if value is None]
    meant = _meant(shown, column, tree)
    return [value for value in values if value is not None and (value == shown or meant(value))]


def _meant(shown: str, column: Column | None, tree: Taxonomy | None) -> Meaning:
    below = None if tree is None else _below(shown, tree)
    if below is not None:
        return below.__contains__
    if shown.startswith("{") and shown.endswith("}"):
        return _members(shown).__contains__
    ways = (_numbers, _days, _text) if column is None else (_WAYS[column.kind],)
    found = [meant for way in ways if (meant := way(shown, column)) is not None]
    return lambda value: any(meant(value) for meant in found)


def _below(shown: str, tree: Taxonomy) -> frozenset[str] | None:
    """The leaves below the node of that label; None if there is none."""
    for node in range(tree.root, tree.size - 1, -1):
        if tree.labels[node] == shown:
            return frozenset(tree.leaves[tree.first[node] : tree.last[node] + 1])
    return None


def _members(shown: str) -> frozenset[str]:
    """The values that a set lists; those in double quotes as JSON writes them."""
    found = (member.strip() for member in _MEMBER.findall(shown[1:-1]))
    return frozenset(json.loads(member) if member.startswith('"') else member for member in found if member)


def _numbers(shown: str, column: Column | None) -> Meaning | None:
    low, dots, high = shown.partition("..")
    exact = _number(shown)
    interval = read_interval(shown)
    if dots and (low or high) and all(not end or _number(end) is not None for end in (low, high)):
        interval = Interval(_number(low), _number(high), True, True)
    if interval is None and exact is None:
        return None

    def meant(value: str) -> bool:
        number = _number(value)
        return number is not None and (number == exact if interval is None else number in interval)

    return meant


def _number(text: str) -> Fraction | None:
    try:
        return as_fraction(text)
    except ValueError:
        return None


def _days(shown: str, column: Column | None) -> Meaning | None:
    """Days of a unit of the calendar, or between two."""
    span = _between(shown)
    if span is None:
        return None
    first, last = span

    def meant(value: str) -> bool:
        day = _day(value)
        return day is not None and (first is None or first <= day) and (last is None or day <= last)

    return meant


def _between(shown: str) -> tuple[date | None, date | None] | None:
    """The first and the last day; None is no end."""
    first, dots, last = shown.partition("..")
    if dots and (first or last) and all(not end or _day(end) is not None for end in (first, last)):
        return _day(first), _day(last)
    return days_between(shown)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _text(shown: str, column: Column | None) -> Meaning | None:
    """A mask keeps the length of a code, a beginning does not; so the hierarchy must tell which of them it is."""
    beginning = column is not None and isinstance(column.hierarchy, (PrefixHierarchy, BalancedHierarchy))
    if beginning and shown.endswith("*"):
        return lambda value: value.startswith(shown[:-1])
    low, dash, high = shown.partition(DASH)
    if beginning and dash:
        if high.startswith('"') and high.endswith('"'):
            return lambda value: low <= value <= high[1:-1]
        return lambda value: low <= value and value[: len(high)] <= high
    mask = None if beginning else read_mask(shown)
    if mask is None:
        return None

    def meant(value: str) -> bool:
        kept = value.startswith(mask.kept) if mask.side == "right" else value.endswith(mask.kept)
        return kept and len(value) == mask.length

    return meant


_WAYS: dict[str, Callable[[str, Column | None], Meaning | None]] = {
    "text": _text,
    "date": _days,
    "integer": _numbers,
    "number": _numbers,
}
