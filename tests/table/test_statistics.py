"""Stata and SPSS files: labels, kinds of missing values and types as they are meant there, and back again."""

from __future__ import annotations

import io
from datetime import date, datetime
from datetime import time as day_time
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.errors import InputError, TableError
from sfumato.policy.document import Input
from sfumato.table.formats import FORMATS, kind_of
from sfumato.table.formats.places import hidden_places, more_than_cells
from sfumato.table.formats.reread import reread
from sfumato.table.labels import Labels
from tests.support.examples import examples
from tests.support.sheets import STATISTICS, needs_pyreadstat

pytestmark = [needs_pyreadstat, pytest.mark.parametrize("kind", STATISTICS)]

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=9).filter(
    lambda text: not text.endswith(" ")
)
COLUMNS = (
    (TEXTS | st.sampled_from(["=cmd|' /C calc'!A0", "007", ".a", "."]), pl.String()),
    (st.integers(-(2**53), 2**53), pl.Int64()),
    (st.integers(-5, 5), pl.Int64()),
    (st.floats(-1e300, 1e300), pl.Float64()),
    (st.dates(date(1583, 1, 1)), pl.Date()),
    (
        st.datetimes(datetime(1583, 1, 1), datetime(9999, 12, 30)).map(lambda each: each.replace(microsecond=7000)),
        pl.Datetime("ms"),
    ),
)


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    names = draw(st.lists(st.sampled_from(["a", "b2", "Größe", "c_d", "e"]), min_size=1, max_size=4, unique=True))
    height = draw(st.integers(0, 5))
    made = []
    for name in names:
        cells, dtype = draw(st.sampled_from(COLUMNS))
        made.append(pl.Series(name, draw(st.lists(st.none() | cells, min_size=height, max_size=height)), dtype=dtype))
    return pl.DataFrame(made)


def write(kind: str, frame: pl.DataFrame, **options: Any) -> bytes:
    """A file as its package has it, by the library itself."""
    import pyreadstat

    path = options.pop("path")
    (pyreadstat.write_dta if kind == "stata" else pyreadstat.write_sav)(frame, path, **options)
    return Path(path).read_bytes()


def opened(kind: str, data: bytes, **given_: Any) -> Any:
    return FORMATS[kind].opened(data, "file", Input(**given_), ())


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(frames())
def test_what_is_written_is_read_back_and_hides_nothing(kind: str, tmp_path: Path, frame: pl.DataFrame) -> None:
    format = FORMATS[kind]
    path = tmp_path / f"a{format.suffix}"
    format.write(frame, path)
    assert kind_of(path.read_bytes()[:16], "unnamed") == kind
    found = reread(path)
    assert found.frame.equals(frame)
    assert opened(kind, path.read_bytes()).frame().equals(frame)
    assert [*hidden_places(path, kind), *more_than_cells(path, kind, found)] == []


def test_bytes_do_not_tell_when(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{FORMATS[kind].suffix}"
    FORMATS[kind].write(pl.DataFrame({"a": ["x"], "n": [1]}), path)
    assert _meta(kind, path)[1].creation_time == datetime(1960 if kind == "stata" else 1970, 1, 1)


LABELS = {"sex": {1: "male", 2: "female", 3: "other"}, "visits": {0: "none", 97: "97 or more"}}


def survey(kind: str, path: Path) -> bytes:
    frame = pl.DataFrame({"sex": [1, 2, 1, None], "visits": [0, 5, 97, 2], "town": ["Bonn", "Köln", None, "Bonn"]})
    return write(kind, frame, path=path, variable_value_labels=LABELS, column_labels={"sex": "Sex of the person"})


def test_values_are_read_by_labels_where_all_have_one(kind: str, tmp_path: Path) -> None:
    found = opened(kind, survey(kind, tmp_path / "a"))
    raw, origin = next(found.parts(["sex", "visits", "town"]))
    assert raw["sex"].to_list() == ["male", "female", "male", None]
    assert raw["visits"].cast(pl.Int64).to_list() == [0, 5, 97, 2]
    assert raw["town"].to_list() == ["Bonn", "Köln", None, "Bonn"]
    assert origin.labels == {
        "sex": Labels("Sex of the person", ((1, "male"), (2, "female"))),
        "visits": Labels("", ((0, "none"), (97, "97 or more"))),
    }
    assert origin.notes == ("column 'visits': 2 of 4 values have labels; read as codes",)


def test_columns_may_be_read_as_codes(kind: str, tmp_path: Path) -> None:
    data = survey(kind, tmp_path / "a")
    for codes in (["sex"], ["*"]):
        raw, origin = next(opened(kind, data, codes=codes).parts(["sex"]))
        assert raw["sex"].cast(pl.Int64).to_list() == [1, 2, 1, None]
        assert origin.labels["sex"].values == ((1, "male"), (2, "female"))


def test_labels_are_written_again_and_judged(kind: str, tmp_path: Path) -> None:
    """Texts that are all labels become codes; numbers keep theirs, also if all of them have one; others are texts."""
    format, path = FORMATS[kind], tmp_path / f"a{FORMATS[kind].suffix}"
    labels = {name: Labels("says", tuple(pairs.items())) for name, pairs in LABELS.items()}
    frame = pl.DataFrame({"sex": ["male", "female", None], "visits": [0, 97, 0], "town": ["Bonn", "*", "Bonn"]})
    format.write(frame, path, labels)
    found = reread(path)
    assert found.frame.equals(frame)
    _, meta = _meta(kind, path)
    assert {name: dict(pairs) for name, pairs in meta.variable_value_labels.items()} == {
        "sex": {1: "male", 2: "female"},
        "visits": {0: "none", 97: "97 or more"},
    }
    assert meta.column_names_to_labels == {"sex": "says", "visits": "says", "town": None}
    general = frame.with_columns(pl.Series("sex", ["male", "{female, male}", "male"]))
    assert reread_of(format, general, labels, tmp_path / f"b{format.suffix}").equals(general)

    from dataclasses import replace

    assert [*more_than_cells(path, kind, replace(found, labels=labels))] == []
    assert len([*more_than_cells(path, kind, found)]) == 1  # labels that no document tells are more than cells


def reread_of(format: Any, frame: pl.DataFrame, labels: Any, path: Path) -> pl.DataFrame:
    format.write(frame, path, labels)
    return reread(path).frame


def _meta(kind: str, path: Path) -> Any:
    import pyreadstat

    return (pyreadstat.read_dta if kind == "stata" else pyreadstat.read_sav)(path, output_format="dict")


def test_two_codes_of_one_label_are_refused(kind: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1.0, 2.0, 1.0]})
    data = write(kind, frame, path=tmp_path / "a", variable_value_labels={"a": {1: "same", 2: "same"}})
    with pytest.raises(TableError, match=r"column 'a': 2 codes or more share a label.*set input.codes"):
        opened(kind, data).frame()
    assert opened(kind, data, codes=["a"]).frame()["a"].to_list() == [1, 2, 1]


def test_missing_values_of_the_files_own_kinds_are_missing_and_counted(kind: str, tmp_path: Path) -> None:
    import pandas as pd
    import pyreadstat

    path = tmp_path / "a"
    if kind == "stata":
        frame = pd.DataFrame({"x": [1, "a", 3, "b", None, "a"]})
        pyreadstat.write_dta(frame, path, missing_user_values={"x": ["a", "b"]})
        told = "column 'x': 3 missing values of the file's own kinds: .a (2), .b (1)"
    else:
        some = pl.DataFrame({"x": [1.0, -9.0, 3.0, -5.0, None, -9.0]})
        ranges = {"x": [-9, {"lo": -8, "hi": -1}]}
        pyreadstat.write_sav(some, path, missing_ranges=ranges, variable_value_labels={"x": {-9: "refused"}})
        told = "column 'x': 3 missing values of the file's own kinds: -8 to -1 (1), -9 (2)"
    found = opened(kind, path.read_bytes())
    raw, origin = next(found.parts(["x"]))
    assert raw["x"].to_list() == [1, None, 3, None, None, None]
    assert origin.notes == (told,)
    assert not origin.labels


def test_display_formats_tell_dates_times_and_whole_numbers(kind: str, tmp_path: Path) -> None:
    if kind == "stata":
        cells = {"d": 22_000.0, "c": 2e12, "m": 722.0, "q": -1.0, "y": 2020.0, "i": 3.0, "f": 3.0}
        shown = {"d": "%td", "c": "%tc", "m": "%tm", "q": "%tq", "y": "%ty", "i": "%9.0g", "f": "%9.2f"}
        meant = [date(2020, 3, 26), datetime(2023, 5, 18, 3, 33, 20), "2020m3", "1959q4", 2020, 3, 3.0]
    else:
        seconds = 141_428 * 86_400.0
        cells = {"d": seconds, "c": seconds + 61, "m": 61.5, "i": 3.0, "f": 3.0}
        shown = {"d": "DATE11", "c": "DATETIME20", "m": "TIME8", "i": "F8.0", "f": "F8.2"}
        meant = [date(1970, 1, 1), datetime(1970, 1, 1, 0, 1, 1), day_time(0, 1, 1, 500_000), 3, 3.0]
    frame = pl.DataFrame({name: [value, None] for name, value in cells.items()})
    found = opened(kind, write(kind, frame, path=tmp_path / "a", variable_format=shown)).frame()
    assert [*found.row(0)] == meant
    assert [type(each) for each in found.row(0)] == [type(each) for each in meant]
    assert found.row(1) == (None,) * len(meant)


def test_a_file_that_is_cut_off_or_damaged_is_an_error_in_words(kind: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": ["x", "yy", "zzz"], "n": [1, 2, 3]})
    whole = FORMATS[kind].bytes_of(frame)
    for cut in (*range(20, len(whole), 53), len(whole) - 1, len(whole) - 8, len(whole) - 24):
        try:
            found = opened(kind, whole[:cut]).frame()
        except TableError as error:
            assert "damaged or cut off" in str(error) or "encoding" in str(error)
        else:
            assert found.equals(frame)  # what was cut off was no cell
    for at in range(20, len(whole), 31):
        changed = whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]
        path = tmp_path / f"a{FORMATS[kind].suffix}"
        path.write_bytes(changed)
        try:
            again = reread(path)
        except InputError:
            continue
        assert not again.frame.equals(frame) or [*more_than_cells(path, kind, again)], at


def test_notes_in_a_file_are_found(kind: str, tmp_path: Path) -> None:
    frame, path = pl.DataFrame({"a": ["x"]}), tmp_path / f"a{FORMATS[kind].suffix}"
    if kind == "spss":
        write(kind, frame, path=path, note="Eve is row 1")
        assert any("1 note" in problem for problem in hidden_places(path, kind))
        return
    note = b"Eve is row 1\0"
    more = b"<ch>" + (258 + len(note)).to_bytes(4, "little") + b"_dta".ljust(129, b"\0") + b"note1".ljust(129, b"\0")
    data = FORMATS[kind].bytes_of(frame)
    path.write_bytes(data.replace(b"<characteristics>", b"<characteristics>" + more + note + b"</ch>"))
    try:
        assert [*more_than_cells(path, kind, reread(path))]
    except TableError as error:  # the places that its map tells are others now
        assert "damaged" in str(error)


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        ({"a b": [1]}, "a column called 'a b'"),
        ({"x" * 65: [1]}, "a column called"),
        ({"with": [1]}, "a column called 'with'"),
        ({"c": [""]}, "column 'c': empty texts"),
        ({"c": ["a\0"]}, "column 'c': texts with a NUL"),
        ({"c": [2**53 + 1]}, "column 'c': whole numbers that are too large"),
        ({"c": [float("nan")]}, "column 'c': numbers that are not finite"),
        ({"c": [date(1500, 1, 1)]}, "column 'c': dates before 1583"),
        ({"c": [datetime(2000, 1, 1, microsecond=1)]}, "column 'c': times finer"),
    ],
)
def test_what_such_a_file_cannot_hold_is_refused_by_column(kind: str, frame: dict[str, list[Any]], words: str) -> None:
    with pytest.raises(InputError) as caught:
        FORMATS[kind].into(pl.DataFrame(frame), io.BytesIO())
    assert words in str(caught.value)
    assert "write CSV or Parquet" in str(caught.value)


def test_a_label_that_is_too_long_is_not_cut(kind: str) -> None:
    with pytest.raises(InputError, match="column 'a': its label has more than the"):
        FORMATS[kind].put(pl.DataFrame({"a": [1]}), {"a": Labels("x" * 256)}, io.BytesIO())


def test_another_version_of_the_library_is_told(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyreadstat

    path = tmp_path / f"a{FORMATS[kind].suffix}"
    monkeypatch.setattr(pyreadstat, "__version__", "1.2.3")
    FORMATS[kind].write(pl.DataFrame({"a": ["x"]}), path)
    monkeypatch.undo()
    [problem] = more_than_cells(path, kind, reread(path))
    assert "was written with pyreadstat 1.2.3" in problem
    assert [*more_than_cells(path, kind, reread(path), vouched=True)] == []


def test_without_the_library_the_error_says_what_to_install(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    data = FORMATS[kind].bytes_of(pl.DataFrame({"a": ["x"]}))
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(InputError, match=r"need pyreadstat.*pip install 'sfumato\[sheets\]'"):
        opened(kind, data)
    with pytest.raises(InputError, match=r"pip install 'sfumato\[sheets\]'"):
        FORMATS[kind].bytes_of(pl.DataFrame({"a": ["x"]}))
