"""Read a Parquet file again, its texts by the dictionaries that it has, or one by one where it has none."""

from __future__ import annotations

from collections.abc import Sequence
from io import BufferedReader
from typing import Any

import polars as pl
import pyarrow as pa

from sfumato.table.arrow import is_plain_text
from sfumato.table.dictionaries import from_pieces, hardly_repeats, piece, tidy
from sfumato.table.formats.contract import Reread
from sfumato.table.formats.parquet.read import undamaged
from sfumato.table.formats.sink import hashed
from sfumato.table.frames import from_frame
from sfumato.table.types import is_text

__all__ = ["read_back"]

_DICTIONARY = pa.dictionary(pa.int32(), pa.large_string())


def read_back(file: BufferedReader, name: str, lists: Sequence[str]) -> Reread:
    """The table in a file, with texts as dictionaries; `TableError` if it holds none."""
    import pyarrow.parquet as pq

    sha256, size = hashed(file)
    with undamaged(name):
        whole = pq.ParquetFile(file)
        coded = _with_dictionary(whole)
        texts = [field.name for field in whole.schema_arrow if is_plain_text(field.type) and field.name in coded]
        table = pq.ParquetFile(file, read_dictionary=texts).read()
    from_frame(table.slice(0, 0), name, lists)  # names and types are those of a table
    others = [field.name for field in table.schema if not pa.types.is_dictionary(field.type)]
    rest = from_frame(table.select(others), name, lists)[0]
    columns = [_held(rest[each]) if each in others else _joined(table, each) for each in table.column_names]
    return Reread(pl.DataFrame(columns), sha256, size)


def _with_dictionary(file: Any) -> set[str]:
    """The columns of which some row group has a dictionary."""
    about = file.metadata
    groups = [about.row_group(number) for number in range(about.num_row_groups)]
    parts = [group.column(place) for group in groups for place in range(about.num_columns)]
    return {part.path_in_schema for part in parts if part.has_dictionary_page}


def _held(column: pl.Series) -> pl.Series:
    """Texts without a dictionary as they are if they hardly repeat, as where they came from."""
    return tidy(column) if is_text(column.dtype) and not hardly_repeats(column) else column


def _joined(table: pa.Table, name: str) -> pl.Series:
    return from_pieces(name, [piece(chunk.cast(_DICTIONARY)) for chunk in table.column(name).chunks])
