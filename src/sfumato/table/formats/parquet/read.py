"""Read Parquet files, with the column types that they have."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import polars as pl
import pyarrow as pa

from sfumato.errors import TableError
from sfumato.policy.document import Input
from sfumato.table.arrow import Raw, is_plain_text
from sfumato.table.frames import from_frame, raw_of, require_plain_schema
from sfumato.table.origin import Origin

__all__ = ["ParquetFile", "undamaged"]


@dataclass(frozen=True, eq=False)
class ParquetFile:
    """A Parquet file whose columns are known; its rows are still to come.

    `name` is what messages call the file, `lists` are columns that may hold lists of texts; None: any.
    """

    name: str
    names: Sequence[str]
    data: bytes = field(repr=False)
    lists: Sequence[str] | None = ()

    @classmethod
    def of(cls, data: bytes, name: str, settings: Input, lists: Sequence[str] | None) -> ParquetFile:
        """`TableError` if the bytes are not those of a Parquet file, or a column does not hold single values."""
        import pyarrow.parquet as pq

        with undamaged(name):
            schema = pq.ParquetFile(pa.BufferReader(pa.py_buffer(data))).schema_arrow
        require_plain_schema(schema, name, lists)
        return cls(name, schema.names, data, lists)

    def read(self, wanted: Sequence[str]) -> tuple[Raw, Origin]:
        """Some columns, texts among them by the dictionaries that the file has, or by ones that are made."""
        import pyarrow.parquet as pq

        source = pa.BufferReader(pa.py_buffer(self.data))
        with undamaged(self.name):
            schema = pq.ParquetFile(source).schema_arrow
            texts = [name for name in wanted if is_plain_text(schema.field(name).type)]
            table = pq.ParquetFile(source, read_dictionary=texts).read(columns=list(wanted)).select(list(wanted))
        return raw_of(table, self.name), Origin("parquet", self.name)

    def frame(self) -> pl.DataFrame:
        """All columns, with their own types."""
        import pyarrow.parquet as pq

        with undamaged(self.name):
            table = pq.ParquetFile(pa.BufferReader(pa.py_buffer(self.data))).read()
        return from_frame(table, self.name, self.lists)[0]


@contextlib.contextmanager
def undamaged(name: str) -> Iterator[None]:
    """A `TableError` where the bytes are not those of a Parquet file."""
    try:
        yield
    except (pa.ArrowException, OSError):
        raise TableError(f"{name}: the Parquet file is damaged or cut off; fetch or write it again") from None
