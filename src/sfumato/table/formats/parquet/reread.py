"""Read a Parquet file again, its texts by the dictionaries that it has."""

from __future__ import annotations

from collections.abc import Sequence
from io import BufferedReader

import polars as pl
import pyarrow as pa

from sfumato.table.arrow import is_plain_text
from sfumato.table.dictionaries import from_pieces, piece
from sfumato.table.formats.contract import Reread
from sfumato.table.formats.parquet.read import undamaged
from sfumato.table.formats.sink import hashed
from sfumato.table.frames import from_frame

__all__ = ["read_back"]

_DICTIONARY = pa.dictionary(pa.int32(), pa.large_string())


def read_back(file: BufferedReader, name: str, lists: Sequence[str]) -> Reread:
    """The table in a file, with texts as dictionaries; `TableError` if it holds none."""
    import pyarrow.parquet as pq

    sha256, size = hashed(file)
    with undamaged(name):
        fields = pq.ParquetFile(file).schema_arrow
        texts = [field.name for field in fields if is_plain_text(field.type)]
        table = pq.ParquetFile(file, read_dictionary=texts).read()
    from_frame(table.slice(0, 0), name, lists)  # names and types are those of a table
    others = [field.name for field in table.schema if not pa.types.is_dictionary(field.type)]
    rest = from_frame(table.select(others), name, lists)[0]
    columns = [rest[each] if each in others else _joined(table, each) for each in table.column_names]
    return Reread(pl.DataFrame(columns), sha256, size)


def _joined(table: pa.Table, name: str) -> pl.Series:
    return from_pieces(name, [piece(chunk.cast(_DICTIONARY)) for chunk in table.column(name).chunks])
