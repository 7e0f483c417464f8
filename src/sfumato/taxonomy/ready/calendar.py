"""Days below the units of the calendar that everybody has."""

from __future__ import annotations

from datetime import date

from sfumato.taxonomy.dates import UNITS, days_meant
from sfumato.taxonomy.ready.contract import Ready

__all__ = ["READY_DATES"]

_CALENDAR = ("month", "quarter", "year", "decade")

READY_DATES = Ready(
    "dates",
    ("date",),
    _CALENDAR,
    "the calendar",
    date(2024, 3, 5),
    lambda day: [UNITS[unit](day) for unit in _CALENDAR] if isinstance(day, date) else None,
    days_meant,
    lambda: (),
)
