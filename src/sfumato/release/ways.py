"""The two ways in which a release appears in a storage at once.

**By a rename**, where a folder gets another name in one step (HDFS, file systems)::

    .sfumato-out-TOKEN/claim.json     a run is at work
    .sfumato-out-TOKEN/new/           what it brings; its last step makes this ``out/``
    .sfumato-out-TOKEN/old/           what stood there before

**By its document**, where only single objects appear in one step (object stores)::

    out/.sfumato-TOKEN.json           a run is at work, and these files it brings or will remove
    out/table-00000-DIGEST.parquet    no two files with other bytes have one name, so that those of two releases stand
    out/release.json                  side by side until this, written last, names those of the new one

Whatever step a run is killed at, `clear` takes back what it did, or does away with what it replaced.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from sfumato.errors import InputError, SfumatoWarning
from sfumato.release.document_bytes import release_document
from sfumato.table.storages import storage_of
from sfumato.table.storages.stored import StoredFile, StoredFolder
from sfumato.table.storages.uri import Uri

__all__ = ["DOCUMENT", "ByDocument", "ByRename", "StorageWay", "named_by", "named_in", "way_to"]

DOCUMENT = "release.json"
_RUN = re.compile(r"[0-9a-f]{12}")
_CLAIM = re.compile(r"\.sfumato-([0-9a-f]{12})\.json")
_BY_BYTES = re.compile(r"[^/\\:]+-[0-9a-f]{16}\.[a-z]+")


class StorageWay(Protocol):
    """How a release appears in a storage.

    digests   whether files are named by their bytes
    """

    @property
    def store(self) -> StoredFolder: ...

    @property
    def digests(self) -> bool: ...

    def claims(self) -> Mapping[str, StoredFile]:
        """Tokens of the runs that are at work, or were killed, with when each said so last."""
        ...

    def claim(self, token: str) -> str:
        """Where a run says that it is at work."""
        ...

    def begin(self, token: str) -> None:
        """Make room for a claim, and for what will be brought."""
        ...

    def left(self) -> Iterable[str]:
        """Files in the folder that are of such runs."""
        ...

    def is_half_done(self) -> bool:
        """Whether a run was killed after it took away what stood there."""
        ...

    def bring(self, token: str, file: Path, sha256: str, beat: Callable[[], None]) -> None:
        """Copy a file there, which nobody reads yet, and read it again: `InputError` if it is not what was audited."""
        ...

    def appear(self, token: str, document: Path) -> None:
        """Let what was brought be the release, in one step."""
        ...

    def clear(self, token: str) -> None:
        """Remove what is not the release that stands there of what a run brought or replaced; its claim last."""
        ...


def way_to(uri: Uri) -> ByRename | ByDocument:
    """The way that the storage of a URI has."""
    return (ByRename if storage_of(uri).renames else ByDocument)(StoredFolder.at(uri))


ByNames: TypeAlias = tuple[str, Mapping[str, str | None]]
"""The SHA-256 of a document, and the files that it names with theirs."""


def named_in(store: StoredFolder) -> ByNames | None:
    """What the document says that stands there; None: there is none."""
    raw = store.read(DOCUMENT)
    return None if raw is None else named_by(raw, store.uri)


def named_by(raw: bytes, uri: Uri) -> ByNames:
    """`InputError` if it is no document of ours."""
    document, sha256 = release_document(raw, f"{uri}{DOCUMENT}")
    return sha256, {file: digest for entry in document.tables for file, digest in entry.files}


def _brought(store: StoredFolder, file: Path, name: str, sha256: str, beat: Callable[[], None]) -> None:
    """Copy a file, and compare what stands there then with what was audited."""
    store.bring(file, name, beat)
    if store.digest(name, beat) != sha256:
        raise InputError(
            f"{store.uri}: {file.name} was read again there, and is not what was written: the storage or the network"
            " changed it. Nothing was published; run again"
        )


@dataclass(frozen=True, eq=False)
class ByRename:
    """One rename. A release that is replaced goes aside in another, just before: a reader finds the old one, for a
    moment none, and then the new one; never files of both."""

    store: StoredFolder
    digests: bool = False

    @property
    def _begins(self) -> str:
        return f".sfumato-{self.store.uri.name}-"

    def _folder(self, token: str) -> str:
        return f"../{self._begins}{token}"

    def claims(self) -> Mapping[str, StoredFile]:
        begun = {name.removeprefix(self._begins): at for name, at in self.store.listed("../", self._begins).items()}
        ours = {token: at for token, at in begun.items() if _RUN.fullmatch(token)}
        return {token: self.store.listed(self._folder(token)).get("claim.json", at) for token, at in ours.items()}

    def begin(self, token: str) -> None:
        self.store.make_folder(f"{self._folder(token)}/new")

    def claim(self, token: str) -> str:
        return f"{self._folder(token)}/claim.json"

    def left(self) -> Iterable[str]:
        return ()

    def is_half_done(self) -> bool:
        return not self.store.is_there() and any(self._aside(token) for token in self.claims())

    def _aside(self, token: str) -> bool:
        return self.store.is_there(f"{self._folder(token)}/old")

    def bring(self, token: str, file: Path, sha256: str, beat: Callable[[], None]) -> None:
        _brought(self.store, file, f"{self._folder(token)}/new/{file.name}", sha256, beat)

    def appear(self, token: str, document: Path) -> None:
        self.bring(token, document, hashlib.sha256(document.read_bytes()).hexdigest(), lambda: None)
        if self.store.is_there():
            self.store.move("", f"{self._folder(token)}/old")
        self.store.move(f"{self._folder(token)}/new", "")

    def clear(self, token: str) -> None:
        if not self.store.is_there() and self._aside(token):
            self.store.move(f"{self._folder(token)}/old", "")
            warnings.warn(
                f"{self.store.uri}: a run ended while it put a release in place there; what it did was undone",
                SfumatoWarning,
                stacklevel=2,
            )
        self.store.remove_folder(self._folder(token))


@dataclass(frozen=True, eq=False)
class ByDocument:
    """The document last. A release that is replaced goes when the new document stands there: whoever begins with the
    document, and begins anew if a file that it names is gone, reads the old release or the new one."""

    store: StoredFolder
    digests: bool = True

    def claims(self) -> Mapping[str, StoredFile]:
        found = ((_CLAIM.fullmatch(name), when) for name, when in self.store.listed().items())
        return {claim[1]: when for claim, when in found if claim is not None}

    def claim(self, token: str) -> str:
        return f".sfumato-{token}.json"

    def begin(self, token: str) -> None:
        """An object store needs none."""

    def left(self) -> Iterable[str]:
        for token in self.claims():
            yield self.claim(token)
            yield from self._claimed(token)

    def _claimed(self, token: str) -> list[str]:
        """The files that a claim tells of: names that a release in an object store has, no others."""
        try:
            told = json.loads(self.store.read(self.claim(token)) or b"{}")["files"]
            return [name for name in told if isinstance(name, str) and _BY_BYTES.fullmatch(name)]
        except (ValueError, KeyError, TypeError, RecursionError):
            return []

    def is_half_done(self) -> bool:
        return False

    def bring(self, token: str, file: Path, sha256: str, beat: Callable[[], None]) -> None:
        _brought(self.store, file, file.name, sha256, beat)

    def appear(self, token: str, document: Path) -> None:
        before, written = self.store.read(DOCUMENT), document.read_bytes()
        self.store.write(DOCUMENT, written)
        found = self.store.read(DOCUMENT)
        if found != written:
            self._put_back(before, found)
            raise InputError(
                f"{self.store.uri}: {DOCUMENT} was read again there, and is not what was written: it was damaged on its"
                " way, and what stood there was put back; or another program put its own in its place. Audit it"
            )

    def _put_back(self, before: bytes | None, found: bytes | None) -> None:
        """A document that is none is what became of ours; any other is somebody's own."""
        with contextlib.suppress(InputError):
            named_by(found or b"", self.store.uri)
            return
        if before is None:
            self.store.remove(DOCUMENT)
        else:
            self.store.write(DOCUMENT, before)

    def clear(self, token: str) -> None:
        standing = named_in(self.store)
        named = {} if standing is None else standing[1]
        there = self.store.listed()
        for name in self._claimed(token):
            if name in there and name not in named:
                self.store.remove(name)
        self.store.remove(self.claim(token))
