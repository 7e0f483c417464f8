"""Columns as a source hands them over, and as the table has them: different values and a code per row."""

from __future__ import annotations

import numpy as np
import polars as pl
import pyarrow as pa

from sfumato.table.distinct import Distinct, distinct
from sfumato.table.positions import positions, series

__all__ = ["Raw", "columns_of", "is_dictionary", "is_plain_text"]

Raw = dict[str, pl.Series | pa.ChunkedArray]
"""Columns by name: polars series, or Arrow texts with a dictionary for every chunk."""


def columns_of(raw: Raw) -> dict[str, Distinct]:
    """The different values of every column; `raw` is emptied on the way, so that no column is held twice."""
    names, made = list(raw), {}
    for name in names:
        column = raw.pop(name)
        made[name] = distinct(column) if isinstance(column, pl.Series) else _of_dictionaries(name, column)
    return made


def is_dictionary(kind: pa.DataType) -> bool:
    """Whether a column of the type is texts with dictionaries."""
    return bool(pa.types.is_dictionary(kind)) and is_plain_text(kind.value_type)


def is_plain_text(kind: pa.DataType) -> bool:
    """Whether a column of the type is a text per row."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _of_dictionaries(name: str, column: pa.ChunkedArray) -> Distinct:
    """The dictionaries of all chunks made one, without what no row has (such as the header of a file)."""
    if not column.num_chunks:
        return Distinct(pl.Series(name, [], dtype=pl.String), np.empty(0, np.int32))
    parts = [positions(chunk, -1) for chunk in column.chunks]
    used = [
        np.bincount(codes + 1, minlength=len(chunk.dictionary) + 1)[1:] > 0
        for chunk, codes in zip(column.chunks, parts, strict=True)
    ]
    words = pa.concat_arrays([chunk.dictionary for chunk in column.chunks])
    everywhere = np.concatenate(used)
    found = distinct(series(words).cast(pl.String).alias(name).filter(pl.Series(everywhere)))
    places = np.full(len(everywhere), -1, np.int32)
    places[everywhere] = found.codes
    codes, row, word = np.empty(len(column), np.int32), 0, 0
    for part, mine in zip(parts, used, strict=True):
        mapped = np.append(places[word : word + len(mine)], np.int32(-1))  # the last is that of -1
        mapped.take(part, out=codes[row : row + len(part)], mode="wrap")
        row, word = row + len(part), word + len(mine)
    return Distinct(found.values, codes)
