"""What stands in the places of a release, and whether it may be replaced.

Only what sfumato wrote is replaced, and only as it was written: a valid ``release.json``, tables with the bytes that it
describes, and the manifest that belongs to it. Everything else is somebody's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sfumato.errors import InputError
from sfumato.release.commit import half_done
from sfumato.release.document_bytes import read_manifest, read_release_document
from sfumato.release.documents import ReleaseDocument
from sfumato.table.formats import endings

__all__ = ["Standing"]


@dataclass(frozen=True)
class Standing:
    """What stands in the places of a release: a folder, or a file with its document beside it, and the manifest.

    A replacement that was killed half way is looked through: what counts is what stood there before it.
    """

    path: Path
    document: Path
    manifest: Path

    @property
    def one_file(self) -> bool:
        return self.document.parent != self.path

    @property
    def places(self) -> Sequence[Path]:
        return (self.path, *([self.document] if self.one_file else []), self.manifest)

    def require_free(self, force: bool) -> None:
        """Refuse what stands there unless it may be replaced."""
        halves = half_done(self.path)
        if halves and not force:
            raise InputError(
                f"{self.path}: a run was killed while it put a release in place there; nothing was changed. Use --force"
                " (force=True): what that run did is undone, and this release takes its place"
            )
        moved = {place: kept for half in halves for place, kept in half.before.items()}
        for place in self.places:
            if place.is_symlink():
                raise InputError(f"{place} is a link; name the file or folder that it leads to")
            found = moved.get(place, place)
            if found is None or not found.exists():
                continue
            if found.is_dir() and place.suffix in (".json", *endings()):
                raise InputError(f"{place} is a folder, where a file of the release has to go; choose another name")
            if not force:
                raise InputError(f"{place} exists; nothing was changed. Use --force (force=True) to replace it whole")
            self._require_ours(place, found, moved)

    def _require_ours(self, place: Path, found: Path, moved: Mapping[Path, Path | None]) -> None:
        document = moved.get(self.document, self.document)
        if place == self.path and self.one_file:
            if document is None or not _describes(document, found):
                raise InputError(
                    f"{place} is not as sfumato wrote it: no {self.document.name} beside it describes these bytes;"
                    " nothing was changed. Move it away, or choose another name"
                )
        elif place == self.path:
            strangers = _strangers(found)
            if strangers:
                raise InputError(
                    f"{place} is not just a release: {strangers} things in it are not as sfumato wrote them and would"
                    " be lost; nothing was changed. Move them away, or choose another name"
                )
        elif not (_is_document(found) if place == self.document else self._is_manifest(found, moved)):
            raise InputError(
                f"{place} is not as sfumato wrote it for this release; nothing was changed. Move it away, or choose"
                " another name"
            )

    def _is_manifest(self, file: Path, moved: Mapping[Path, Path | None]) -> bool:
        """A manifest, and of the release that stands there, if one does."""
        folder = moved.get(self.path, self.path)
        document = moved.get(self.document, self.document)
        if not self.one_file:
            document = None if folder is None else folder / self.document.name
        try:
            manifest = read_manifest(file)
            if document is None or not document.exists():
                return True
            return manifest.release_sha256 == read_release_document(document)[1]
        except InputError:
            return False


def _document(path: Path) -> ReleaseDocument | None:
    try:
        return read_release_document(path)[0] if path.is_file() and not path.is_symlink() else None
    except InputError:
        return None


def _is_document(path: Path) -> bool:
    return _document(path) is not None


def _describes(document: Path, table: Path) -> bool:
    """Whether a document is one of ours and a table has the bytes that it describes."""
    found = _document(document)
    return found is not None and _sha256(table) in {sha256 for entry in found.tables for _, sha256 in entry.files}


def _strangers(folder: Path) -> int:
    """How many entries of a folder are not the release that it holds, byte for byte."""
    document = _document(folder / "release.json")
    tables = {} if document is None else {file: sha256 for entry in document.tables for file, sha256 in entry.files}
    return sum(not _is_part(entry, document, tables) for entry in folder.iterdir())


def _is_part(entry: Path, document: ReleaseDocument | None, tables: Mapping[str, str | None]) -> bool:
    if document is None or entry.is_symlink() or not entry.is_file():
        return False
    return entry.name == "release.json" or (entry.name in tables and _sha256(entry) == tables[entry.name])


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read, and so not be replaced ({error.strerror})") from None
