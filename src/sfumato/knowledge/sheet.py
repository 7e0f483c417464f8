"""Knowledge in rows and columns: a CSV or Parquet file, or a frame, with the place of every row for messages."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from sfumato.errors import InputError, one_line
from sfumato.taxonomy.text import text_of

__all__ = ["Sheet", "csv_sheet", "file_text", "frame_sheet", "parquet_sheet"]

Cell = str | list[str]
_DELIMITERS = (",", ";", "\t")


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


def file_text(path: Path) -> str:
    """A file as text; an error that names it otherwise."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path.name}: no such knowledge table") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{path.name}: line {line}: is not UTF-8 text; save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"{path.name}: cannot be read: {error.strerror}") from None


def csv_sheet(text: str, name: str, delimiter: str | None = None) -> Sheet:
    """The table in a CSV text with a header; blank lines are no rows."""
    records = list(_records(text, name, delimiter or _delimiter(text, name)))
    if not records:
        raise InputError(f"{name}: is empty; the first line must name the columns")
    place, columns = records[0]
    names = [column.strip() for column in columns]
    if "" in names or len(set(names)) < len(names):
        raise InputError(f"{name}: {place}: every column needs a name of its own")
    rows: list[tuple[str, list[Cell]]] = []
    for place, cells in records[1:]:
        if len(cells) != len(names):
            found = f"{len(cells)} fields, the header {len(names)}"
            raise InputError(f"{name}: {place} has {found}; quote fields with a delimiter in them")
        rows.append((place, [cell.strip() for cell in cells]))
    return Sheet(name, names, rows)


def _delimiter(text: str, name: str) -> str:
    header = next((line for line in text.splitlines() if line.strip()), "")
    found = [each for each in _DELIMITERS if each in header]
    if len(found) > 1:
        ways = " or ".join(map(repr, found))
        raise InputError(f"{name}: line 1: the header can be split at {ways}; give the delimiter")
    return found[0] if found else ","


def _records(text: str, name: str, delimiter: str) -> Iterator[tuple[str, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield f"line {line}", cells
            line = reader.line_num + 1
    except csv.Error:
        raise InputError(
            f"{name}: line {line}: a quoted field does not end as it should; double quotes inside it"
        ) from None


def parquet_sheet(path: Path) -> Sheet:
    """The table in a Parquet file."""
    try:
        frame = pl.read_parquet(path)
    except FileNotFoundError:
        raise InputError(f"{path.name}: no such knowledge table") from None
    except (pl.exceptions.PolarsError, OSError):
        raise InputError(f"{path.name}: cannot be read as Parquet") from None
    return frame_sheet(frame, path.name)


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
