"""The bytes of a file or of standard input, unpacked; what they are is decided by how they begin."""

from __future__ import annotations

import gzip
import sys
import zlib
from pathlib import Path

from sfumato.errors import TableError

__all__ = ["is_parquet", "load", "name_of"]

_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_FOREIGN = {
    b"PK\x03\x04": "a spreadsheet or ZIP archive: save the sheet as CSV, or unpack it",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet: save the sheet as CSV",
    b"BZh": "packed with bzip2: unpack it, or pack it with gzip",
    b"\xfd7zXZ": "packed with xz: unpack it, or pack it with gzip",
    b"\x28\xb5\x2f\xfd": "packed with zstd: unpack it, or pack it with gzip",
    b"ARROW1": "an Arrow file: save it as Parquet",
    b"SQLite format 3": "a database: export the table as CSV or Parquet",
}


def name_of(path: str | Path) -> str:
    """What messages call the source."""
    return "standard input" if str(path) == "-" else str(path)


def is_parquet(data: bytes) -> bool:
    """Whether the bytes are a Parquet file."""
    return data.startswith(_PARQUET)


def load(path: str | Path) -> bytes:
    """All bytes of a file, or of standard input (``-``), with gzip taken off."""
    name = name_of(path)
    data = _raw(path, name)
    if data.startswith(_GZIP):
        data = _unpacked(data, name)
    for magic, what in _FOREIGN.items():
        if data.startswith(magic):
            raise TableError(f"{name}: is neither CSV nor Parquet; it looks like {what}")
    return data


def _raw(path: str | Path, name: str) -> bytes:
    if str(path) == "-":
        if sys.stdin is None:
            raise TableError("standard input is closed; give a file, or send the table to standard input")
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise TableError(f"{name}: no such file") from None
    except OSError as error:
        if Path(path).is_dir():
            raise TableError(f"{name}: is a folder; give one CSV or Parquet file") from None
        raise TableError(f"{name}: cannot be read: {error.strerror or type(error).__name__}") from None


def _unpacked(data: bytes, name: str) -> bytes:
    try:
        return gzip.decompress(data)
    except EOFError:
        raise TableError(f"{name}: the gzip file is cut off; fetch or pack it again") from None
    except (OSError, zlib.error):
        raise TableError(f"{name}: the gzip file is damaged; fetch or pack it again") from None
