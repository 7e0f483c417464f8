"""Parquet files, with the column types that they have."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from sfumato.errors import TableError
from sfumato.table.frames import from_frame

__all__ = ["read_parquet"]


def read_parquet(data: bytes, name: str, lists: Sequence[str] | None = ()) -> pl.DataFrame:
    """The table in the bytes of a Parquet file; `lists` are columns that may hold lists of texts; None: any."""
    try:
        table = pq.ParquetFile(pa.BufferReader(pa.py_buffer(data))).read()
    except (pa.ArrowException, OSError):
        raise TableError(f"{name}: the Parquet file is damaged or cut off; fetch or write it again") from None
    return from_frame(table, name, lists)[0]
