"""Whether the first line of a file names its columns, or is the first row: then its values must not be shown."""

from __future__ import annotations

import re

import polars as pl

from sfumato.errors import TableError

__all__ = ["require_header"]

_DATUM = re.compile(r"\s*[+-]?[0-9][0-9.,:/ -]*\s*")


def require_header(frame: pl.DataFrame, name: str) -> None:
    """Refuse a table whose names look like data, without a word of them.

    Half of the names are numbers or dates; or a third of them are, or stand among the values of their own column.
    """
    numbers = [bool(_DATUM.fullmatch(each)) for each in frame.columns]
    again = [_stands_in(column) for column in frame.get_columns()]
    odd = sum(number or repeated for number, repeated in zip(numbers, again, strict=True))
    if 2 * sum(numbers) >= frame.width or (any(again) and 3 * odd >= frame.width):
        raise TableError(
            f"{name}: {odd} of {frame.width} names in the first line are numbers, dates or values of their own column,"
            " as if it were a row; put a line with the names of the columns before it"
        )


def _stands_in(column: pl.Series) -> bool:
    return column.dtype == pl.String and bool((column.str.strip_chars() == column.name.strip()).any())
