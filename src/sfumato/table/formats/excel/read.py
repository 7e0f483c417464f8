"""Read one sheet of an Excel workbook: texts stay as they are typed, numbers, dates and truth values have their types.

The first row that is not empty names the columns. Of a formula its stored result counts. A column with cells of several
types is text. Nothing is filled in or guessed: merged cells, errors and formulas without a result are refused.
"""

from __future__ import annotations

import contextlib
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any

import polars as pl

from sfumato.errors import InputError, TableError
from sfumato.policy.document import Input
from sfumato.table.arrow import Raw
from sfumato.table.formats.excel.notation import column_letters
from sfumato.table.formats.excel.own import own_cells
from sfumato.table.formats.excel.scan import marks, require_workbook
from sfumato.table.formats.extras import lacking
from sfumato.table.origin import Origin
from sfumato.table.types import TIME
from sfumato.table.words import counted

__all__ = ["Workbook"]

_WHOLE = 10**15
_DTYPES: dict[type, pl.DataType] = {
    str: pl.String(),
    bool: pl.Boolean(),
    int: pl.Int64(),
    float: pl.Float64(),
    date: pl.Date(),
    datetime: pl.Datetime("ms"),
    time: pl.Time(),
}


@dataclass(frozen=True, eq=False)
class Workbook:
    """A workbook of which one sheet is read; `name` is what messages call it, `origin` says what was done."""

    name: str
    whole: pl.DataFrame = field(repr=False)
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: bytes, name: str, settings: Input) -> Workbook:
        """`TableError` if the bytes are not those of a workbook, or its sheet is not one table."""
        require_workbook(data, name)
        own = own_cells(data) if settings.sheet in (None, "table") else None
        if own is not None:
            return cls(name, own)
        with _undamaged(name):
            sheet = _Sheet.of(data, name, settings.sheet)
        return cls(name, sheet.frame, sheet.notes)

    @property
    def names(self) -> Sequence[str]:
        return self.whole.columns

    def parts(self, wanted: Sequence[str]) -> Iterator[tuple[Raw, Origin]]:
        yield {name: self.whole[name] for name in wanted}, Origin("excel", self.name, notes=self.notes)

    def frame(self) -> pl.DataFrame:
        return self.whole


@contextlib.contextmanager
def _undamaged(name: str) -> Iterator[None]:
    """A `TableError` where the bytes are not those of a workbook: nothing that a library says of them is repeated."""
    try:
        yield
    except InputError:
        raise
    except BaseException as error:
        panic = type(error).__name__ == "PanicException"  # of a compiled library: no `Exception`
        if not (panic or isinstance(error, Exception)) or isinstance(error, (MemoryError, ImportError)):
            raise
        raise TableError(f"{name}: the Excel file is damaged or cut off; fetch or save it again") from None


@dataclass(frozen=True, eq=False)
class _Sheet:
    """The cells of a sheet, row by row, empty rows and columns at its edges left out."""

    name: str
    rows: list[list[Any]]
    left: int
    hidden: tuple[int, int]

    @classmethod
    def of(cls, data: bytes, name: str, wanted: str | None) -> _Sheet:
        calamine = _library()
        with calamine.CalamineWorkbook.from_filelike(io.BytesIO(data)) as book:
            sheet = book.get_sheet_by_name(_chosen(book, calamine, name, wanted))
            start, rows = sheet.start, sheet.to_python(skip_empty_area=True)
            if start is None or not any(cell != "" for row in rows for cell in row):
                raise TableError(f"{name}: the sheet is empty; its first row must name the columns")
            _require_single(sheet.merged_cell_ranges or [], name)
            found = marks(data, sheet.name)
        _require_results(found.errors, found.unsolved, name)
        return cls(name, rows, start[1], found.hidden)

    @cached_property
    def _full(self) -> tuple[list[str], list[list[Any]]]:
        """Names of the columns, and rows that are not empty; columns without a name and a cell are none."""
        head, *body = self.rows
        body = [row for row in body if any(cell != "" for cell in row)]
        used = [at for at, cell in enumerate(head) if cell != "" or any(row[at] != "" for row in body)]
        nameless = [
            column_letters(self.left + at) for at in used if not (isinstance(head[at], str) and head[at].strip())
        ]
        if nameless:
            raise TableError(
                f"{self.name}: column {', '.join(nameless)} has no name that is a text; the first row must name every"
                " column, with nothing above it"
            )
        names = [head[at] for at in used]
        twice = [each for each, count in Counter(names).items() if count > 1]
        if twice:
            raise TableError(f"{self.name}: several columns are called {', '.join(map(repr, twice))}; rename them")
        return names, [[row[at] for at in used] for row in body]

    @cached_property
    def frame(self) -> pl.DataFrame:
        names, body = self._full
        cells = [[row[at] if row[at] != "" else None for row in body] for at in range(len(names))]
        return pl.DataFrame([_series(self.name, name, each) for name, each in zip(names, cells, strict=True)])

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._told())

    def _told(self) -> Iterator[str]:
        names, body = self._full
        empty = _inner_empty(self.rows)
        if empty:
            yield f"{counted(empty, 'empty row')} of the sheet left out"
        rows, columns = self.hidden
        if rows or columns:
            yield f"hidden rows ({rows}) and columns ({columns}) of the sheet are read like all others"
        for at, name in enumerate(names):
            kinds = Counter(_kind(row[at]) for row in body if row[at] != "")
            if len(kinds) > 1 and {*kinds} != {date, datetime}:
                rare = min(kinds.values())
                yield f"column {name!r}: cells of several types, read as text ({counted(rare, 'cell')} unlike the rest)"


def _library() -> Any:
    try:
        import python_calamine
    except ImportError:
        raise lacking("python-calamine", "Excel") from None
    return python_calamine


def _inner_empty(rows: list[list[Any]]) -> int:
    """Empty rows with others below them."""
    full = [at for at, row in enumerate(rows) if any(cell != "" for cell in row)]
    return full[-1] + 1 - len(full)


def _chosen(book: Any, calamine: Any, name: str, wanted: str | None) -> str:
    """The sheet that is asked for, or the only one."""
    found = [each for each in book.sheets_metadata if each.typ == calamine.SheetTypeEnum.WorkSheet]
    names = [str(each.name) for each in found]
    if wanted is not None and wanted in names:
        return wanted
    if wanted is None and len(names) == 1:
        return names[0]
    shown = [
        repr(each.name) + ("" if each.visible == calamine.SheetVisibleEnum.Visible else " (hidden)") for each in found
    ]
    if wanted is not None:
        raise TableError(f"{name}: has no sheet {wanted!r}; it has {', '.join(shown)}")
    raise TableError(f"{name}: has {len(names)} sheets: {', '.join(shown)}; say which: set input.sheet")


def _require_single(merged: Sequence[Any], name: str) -> None:
    if merged:
        (row, column), _ = merged[0]
        where = f"{column_letters(column)}{row + 1}"
        raise TableError(
            f"{name}: cells are merged in {counted(len(merged), 'place')}, the first at {where}: which rows and columns"
            " they belong to cannot be told; unmerge them and fill in every cell"
        )


def _require_results(errors: Sequence[str], unsolved: Sequence[str], name: str) -> None:
    if errors:
        raise TableError(
            f"{name}: {counted(len(errors), 'cell')} with an error such as #N/A or #DIV/0!, the first in {errors[0]};"
            " correct it, or empty it if the value is missing"
        )
    if unsolved:
        raise TableError(
            f"{name}: {counted(len(unsolved), 'formula')} without a stored result, the first in {unsolved[0]}; open the"
            " workbook in a spreadsheet program and save it, or put values in place of formulas"
        )


def _kind(cell: Any) -> type:
    return float if isinstance(cell, (int, float)) and not isinstance(cell, bool) else type(cell)


def _series(source: str, name: str, cells: list[Any]) -> pl.Series:
    kinds = {_kind(cell) for cell in cells if cell is not None}
    if timedelta in kinds:
        raise TableError(
            f"{source}: column {name!r}: durations, which are neither times nor numbers; make them numbers"
        )
    if kinds == {date, datetime}:
        cells = [datetime.combine(cell, time()) if type(cell) is date else cell for cell in cells]
        kinds = {datetime}
    if kinds == {float} and all(cell is None or _whole(cell) for cell in cells):
        cells, kinds = [None if cell is None else int(cell) for cell in cells], {int}
    if len(kinds) > 1:
        cells, kinds = [None if cell is None else _text(cell) for cell in cells], {str}
    return pl.Series(name, cells, dtype=_DTYPES[kinds.pop() if kinds else str], strict=True)


def _whole(number: float) -> bool:
    return float(number).is_integer() and abs(number) < _WHOLE


def _text(cell: Any) -> str:
    """A cell among cells of other types, as text."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, (int, float)):
        return str(int(cell)) if _whole(cell) else repr(float(cell))
    if isinstance(cell, time):
        return str(pl.Series([cell]).dt.to_string(TIME)[0])
    return cell.isoformat(" ") if isinstance(cell, datetime) else str(cell)
