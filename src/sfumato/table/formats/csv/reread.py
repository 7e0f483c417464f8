"""Read a CSV file again that the sink wrote, as dictionaries.

It is cut into blocks of whole rows that are parsed side by side, a few at a time, so that neither the file nor a text
per row is ever in memory.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from io import BufferedReader

import polars as pl
import pyarrow as pa
import pyarrow.csv as pacsv

from sfumato.table.dictionaries import Piece, from_pieces, piece
from sfumato.table.formats.contract import Reread
from sfumato.table.formats.csv.grammar import quotes_at_edges, record
from sfumato.table.formats.csv.sink import DELIMITER, header_line

__all__ = ["read_back"]

_BLOCK = 1 << 22
_AT_ONCE = 2
_TRIES = 1000
_MARK = b"\xef\xbb\xbf"
_DICTIONARY = pa.dictionary(pa.int32(), pa.large_string())


class _Strange(Exception):
    """Bytes that are not those of the sink."""


def read_back(file: BufferedReader, name: str, lists: Sequence[str]) -> Reread | None:
    """The table in a CSV file as the sink writes it; None if it is not so.

    It is then plain: it begins with its header as the sink writes it; its lines end with LF, also the last; it has no
    CR; its quotes open or close whole fields, or are doubled inside them.
    """
    try:
        return _plain(file)
    except _Strange:
        return None


def _plain(file: BufferedReader) -> Reread:
    """The table; `_Strange` if the bytes are not those of the sink."""
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


def _blocks(file: BufferedReader) -> Iterator[bytes]:
    """All bytes in order, cut behind the end of a row."""
    rest = b""
    while more := file.read(_BLOCK):
        whole = rest + more
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
        names = [field.decode() for field in record(text, DELIMITER.encode()) or ()]
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
    if quoted and not quotes_at_edges(rows, DELIMITER.encode()):
        raise _Strange
    options = pacsv.ReadOptions(column_names=names, block_size=len(rows), use_threads=False)
    parse = pacsv.ParseOptions(delimiter=DELIMITER, newlines_in_values=quoted, ignore_empty_lines=len(names) > 1)
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
    return [[piece(chunk) for chunk in column.chunks] for column in table.columns]
