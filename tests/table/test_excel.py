"""Excel workbooks: those of other programs are read as they are meant, ours hold cells and nothing else."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import InputError, TableError
from sfumato.policy.document import Input
from sfumato.table.formats import FORMATS
from sfumato.table.formats.places import hidden_places, more_than_cells
from sfumato.table.formats.reread import reread
from tests.support.examples import examples
from tests.support.sheets import needs_calamine
from tests.table.test_sink import nasty

EXCEL = FORMATS["excel"]
DAYS = st.dates(date(1900, 3, 1))
MOMENTS = st.datetimes(datetime(1900, 3, 1), datetime(9999, 12, 31)).map(lambda each: each.replace(microsecond=5000))
COLUMNS = (
    (nasty | st.sampled_from(["=cmd|' /C calc'!A0", "_x0041_", "\x00", "007", "#N/A"]), pl.String()),
    (st.integers(-(10**15) + 1, 10**15 - 1), pl.Int64()),
    (st.floats(allow_nan=False, allow_infinity=False), pl.Float64()),
    (st.booleans(), pl.Boolean()),
    (DAYS, pl.Date()),
    (MOMENTS, pl.Datetime("ms")),
)


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    names = draw(st.lists(nasty.filter(str.strip), min_size=1, max_size=4, unique=True))
    height = draw(st.integers(0, 5))
    made = []
    for name in names:
        cells, dtype = draw(st.sampled_from(COLUMNS))
        values = draw(st.lists(st.none() | cells, min_size=height, max_size=height))
        empty = all(value is None for value in values)
        made.append(pl.Series(name, values, dtype=pl.String() if empty else dtype))
    return pl.DataFrame(made)


@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(frames())
def test_what_is_written_is_read_back_and_hides_nothing(tmp_path: Path, frame: pl.DataFrame) -> None:
    path = tmp_path / "a.xlsx"
    EXCEL.write(frame, path)
    found = reread(path)
    assert found.frame.equals(frame)
    assert found.frame.schema == frame.schema
    assert EXCEL.opened(path.read_bytes(), "a", Input(), ()).frame().equals(frame)
    assert [*hidden_places(path, "excel"), *more_than_cells(path, "excel", found)] == []


def book(rows: list[list[Any]], **sheets: list[list[Any]]) -> Any:
    openpyxl = pytest.importorskip("openpyxl")
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    for name, more in sheets.items():
        sheet = made.create_sheet(name)
        for row in more:
            sheet.append(row)
    return made


def data(made: Any) -> bytes:
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def opened(made: Any, **given_: Any) -> Any:
    return EXCEL.opened(made if isinstance(made, bytes) else data(made), "book.xlsx", Input(**given_), ())


@needs_calamine
def test_another_programs_cells_have_their_types() -> None:
    made = book(
        [
            ["zip", "n", "x", "day", "at", "ok", "mixed", "when"],
            ["00701", 1, 1.5, date(2020, 1, 2), datetime(2020, 1, 2, 3, 4), True, 7, time(3, 4)],
            ["10115", -3, 2, None, datetime(2020, 1, 3), False, "007", None],
            [None] * 8,
            ["", None, None, date(1950, 2, 3), None, None, date(2020, 5, 6), None],
            [None] * 8,
        ]
    )
    found = opened(made)
    _, origin = next(found.parts(found.names))
    assert found.frame().to_dict(as_series=False) == {
        "zip": ["00701", "10115", None],
        "n": [1, -3, None],
        "x": [1.5, 2.0, None],
        "day": [date(2020, 1, 2), None, date(1950, 2, 3)],
        "at": [datetime(2020, 1, 2, 3, 4), datetime(2020, 1, 3), None],
        "ok": [True, False, None],
        "mixed": ["7", "007", "2020-05-06"],
        "when": [time(3, 4), None, None],
    }
    assert [*found.frame().schema.values()][:4] == [pl.String, pl.Int64, pl.Float64, pl.Date]
    assert origin.notes == (
        "1 empty row of the sheet left out",
        "column 'mixed': cells of several types, read as text (1 cell unlike the rest)",
    )


@needs_calamine
def test_a_workbook_of_several_sheets_needs_a_choice() -> None:
    made = book([["a"], [1]], second=[["b"], ["x"]], third=[])
    made["third"].sheet_state = "hidden"
    with pytest.raises(
        TableError, match=r"has 3 sheets: 'Sheet', 'second', 'third' \(hidden\); say which: set input.s"
    ):
        opened(made)
    assert opened(made, sheet="second").frame().to_dict(as_series=False) == {"b": ["x"]}
    with pytest.raises(TableError, match="has no sheet 'fourth'; it has 'Sheet', 'second'"):
        opened(made, sheet="fourth")
    with pytest.raises(TableError, match="the sheet is empty"):
        opened(made, sheet="third")


@needs_calamine
@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([["a", "b"], [1, "=1+1"]], "1 formula without a stored result, the first in B2"),
        ([["a", "b"], [1, "#DIV/0!"], [1, "#N/A"]], "2 cells with an error such as #N/A or #DIV/0!, the first in B2"),
        ([["a", None], [1, 2]], "column B has no name that is a text"),
        ([["a", 2020], [1, 2]], "column B has no name that is a text"),
        ([["a", "a"], [1, 2]], "several columns are called 'a'"),
        ([["a"], [timedelta(hours=30)]], "column 'a': durations"),
    ],
)
def test_what_cannot_be_told_is_refused(rows: list[list[Any]], words: str) -> None:
    with pytest.raises(TableError) as caught:
        opened(book(rows))
    assert words in str(caught.value)


@needs_calamine
def test_merged_cells_are_refused_and_hidden_rows_are_told() -> None:
    made = book([["a", "b"], [1, 2], [3, 4]])
    made.active.row_dimensions[2].hidden = True
    made.active.column_dimensions["B"].hidden = True
    found = opened(made)
    assert next(found.parts(["a"]))[1].notes == (
        "hidden rows (1) and columns (1) of the sheet are read like all others",
    )
    made.active.merge_cells("A2:B3")
    with pytest.raises(TableError, match="cells are merged in 1 place, the first at A2"):
        opened(made)


@needs_calamine
def test_stored_results_of_formulas_count() -> None:
    """As a spreadsheet program saves them: the formula and its result."""
    raw = data(book([["a", "b"], [1, "=A2+1"]]))
    solved = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as before, zipfile.ZipFile(solved, "w") as after:
        for name in before.namelist():
            text = before.read(name)
            after.writestr(
                name, text.replace(b"<f>A2+1</f><v></v>", b"<f>A2+1</f><v>2</v>").replace(b"<v />", b"<v>2</v>")
            )
    assert opened(solved.getvalue()).frame().to_dict(as_series=False) == {"a": [1], "b": [2]}


def test_a_file_that_is_cut_off_or_damaged_is_an_error_in_words(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": ["x", "y"], "n": [1, 2]})
    whole = EXCEL.bytes_of(frame)
    pytest.importorskip("python_calamine")
    for cut in range(4, len(whole), 97):
        with pytest.raises(TableError, match="damaged or cut off"):
            EXCEL.opened(whole[:cut], "a.xlsx", Input(), ())
    for at in range(30, len(whole), 61):
        changed = whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]
        (tmp_path / "a.xlsx").write_bytes(changed)
        try:
            found = reread(tmp_path / "a.xlsx")
        except TableError:
            continue
        assert not found.frame.equals(frame) or [*more_than_cells(tmp_path / "a.xlsx", "excel", found)], at


def test_other_archives_are_told_apart(tmp_path: Path) -> None:
    for inside, words in (("a.csv", "a ZIP archive: unpack it"), ("content.xml", "an OpenDocument file")):
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
            archive.writestr(inside, "a,b\n")
        with pytest.raises(TableError, match=words):
            sf.read(
                tmp_path / "a.zip", {"columns": {"a": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
            )


@needs_calamine
def test_more_than_cells_is_found(tmp_path: Path) -> None:
    """Another sheet, a comment, the name of who wrote it: whatever another program adds."""
    path = tmp_path / "a.xlsx"
    made = book([["a"], ["x"]], more=[["secret"]])
    made.properties.creator = "Eve"
    path.write_bytes(data(made))
    [problem] = hidden_places(path, "excel")
    assert "beside its one sheet" in problem
    whole = EXCEL.bytes_of(pl.DataFrame({"a": ["x"]}))
    for changed in (whole + b"more", whole.replace(b'<row r="2">', b'<row r="2" hidden="1">')):
        path.write_bytes(changed)
        try:
            found = reread(path)
        except TableError:
            continue
        assert len([*more_than_cells(path, "excel", found)]) == 1


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([10**15], "whole numbers of more than 15 digits"),
        ([float("inf")], "not finite"),
        ([date(1899, 1, 1)], "before March 1900"),
        ([datetime(1899, 1, 1)], "before March 1900"),
        ([datetime(2000, 1, 1, microsecond=1)], "finer than a thousandth"),
        (["x" * 32_768], "more than 32767 characters"),
        ([timedelta(1)], "cells of the type Duration"),
    ],
)
def test_what_a_sheet_cannot_hold_is_refused_by_column(cells: list[Any], words: str) -> None:
    with pytest.raises(InputError, match=f"column 'c': .*{words}"):
        EXCEL.bytes_of(pl.DataFrame({"c": cells}))


@needs_calamine
def test_without_the_library_ours_are_read_and_others_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    other = data(book([["a"], [1]]))
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    frame = pl.DataFrame({"a": ["x"]})
    assert opened(EXCEL.bytes_of(frame)).frame().equals(frame)
    with pytest.raises(InputError, match=r"Excel files need python-calamine.*pip install 'sfumato\[sheets\]'"):
        opened(other)
