"""Write Parquet: of texts it says that they are texts, and each row group has a dictionary of those that occur in it.
A column of texts goes from its dictionary into the file, and there is never a text per row; unless they are many and
hardly repeat, when a dictionary would be as long as the column. Then the file has none either.
"""

from __future__ import annotations

import base64
from collections.abc import Collection
from typing import BinaryIO

import numpy as np
import polars as pl
import pyarrow as pa

from sfumato.table.dictionaries import encoded_texts, hardly_repeats
from sfumato.table.types import is_text

__all__ = ["into"]

_ROWS_IN_GROUP = 1 << 20


def into(frame: pl.DataFrame, file: BinaryIO) -> None:
    """The frame as Parquet: the same bytes for the same cells, however they lie in memory, with one pyarrow."""
    import pyarrow.parquet as pq

    whole = frame.rechunk()
    rare = {each.name for each in whole.get_columns() if is_text(each.dtype) and hardly_repeats(each)}
    first = _arrow(whole[:_ROWS_IN_GROUP], rare)
    coded = [name for name in whole.columns if name not in rare] if rare else True
    with pq.ParquetWriter(file, first.schema, compression="zstd", store_schema=False, use_dictionary=coded) as writer:
        for start in range(0, max(whole.height, 1), _ROWS_IN_GROUP):
            writer.write_table(_arrow(whole[start : start + _ROWS_IN_GROUP], rare) if start else first)
        if any(pa.types.is_timestamp(field.type) and field.type.tz for field in first.schema):
            writer.add_key_value_metadata({"ARROW:schema": _zones(first.schema)})


def _zones(given: pa.Schema) -> bytes:
    """Metadata that keeps time zones, for which Parquet has no word of its own; texts are texts in it too."""
    types = [pa.string() if _is_text(field.type) else field.type for field in given]
    plain = pa.schema([pa.field(name, kind) for name, kind in zip(given.names, types, strict=True)])
    return base64.b64encode(plain.serialize())


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_dictionary(kind) or pa.types.is_large_string(kind))


def _arrow(frame: pl.DataFrame, rare: Collection[str]) -> pa.Table:
    """Texts as dictionaries of those that occur, in ascending order, or as they are; no metadata."""
    columns = [_column(each, each.name in rare) for each in frame.get_columns()]
    return pa.table(columns, names=frame.columns)


def _column(column: pl.Series, rare: bool) -> pa.Array:
    if not is_text(column.dtype):
        return column.to_arrow()
    return column.cast(pl.String).to_arrow().cast(pa.large_string()) if rare else _coded(column)


def _coded(column: pl.Series) -> pa.DictionaryArray:
    codes, texts = encoded_texts(column)
    indices = pa.array(codes.astype(np.int32), mask=codes == len(texts))
    return pa.DictionaryArray.from_arrays(indices, texts.to_arrow())
