"""What a release is once it is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sfumato.auditor.verdict import Audit
from sfumato.displayed import Displayed
from sfumato.release.documents import InMemory, Manifest
from sfumato.table.databases import Address
from sfumato.table.table import Table
from sfumato.table.words import counted

__all__ = ["Written"]


@dataclass(frozen=True, eq=False)
class Written(Displayed):
    """What was written: public files, or tables of a database; the manifest for the holder alone; and the audit.

    files      tables and ``release.json``
    manifest   it stays out of what is sent away
    audit      of the written bytes
    held       documents as they were written, with the tables that they describe: a report of this very run reads
               nothing again, and judges nothing again
    source     the table that it was made from
    tables     of a database, if it went there: then there are no files
    uris       of the files in a storage, if it went there: then there are no files here
    """

    files: tuple[Path, ...]
    manifest: Path
    audit: Audit
    held: tuple[InMemory, Manifest] = field(repr=False)
    source: Table = field(repr=False)
    tables: tuple[Address, ...] = ()
    uris: tuple[str, ...] = ()

    @property
    def public(self) -> tuple[str, ...]:
        """What everybody may have, by name."""
        return tuple(map(str, (*self.files, *self.tables, *self.uris)))

    def judged(self) -> Audit:
        """The auditor's judgement of the bytes."""
        return self.audit

    @property
    def _told(self) -> str:
        return counted(len(self.tables), "table") if self.tables else counted(len(self.public), "file")

    def __repr__(self) -> str:
        return f"<Written: {self._told} and {self.manifest.name}; {self.audit.outcome}>"
