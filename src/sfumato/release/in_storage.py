"""A release in a storage, fetched to this machine to be read: its document, and the files that this names."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sfumato.errors import InputError
from sfumato.release.document_bytes import read_release_document
from sfumato.release.ways import DOCUMENT, named_in, way_to
from sfumato.table.storages.stored import StoredFolder
from sfumato.table.storages.uri import Uri
from sfumato.table.words import counted

__all__ = ["fetched"]

_TRIES = 3


@contextlib.contextmanager
def fetched(uri: Uri) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """A private folder with the release, gone afterwards, and what is wrong with the place that it came from.

    Should it be replaced meanwhile, its new document is begun with again.
    """
    store = way_to(uri).store
    for left in reversed(range(_TRIES)):
        with tempfile.TemporaryDirectory(prefix="sfumato-") as private:
            folder = Path(private) / uri.name
            folder.mkdir()
            sha256 = _document_at(store)
            try:
                problems = _copied(store, folder)
            except InputError:
                if not left or _document_at(store) == sha256:
                    raise
                continue
            if left and _document_at(store) != sha256:
                continue
            yield folder, problems
            return


def _document_at(store: StoredFolder) -> str:
    standing = named_in(store)
    if standing is None:
        raise InputError(f"{store.uri}: has no {DOCUMENT}, so there is no release")
    return standing[0]


def _copied(store: StoredFolder, folder: Path) -> tuple[str, ...]:
    """Fetch the document and what it names, as far as it is there: whoever opens the folder says what is missing."""
    there = store.listed()
    with (folder / DOCUMENT).open("wb") as goal:
        store.fetch(DOCUMENT, goal)
    document, _ = read_release_document(folder / DOCUMENT)
    named = {file for entry in document.tables for file, _ in entry.files}
    for name in sorted(named & there.keys()):
        with (folder / name).open("wb") as goal:
            store.fetch(name, goal)
    extra = len(there.keys() - {DOCUMENT, *named})
    if not extra:
        return ()
    return (
        f"the folder holds {counted(extra, 'thing')} that {DOCUMENT} does not name: a run is at work there, or was"
        " killed, and files of another release may stand beside this one; the next run with --force removes them",
    )
