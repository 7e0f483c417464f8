"""Days in calendar units: 2024-03-05, 2024-03, 2024-Q1, 2024, 2020s, `*`."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import pairwise

import numpy as np

from sfumato.taxonomy.check import Source
from sfumato.taxonomy.tree import Level, Taxonomy

__all__ = ["UNITS", "dates", "days_between", "days_meant"]

UNITS: dict[str, Callable[[date], str]] = {
    "day": date.isoformat,
    "month": lambda day: f"{day.year:04d}-{day.month:02d}",
    "quarter": lambda day: f"{day.year:04d}-Q{(day.month + 2) // 3}",
    "year": lambda day: f"{day.year:04d}",
    "decade": lambda day: f"{day.year // 10:03d}0s",
}
"""Calendar units from the finest, and how each is written."""


def dates(values: Sequence[date], units: Sequence[str], source: Source | None = None) -> Taxonomy:
    """Leaves are the days given, ascending; above them one level per unit, then the root.

    >>> dates([date(2024, 3, 5), date(2024, 4, 1)], ["month", "quarter", "year"]).path(0)
    ['2024-03-05', '2024-03', '2024-Q1', '2024', '*']
    """
    order = list(UNITS)
    for finer, coarser in pairwise(units):
        if order.index(coarser) <= order.index(finer):
            raise (source or Source()).error(
                f"unit {coarser!r} must be coarser than {finer!r}, the one before; the order is {', '.join(order)}"
            )
    levels: list[Level] = []
    for unit in units:
        names = [UNITS[unit](day) for day in values]
        starts = [0, *(index for index, (one, two) in enumerate(pairwise(names), 1) if one != two)]
        levels.append((np.array(starts, dtype=np.int64), [names[start] for start in starts]))
    return Taxonomy.of_levels([day.isoformat() for day in values], levels)


_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_LABEL = re.compile(r"(?P<year>[0-9]{1,5})(?:-Q(?P<quarter>[1-4])|-(?P<month>0[1-9]|1[0-2])|(?P<decade>s))?", re.ASCII)
_SPAN = re.compile(r"[\[(](?P<low>-inf|[0-9-]+), (?P<high>inf|[0-9-]+)(?P<end>[\])])", re.ASCII)


def days_between(label: str) -> tuple[date | None, date | None] | None:
    """The first and the last day of a unit of the calendar or of an interval, None for no end; None if it is neither.

    >>> days_between("2024-Q1"), days_between("[2024-01-05, inf)")
    ((datetime.date(2024, 1, 1), datetime.date(2024, 3, 31)), (datetime.date(2024, 1, 5), None))
    """
    span, unit = _SPAN.fullmatch(label), _LABEL.fullmatch(label)
    try:
        if span is not None:
            low = None if span["low"] == "-inf" else date.fromisoformat(span["low"])
            high = None if span["high"] == "inf" else date.fromisoformat(span["high"])
            return low, high if high is None or span["end"] == "]" else high - timedelta(1)
        if unit is None:
            return None
        year = int(unit["year"])
        if unit["decade"]:
            return date(max(year, 1), 1, 1), date(year + 9, 12, 31)
        first, months = (int(unit["month"]), 1) if unit["month"] else (int(unit["quarter"] or 1) * 3 - 2, 3)
        last = first + months - 1 if unit["month"] or unit["quarter"] else 12
        return date(year, first, 1), date(year, last, monthrange(year, last)[1])
    except (ValueError, OverflowError):  # no such day
        return None


def days_meant(label: str) -> str | None:
    """The days that a unit of the calendar covers; None if the text is none."""
    match = _LABEL.fullmatch(label)
    if match is None:
        return None
    year = match["year"]
    if match["quarter"]:
        first = int(match["quarter"]) * 3 - 2
        return f"any day of the quarter {_MONTHS[first - 1]} to {_MONTHS[first + 1]} {year}"
    if match["decade"]:
        return f"any day of {year} to {int(year) + 9:04d}"
    return f"any day of {_MONTHS[int(match['month']) - 1]} {year}" if match["month"] else f"any day of {year}"
