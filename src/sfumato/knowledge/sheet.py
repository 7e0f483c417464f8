"""Knowledge in rows and columns: a table file, or a frame, with the place of every row for messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from sfumato.errors import InputError, one_line
from sfumato.policy.document import Input
from sfumato.table.formats import FORMATS, PLAIN, endings, kind_of
from sfumato.table.formats.contract import Record
from sfumato.table.formats.csv.grammar import split_by
from sfumato.table.formats.csv.lines import Malformed
from sfumato.table.formats.source import START
from sfumato.table.formats.text import bytes_in, text_of_bytes
from sfumato.taxonomy.text import text_of

__all__ = ["Cell", "Sheet", "file_text", "frame_sheet", "read_sheet"]

Cell = str | list[str]
_DELIMITERS = (b",", b";", b"\t")


@dataclass(frozen=True)
class Sheet:
    """A table as text: its name, its columns, and rows with the place where each stands; a missing cell is empty."""

    name: str
    columns: list[str]
    rows: list[tuple[str, list[Cell]]]

    def column(self, wanted: str | None, default: int, what: str) -> int:
        """The place of a column, by its name if one is given."""
        if wanted is None:
            if default < len(self.columns):
                return default
            raise InputError(f"{self.name}: has no column for {what}; it needs one after the labels")
        if wanted not in self.columns:
            names = ", ".join(map(one_line, self.columns))
            raise InputError(f"{self.name}: has no column {wanted!r} for {what}; its columns are {names}")
        return self.columns.index(wanted)

    def error(self, place: str, column: int, message: str) -> InputError:
        return InputError(f"{self.name}: {place}, column {self.columns[column]!r}: {message}")


def read_sheet(path: Path, delimiter: str | None = None, comments: bool = False) -> Sheet:
    """The table in a file of any kind; its first line, or its schema, names the columns.

    comments   lines of a text that begin with ``#`` are none of it
    """
    data = bytes_in(path, "knowledge table", _error(path.name))
    kind = kind_of(data[:START], path.name)
    if kind == PLAIN:  # no other kind claims the bytes: then the name is believed
        kind = endings().get(path.suffix.lower(), PLAIN)
    format = FORMATS[kind]
    if format.records is None:
        return frame_sheet(format.opened(data, path.name, Input(), None).frame(), path.name)
    text = text_of_bytes(data, _error(path.name))
    if comments:  # blank lines are no rows, and places stay as they are
        text = "\n".join("" if line.startswith("#") else line for line in text.splitlines())
    return _of_records(text, path.name, delimiter, format.records)


def file_text(path: Path) -> str:
    """A file as text; an error that names it otherwise."""
    return text_of_bytes(bytes_in(path, "knowledge table", _error(path.name)), _error(path.name))


def _error(name: str) -> Callable[[str, int | None], InputError]:
    return lambda words, line: InputError(f"{name}: {words}" if line is None else f"{name}: line {line}: {words}")


def _of_records(text: str, name: str, delimiter: str | None, records: Callable[[str, str], Iterator[Record]]) -> Sheet:
    """The table in a text with a header; blank lines are no rows."""
    try:
        found = [
            (f"line {line}", [cell.strip() for cell in cells])
            for line, cells in records(text, delimiter or _delimiter(text, name))
            if any(map(str.strip, cells))
        ]
    except Malformed as error:
        raise _error(name)(error.words, error.line) from None
    if not found:
        raise InputError(f"{name}: is empty; the first line must name the columns")
    place, names = found[0]
    if "" in names or len(set(names)) < len(names):
        raise InputError(f"{name}: {place}: every column needs a name of its own")
    rows: list[tuple[str, list[Cell]]] = []
    for place, cells in found[1:]:
        if len(cells) != len(names):
            wrong = f"{len(cells)} fields, the header {len(names)}"
            raise InputError(f"{name}: {place} has {wrong}; quote fields with a delimiter in them")
        rows.append((place, [*cells]))
    return Sheet(name, names, rows)


def _delimiter(text: str, name: str) -> str:
    header = text.lstrip()
    found = [each.decode() for each, fields in split_by(header.encode(), _DELIMITERS).items() if len(fields) > 1]
    if len(found) > 1:
        line = text[: len(text) - len(header)].count("\n") + 1
        ways = " or ".join(map(repr, found))
        raise InputError(f"{name}: line {line}: the header can be split at {ways}; give the delimiter")
    return found[0] if found else ","


def frame_sheet(frame: Any, name: str = "knowledge") -> Sheet:
    """The table in a frame of any library that streams Arrow data; a column may hold lists of terms."""
    table = frame if isinstance(frame, pl.DataFrame) else pl.DataFrame(pa.table(frame))
    rows = [(f"row {at}", [_cell(value) for value in row]) for at, row in enumerate(table.iter_rows(), 1)]
    return Sheet(name, table.columns, rows)


def _cell(value: Any) -> Cell:
    if value is None:
        return ""
    if isinstance(value, list):
        return [text_of(each).strip() for each in value if each is not None]
    if isinstance(value, bool):
        return "1" if value else "0"
    return text_of(value).strip()
