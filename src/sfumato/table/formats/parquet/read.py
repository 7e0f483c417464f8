"""Read Parquet files, with the column types that they have."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

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

    `name` is what messages call the file, `data` its bytes or where it is, `lists` are columns that may hold lists of
    texts; None: any. Of a file that is not held, `part` is about how many bytes are read at a time.
    """

    name: str
    names: Sequence[str]
    data: bytes | Path = field(repr=False)
    lists: Sequence[str] | None = ()
    part: int | None = None

    @classmethod
    def of(
        cls, data: bytes | Path, name: str, settings: Input, lists: Sequence[str] | None, part: int | None = None
    ) -> ParquetFile:
        """`TableError` if the bytes are not those of a Parquet file, or a column does not hold single values."""
        import pyarrow.parquet as pq

        with undamaged(name), _source(data) as source:
            schema = pq.ParquetFile(source).schema_arrow
        require_plain_schema(schema, name, lists)
        return cls(name, schema.names, data, lists, part)

    @cached_property
    def rows(self) -> int:
        """How many rows it has, by its own account."""
        import pyarrow.parquet as pq

        with undamaged(self.name), _source(self.data) as source:
            return int(pq.ParquetFile(source).metadata.num_rows)

    def parts(self, wanted: Sequence[str]) -> Iterator[tuple[Raw, Origin]]:
        """Some columns, texts among them by the dictionaries that the file has, or by ones that are made."""
        for table in self._tables(wanted):
            yield raw_of(table, self.name), Origin("parquet", self.name)

    def _tables(self, wanted: Sequence[str]) -> Iterator[pa.Table]:
        """Row groups, as many together as make up a part; without parts, all of them."""
        import pyarrow.parquet as pq

        with undamaged(self.name), _source(self.data) as source:
            plain = pq.ParquetFile(source).schema_arrow
            texts = [name for name in wanted if is_plain_text(plain.field(name).type)]
            file = pq.ParquetFile(source, read_dictionary=texts)
            held = file.metadata
            sizes = [held.row_group(at).total_byte_size for at in range(held.num_row_groups)]
            for groups in _together(sizes, self.part):
                yield file.read_row_groups(groups, columns=list(wanted)).select(list(wanted))

    def frame(self) -> pl.DataFrame:
        """All columns, with their own types."""
        import pyarrow.parquet as pq

        with undamaged(self.name), _source(self.data) as source:
            table = pq.ParquetFile(source).read()
        return from_frame(table, self.name, self.lists)[0]


def _source(data: bytes | Path) -> pa.NativeFile:
    return pa.OSFile(str(data)) if isinstance(data, Path) else pa.BufferReader(pa.py_buffer(data))


def _together(sizes: Sequence[int], part: int | None) -> Iterator[list[int]]:
    """Row groups that are read together, all of them where there are no parts; one list at least."""
    groups: list[int] = []
    for at, size in enumerate(sizes):
        if part is not None and groups and sum(sizes[each] for each in groups) + size > part:
            yield groups
            groups = []
        groups.append(at)
    yield groups


@contextlib.contextmanager
def undamaged(name: str) -> Iterator[None]:
    """A `TableError` where the bytes are not those of a Parquet file."""
    try:
        yield
    except (pa.ArrowException, OSError):
        raise TableError(f"{name}: the Parquet file is damaged or cut off; fetch or write it again") from None
