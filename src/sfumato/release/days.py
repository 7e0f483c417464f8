"""Days as tools write them: units of the calendar, spans and bounds, in ISO form or in that of the policy's data."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

from sfumato.taxonomy.dates import days_between

__all__ = ["Days", "days_meant_by"]

Days = tuple[date | None, date | None]
"""The first and the last day; None is no end."""

_MONTH = re.compile(r"(?P<m>[0-9]{1,2})[/.](?P<y>[0-9]{4})|(?P<year>[0-9]{4})[/.](?P<month>[0-9]{1,2})", re.ASCII)
_QUARTER = re.compile(r"(?P<y>[0-9]{4})[ /]?Q(?P<q>[1-4])|Q(?P<quarter>[1-4])[ /-]?(?P<year>[0-9]{4})", re.ASCII)
_BRACKETS = re.compile(r"(?P<open>[\[\](])\s*(?P<low>[^,;]+?)\s*[,;]\s*(?P<high>[^,;]+?)\s*(?P<close>[\[\])])")
_BOUND = re.compile(r"(?P<sign><=|>=|<|>|\u2264|\u2265)\s*(?P<unit>.+)")
_PARTS = (" - ", " \u2013 ", "\u2013", "..", " to ", "/")
_YEARS = re.compile(r"(?P<low>[0-9]{4})-(?P<high>[0-9]{4})", re.ASCII)
_ENDLESS = ("-inf", "-\u221e", "inf", "+inf", "\u221e")


def days_meant_by(text: str, form: str = "%Y-%m-%d") -> Days | None:
    """The days that a text stands for; None if it is no such text. `form` is how days are written, if not in ISO form.

    >>> days_meant_by("[01.03.2020, 01.04.2020[", "%d.%m.%Y")
    (datetime.date(2020, 3, 1), datetime.date(2020, 3, 31))
    >>> days_meant_by("2020Q1"), days_meant_by("<2000"), days_meant_by("spring")
    ((datetime.date(2020, 1, 1), datetime.date(2020, 3, 31)), (None, datetime.date(1999, 12, 31)), None)
    """
    try:
        return _read(text.strip(), form)
    except OverflowError:  # before the first day there is, or after the last
        return None


def _read(text: str, form: str) -> Days | None:
    unit = _unit(text, form)
    if unit is not None:
        return unit
    if found := _BRACKETS.fullmatch(text):
        return _between(found["low"], found["high"], form, found["open"] == "[", found["close"] == "]")
    if found := _BOUND.fullmatch(text):
        return _bounded(found["sign"], found["unit"], form)
    if found := _YEARS.fullmatch(text):
        return _between(found["low"], found["high"], form)
    if text.endswith("+"):
        return _bounded(">=", text[:-1], form)
    for part in _PARTS:
        low, there, high = text.partition(part)
        if there and (made := _between(low, high, form)) is not None:
            return made
    return None


def _unit(text: str, form: str) -> Days | None:
    """A day, month, quarter, year or decade."""
    day = _day(text, form)
    if day is not None:
        return day, day
    try:
        if found := _MONTH.fullmatch(text):
            return days_between(f"{found['y'] or found['year']}-{int(found['m'] or found['month']):02d}")
        if found := _QUARTER.fullmatch(text):
            return days_between(f"{found['y'] or found['year']}-Q{found['q'] or found['quarter']}")
    except ValueError:
        return None
    return days_between(text) if text[:1] not in ("[", "(") else None


def _whole_unit(text: str, form: str) -> tuple[date, date] | None:
    """One that has both ends."""
    found = _unit(text, form)
    return None if found is None or found[0] is None or found[1] is None else (found[0], found[1])


def _day(text: str, form: str) -> date | None:
    try:
        moment = datetime.strptime(text, form)
    except ValueError:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
    return moment.date() if moment.time() == time() else None


def _bounded(sign: str, text: str, form: str) -> Days | None:
    found = _whole_unit(text.strip(), form)
    if found is None:
        return None
    first, last = found
    step = timedelta(1)
    ends: dict[str, Days] = {"<": (None, first - step), ">": (last + step, None), "<=": (None, last)}
    return ends.get(sign.replace("\u2264", "<="), (first, None))


def _between(low: str, high: str, form: str, low_closed: bool = True, high_closed: bool = True) -> Days | None:
    """From the first day of one unit to the last of another; an end that is left out ends before, or begins after."""
    ends: list[date | None] = []
    for text, closed, upper in ((low.strip(), low_closed, False), (high.strip(), high_closed, True)):
        if text in _ENDLESS:
            ends.append(None)
            continue
        found = _whole_unit(text, form)
        if found is None:
            return None
        first, last = found
        inside, outside = (last, first - timedelta(1)) if upper else (first, last + timedelta(1))
        ends.append(inside if closed else outside)
    return ends[0], ends[1]
