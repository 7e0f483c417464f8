"""Files of a storage: listed, read, written and moved; what goes wrong is said without a word of the library's.

Errors of storages may repeat keys of requests and what stands in them: of theirs, only a code is passed on.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from sfumato.errors import InputError
from sfumato.table.storages import storage_of
from sfumato.table.storages.uri import Uri

__all__ = ["StoredFile", "StoredFolder"]

_CODE = re.compile(r"AWS Error ([A-Z_]+)|Status\(([A-Z_]+):")
_PIECE = 8 << 20
"""Bytes that are in memory at a time."""


@dataclass(frozen=True)
class StoredFile:
    """A file of a storage: its size and when it was written, by the storage's clock."""

    size: int
    written: float


def _nothing() -> None:
    return


@dataclass(frozen=True, eq=False)
class StoredFolder:
    """A folder of a storage, and what is beside it. Names are relative to the folder; ``../`` is beside it.

    Long transfers call `beat` between two pieces.
    """

    uri: Uri
    files: Any = field(repr=False)

    @classmethod
    def at(cls, uri: Uri) -> StoredFolder:
        """`InputError` if it cannot be reached, or there is no such bucket."""
        made = cls(uri, storage_of(uri).opened(uri))
        root = storage_of(uri).root(uri)
        with made._telling("reached"):
            if root.strip("/") and not made._is_there(root.strip("/")):
                raise InputError(f"{uri}: there is no such bucket, or it cannot be seen; make it first")
        return made

    def path(self, name: str = "") -> str:
        """What the storage calls a file, or the folder itself."""
        folders = [*self.uri.folders]
        if name.startswith("../"):
            folders, name = folders[:-1], name.removeprefix("../")
        return storage_of(self.uri).root(self.uri) + "/".join([*folders, *([name] if name else [])])

    def listed(self, name: str = "", begins: str = "") -> dict[str, StoredFile]:
        """The files below a folder, by their names from there on; of those beside this one, that `begin` so."""
        from pyarrow.fs import FileSelector, FileType

        top = self.path(name)
        with self._telling("listed"):
            infos = self.files.get_file_info(FileSelector(top, allow_not_found=True, recursive=not begins))
            infos = [each for each in infos if each.base_name.startswith(begins)] if begins else infos
            return {
                each.path[len(top) :].lstrip("/"): StoredFile(each.size or 0, (each.mtime_ns or 0) / 1e9)
                for each in infos
                if begins or each.type == FileType.File
            }

    def is_there(self, name: str = "") -> bool:
        with self._telling("looked at"):
            return self._is_there(self.path(name))

    def _is_there(self, path: str) -> bool:
        from pyarrow.fs import FileType

        return bool(self.files.get_file_info(path).type != FileType.NotFound)

    def read(self, name: str) -> bytes | None:
        """The bytes of a small file; None: there is none."""
        with self._telling("read"):
            try:
                with self.files.open_input_stream(self.path(name), compression=None) as stream:
                    return bytes(stream.read())
            except FileNotFoundError:
                return None

    def digest(self, name: str, beat: Callable[[], None] = _nothing) -> str:
        """SHA-256 of the bytes that stand there."""
        found = hashlib.sha256()
        for piece in self._pieces(name):
            found.update(piece)
            beat()
        return found.hexdigest()

    def fetch(self, name: str, goal: IO[bytes]) -> None:
        """Copy a file to this machine."""
        for piece in self._pieces(name):
            goal.write(piece)

    def _pieces(self, name: str) -> Iterator[bytes]:
        with self._telling("read"):
            stream = self.files.open_input_stream(self.path(name), compression=None)
        with stream:
            while True:
                with self._telling("read"):
                    piece = stream.read(_PIECE)
                if not piece:
                    return
                yield piece

    def write(self, name: str, data: bytes) -> None:
        """A small file, in one step where the storage has such a thing."""
        with self._telling("written to"), self.files.open_output_stream(self.path(name), compression=None) as stream:
            stream.write(data)

    def bring(self, source: Path, name: str, beat: Callable[[], None] = _nothing) -> None:
        """Copy a file of this machine there."""
        there = self.path(name)
        with (
            source.open("rb") as file,
            self._telling("written to"),
            self.files.open_output_stream(there, compression=None) as stream,
        ):
            while piece := file.read(_PIECE):
                stream.write(piece)
                beat()

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with self._telling("cleared"), contextlib.suppress(FileNotFoundError):
            self.files.delete_file(self.path(name))

    def make_folder(self, name: str) -> None:
        with self._telling("written to"):
            self.files.create_dir(self.path(name), recursive=True)

    def remove_folder(self, name: str) -> None:
        """Remove a folder with all that is in it, if it is there."""
        with self._telling("cleared"), contextlib.suppress(FileNotFoundError):
            self.files.delete_dir(self.path(name))

    def move(self, name: str, goal: str) -> None:
        """Give a folder another name, in one step; there must be nothing of that name."""
        with self._telling("written to"):
            if self._is_there(self.path(goal)):
                raise InputError(f"{self.uri}: another program put something there meanwhile; nothing was changed")
            self.files.move(self.path(name), self.path(goal))

    @contextlib.contextmanager
    def _telling(self, done: str) -> Iterator[None]:
        """Errors of the library in words of our own."""
        import pyarrow

        try:
            yield
        except FileNotFoundError:
            raise InputError(f"{self.uri}: a file that should be there is not, or its bucket or folder") from None
        except (OSError, pyarrow.ArrowException) as error:
            code = _CODE.search(str(error))
            why = (code[1] or code[2]) if code else _plain(error)
            raise InputError(
                f"{self.uri}: cannot be {done} ({why}); look at its name, your network and your rights. Keys come from"
                f" {storage_of(self.uri).keys}"
            ) from None


def _plain(error: Exception) -> str:
    """What the system said, if it was the system: a library's own words are left out."""
    number = getattr(error, "errno", None)
    return os.strerror(number) if number else type(error).__name__
