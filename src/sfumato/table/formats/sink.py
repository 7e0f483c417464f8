"""Files that are synced to disk before a writer returns, and whose bytes are known by their SHA-256."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import polars as pl
import pyarrow as pa

__all__ = ["Hashed", "hashed", "on_disk"]

_MAYBE_FULL = (errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Hashed(io.RawIOBase):
    """Passes what is written on to a file, and has its SHA-256."""

    def __init__(self, file: io.FileIO) -> None:
        super().__init__()
        self.file = file
        self.digest = hashlib.sha256()

    @property
    def sha256(self) -> str:
        return self.digest.hexdigest()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        given = memoryview(cast(bytes, data)).cast("B")
        self.digest.update(given)
        done = 0
        while done < len(given):  # a file without a buffer may take less than it is given
            done += self.file.write(given[done:])
        return done


@contextlib.contextmanager
def on_disk(path: Path) -> Iterator[Hashed]:
    """A file that is on disk when the block ends; `OSError` with its name and reason if it could not get there."""
    with path.open("wb", buffering=0) as file:
        try:
            yield Hashed(file)
            os.fsync(file.fileno())
        except (OSError, pl.exceptions.ComputeError, pa.ArrowException) as error:
            number = getattr(error, "errno", None) or errno.EIO
            if number not in _MAYBE_FULL:
                raise
            raise OSError(number, "cannot be written; is the disk full?", str(path)) from None


def hashed(file: io.BufferedReader) -> tuple[str, int]:
    """The SHA-256 of an open file, and its size; it stands at its beginning again."""
    file.seek(0)
    sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    size = file.tell()
    file.seek(0)
    return sha256, size
