"""A release in a database: written, read back and audited in one transaction, which then ends in one step.

Others see what stood there until then, and afterwards all of the new release: tables and document. Whatever goes wrong
before, in this process, in the server or between them, ends the transaction, and nothing was ever written.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import polars as pl

from sfumato.errors import InputError, SfumatoError
from sfumato.release.document_bytes import to_bytes
from sfumato.release.documents import Manifest, ReleaseDocument
from sfumato.release.in_database import DOCUMENT, InDatabase, document_name, table_name
from sfumato.release.pending import Pending, require_replaceable, settle
from sfumato.release.target import Draft, Put, TableFile, Target
from sfumato.table.databases import Address, address_of, database_of
from sfumato.table.databases.address import TableName
from sfumato.table.databases.cells import cells_sha256, sorted_rows
from sfumato.table.databases.session import Session, writing
from sfumato.table.databases.sink import Columns, put

__all__ = ["DatabaseTarget"]

V = TypeVar("V")

_WAITS = (0.0, 0.2, 0.5, 1.0, 2.0, 4.0)
"""Seconds after which it is looked whether a transaction that nobody heard of any more has ended."""


@dataclass(frozen=True)
class DatabaseTarget(Target):
    """Tables of a database; the internal manifest is a file.

    address   of the table
    force     whether a release that is there may be replaced
    """

    address: Address
    force: bool

    @classmethod
    def at(cls, address: Address, force: bool, kind: str | None) -> DatabaseTarget:
        """Check a place before any work is done for it: that it can be written to, and is free."""
        if kind is not None:
            raise InputError(f"{address}: is a table of a database; leave the format out")
        if any(letter in address.title for letter in "/\\:"):
            raise InputError(f"{address}: the name of a table that is published must not hold / \\ or :")
        made = cls(address, force)
        undo = database_of(address).begin_file(address)
        try:
            with writing(address) as session:
                made._standing(session, ())
        finally:
            undo(False)
        return made

    def __str__(self) -> str:
        return str(self.address)

    @property
    def manifest(self) -> Path:
        return database_of(self.address).manifest(self.address)

    @property
    def paths(self) -> tuple[Path, ...]:
        return (self.manifest,)

    @property
    def folder(self) -> Path | None:
        return None

    @property
    def in_parts(self) -> bool:
        return False

    def require_room(self, tables: int) -> None:
        """Every table has a name of its own."""

    def require_other_than(self, inputs: Iterable[str | Path]) -> None:
        for given in inputs:
            other = address_of(given)
            if other is not None and self.address.is_same_table(other):
                raise InputError(f"{self.address} is what the release is made from; choose another name")

    def put(self, draft: Draft[V]) -> Put[V]:
        done, finish = False, database_of(self.address).begin_file(self.address)
        try:
            made = self._put(draft)
            done = True
            return made
        finally:
            finish(done)

    def _put(self, draft: Draft[V]) -> Put[V]:
        pending: Pending | None = None
        ending = False
        try:
            with writing(self.address) as session:
                tables = {name: table_name(session.table, name, len(draft.names)) for name in draft.names}
                pending, document, kept = self._filled(session, draft, tables)
                verdict = draft.audited(InDatabase(session), pending.path)
                ending = True
                session.commit()
        except BaseException as stop:
            self._stopped(stop, pending, ending)
        else:
            pending.put()
        public = (*tables.values(), document_name(session.table))
        return Put(verdict, document, kept, tables=tuple(self.address.beside(table) for table in public))

    def _stopped(self, stop: BaseException, pending: Pending | None, ending: bool) -> None:
        """Raise what stopped the writing, unless the transaction had ended well and only nobody heard of it."""
        there = self._ended(pending) if ending and pending is not None else False
        if pending is not None and there is None:
            pending.leave()
            raise InputError(
                f"{self.address}: the connection was lost while the release was put in place, and whether it stands"
                f" there is not known: audit it. Its manifest waits in {pending.path}"
            ) from None
        if pending is not None:
            (pending.put if there else pending.remove)()
        if isinstance(stop, KeyboardInterrupt):
            raise KeyboardInterrupt(f"{self.address} was written" if there else "nothing was written") from None
        if not there:
            raise stop

    def _filled(
        self, session: Session, draft: Draft[V], names: Mapping[str, TableName]
    ) -> tuple[Pending, ReleaseDocument, Manifest]:
        """Write tables and document into the transaction, and the manifest beside its place."""
        kind = session.kind
        columns = {name: Columns.of(frame, kind) for name, frame in draft.tables(kind.lists).items()}
        _require_short((*names.values(), document_name(session.table)), session)
        standing = self._standing(session, tuple(names.values()))
        wanted = {names[name]: each.types for name, each in columns.items()}
        wanted[document_name(session.table)] = Columns.of(_of_text(""), kind).types
        same = {table for table, types in standing.items() if wanted.get(table) == types}
        for table in standing:
            if table not in same:
                session.run(f"DROP TABLE {table.sql}")
        for name, table in names.items():
            put(session, table, columns[name], table in same)
        files = {name: TableFile(names[name].name, cells_sha256(each.frame)) for name, each in columns.items()}
        document = draft.document(self.address.kind, files)
        text = Columns.of(_of_text(to_bytes(document).decode()), kind)
        put(session, document_name(session.table), text, document_name(session.table) in same)
        first = next(iter(columns.values())).frame
        places = np.empty(first.height, np.int64)
        places[sorted_rows(first)] = np.arange(first.height)
        kept = draft.manifest(document)
        return Pending.of(kept.moved(places.tolist()), self.manifest), document, kept

    def _standing(self, session: Session, names: Iterable[TableName]) -> Mapping[TableName, Mapping[str, str]]:
        """The tables of the release that stands there, and their columns; empty: nothing does.

        `InputError` if what stands there may not be replaced. Only what sfumato wrote ever is, and only as it was
        written. Names that a release would take are asked for, too. What killed runs left is put right.
        """
        document, found = document_name(session.table), InDatabase(session)
        asked = dict.fromkeys((session.table, *names, document))
        taken = [table for table in asked if session.kind.kept_as(session, table) is not None]
        raw = _ours(found) if document in taken else None
        sha256 = None if raw is None else found.document(raw)[1]
        settle(self.manifest, sha256)
        if taken and not self.force:
            raise InputError(
                f"{session.address.beside(taken[0])} exists; nothing was changed. Use --force (force=True) to replace"
                " it whole"
            )
        require_replaceable(self.manifest, self.force, sha256)
        if not taken:
            return {}
        described = {} if raw is None else self._described(session, found, raw)
        strange = [table for table in taken if table != document and table not in described]
        if raw is None or strange:
            where = session.address.beside((strange or taken)[0])
            raise InputError(
                f"{where} is not as sfumato wrote it: no {document.name!r} beside it describes these cells; nothing"
                " was changed. Rename or drop it, or choose another name"
            )
        return {**described, document: session.kind.declared(session, document)}

    def _described(self, session: Session, found: InDatabase, raw: bytes) -> dict[TableName, Mapping[str, str]]:
        """The tables that a document describes, cell for cell."""
        entries = found.document(raw)[0].tables
        tables = {table_name(session.table, entry.name, len(entries)): entry.sha256 for entry in entries}
        there = {table: sha256 for table, sha256 in tables.items() if session.kind.kept_as(session, table) == "table"}
        session.kind.hold(session, [*there, document_name(session.table)])
        same = [table for table, sha256 in there.items() if cells_sha256(found.frame(table, None)) == sha256]
        return {table: session.kind.declared(session, table) for table in same}

    def _ended(self, pending: Pending) -> bool | None:
        """Whether the release stands there after nobody answered; None: nobody answers."""
        for wait in _WAITS:
            time.sleep(wait)
            with suppress(SfumatoError), writing(self.address) as session:  # which waits for the other to end
                raw = InDatabase(session).document_bytes()
                return raw is not None and InDatabase(session).document(raw)[1] == pending.release_sha256
        return None


def _of_text(document: str) -> pl.DataFrame:
    return pl.DataFrame({DOCUMENT: [document]})


def _ours(found: InDatabase) -> bytes | None:
    """The document there, if it is one."""
    try:
        raw = found.document_bytes()
        if raw is not None:
            found.document(raw)
    except InputError:
        return None
    return raw


def _require_short(tables: Iterable[TableName], session: Session) -> None:
    longest = session.kind.longest
    for table in tables:
        if longest is not None and len(table.name.encode()) > longest:
            most = f"{session.kind.called} takes names of {longest} bytes at most"
            raise InputError(f"{session.address}: {most}, and {table.name!r} is longer; choose another")
