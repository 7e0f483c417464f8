"""Read a file again that a sink wrote, whatever its kind: its cells, and what its bytes are like."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sfumato.table.formats import FORMATS, kind_of
from sfumato.table.formats.contract import Reread
from sfumato.table.formats.sink import hashed
from sfumato.table.formats.source import START, opened

__all__ = ["reread"]


def reread(path: Path, lists: Sequence[str] = ()) -> Reread:
    """The table in a file; `lists` are columns that may hold lists of texts. `TableError` if it holds no table.

    A file that is written otherwise than a sink does it is read whole, as that of a stranger.
    """
    with path.open("rb") as file:
        format = FORMATS[kind_of(file.read(START), path.name)]
        file.seek(0)
        found = format.reread(file, str(path), lists)
        if found is not None:
            return found
        sha256, size = hashed(file)
    return Reread(opened(path, format.written, lists).frame(), sha256, size)
