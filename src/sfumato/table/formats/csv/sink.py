"""Write CSV: UTF-8 without a byte order mark, lines that end with LF, fields quoted as RFC 4180 says and only where
needed. A missing value is an empty field, an empty text is ``""``. A column of texts goes from its dictionary into the
file: there is never a text per row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

import polars as pl

from sfumato.table.dictionaries import codes_of, dictionary, tidy, values_of
from sfumato.table.types import is_text

__all__ = ["DELIMITER", "header_line", "into", "written"]

DELIMITER = ","
_ROWS_AT_ONCE = 1 << 18
_QUOTED = r'[",\r\n]|^$|^\u{FEFF}'


def into(frame: pl.DataFrame, file: BinaryIO) -> None:
    """The frame as CSV: the same bytes for the same cells."""
    file.write(header_line(frame.columns))
    columns = [_cells(column).alias(str(at)) for at, column in enumerate(frame.get_columns())]
    for part in pl.DataFrame(columns).iter_slices(_ROWS_AT_ONCE):
        rows = part.with_columns((~pl.selectors.enum()).cast(pl.String))
        rows.write_csv(file, include_header=False, quote_style="never", null_value="", line_terminator="\n")


def header_line(names: Sequence[str]) -> bytes:
    """The first line of a CSV file."""
    return (DELIMITER.join(written(pl.Series(names, dtype=pl.String))) + "\n").encode()


def written(texts: pl.Series) -> pl.Series:
    """Texts as they stand in a CSV file.

    >>> written(pl.Series(["plain", "a,b", '5" disk', ""])).to_list()
    ['plain', '"a,b"', '"5"" disk"', '""']
    """
    text = pl.lit(texts)
    quoted = '"' + text.str.replace_all('"', '""', literal=True) + '"'
    return pl.select(pl.when(text.str.contains(_QUOTED)).then(quoted).otherwise(text)).to_series()


def _cells(column: pl.Series) -> pl.Series:
    """A column of texts with every one as it stands in the file; others as they are."""
    if not is_text(column.dtype):
        return column
    coded = tidy(column)
    return dictionary(column.name, codes_of(coded), written(values_of(coded)))
