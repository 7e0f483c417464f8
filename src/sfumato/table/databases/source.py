"""Read a table from a database: streamed, in one transaction, with the column types that it has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl
import pyarrow as pa

from sfumato.errors import TableError
from sfumato.table.arrow import Raw, is_dictionary
from sfumato.table.databases.address import Address, TableName
from sfumato.table.databases.rows import blocks
from sfumato.table.databases.session import Session, reading
from sfumato.table.frames import from_frame, raw_of, require_plain_schema
from sfumato.table.origin import Origin

__all__ = ["PART", "DatabaseTable", "fields_of"]

PART = 1 << 22
"""Rows that are held at a time, about, before those that are equal become one."""


@dataclass(frozen=True, eq=False)
class DatabaseTable:
    """A table in a database whose columns are known; its rows are still to come.

    Each reading is a transaction of its own. `lists` are columns that may hold lists of texts; None: any.
    """

    address: Address
    names: Sequence[str]
    lists: Sequence[str] | None = ()

    @classmethod
    def of(cls, address: Address, lists: Sequence[str] | None) -> DatabaseTable:
        """`TableError` if there is no such table, or nobody answers."""
        with reading(address) as session:
            return cls(address, fields_of(session, session.table).names, lists)

    @property
    def name(self) -> str:
        return str(self.address)

    @property
    def origin(self) -> Origin:
        return Origin(self.address.kind, self.name, title=self.address.title)

    def parts(self, wanted: Sequence[str]) -> Iterator[tuple[Raw, Origin]]:
        """Some columns, texts by a dictionary for every block, so many rows at a time; all are of one moment."""
        with reading(self.address) as session:
            self._require_plain(session, wanted)
            held, count, begun = list[pa.RecordBatch](), 0, False
            for block in blocks(session, session.table, wanted):
                held.append(block)
                count += len(block)
                if count >= PART:
                    yield raw_of(pa.Table.from_batches(held), self.name), self.origin
                    held, count, begun = [], 0, True
            if count or not begun:
                yield raw_of(pa.Table.from_batches(held), self.name), self.origin

    def frame(self) -> pl.DataFrame:
        """All columns, with their own types."""
        with reading(self.address) as session:
            self._require_plain(session, self.names)
            table = pa.Table.from_batches(blocks(session, session.table, self.names))
        texts = [pa.large_string() if is_dictionary(kind) else kind for kind in table.schema.types]
        plain = table.cast(pa.schema([pa.field(*each) for each in zip(table.column_names, texts, strict=True)]))
        return from_frame(plain, self.name, self.lists)[0]

    def _require_plain(self, session: Session, wanted: Sequence[str]) -> None:
        found = fields_of(session, session.table)
        lost = [repr(name) for name in wanted if name not in found.names]
        if lost:
            raise TableError(f"{self.address}: has no column {', '.join(lost)} any more; try again")
        require_plain_schema(pa.schema([found.field(name) for name in wanted]), self.name, self.lists)


def fields_of(session: Session, table: TableName) -> pa.Schema:
    """The columns of a table; `TableError` if there is none of that name."""
    if session.kind.kept_as(session, table) is None:
        where = f" in schema {table.schema!r}" if table.schema else ""
        raise TableError(
            f"{session.address}: no table {table.name!r}{where}; names are spelled as the database has them"
        )
    return session.kind.fields(session, table)
