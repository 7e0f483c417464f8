"""Cells and names that a spreadsheet would run as a formula, made harmless.

Such a text begins with ``= + - @`` or their full-width forms, maybe after spaces, or with a tab or a line break, and is
no plain number. It gets a ``'`` in front, and so does a text that is like it behind quotes of its own. So no two texts
become one, and who takes one ``'`` off has the text back.
"""

from __future__ import annotations

import re

import polars as pl

from sfumato.table.dictionaries import mapped, tidy
from sfumato.table.types import is_text

__all__ = ["harmless", "harmless_text"]

_SPACES = " \t\n\x0b\x0c\r\xa0\u2007\u202f\u3000\ufeff"
_RUNS = re.compile(f"^'*(?:[{_SPACES}]*[=+\\-@\uff1d\uff0b\uff0d\uff20]|[\t\n\r])")
_NUMBER = re.compile("'*[+\\-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+\\-]?[0-9]+)?")


def harmless_text(text: str) -> str:
    """A name or a cell.

    >>> [harmless_text(text) for text in ("=1+1", "'=1+1", "-5", "-x", "a=b")]
    ["'=1+1", "''=1+1", '-5', "'-x", 'a=b']
    """
    return f"'{text}" if _RUNS.search(text) and not _NUMBER.fullmatch(text) else text


def harmless(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with every name and every text made harmless, as dictionaries; numbers, dates and lists stay."""
    columns = [
        mapped(tidy(column), harmless_text) if is_text(column.dtype) else column for column in frame.get_columns()
    ]
    return pl.DataFrame([column.alias(harmless_text(column.name)) for column in columns])
