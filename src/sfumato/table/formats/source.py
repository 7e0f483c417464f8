"""A file or standard input: its bytes unpacked, its kind recognised, its columns opened; or a table of a database."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from sfumato.errors import TableError
from sfumato.policy.document import Input
from sfumato.table.databases import Address, address_of
from sfumato.table.formats import FORMATS, either, kind_of
from sfumato.table.formats.contract import OpenedFile
from sfumato.table.formats.several import SeveralFiles, files_of
from sfumato.table.storages import uri_of

__all__ = ["PACKED", "START", "frame_of", "load", "name_of", "opened", "read_raw"]

PART = 1 << 29
"""A file of more bytes is read part by part, of so many each."""

START = 16
"""Of how many bytes at the beginning of a file its kind shows."""

_GZIP = b"\x1f\x8b"
_FOREIGN = {
    b"\xd0\xcf\x11\xe0": "an old spreadsheet, or one with a password: save it as .xlsx without one, or as CSV",
    b"BZh": "packed with bzip2: unpack it, or pack it with gzip",
    b"\xfd7zXZ": "packed with xz: unpack it, or pack it with gzip",
    b"\x28\xb5\x2f\xfd": "packed with zstd: unpack it, or pack it with gzip",
    b"ARROW1": "an Arrow file: save it as Parquet",
    b"SQLite format 3": "a database: name one of its tables, as sqlite:PATH?table=NAME",
}

PACKED = (_GZIP, b"PK\x03\x04", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")
"""How files begin that are packed."""


def opened(
    path: str | Path | Address, settings: Input, lists: Sequence[str] | None = (), part: int | None = None
) -> OpenedFile:
    """The table in a file, in several (a pattern such as ``parts/*.csv``, or their folder), in standard input (``-``)
    or in a database, its columns known and its rows still to be read.

    `lists` are columns that may hold lists of texts; None: any. A file of more bytes than a `part`, if that is
    said, is read in parts of about so many. `TableError` if it is none.
    """
    part = PART if part is None else part
    address = address_of(path)
    if address is not None:
        from sfumato.table.databases.source import DatabaseTable  # with what speaks to databases

        return DatabaseTable.of(address, lists)
    files = files_of(str(path))
    if files is None:
        return _one(str(path), settings, lists, part)
    return SeveralFiles.of(str(path), files, lambda file: _one(file, settings, lists, part))


def _one(path: str | Path, settings: Input, lists: Sequence[str] | None, part: int) -> OpenedFile:
    """A file, held as a whole if it is not too large for that."""
    name, start = name_of(path), _start_of_large(path, part)
    large = None if start is None else FORMATS[kind_of(start, name)].large
    if large is None:
        return _recognised(load(path), name, settings, lists)
    return large(Path(path), name, settings, lists, part)


def _start_of_large(path: str | Path, part: int) -> bytes | None:
    """How a large file begins, unpacked; None of one that is not large, or not there."""
    file = Path(path)
    if str(path) == "-" or not file.is_file() or file.stat().st_size <= part:
        return None
    with file.open("rb") as raw:
        start = raw.read(START)
    _require_known(start, str(path))
    if not start.startswith(_GZIP):
        return start
    try:
        with gzip.open(file) as packed:
            start = packed.read(START)
    except (OSError, EOFError, zlib.error):
        raise TableError(f"{path}: the gzip file is damaged; fetch or pack it again") from None
    # A packed file of a kind that is not read from its beginning on is unpacked whole.
    return None if any(format.begins and start.startswith(format.begins) for format in FORMATS.values()) else start


def read_raw(
    path: str | Path | Address, settings: Input | None = None, lists: Sequence[str] | None = ()
) -> pl.DataFrame:
    """The table in a file, standard input or a database without a policy: what has no types of its own is text."""
    return opened(path, settings or Input(), lists).frame()


def frame_of(data: bytes, name: str, lists: Sequence[str] | None = ()) -> pl.DataFrame:
    """The table in bytes that are at hand; `name` is what messages call them."""
    return _recognised(data, name, Input(), lists).frame()


def _recognised(data: bytes, name: str, settings: Input, lists: Sequence[str] | None) -> OpenedFile:
    return FORMATS[kind_of(data[:START], name)].opened(data, name, settings, lists)


def name_of(path: str | Path | Address) -> str:
    """What messages call the source; an address without its password, a URI without its settings."""
    return "standard input" if str(path) == "-" else str(uri_of(path) or address_of(path) or path)


def load(path: str | Path) -> bytes:
    """All bytes of a file, or of standard input (``-``), with gzip taken off."""
    name = name_of(path)
    data = _raw(path, name)
    if data.startswith(_GZIP):
        data = _unpacked(data, name)
    _require_known(data[:START], name)
    return data


def _require_known(start: bytes, name: str) -> None:
    """Refuse a file that begins as those of other programs do."""
    if any(format.begins and start.startswith(format.begins) for format in FORMATS.values()):
        return
    for magic, what in _FOREIGN.items():
        if start.startswith(magic):
            raise TableError(f"{name}: is neither {_kinds('nor')}; it looks like {what}")


def _kinds(joint: str) -> str:
    return either((format.called for format in FORMATS.values()), joint)


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
            raise TableError(f"{name}: is a folder; give one {_kinds('or')} file") from None
        raise TableError(f"{name}: cannot be read: {error.strerror or type(error).__name__}") from None


def _unpacked(data: bytes, name: str) -> bytes:
    try:
        return gzip.decompress(data)
    except EOFError:
        raise TableError(f"{name}: the gzip file is cut off; fetch or pack it again") from None
    except (OSError, zlib.error):
        raise TableError(f"{name}: the gzip file is damaged; fetch or pack it again") from None
