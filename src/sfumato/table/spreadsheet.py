"""Cells and names that a spreadsheet would run as a formula, made harmless.

Such a text begins with ``= + - @`` or their full-width forms, maybe after spaces, or with a tab or a line break, and is
no plain number. It gets a ``'`` in front, and so does a text that is like it behind quotes of its own. So no two texts
become one, and who takes one ``'`` off has the text back.
"""

from __future__ import annotations

import re

import polars as pl

from sfumato.table.types import is_text

__all__ = ["harmless", "harmless_text"]

_SPACES = " \t\n\x0b\x0c\r\xa0\u2007\u202f\u3000\ufeff"
_RUNS = f"^'*(?:[{_SPACES}]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|[\t\n\r])"
_NUMBER = "^'*[+\\-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+\\-]?[0-9]+)?$"


def harmless_text(text: str) -> str:
    """A name or a cell.

    >>> [harmless_text(text) for text in ("=1+1", "'=1+1", "-5", "-x", "a=b")]
    ["'=1+1", "''=1+1", '-5', "'-x", 'a=b']
    """
    return f"'{text}" if re.search(_RUNS, text) and not re.fullmatch(_NUMBER, text) else text


def harmless(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with every name and every text cell made harmless; numbers, dates and lists stay."""
    columns = []
    for name, column in zip(frame.columns, frame.get_columns(), strict=True):
        if is_text(column.dtype):
            texts = column.cast(pl.String)
            runs = texts.str.contains(_RUNS) & ~texts.str.contains(_NUMBER)
            column = pl.select(pl.when(runs).then("'" + texts).otherwise(texts)).to_series()
        columns.append(column.alias(harmless_text(name)))
    return pl.DataFrame(columns)
