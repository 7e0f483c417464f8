"""How a column reads: its type, the settings that the type rests on, and what a person should know of it.

Nothing is guessed that could go either way: such a column stays text, is marked doubtful and says why.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal

import polars as pl

from sfumato.taxonomy.notation import Interval, read_interval

__all__ = ["SURE_MARKS", "Reading", "Type", "outsider", "read_values"]

Type = Literal["text", "integer", "number", "date"]

_INTEGER = r"^[+-]?(0|[1-9][0-9]*)$"
_DIGITS = r"^[0-9]+$"
_NUMBER = {
    ".": r"^[+-]?(0|[1-9][0-9]*)?(\.[0-9]+)?([eE][+-]?[0-9]+)?$",
    ",": r"^[+-]?(0|[1-9][0-9]*)?(,[0-9]+)?$",
}
_THOUSANDS = r"^[+-]?[0-9]{1,3}(,[0-9]{3})+$"
_INTERVAL = r"[0-9]\s*[,;\x{2013}-]\s*[0-9]|[<>\x{2264}\x{2265}+]|[\[(]"
_TIMESTAMP = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:"
# Shape of the text, and the formats that it may follow; where there are two, the days have to decide.
_DATES = (
    (r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", ("%Y-%m-%d",)),
    (r"^[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}$", ("%Y/%m/%d",)),
    (r"^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}$", ("%d.%m.%Y",)),
    (r"^[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}$", ("%d/%m/%Y", "%m/%d/%Y")),
    (r"^[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}$", ("%d-%m-%Y", "%m-%d-%Y")),
)
_MARKS = ("?", "-", ".", "na", "n/a", "nan", "null", "none", "missing", "unknown")
SURE_MARKS = ("?", "na", "n/a", "nan", "null")
"""Marks of a missing value that stand for nothing else, in small letters."""
_NOTE_MARKS = (
    "hold one of the usual marks of a missing value (NA, N/A, ?, -, null, ...); "
    "if it is one, list it under input: missing_values"
)


@dataclass(frozen=True)
class Reading:
    """A type with its reasons.

    settings    entries of `input:` that the type needs
    span        largest minus smallest number, or days between first and last date
    dense       whole numbers without a gap: 4, 5, 6, ...
    doubtful    the values allow two readings, so a person has to decide
    bands       texts that are intervals beside each other: where the first begins and how wide all are
    """

    type: Type = "text"
    notes: tuple[str, ...] = ()
    settings: dict[str, str] = field(default_factory=dict)
    span: float | None = None
    length: int | None = None
    dense: bool = False
    doubtful: bool = False
    bands: tuple[Fraction, Fraction] | None = None


def read_values(tally: pl.DataFrame, code: bool = False) -> Reading:
    """The reading of a column from its different values and their counts; `code`: its name says it holds codes."""
    values = tally.to_series(0)
    if values.is_empty():
        return Reading(notes=("no value at all",))
    kind = values.dtype
    if kind.is_integer():
        coded = code and bool((values >= 0).all())
        return _code(values.cast(pl.String)) if coded else _numbers(values, "integer")
    if kind.is_float() or kind.is_decimal():
        return _floats(tally)
    if kind == pl.Date:
        return Reading("date", span=_days(values))
    if kind in (pl.String, pl.Categorical, pl.Enum):
        return _text(tally.select(pl.nth(0).cast(pl.String), pl.nth(1)), code)
    if kind == pl.Boolean:
        return Reading()
    if isinstance(kind, pl.Datetime) and (values == values.dt.truncate("1d")).all():
        return Reading("date", ("every time of day is midnight",), span=_days(values.dt.date()))
    if kind.is_temporal():
        return Reading(notes=("has a time of day; a date would serve, if the day is enough",), doubtful=True)
    return Reading(notes=(f"stored as {kind.base_type().__name__}, which no release can show as it is",), doubtful=True)


def outsider(reading: Reading, setting: str, chosen: str) -> Reading:
    """The reading of a column that does not share a setting with the other columns of the file."""
    own = reading.settings[setting]
    note = (
        f"follows {setting} {own!r}, other columns {chosen!r}; a file has one, so this column stays text until changed"
    )
    return replace(reading, type="text", notes=(*reading.notes, note), settings={}, span=None, doubtful=True)


def _text(tally: pl.DataFrame, code: bool) -> Reading:
    texts, counts = tally.to_series(0), tally.to_series(1)
    values = texts.str.strip_chars()  # as numbers and dates are read
    if _all(values, _DIGITS) and (code or values.str.contains(r"^0[0-9]").any()):
        return _code(texts)
    if _all(values, _INTEGER):
        whole = values.cast(pl.Int64, strict=False)
        long = Reading(notes=("digits too long for a number, kept as text",), length=_length(texts))
        return long if whole.null_count() else _numbers(whole, "integer")
    for mark in (".", ","):
        if not code and _all(values, _NUMBER[mark]) and _all(values, "[0-9]"):
            return _decimals(values, mark)
    for shape, formats in _DATES:
        if _all(values, shape):
            return _dates(values, formats)
    if _all(values, _INTERVAL):
        found = [read_interval(value) for value in values.to_list()]
        if None not in found:
            return Reading(notes=("intervals, written as text",), bands=_bands([each for each in found if each]))
    notes = []
    if _all(values, _TIMESTAMP):
        notes.append("a date with a time of day; cut it to the day to read it as a date")
    marked = int(counts.filter(values.str.to_lowercase().is_in(_MARKS)).sum())
    if marked:
        notes.append(f"{marked} row{'s' * (marked != 1)} {_NOTE_MARKS}")
    return Reading(notes=tuple(notes), length=_length(texts))


def _bands(found: list[Interval]) -> tuple[Fraction, Fraction] | None:
    """Where intervals of one width begin, and that width, if each begins a multiple of it after the first."""
    ends = [
        (each.low, each.high + each.high_closed)  # 20-29 ends where 30 begins
        for each in found
        if each.low is not None and each.high is not None and each.low_closed
    ]
    if len(ends) < max(len(found), 2):
        return None
    lows = sorted(low for low, _ in ends)
    widths = {high - low for low, high in ends}
    width = max(widths)
    if len(widths) > 1 or width <= 0 or any(two - one < width for one, two in pairwise(lows)):
        return None
    return None if any((low - lows[0]) % width for low in lows) else (lows[0] % width, width)


def _all(values: pl.Series, pattern: str) -> bool:
    return bool(values.str.contains(pattern).all())


def _length(values: pl.Series) -> int | None:
    lengths = values.str.len_chars()
    return int(lengths[0]) if lengths.n_unique() == 1 else None


def _code(values: pl.Series) -> Reading:
    length = _length(values)
    size = f"{length} characters each" if length else "of different length"
    return Reading(notes=(f"digits that are a code ({size}), kept as text",), length=length)


def _numbers(values: pl.Series, kind: Literal["integer", "number"]) -> Reading:
    low, high = values.min(), values.max()
    if not isinstance(low, (int, float)) or not isinstance(high, (int, float)):  # Decimal, for one
        low, high = float(str(low)), float(str(high))
    span = high - low
    return Reading(kind, span=float(span), dense=kind == "integer" and span == values.n_unique() - 1)


def _floats(tally: pl.DataFrame) -> Reading:
    values, counts = tally.to_series(0), tally.to_series(1)
    if not values.dtype.is_float():
        return _numbers(values, "number")
    odd = int(counts.filter(~values.is_finite()).sum())
    notes = (f"{odd} rows are NaN or infinite, which no number may be",) if odd else ()
    finite = values.filter(values.is_finite())
    whole = bool(((finite == finite.floor()) & (finite.abs() < 2.0**53)).all())
    return (
        replace(_numbers(finite, "integer" if whole else "number"), notes=notes)
        if len(finite)
        else Reading(notes=notes)
    )


def _decimals(values: pl.Series, mark: str) -> Reading:
    if mark == "," and _all(values, _THOUSANDS):
        return Reading(notes=("the comma may part thousands or decimals",), doubtful=True)
    numbers = values.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    if numbers.null_count() or not math.isfinite(numbers.abs().sum()):
        return Reading(notes=("numbers too large to compute with",), doubtful=True)
    return replace(_numbers(numbers, "number"), settings={"decimal": mark})


def _dates(values: pl.Series, formats: tuple[str, ...]) -> Reading:
    read = {each: values.str.to_date(each, strict=False) for each in formats}
    fitting = {each: days for each, days in read.items() if days.null_count() == 0}
    if not fitting:
        return Reading(notes=("written like dates, but not all of them are days of a calendar",), doubtful=True)
    (first, days), *others = fitting.items()
    if any(not (days == other).all() for _, other in others):
        formats_text = " and ".join(fitting)
        return Reading(notes=(f"dates that read both as {formats_text}: day or month first?",), doubtful=True)
    return Reading("date", (f"dates written as {first}",), {"date": first}, span=_days(days))


def _days(days: pl.Series) -> float:
    numbers = days.cast(pl.Int32)
    return float(int(str(numbers.max())) - int(str(numbers.min())))
