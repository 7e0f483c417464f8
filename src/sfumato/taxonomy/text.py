"""How a base value is written as text: the one rule for leaves of taxonomies and cells of releases."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal, InvalidOperation

import polars as pl

__all__ = ["Kind", "key_of", "shown_texts", "text_of", "texts_of"]

Kind = str
"""A column's type in the policy: text, integer, number or date."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_INT64 = 2**63


def text_of(value: str | int | float | date) -> str:
    """A value as text: whole numbers plain, others as the shortest decimal that reads back, dates in ISO form.

    >>> text_of(5), text_of(5.0), text_of(0.1), text_of(date(2024, 3, 5)), text_of("02000")
    ('5', '5', '0.1', '2024-03-05', '02000')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        text = repr(value).removesuffix(".0")
        return "0" if text == "-0" else text
    return value.isoformat() if isinstance(value, date) else str(value)


def texts_of(values: pl.Series) -> list[str]:
    """Every value as text."""
    return [text_of(value) for value in values.to_list()]


def shown_texts(values: pl.Series) -> pl.Series:
    """The same as a column, in which a missing value stays missing.

    >>> shown_texts(pl.Series([5, None, -7])).to_list(), shown_texts(pl.Series([5.0, None])).to_list()
    (['5', None, '-7'], ['5', None])
    """
    if values.dtype.is_integer() or isinstance(values.dtype, pl.String):
        return values.cast(pl.String)
    return pl.Series(values.name, [None if value is None else text_of(value) for value in values], pl.String)


def key_of(text: str, kind: Kind) -> str | int | float | date | None:
    """The base value that a text stands for in a column of that type, or None.

    >>> key_of("05", "integer"), key_of("5.0", "integer"), key_of("5.5", "integer"), key_of("05", "text")
    (5, 5, None, '05')
    """
    if kind == "text":
        return text
    if kind == "date":
        try:
            return date.fromisoformat(text.strip()) if _DAY.fullmatch(text.strip()) else None
        except ValueError:
            return None
    if not _NUMBER.fullmatch(text.strip()):
        return None
    if kind == "number":
        number = float(text)
        return number if abs(number) != float("inf") else None
    try:
        whole = int(Decimal(text))
    except (InvalidOperation, ValueError):
        return None
    return whole if whole == Decimal(text) and -_INT64 <= whole < _INT64 else None
