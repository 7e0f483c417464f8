"""Base values: every quasi-identifier, sensitive column, name of a person and weight as the type that the policy says.

text → String, integer → Int64, number → Float64, date → Date. Text is read by the policy's decimal sign and date
format; spaces around a number or date are allowed, thousands separators are not. What does not fit is an error, and so
is a number that would become another one: a release says of a value that it is exactly this.

Where the policy says no type, that of a frame or Parquet file is meant: whole numbers are integers, other numbers are
numbers, dates are dates, and so are points in time if all of them are midnights. All else is text, as is CSV.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from math import isfinite

import polars as pl

from sfumato.errors import TableError
from sfumato.policy.columns import Column, Type
from sfumato.policy.document import Input, Policy
from sfumato.table.distinct import Distinct, Distincts
from sfumato.table.origin import Origin

__all__ = ["DTYPES", "TIME", "base_values", "is_text", "own_types", "plain_zero"]

TIME = "%H:%M:%S%.9f"
"""How a time of day is written."""

DTYPES: dict[str, pl.DataType] = {
    "text": pl.String(),
    "integer": pl.Int64(),
    "number": pl.Float64(),
    "date": pl.Date(),
}
_TYPED = ("quasi", "sensitive", "individual", "weight")
"""Roles whose cells are read as what they are, also where the policy says no type; a weight is a number."""
_WHOLE = 2.0**63
_EXACT = 2**53
"""Up to here every whole number is a floating-point number."""
_DIGITS = 15
"""Decimals of no more digits are written again as they were read."""


@dataclass(eq=False)
class _Misfit(Exception):
    """Values that are not what the policy says: which (None: the whole column), and how to put it."""

    what: str
    remedy: str
    values: pl.Series | None = None


def is_text(dtype: pl.DataType) -> bool:
    """Whether the cells are text, however stored."""
    return isinstance(dtype, (pl.String, pl.Categorical, pl.Enum))


def own_types(columns: Distincts, policy: Policy) -> dict[str, Type]:
    """The types that columns have by themselves, for those that the policy gives none and that are coded."""
    return {
        name: "number" if column.role == "weight" else _own_type(columns[name].values)
        for name, column in policy.columns.items()
        if column.type is None and column.order is None and column.role in _TYPED
    }


def _own_type(values: pl.Series) -> Type:
    dtype = values.dtype
    if dtype.is_integer():
        return "integer"
    if dtype.is_numeric():
        return "number"
    if isinstance(dtype, pl.Date) or (isinstance(dtype, pl.Datetime) and (values.dt.time() == time(0)).all()):
        return "date"
    return "text"


def base_values(columns: Distincts, policy: Policy, origin: Origin) -> dict[str, Distinct]:
    """Distincts that are coded as base values, in policy order; every misfit reported at once.

    Insensitive columns with a type are checked as well, since a release says their type.
    """
    made: dict[str, Distinct] = {}
    wrong = []
    for name, column in policy.columns.items():
        coded = column.role in (*_TYPED, "quasi-sensitive")
        if not coded and (column.role in ("identifier", "drop") or column.kind == "text"):
            continue
        found = columns[name]
        try:
            base = _base(found.values, column, policy.input)
        except _Misfit as misfit:
            wrong.append(_told(name, misfit, found, origin))
        else:
            made |= {name: found if base is found.values else found.mapped(base)} if coded else {}
    if wrong:
        raise TableError("\n".join([f"{origin.name}: cells do not fit the policy", *wrong]))
    return made


def _told(name: str, misfit: _Misfit, found: Distinct, origin: Origin) -> str:
    if misfit.values is None:
        return f"  column {name!r} {misfit.what}; {misfit.remedy}"
    which = misfit.values.to_numpy()
    count, first = int(found.counts[which].sum()), origin.place(found.first(which))
    cells = "1 cell is" if count == 1 else f"{count} cells are"
    return f"  column {name!r}: {cells} {misfit.what}, the first in {first}; {misfit.remedy}"


def _base(series: pl.Series, column: Column, settings: Input) -> pl.Series:
    if isinstance(series.dtype, pl.Null):
        return series.cast(DTYPES[column.kind])
    if column.kind == "text":
        return _as_text(series)
    if is_text(series.dtype):
        return _PARSERS[column.kind](series.cast(pl.String).str.strip_chars(), settings)
    return _NATIVE[column.kind](series)


def _require(good: pl.Series, series: pl.Series, what: str, remedy: str) -> None:
    """Refuse values that are something and not good."""
    bad = ~good.fill_null(False) & series.is_not_null()
    if bad.any():
        raise _Misfit(what, remedy, bad)


def _as_text(series: pl.Series) -> pl.Series:
    if series.dtype.is_float():
        remedy = "say type: integer or number in the policy, or make it text (codes such as ZIP lose their zeros here)"
        raise _Misfit("holds floating-point numbers where the policy says type: text", remedy)
    if series.dtype == pl.Time:  # a plain cast drops the fraction of a second
        return series.dt.to_string(TIME)
    return series if isinstance(series.dtype, pl.String) else series.cast(pl.String)


def _parse_integer(text: pl.Series, settings: Input) -> pl.Series:
    made = text.cast(pl.Int64, strict=False)
    _require(made.is_not_null(), text, "not a whole number of 64 bits", "correct them, or say type: number or text")
    return made


def _parse_number(text: pl.Series, settings: Input) -> pl.Series:
    plain = text
    if settings.decimal == ",":
        # A point would be a thousands separator here: no number, rather than another one.
        plain = text.set(text.str.contains(".", literal=True), None).str.replace(",", ".", literal=True)
    made = plain.cast(pl.Float64, strict=False)
    _require_same(plain, made)
    remedy = f"correct them, set input.decimal (now {settings.decimal!r}), or say type: text"
    _require(made.is_not_null(), text, "not a number", remedy)
    return _finite(made)


def _require_same(text: pl.Series, made: pl.Series) -> None:
    """Refuse decimals that would be written with other digits: a number holds about 16 of them."""
    long = text.str.count_matches("[0-9]") > _DIGITS
    if not long.any():
        return
    same = pl.repeat(True, len(text), eager=True)
    places = long.fill_null(False).arg_true()
    found = [_same(*pair) for pair in zip(text.gather(places), made.gather(places), strict=True)]
    same = same.scatter(places, found)
    _require(same | made.is_null(), text, _INEXACT, _EXACTLY)


def _same(text: str, number: float | None) -> bool:
    return number is None or not isfinite(number) or Decimal(text) == Decimal(repr(number))


_INEXACT = "of more digits than a floating-point number holds"
_EXACTLY = "say type: integer if all are whole, or text; or round them"


def _finite(made: pl.Series) -> pl.Series:
    remedy = "leave them empty if they are missing, or correct them"
    _require(made.is_finite(), made, "not a finite number (NaN or infinite)", remedy)
    return plain_zero(made)


def plain_zero(numbers: pl.Series) -> pl.Series:
    """Floating-point numbers, -0.0 as 0.0."""
    return numbers.set(numbers == 0, 0.0)


def _parse_date(text: pl.Series, settings: Input) -> pl.Series:
    made = text.str.to_date(settings.date, strict=False)
    remedy = f"correct them, or set input.date (now {settings.date!r})"
    _require(made.is_between(date.min, date.max), text, "not a date", remedy)
    return made


def _native_integer(series: pl.Series) -> pl.Series:
    if not series.dtype.is_numeric():
        raise _foreign(series, "integer")
    whole = series
    if series.dtype.is_decimal():  # not by way of floating-point numbers, which may be others
        made = series.cast(pl.Int64, strict=False)
        whole_again = made.cast(series.dtype, strict=False) == series
        _require(whole_again, series, "not a whole number of 64 bits", "correct them, or say type: number or text")
        return made
    if not series.dtype.is_integer():
        numbers = series.cast(pl.Float64)
        remedy = "correct them, or say type: number"
        _require(numbers.is_finite(), numbers, "not a finite number (NaN or infinite)", remedy)
        _require((numbers == numbers.floor()) & (numbers.abs() < _WHOLE), numbers, "not a whole number", remedy)
        whole = numbers
    made = whole.cast(pl.Int64, strict=False)
    _require(made.is_not_null(), series, "larger than 64 bits hold", "say type: text")
    return made


def _native_number(series: pl.Series) -> pl.Series:
    if not series.dtype.is_numeric():
        raise _foreign(series, "number")
    made = series.cast(pl.Float64)
    if series.dtype.is_decimal():
        _require_same(series.cast(pl.String), made)
    elif series.dtype.is_integer() and (made.abs() >= _EXACT).any():
        same = pl.Series([each is None or int(float(each)) == each for each in series.to_list()], dtype=pl.Boolean)
        _require(same, series, _INEXACT, _EXACTLY)
    return _finite(made)


def _native_date(series: pl.Series) -> pl.Series:
    if isinstance(series.dtype, pl.Date):
        _require(series.is_between(date.min, date.max), series, "not in the years 1 to 9999", "correct them")
        return series
    if not isinstance(series.dtype, pl.Datetime):
        raise _foreign(series, "date")
    _require(
        series.dt.time() == time(0),
        series,
        "not at midnight, so more than a date",
        "cut the time off, or say type: text",
    )
    return series.dt.date()


def _foreign(series: pl.Series, kind: str) -> _Misfit:
    return _Misfit(f"holds {series.dtype} where the policy says type: {kind}", "convert it, or say another type")


_PARSERS: dict[str, Callable[[pl.Series, Input], pl.Series]] = {
    "integer": _parse_integer,
    "number": _parse_number,
    "date": _parse_date,
}
_NATIVE: dict[str, Callable[[pl.Series], pl.Series]] = {
    "integer": _native_integer,
    "number": _native_number,
    "date": _native_date,
}
