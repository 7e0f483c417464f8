"""Read CSV as text: every column a column of texts, nothing guessed, filled up or dropped.

A field is missing only if it is empty and unquoted and the empty field stands for a missing value; ``""`` is an empty
text. In a table of several columns a blank line is no row; in a table of one column it is a row with an empty field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import polars as pl
import pyarrow as pa
import pyarrow.csv as pacsv

from sfumato.errors import TableError
from sfumato.policy.document import Input
from sfumato.table.arrow import Raw
from sfumato.table.formats.csv.grammar import first_fault, quotes_at_edges, split_by
from sfumato.table.formats.text import as_utf8, line_at
from sfumato.table.origin import Origin
from sfumato.table.words import counted

__all__ = ["DELIMITERS", "CsvFile"]

DELIMITERS = (b",", b";", b"\t", b"|")
_BLOCK = 1 << 22
_LARGEST_BLOCK = (1 << 31) - 1


@dataclass(frozen=True, eq=False)
class CsvFile:
    """A CSV file whose header was read; its rows are still to come.

    `name` is what messages call the file. Of a part of a file, `before` lines of it are no part of the text, but for
    the header, which every part begins with.
    """

    name: str
    names: Sequence[str]
    text: bytes = field(repr=False)
    delimiter: bytes
    empty_is_missing: bool
    before: int = 0

    @classmethod
    def of(cls, data: bytes, name: str, settings: Input, lists: Sequence[str] | None = ()) -> CsvFile:
        """`TableError` if the bytes are not those of a table."""
        text = as_utf8(data, settings.encoding, name)
        if not text or text.isspace():
            raise TableError(f"{name}: is empty; the first line must name the columns")
        delimiter, names = _header(text, settings.delimiter, name)
        return cls(name, names, text, delimiter, "" in settings.missing_values)

    def parts(self, wanted: Sequence[str]) -> Iterator[tuple[Raw, Origin]]:
        """Some columns, at least one, each with a dictionary per block; every record is checked, every field counted.

        Nothing of what is answered holds on to the text.
        """
        table, by_line = self._table(pa.dictionary(pa.int32(), pa.large_string()), wanted)
        yield {name: table.column(name) for name in table.column_names}, Origin("csv", self.name, by_line)

    def frame(self) -> pl.DataFrame:
        """All columns, a text per row."""
        return cast(pl.DataFrame, pl.from_arrow(self._table(pa.large_string(), self.names)[0]))

    def _table(self, kind: pa.DataType, wanted: Sequence[str]) -> tuple[pa.Table, bool]:
        """Columns as texts of some kind, and whether every row stands on one line of its own."""
        if b'"' in self.text and not quotes_at_edges(self.text, self.delimiter):
            self._require_records()
        table, ragged = self._parsed(kind, wanted)
        if ragged:
            self._require_records(len(self.names), ragged)
        lines = line_at(self.text, len(self.text)) - self.text.endswith((b"\n", b"\r"))
        return table, lines == table.num_rows + 1

    def _require_records(self, width: int | None = None, count: int = 1) -> None:
        _require_records(self.text, self.delimiter, self.name, width, count, self.before)

    def _parsed(self, kind: pa.DataType, wanted: Sequence[str]) -> tuple[pa.Table, int]:
        """The rows below the header, and how many were left out for their width."""
        convert = pacsv.ConvertOptions(
            include_columns=list(wanted),
            column_types=dict.fromkeys(wanted, kind),
            null_values=[""] if self.empty_is_missing else [],
            strings_can_be_null=self.empty_is_missing,
            quoted_strings_can_be_null=False,
            check_utf8=False,
        )
        try:
            return _table(self.text, self.delimiter, self.names, self.name, convert), 0
        except pa.ArrowInvalid:
            ragged: list[None] = []
            return _table(self.text, self.delimiter, self.names, self.name, convert, ragged), len(ragged)


def _header(text: bytes, given: str | None, name: str) -> tuple[bytes, list[str]]:
    """The delimiter and the names of the columns, each checked."""
    if text.startswith((b"\n", b"\r")):
        raise TableError(f"{name}: line 1 is blank; the first line must name the columns")
    if given is not None and (not given.isascii() or given in '"\r\n\0'):
        raise TableError(f"input.delimiter: {given!r} cannot separate fields; use one ASCII character that is no quote")
    choices = DELIMITERS if given is None else (given.encode(),)
    found = split_by(text, choices)
    fits = [choice for choice, fields in found.items() if len(fields) > 1]
    if len(fits) > 1:
        ways = " or ".join(repr(choice.decode()) for choice in fits)
        raise TableError(f"{name}: the header can be split at {ways}; set input.delimiter")
    delimiter = fits[0] if fits else choices[0]
    if delimiter not in found:
        _require_records(text, delimiter, name)
    names = [field.decode() for field in found[delimiter]]
    _check_names(names, name)
    return delimiter, names


def _check_names(names: Sequence[str], name: str) -> None:
    places: dict[str, list[int]] = {}
    for place, each in enumerate(names, 1):
        places.setdefault(each, []).append(place)
    wrong = []
    empty = [place for each, found in places.items() if not each.strip() for place in found]
    if empty:
        hint = " (a delimiter too many at the end of the header?)" if empty == [len(names)] else ""
        wrong.append(f"column {', '.join(map(str, sorted(empty)))} has no name{hint}")
    for each, found in places.items():
        if len(found) > 1 and each.strip():
            wrong.append(f"one name stands {len(found)} times, in columns {', '.join(map(str, found))}")
    if wrong:
        raise TableError(f"{name}: header: {'; '.join(wrong)}; every column needs a name of its own")


def _table(
    text: bytes,
    delimiter: bytes,
    header: Sequence[str],
    name: str,
    convert: pacsv.ConvertOptions,
    ragged: list[None] | None = None,
) -> pa.Table:
    """Parse block by block, with one thread: what is read ahead would be held besides, and costs more work in all.

    Arrow's threads can also abort a process that ends as soon as they begin, as can those of its reader for streams,
    which has some in any case, and a handler that several of them call. With `ragged`, rows of another width are left
    out and counted there.
    """

    def skip(row: pacsv.InvalidRow) -> str:
        if ragged is not None:
            ragged.append(None)
        return "skip"

    parse = pacsv.ParseOptions(
        delimiter=delimiter.decode(),
        newlines_in_values=b'"' in text,
        ignore_empty_lines=len(header) > 1,
        invalid_row_handler=None if ragged is None else skip,
    )
    block = _BLOCK
    while True:
        # The header is read as a row and cut off, since Arrow strips a byte order mark from whatever comes first.
        options = pacsv.ReadOptions(column_names=list(header), block_size=block, use_threads=False)
        try:
            return pacsv.read_csv(pa.BufferReader(pa.py_buffer(text)), options, parse, convert).slice(1)
        except pa.ArrowInvalid:
            if ragged is None:
                raise
            # Only a record longer than a block is left to go wrong.
            if block >= min(len(text), _LARGEST_BLOCK):
                raise TableError(f"{name}: a row is longer than 2 GiB") from None
            block = min(block * 8, _LARGEST_BLOCK)
            ragged.clear()


def _require_records(
    text: bytes, delimiter: bytes, name: str, width: int | None = None, count: int = 1, before: int = 0
) -> None:
    """Refuse a text with a malformed record or, if a width is given, with one of another width (`count` of them).

    So many lines stand `before` the text.
    """
    fault = first_fault(text, delimiter, width)
    if fault is None:
        return
    if fault.fields is not None:
        line = before + line_at(text, fault.offset)
        fields = counted(fault.fields, "field")
        more = f"; {count} rows in all have a wrong number of fields" if count > 1 else ""
        remedy = f"quote fields that hold {delimiter.decode()!r}, or set input.delimiter"
        raise TableError(f"{name}: line {line} has {fields}, the header has {width}{more}; {remedy}")
    line, words = fault.words(text, before)
    raise TableError(f"{name}: line {line}: {words}")
