"""Where a release goes: a folder, one table file with its documents beside it, tables of a database, or a storage."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeAlias, TypeVar

import polars as pl

from sfumato.release.documents import Manifest, PartEntry, ReleaseDocument
from sfumato.table.databases import Address, address_of
from sfumato.table.labels import LabelsOf
from sfumato.table.storages import uri_of

__all__ = ["Draft", "Files", "Place", "Put", "TableFile", "Target"]

V = TypeVar("V")
V_co = TypeVar("V_co", covariant=True)


@dataclass(frozen=True)
class TableFile:
    """What the file of a table, or its table in a database, is called, and the SHA-256 of its bytes, or cells; of one
    in several files, these."""

    file: str
    sha256: str | None
    parts: tuple[PartEntry, ...] = ()


Files: TypeAlias = Mapping[str, TableFile]
"""By the name of the table."""


class Place(Protocol):
    """Where the files of a release are written before anybody sees them.

    lists     whether a cell can be a list of texts there
    private   a folder of one's own, on the same disk; gone afterwards
    """

    @property
    def lists(self) -> bool: ...

    @property
    def private(self) -> Path: ...

    def whole(self, table: str, frame: pl.DataFrame, labels: LabelsOf) -> TableFile:
        """A table in one file."""
        ...

    def in_parts(self, table: str, frames: Iterable[pl.DataFrame]) -> TableFile:
        """A table in several, of which each is written before the next is made."""
        ...


class Draft(Protocol[V_co]):
    """A release that is about to be written, as a target asks for it. `V` is what an audit answers.

    kind   of table file that it is written in unless another is asked for
    """

    @property
    def kind(self) -> str: ...

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def labels(self) -> LabelsOf:
        """What is said of columns and of their values beside the cells."""
        ...

    def tables(self, lists: bool) -> Mapping[str, pl.DataFrame]:
        """The tables, with sets of terms as lists if a cell can be one."""
        ...

    def written(self, place: Place) -> Files:
        """Write the tables into files."""
        ...

    def document(self, kind: str, files: Files) -> ReleaseDocument: ...

    def manifest(self, document: ReleaseDocument) -> Manifest: ...

    def audited(self, written: object, manifest: Path) -> V_co:
        """Judge what was written; `AuditFailed` if it does not keep the promise."""
        ...


@dataclass(frozen=True)
class Put(Generic[V]):
    """What is public now: files, tables of a database, or files of a storage; what the audit of it said; and the
    documents, of which the sealed one counts rows as the tables have them in memory."""

    verdict: V
    document: ReleaseDocument
    sealed: Manifest
    files: tuple[Path, ...] = ()
    tables: tuple[Address, ...] = ()
    uris: tuple[str, ...] = ()


class Target(ABC):
    """A place that was free, or may be replaced, when it was chosen."""

    @classmethod
    def of(cls, path: str | Path, force: bool = False, kind: str | None = None) -> Target:
        """Check a place before any work is done for it: a path, the address of a table in a database, or the URI of a
        folder in a storage."""
        uri = uri_of(path)
        if uri is not None:
            from sfumato.release.storage_target import StorageTarget  # with what speaks to storages

            return StorageTarget.at(uri, force, kind)
        address = address_of(path)
        if address is None:
            from sfumato.release.file_target import FileTarget

            return FileTarget.at(path, force, kind)
        from sfumato.release.database_target import DatabaseTarget  # with what speaks to databases

        return DatabaseTarget.at(address, force, kind)

    force: bool

    @property
    @abstractmethod
    def manifest(self) -> Path:
        """Where the internal manifest goes."""

    @property
    @abstractmethod
    def paths(self) -> tuple[Path, ...]:
        """Files and folders that it writes."""

    @property
    @abstractmethod
    def folder(self) -> Path | None:
        """The folder that is sent away, if it is one."""

    @property
    @abstractmethod
    def in_parts(self) -> bool:
        """Whether a table may stand there in several files."""

    @abstractmethod
    def __str__(self) -> str:
        """What messages call it; never with a password."""

    @abstractmethod
    def require_room(self, tables: int) -> None:
        """Refuse a place that does not take so many tables."""

    @abstractmethod
    def require_other_than(self, inputs: Iterable[str | Path]) -> None:
        """Refuse to write over what the release is made from."""

    @abstractmethod
    def put(self, draft: Draft[V]) -> Put[V]:
        """Write, audit what was written, then let it appear at once: all of it, or nothing.

        A `KeyboardInterrupt` says whether the release was written:
        what is begun is finished first.
        """
