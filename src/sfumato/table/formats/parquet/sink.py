"""Write Parquet: of texts it says that they are texts, and each row group has a dictionary of those that occur in it.
A column of texts goes from its dictionary into the file: there is never a text per row.
"""

from __future__ import annotations

import base64
from typing import BinaryIO

import numpy as np
import polars as pl
import pyarrow as pa

from sfumato.table.dictionaries import encoded_texts
from sfumato.table.types import is_text

__all__ = ["into"]

_ROWS_IN_GROUP = 1 << 20


def into(frame: pl.DataFrame, file: BinaryIO) -> None:
    """The frame as Parquet: the same bytes for the same cells, however they lie in memory, with one pyarrow."""
    import pyarrow.parquet as pq

    whole = frame.rechunk()
    first = _arrow(whole[:_ROWS_IN_GROUP])
    with pq.ParquetWriter(file, first.schema, compression="zstd", store_schema=False) as writer:
        for start in range(0, max(whole.height, 1), _ROWS_IN_GROUP):
            writer.write_table(_arrow(whole[start : start + _ROWS_IN_GROUP]) if start else first)
        if any(pa.types.is_timestamp(field.type) and field.type.tz for field in first.schema):
            writer.add_key_value_metadata({"ARROW:schema": _zones(first.schema)})


def _zones(given: pa.Schema) -> bytes:
    """Metadata that keeps time zones, for which Parquet has no word of its own; texts are texts in it too."""
    types = [pa.string() if pa.types.is_dictionary(field.type) else field.type for field in given]
    plain = pa.schema([pa.field(name, kind) for name, kind in zip(given.names, types, strict=True)])
    return base64.b64encode(plain.serialize())


def _arrow(frame: pl.DataFrame) -> pa.Table:
    """Texts as dictionaries of those that occur, in ascending order; no metadata."""
    columns = [_coded(column) if is_text(column.dtype) else column.to_arrow() for column in frame.get_columns()]
    return pa.table(columns, names=frame.columns)


def _coded(column: pl.Series) -> pa.DictionaryArray:
    codes, texts = encoded_texts(column)
    indices = pa.array(codes.astype(np.int32), mask=codes == len(texts))
    return pa.DictionaryArray.from_arrays(indices, texts.to_arrow())
