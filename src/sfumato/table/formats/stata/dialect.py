"""How Stata stores things: days and milliseconds since 1960, missing values `.a` to `.z`, names of 32 characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sfumato.table.formats.statistics.dialect import CATEGORY, Dialect, Measure, Missings

__all__ = ["STATA_FILES"]

_STAMP = re.compile(rb"<timestamp>(.).{17}</timestamp>", re.DOTALL)
_NEVER = b"01 Jan 1960 00:00"
_NAME = re.compile(r"[^\W\d]\w{0,31}")
_RESERVED = frozenset(
    (
        *("_all", "_b", "byte", "_coef", "_cons", "double", "float", "if", "in", "int", "long", "_n", "_N", "_pi"),
        *("_pred", "_rc", "_skip", "strL", "using", "with"),
    )
)
_STR = re.compile(r"str[0-9]+")
_WHOLE = re.compile(r"%-?0?[0-9]+\.0[fg]c?")
_PARTS = {"w": (52, "w"), "m": (12, "m"), "q": (4, "q"), "h": (2, "h")}


def _measured(shown: str) -> Measure:
    kind = shown.lstrip("%-").removeprefix("t") if shown.startswith(("%t", "%-t")) else ""
    if shown.startswith("%d") or kind.startswith("d"):
        return "day"
    if kind.startswith("c"):
        return "moment"
    if kind[:1] in _PARTS:
        return "period"
    if kind:
        return "whole" if kind.startswith("y") else "unknown"
    return "whole" if _WHOLE.fullmatch(shown) else "number"


def _period(shown: str, number: int) -> str:
    """A week, month, quarter or half of a year, as Stata shows it.

    >>> _period("%tm", 722), _period("%tq", -1)
    ('2020m3', '1959q4')
    """
    count, letter = _PARTS[shown.lstrip("%-")[1]]
    year, within = divmod(number, count)
    return f"{1960 + year}{letter}{within + 1}"


def _missings(meta: Any, name: str) -> Missings:
    """Extended missing values come as single letters in columns of numbers."""
    if meta.readstat_variable_types[name] == "string":
        return lambda value: ""
    return lambda value: f".{value}" if isinstance(value, str) else ""


def _named(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        if not _NAME.fullmatch(name) or name in _RESERVED or _STR.fullmatch(name):
            yield (
                f"a column called {name!r}: a name has at most 32 letters, digits and underscores, does not begin with"
                " a digit and is no reserved word"
            )


def _undated(data: bytes) -> bytes:
    return _STAMP.sub(lambda found: b"<timestamp>" + found[1] + _NEVER + b"</timestamp>", data, count=1)


STATA_FILES = Dialect(
    kind="stata",
    called="Stata",
    reads="read_dta",
    writes="write_dta",
    options={"version": 14},
    formats={CATEGORY: "%9.0g", "whole": "%12.0f", "number": "%18.9g", "day": "%td", "moment": "%tc"},
    measured=_measured,
    epoch=3653,
    day=1,
    second=1000,
    period=_period,
    missings=_missings,
    largest=2**53,
    least=-(2**31) + 1,
    most=2**31 - 28,
    label_bytes=32_000,
    column_label=80,
    text_bytes=2**31 - 1,
    trailing=True,
    named=_named,
    undated=_undated,
)
