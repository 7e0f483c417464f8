"""Write a workbook of one plain sheet: the same bytes for the same cells, and nothing that tells who wrote it or when.

The parts stand in the archive as they are, without compression, whose bytes would depend on the library, and with the
date that archives begin with. A text is always a text, also one that looks like a formula; a missing value has no cell.
A number with a fraction or an exponent, or a point and a zero, is a floating-point number; others are whole.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from typing import Any, BinaryIO

import polars as pl

from sfumato.errors import TableError
from sfumato.table.formats.excel.notation import EPOCH, FIRST_DAY, column_letters, quoted
from sfumato.table.types import is_text

__all__ = ["HEAD", "PARTS", "SHEET", "TAIL", "into"]

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_STYLE = '<xf numFmtId="{}" fontId="0" fillId="0" borderId="0"'
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

SHEET = "xl/worksheets/sheet1.xml"
PARTS = {
    "[Content_Types].xml": f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
    f'<Override PartName="/{SHEET}" ContentType="{_KIND}.worksheet+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{_KIND}.styles+xml"/></Types>',
    "_rels/.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
    '<sheets><sheet name="table" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
    "xl/styles.xml": f'{_XML}<styleSheet xmlns="{_MAIN}">'
    '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts>'
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    f'<cellStyleXfs count="1">{_STYLE.format(0)}/></cellStyleXfs><cellXfs count="3">{_STYLE.format(0)} xfId="0"/>'
    f'{_STYLE.format(164)} xfId="0" applyNumberFormat="1"/>'
    f'{_STYLE.format(165)} xfId="0" applyNumberFormat="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
}
"""All parts but the sheet, which comes last; they are the same in every file."""

HEAD = f'{_XML}<worksheet xmlns="{_MAIN}"><sheetData>'
TAIL = "</sheetData></worksheet>"

_BEGINNING = (1980, 1, 1, 0, 0, 0)
_ROWS, _COLUMNS, _LONGEST = 1_048_576, 16_384, 32_767
_ROWS_AT_ONCE = 1 << 14
_BLOCK, _IN_MEMORY = 1 << 20, 1 << 24
_LARGEST = 10**15
_DAY = 86_400_000

Cell = Callable[[str, Any], str]
"""A place and a value, to a cell."""


def into(frame: pl.DataFrame, file: BinaryIO) -> None:
    """The frame as a workbook; `TableError` for what a sheet cannot hold as it is.

    The archive is put together in a private place: its bytes would be others in a file that cannot be gone back in.
    """
    with _private() as sheet, _private() as whole:
        for text in _xml(frame):
            sheet.write(text.encode())
        size = sheet.tell()
        sheet.seek(0)
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
            for name, text in PARTS.items():
                archive.writestr(_part(name), text)
            with archive.open(_part(SHEET, size), "w") as inside:
                shutil.copyfileobj(sheet, inside, _BLOCK)
        whole.seek(0)
        shutil.copyfileobj(whole, file, _BLOCK)


def _private() -> tempfile.SpooledTemporaryFile[bytes]:
    return tempfile.SpooledTemporaryFile(_IN_MEMORY)


def _xml(frame: pl.DataFrame) -> Iterator[str]:
    """The sheet, some rows at a time."""
    _require_room(frame)
    columns = [_plain(column) for column in frame.get_columns()]
    plain = pl.DataFrame([column.alias(str(at)) for at, column in enumerate(columns)])
    cells = [_cell(column.dtype) for column in columns]
    letters = [*map(column_letters, range(frame.width))]
    yield HEAD
    yield _row(1, letters, [_text] * frame.width, frame.columns)
    for start in range(0, frame.height, _ROWS_AT_ONCE):
        rows = plain[start : start + _ROWS_AT_ONCE].iter_rows()
        yield "".join(_row(at, letters, cells, row) for at, row in enumerate(rows, start + 2))
    yield TAIL


def _part(name: str, size: int = 0) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name, _BEGINNING)
    made.file_size = size
    made.create_system = 0  # the same on every system
    return made


def _row(at: int, letters: list[str], cells: list[Cell], values: Any) -> str:
    made = (
        cell(f"{letter}{at}", value)
        for letter, cell, value in zip(letters, cells, values, strict=True)
        if value is not None
    )
    return f'<row r="{at}">{"".join(made)}</row>'


def _text(place: str, value: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{quoted(value)}</t></is></c>'


def _number(place: str, value: float) -> str:
    return f'<c r="{place}"><v>{value!r}</v></c>'


def _truth(place: str, value: bool) -> str:
    return f'<c r="{place}" t="b"><v>{value:d}</v></c>'


def _day(place: str, value: date) -> str:
    return f'<c r="{place}" s="1"><v>{(value - EPOCH).days}</v></c>'


def _moment(place: str, value: datetime) -> str:
    since = value - datetime.combine(EPOCH, time())
    thousandths = since.days * _DAY + since.seconds * 1000 + since.microseconds // 1000
    return f'<c r="{place}" s="2"><v>{thousandths / _DAY!r}</v></c>'


def _cell(dtype: pl.DataType) -> Cell:
    if isinstance(dtype, pl.String):
        return _text
    if isinstance(dtype, pl.Boolean):
        return _truth
    if isinstance(dtype, pl.Date):
        return _day
    return _moment if isinstance(dtype, pl.Datetime) else _number


def _require_room(frame: pl.DataFrame) -> None:
    if frame.height >= _ROWS or frame.width > _COLUMNS:
        raise TableError(
            f"an Excel sheet has room for {_ROWS - 1} rows and {_COLUMNS} columns, and the table has {frame.height} and"
            f" {frame.width}; write CSV or Parquet"
        )
    long = [repr(name)[:40] for name in frame.columns if _units(name) > _LONGEST]
    if long:
        raise TableError(f"{len(long)} names of columns are longer than an Excel cell holds; write CSV or Parquet")


def _units(text: str) -> int:
    """The length of a text as Excel counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _plain(column: pl.Series) -> pl.Series:
    """A column as a sheet can hold it; `TableError` if that would change a cell."""
    faults = [*_faults(column)]
    if faults:
        raise TableError(f"column {column.name!r}: {faults[0]}, which an Excel sheet cannot hold; write CSV or Parquet")
    if is_text(column.dtype) or isinstance(column.dtype, pl.Null):
        return column.cast(pl.String)
    if column.dtype.is_integer():
        return column.cast(pl.Int64)
    return column.cast(pl.Float64) if column.dtype.is_float() else column


def _faults(column: pl.Series) -> Iterator[str]:
    """What a sheet cannot hold as it is."""
    dtype = column.dtype
    if is_text(dtype):
        longest = column.cast(pl.String).unique().drop_nulls()
        if (longest.str.len_bytes() > _LONGEST).any() and any(_units(text) > _LONGEST for text in longest):
            yield f"texts of more than {_LONGEST} characters"
    elif dtype.is_integer():
        if ((column >= _LARGEST) | (column <= -_LARGEST)).any():
            yield "whole numbers of more than 15 digits"
    elif dtype.is_float():
        if (~column.is_finite()).any():
            yield "numbers that are not finite"
    elif isinstance(dtype, pl.Date):
        if (column < FIRST_DAY).any():
            yield "dates before March 1900"
    elif isinstance(dtype, pl.Datetime):
        if dtype.time_zone is not None:
            yield "times with a time zone"
        elif (column < datetime.combine(FIRST_DAY, time())).any():
            yield "dates before March 1900"
        elif (column.dt.cast_time_unit("ms").cast(dtype) != column).any():
            yield "times finer than a thousandth of a second"
    elif not isinstance(dtype, (pl.Boolean, pl.Null)):
        yield f"cells of the type {dtype}"
