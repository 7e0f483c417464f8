"""Read a workbook again that the sink wrote, and find what it does not write."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

import polars as pl

from sfumato.table.formats.contract import Reread
from sfumato.table.formats.excel.notation import EPOCH, column_letters, unquoted
from sfumato.table.formats.excel.sink import HEAD, PARTS, SHEET, TAIL
from sfumato.table.formats.sink import hashed
from sfumato.table.words import counted

__all__ = ["beside_cells", "own_cells", "read_back"]

_ROW = re.compile(r'<row r="([1-9][0-9]{0,6})">(.*?)</row>', re.DOTALL)
_CELL = re.compile(
    r'<c r="([A-Z]{1,3})[0-9]{1,7}"(?: (t="b"|s="1"|s="2"|t="inlineStr"))?>'
    r'(?:<v>([-+.0-9eE]{1,30})</v>|<is><t xml:space="preserve">([^<]*)</t></is>)</c>'
)


class _Other(Exception):
    """It is written otherwise than the sink does it."""


def read_back(file: io.BufferedReader) -> Reread | None:
    """The table in a file; None if another program wrote it."""
    sha256, size = hashed(file)
    frame = own_cells(file.read())
    return None if frame is None else Reread(frame, sha256, size)


def beside_cells(table: Path) -> Iterator[str]:
    """Parts of a workbook that are not its one sheet: more sheets, comments, macros, properties of the document."""
    try:
        with zipfile.ZipFile(table) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError):
        return  # unreadable: the reader says so
    more = len(names - {*PARTS, SHEET})
    if more:
        yield f"has {counted(more, 'part')} beside its one sheet, such as other sheets, comments or who wrote it"


def own_cells(data: bytes) -> pl.DataFrame | None:
    """The cells of a workbook as the sink writes it; None if it is written otherwise."""
    try:
        return _frame(_sheet(data))
    except (_Other, ValueError, OverflowError, zipfile.BadZipFile, RuntimeError, EOFError, OSError):
        return None


def _sheet(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if archive.namelist() != [*PARTS, SHEET]:
            raise _Other
        if any(each.compress_type != zipfile.ZIP_STORED for each in archive.infolist()):
            raise _Other
        if any(archive.read(name) != text.encode() for name, text in PARTS.items()):
            raise _Other
        text = archive.read(SHEET).decode()
    if not (text.startswith(HEAD) and text.endswith(TAIL)):
        raise _Other
    return text


def _frame(text: str) -> pl.DataFrame:
    rows, at = [], len(HEAD)
    for number, found in enumerate(_ROW.finditer(text, at), 1):
        if found.start() != at or found[1] != str(number):
            raise _Other
        rows.append(found[2])
        at = found.end()
    if at != len(text) - len(TAIL) or not rows:
        raise _Other
    names = [cell for _, cell in _cells(rows[0])]
    letters = {column_letters(place): place for place in range(len(names))}
    columns: list[list[Any]] = [[None] * (len(rows) - 1) for _ in names]
    for row, cells in enumerate(rows[1:]):
        for letter, cell in _cells(cells):
            if letter not in letters:
                raise _Other
            columns[letters[letter]][row] = cell
    if not all(isinstance(name, str) and name.strip() for name in names) or len(set(names)) < len(names):
        raise _Other
    return pl.DataFrame([_series(name, cells) for name, cells in zip(names, columns, strict=True)])


def _cells(row: str) -> Iterator[tuple[str, Any]]:
    at = 0
    for found in _CELL.finditer(row):
        if found.start() != at:
            raise _Other
        yield found[1], _value(found[2] or "", found[3], found[4])
        at = found.end()
    if at != len(row):
        raise _Other


def _value(marked: str, number: str | None, text: str | None) -> Any:
    if (text is not None) != (marked == 't="inlineStr"'):
        raise _Other
    if text is not None:
        return unquoted(text)
    if number is None:
        raise _Other
    if marked == 't="b"':
        return number == "1"
    if marked == 's="1"':
        return EPOCH + timedelta(days=int(number))
    if marked == 's="2"':
        thousandths = round(float(number) * 86_400_000)
        return datetime.combine(EPOCH, time()) + timedelta(milliseconds=thousandths)
    return int(number) if number.lstrip("-").isdigit() else float(number)


def _series(name: str, cells: list[Any]) -> pl.Series:
    """A column, all cells of one type."""
    kinds = {type(cell) for cell in cells if cell is not None} or {str}
    if len(kinds) > 1:
        raise _Other
    dtypes = {str: pl.String(), bool: pl.Boolean(), int: pl.Int64(), float: pl.Float64(), datetime: pl.Datetime("ms")}
    return pl.Series(name, cells, dtype=dtypes.get(kinds.pop(), pl.Date()), strict=True)
