"""A release in a database: its tables, and its public document in a table of one row beside them.

::

    NAME            the table of a form that has one
    NAME_quasi      and so on: the tables of a form that has several
    NAME_release    release.json, in one text
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl
import pyarrow as pa

from sfumato.errors import InputError
from sfumato.release.document_bytes import is_plain, release_document
from sfumato.release.documents import Manifest, ReleaseDocument, TableEntry
from sfumato.release.opening import Opened, described_by_form
from sfumato.table.databases.address import Address, TableName
from sfumato.table.databases.cells import cells_sha256, sorted_rows
from sfumato.table.databases.rows import blocks
from sfumato.table.databases.session import Session, reading
from sfumato.table.databases.source import fields_of
from sfumato.table.dictionaries import from_pieces, piece
from sfumato.table.frames import raw_of, require_plain_schema

__all__ = ["DOCUMENT", "InDatabase", "document_name", "found_at", "table_name"]

DOCUMENT = "document"
"""The column that holds the text of the document."""


def document_name(base: TableName) -> TableName:
    """Where the document of a release stands."""
    return base.called(f"{base.name}_release")


def table_name(base: TableName, table: str, tables: int) -> TableName:
    """Where a table of a release stands that has so many.

    >>> base = TableName("public", "out")
    >>> table_name(base, "table", 1).name, table_name(base, "quasi", 2).name
    ('out', 'out_quasi')
    """
    return base if tables == 1 else base.called(f"{base.name}_{table}")


def found_at(address: Address, manifest: Manifest | None, sets: Sequence[str]) -> Opened:
    """What stands under an address, in one moment."""
    with reading(address) as session:
        return InDatabase(session).found(manifest, sets)


@dataclass(frozen=True, eq=False)
class InDatabase:
    """A release as a transaction sees it: before others do, if it was written there."""

    session: Session

    def found(self, manifest: Manifest | None, sets: Sequence[str]) -> Opened:
        """The tables with their document, which tells their cells; or a bare table.

        A table in a database has no order. So the manifest tells of rows by their places among all rows in the order
        of their cells; where these stand is said beside it.
        """
        raw = self.document_bytes()
        if raw is None:
            return Opened({"table": self.frame(self.session.table, sets)}, manifest=manifest)
        document, sha256 = self.document(raw)
        problems = [*self._document_problems(document, raw)]
        tables = {}
        for entry in document.tables:
            table = table_name(self.session.table, entry.name, len(document.tables))
            tables[entry.name] = self.frame(table, sets)
            problems += self._table_problems(entry, table, tables[entry.name])
        places = None
        if manifest is not None and manifest.release_sha256 == sha256:
            places = sorted_rows(tables[document.tables[0].name]).tolist()
        return Opened(tables, document, sha256, manifest, tuple(problems), places=places)

    def document_bytes(self) -> bytes | None:
        """The document as it stands there; None: there is none. `InputError` if it is not one text."""
        table, session = document_name(self.session.table), self.session
        if session.kind.kept_as(session, table) is None:
            return None
        called = session.address.beside(table)
        if list(session.kind.fields(session, table).names) != [DOCUMENT]:
            raise InputError(f"{called}: is not the document of a release: it must have one column, {DOCUMENT!r}")
        texts = [text for block in blocks(session, table, [DOCUMENT]) for text in block.column(0).to_pylist()]
        if len(texts) != 1 or not isinstance(texts[0], str):
            raise InputError(f"{called}: is not the document of a release: it must have one row with a text")
        return texts[0].encode()

    def document(self, raw: bytes) -> tuple[ReleaseDocument, str]:
        """The document in these bytes, and their SHA-256."""
        source = str(self.session.address.beside(document_name(self.session.table)))
        document, sha256 = release_document(raw, source)
        return described_by_form(document, source), sha256

    def frame(self, table: TableName, sets: Sequence[str] | None) -> pl.DataFrame:
        """A table, its texts as dictionaries; `sets` may be lists (None: any column). `TableError` if there is none."""
        fields, called = fields_of(self.session, table), str(self.session.address.beside(table))
        require_plain_schema(fields, called, sets)
        raw = raw_of(pa.Table.from_batches(blocks(self.session, table, fields.names)), called)
        return pl.DataFrame(
            [
                column if isinstance(column, pl.Series) else from_pieces(name, [piece(each) for each in column.chunks])
                for name, column in raw.items()
            ]
        )

    def _document_problems(self, document: ReleaseDocument, raw: bytes) -> Iterator[str]:
        table = document_name(self.session.table)
        if not is_plain(document, raw, table.name):
            yield f"{table.name}: its text is more than its settings: spaces, escapes or another order"
        yield from self._beside_cells(table)

    def _table_problems(self, entry: TableEntry, table: TableName, frame: pl.DataFrame) -> Iterator[str]:
        if entry.kind != self.session.address.kind:
            yield f"{table.name}: is not the {entry.kind} that its document says"
        if entry.file != table.name:
            yield f"{document_name(self.session.table).name}: calls a table otherwise than it is called"
        if entry.sha256 != cells_sha256(frame):
            yield f"{table.name}: its cells are not those that its document describes (SHA-256 differs)"
        yield from self._beside_cells(table)

    def _beside_cells(self, table: TableName) -> Iterator[str]:
        kept = self.session.kind.kept_as(self.session, table)
        if kept != "table":
            yield f"{table.name}: is a {kept}, and not a table with cells of its own"
        else:
            yield from (f"{table.name}: {found}" for found in self.session.kind.beside_cells(self.session, table))
