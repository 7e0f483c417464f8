"""What a release is once it is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sfumato.auditor.verdict import Audit
from sfumato.displayed import Displayed
from sfumato.release.documents import InMemory, Manifest
from sfumato.table.table import Table
from sfumato.table.words import counted

__all__ = ["Written"]


@dataclass(frozen=True, eq=False)
class Written(Displayed):
    """What was written: public files, the manifest for the holder alone, and the audit of the bytes.

    files      tables and ``release.json``
    manifest   it stays out of what is sent away
    audit      of the written bytes
    held       documents as they were written, with the tables that they describe: a report of this very run reads
               nothing again, and judges nothing again
    source     the table that it was made from
    """

    files: tuple[Path, ...]
    manifest: Path
    audit: Audit
    held: tuple[InMemory, Manifest] = field(repr=False)
    source: Table = field(repr=False)

    def judged(self) -> Audit:
        """The auditor's judgement of the bytes."""
        return self.audit

    def __repr__(self) -> str:
        return f"<Written: {counted(len(self.files), 'file')} and {self.manifest.name}; {self.audit.outcome}>"
