"""How SPSS stores things: seconds since October 1582, user-missing values by value or range, names of 64 bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sfumato.table.formats.statistics.dialect import CATEGORY, Dialect, Measure, Missings
from sfumato.table.labels import Code

__all__ = ["SPSS_FILES"]

_STAMP = slice(92, 109)
_NEVER = b"01 Jan 7000:00:00"
_NAME = re.compile(r"[^\W\d_][\w.@#$]*")
_RESERVED = frozenset(["ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"])
_DAYS = ("DATE", "ADATE", "EDATE", "SDATE", "JDATE", "QYR", "MOYR", "WKYR")
_MOMENTS = ("DATETIME", "YMDHMS")
_CLOCKS = ("TIME", "MTIME", "DTIME")
_FORMAT = re.compile(r"([A-Z]+)([0-9]+)?(?:\.([0-9]+))?")


def _measured(shown: str) -> Measure:
    found = _FORMAT.fullmatch(shown.upper())
    if found is None:
        return "number"
    kind, decimals = found[1], int(found[3] or 0)
    if kind in _DAYS:
        return "day"
    if kind in _MOMENTS:
        return "moment"
    if kind in _CLOCKS:
        return "clock"
    return "number" if decimals else "whole"


def _period(shown: str, number: int) -> str:
    return str(number)


def _missings(meta: Any, name: str) -> Missings:
    """What the file declares to be missing, by value or from one to another."""
    ranges = [(each["lo"], each["hi"]) for each in meta.missing_ranges.get(name, ())]

    def missing(value: Code) -> str:
        for low, high in ranges:
            same_type = isinstance(low, str) == isinstance(value, str)
            if same_type and low <= value <= high:
                return f"{low:g}" if low == high and not isinstance(low, str) else _between(low, high)
        return ""

    return missing


def _between(low: Any, high: Any) -> str:
    return str(low) if low == high else f"{low:g} to {high:g}"


def _named(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if not _NAME.fullmatch(name) or len(name.encode()) > 64 or name.upper() in _RESERVED or name.endswith("."):
            yield (
                f"a column called {name!r}: a name has at most 64 bytes of letters, digits, underscores and points,"
                " begins with a letter and is no reserved word"
            )
    folded = [name.upper() for name in names]
    for name in names:
        if folded.count(name.upper()) > 1:
            yield f"a column called {name!r} beside another that differs only in upper and lower case"


def _undated(data: bytes) -> bytes:
    return data[: _STAMP.start] + _NEVER + data[_STAMP.stop :]


SPSS_FILES = Dialect(
    kind="spss",
    called="SPSS",
    reads="read_sav",
    writes="write_sav",
    options={},
    formats={CATEGORY: "F8.0", "whole": "F20.0", "number": "F20.6", "day": "SDATE10", "moment": "DATETIME23.3"},
    measured=_measured,
    epoch=141428,
    day=86_400,
    second=1,
    period=_period,
    missings=_missings,
    largest=2**53,
    least=-(2**31) + 1,
    most=2**31 - 1,
    label_bytes=120,
    column_label=255,
    text_bytes=32_767,
    trailing=False,
    named=_named,
    undated=_undated,
)
