"""Read a file again that a sink wrote: as dictionaries, and with what its bytes are like.

CSV as a sink writes it is cut into blocks of whole rows that are parsed side by side, a few at a time, so that neither
the file nor a text per row is ever in memory. A file that is written otherwise is read whole, as that of a stranger.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from sfumato.errors import TableError
from sfumato.policy.document import Input
from sfumato.table.dictionaries import Coded, from_pieces
from sfumato.table.frames import from_frame
from sfumato.table.grammar import quotes_at_edges, record
from sfumato.table.read import read_raw
from sfumato.table.sink import header_line

__all__ = ["Reread", "reread"]

Piece: TypeAlias = tuple[Coded, pa.Array]
"""Codes of some rows and the texts that they stand for; a code behind them is a missing value."""

_BLOCK = 1 << 22
_AT_ONCE = 2
_TRIES = 1000
_MARK = b"\xef\xbb\xbf"
_DICTIONARY = pa.dictionary(pa.int32(), pa.large_string())


class _Strange(Exception):
    """Bytes that are not those of a sink."""


@dataclass(frozen=True, eq=False)
class Reread:
    """A table file, read.

    frame    columns of texts may be dictionaries; all others have their own types
    sha256   of its bytes, of which there are `size`
    plain    CSV that begins with its header as a sink writes it; whose lines end with LF, also the last; that has no
             CR; whose quotes open or close whole fields, or are doubled inside them
    """

    frame: pl.DataFrame
    sha256: str
    size: int
    plain: bool = False


def reread(path: Path, lists: Sequence[str] = ()) -> Reread:
    """The table in a file; `lists` are columns that may hold lists of texts. `TableError` if it holds no table."""
    with path.open("rb") as file:
        if file.read(4) != b"PAR1":
            try:
                file.seek(0)
                return _plain(file)
            except _Strange:
                pass
        file.seek(0)
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        size = file.tell()
        file.seek(0)
        frame = _parquet(file, str(path), lists) if file.read(4) == b"PAR1" else None
    return Reread(read_raw(path, Input(delimiter=","), lists) if frame is None else frame, sha256, size)


def _parquet(file: BinaryIO, name: str, lists: Sequence[str]) -> pl.DataFrame:
    try:
        fields = pq.ParquetFile(file).schema_arrow
        texts = [
            field.name for field in fields if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
        ]
        table = pq.ParquetFile(file, read_dictionary=texts).read()
    except (pa.ArrowException, OSError):
        raise TableError(f"{name}: the Parquet file is damaged or cut off; fetch or write it again") from None
    from_frame(table.slice(0, 0), name, lists)  # names and types are those of a table
    others = [field.name for field in table.schema if not pa.types.is_dictionary(field.type)]
    rest = from_frame(table.select(others), name, lists)[0]
    return pl.DataFrame([rest[each] if each in others else _joined(table, each) for each in table.column_names])


def _joined(table: pa.Table, name: str) -> pl.Series:
    return from_pieces(name, [_piece(chunk.cast(_DICTIONARY)) for chunk in table.column(name).chunks])


def _piece(column: pa.DictionaryArray) -> Piece:
    size = len(column.dictionary)
    codes = column.indices.fill_null(size).to_numpy(zero_copy_only=False)
    return codes.astype(np.min_scalar_type(size)), column.dictionary


def _plain(file: BinaryIO) -> Reread:
    """The table in a CSV file as a sink writes it; `_Strange` if it is not so."""
    digest, size = hashlib.sha256(), 0
    names: list[str] = []
    columns: list[list[Piece]] = []
    waiting: deque[Future[list[list[Piece]]]] = deque()

    def take() -> None:
        for column, pieces in zip(columns, waiting.popleft().result(), strict=True):
            column.extend(pieces)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for block in _blocks(file):
            if not size:
                names = _names(block)
                columns = [[] for _ in names]
            waiting.append(pool.submit(_parsed, block, names, 0 if size else len(header_line(names))))
            digest.update(block)
            size += len(block)
            if len(waiting) > _AT_ONCE:
                take()
        while waiting:
            take()
    if not size:
        raise _Strange
    made = [from_pieces(name, columns.pop(0)) for name in names]
    return Reread(pl.DataFrame(made), digest.hexdigest(), size, plain=True)


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    """All bytes in order, cut behind the end of a row."""
    rest = b""
    while piece := file.read(_BLOCK):
        whole = rest + piece
        cut = _end(whole)
        yield whole[:cut]
        rest = whole[cut:]
    if rest:
        raise _Strange


def _end(text: bytes) -> int:
    """Where the last whole row ends of a text that begins with one: behind an LF after an even number of quotes."""
    at, quotes = len(text), text.count(b'"') if b'"' in text else 0
    for _ in range(_TRIES):
        found = text.rfind(b"\n", 0, at)
        if found < 0:
            break
        quotes -= text.count(b'"', found, at) if quotes else 0
        if quotes % 2 == 0:
            return found + 1
        at = found
    raise _Strange


def _names(text: bytes) -> list[str]:
    """The names of the columns, each its own."""
    try:
        names = [field.decode() for field in record(text, b",") or ()]
    except UnicodeDecodeError:
        raise _Strange from None
    if not names or len(set(names)) < len(names) or not all(map(str.strip, names)):
        raise _Strange
    if not text.startswith(header_line(names)):
        raise _Strange
    return names


def _parsed(text: bytes, names: list[str], start: int) -> list[list[Piece]]:
    """Whole rows of a file from some place on, column by column."""
    rows = text[start:]
    if not rows:
        return [[] for _ in names]
    if b"\r" in rows or b"\0" in rows or rows.startswith(_MARK):
        raise _Strange
    quoted = b'"' in rows
    if quoted and not quotes_at_edges(rows, b","):
        raise _Strange
    options = pacsv.ReadOptions(column_names=names, block_size=len(rows), use_threads=False)
    parse = pacsv.ParseOptions(newlines_in_values=quoted, ignore_empty_lines=len(names) > 1)
    convert = pacsv.ConvertOptions(
        column_types=dict.fromkeys(names, _DICTIONARY),
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
        check_utf8=not rows.isascii(),
    )
    try:
        table = pacsv.read_csv(pa.BufferReader(pa.py_buffer(rows)), options, parse, convert)
    except pa.ArrowInvalid:
        raise _Strange from None
    return [[_piece(chunk) for chunk in column.chunks] for column in table.columns]
