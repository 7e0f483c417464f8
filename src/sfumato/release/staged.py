"""A release that is made in a private folder: written there, and audited, before anybody sees it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import polars as pl

from sfumato.release.document_bytes import to_bytes
from sfumato.release.documents import Manifest, PartEntry, ReleaseDocument
from sfumato.release.table_files import by_bytes, part_name
from sfumato.release.target import Draft, TableFile
from sfumato.table.formats import FORMATS
from sfumato.table.formats.contract import Format
from sfumato.table.labels import LabelsOf

__all__ = ["Made", "Staged"]

V = TypeVar("V")


@dataclass(frozen=True)
class Made(Generic[V]):
    """What was made, and what the audit of it said.

    tables   the files of the tables
    public   the file of the document
    """

    verdict: V
    document: ReleaseDocument
    sealed: Manifest
    tables: tuple[Path, ...]
    public: Path


@dataclass(frozen=True)
class Staged:
    """The folder in which a release is made.

    inside     for what is sent away
    private    for what is needed meanwhile
    kind       of table files
    only       what the file of the one table is called; None: as the table is
    digests    whether the name of a file has a digest of its bytes, so that no two files have one name
    """

    inside: Path
    private: Path
    kind: str
    only: str | None = None
    digests: bool = False

    @property
    def format(self) -> Format:
        return FORMATS[self.kind]

    @property
    def lists(self) -> bool:
        return self.format.lists

    def whole(self, table: str, frame: pl.DataFrame, labels: LabelsOf) -> TableFile:
        file = self.inside / self._called(table)
        sha256 = self.format.write(frame, file, labels)
        return TableFile(self._named(file, sha256), sha256)

    def in_parts(self, table: str, frames: Iterable[pl.DataFrame]) -> TableFile:
        parts = []
        for number, frame in enumerate(frames):
            file = self.inside / part_name(table, number, self.format.suffix)
            sha256 = self.format.write(frame, file)
            parts.append(PartEntry(file=self._named(file, sha256), rows=frame.height, sha256=sha256))
        return TableFile(self._called(table), None, tuple(parts))

    def _called(self, table: str) -> str:
        return self.only or f"{table}{self.format.suffix}"

    def _named(self, file: Path, sha256: str) -> str:
        """What a file that is written is called from now on."""
        return file.rename(file.with_name(by_bytes(file.name, sha256))).name if self.digests else file.name

    def made(self, draft: Draft[V], document: str, manifest: Path) -> Made[V]:
        """Write the tables, the document of this name and the manifest; audit what was written."""
        self.inside.mkdir(mode=0o700, exist_ok=True)
        written = draft.written(self)
        told = draft.document(self.kind, written)
        public = self.inside / document
        public.write_bytes(to_bytes(told))
        kept = draft.manifest(told)
        with os.fdopen(os.open(manifest, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as sealed:
            sealed.write(to_bytes(kept))
        files = [name for each in written.values() for name in [part.file for part in each.parts] or [each.file]]
        tables = tuple(self.inside / file for file in files)
        verdict = draft.audited(self.inside if self.only is None else tables[0], manifest)
        return Made(verdict, told, kept, tables, public)
