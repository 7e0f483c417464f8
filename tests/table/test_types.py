from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from sfumato.errors import TableError
from sfumato.table.read import read
from tests.support.handmade import published
from tests.support.table_policies import policy


def base(values: list[Any] | pl.Series, kind: str, **settings: Any) -> pl.Series:
    column = {"role": "quasi", "type": kind}
    return read(pl.DataFrame({"x": values}), policy({"x": column}, input=settings)).distinct["x"].spread()


def refusal(values: list[Any] | pl.Series, kind: str, **settings: Any) -> str:
    with pytest.raises(TableError) as caught:
        base(values, kind, **settings)
    return str(caught.value)


@pytest.mark.parametrize(
    ("texts", "kind", "setting", "expected"),
    [
        (["7", " 041", "-3 ", "+2", None], "integer", {}, [7, 41, -3, 2, None]),
        (["1.5", ".5", "1e3", "-0", " 2 "], "number", {}, [1.5, 0.5, 1000.0, 0.0, 2.0]),
        (["1,5", "2", "-0,25"], "number", {"decimal": ","}, [1.5, 2.0, -0.25]),
        (["2024-02-29"], "date", {}, [date(2024, 2, 29)]),
        (["29.02.2024", " 1.3.2024"], "date", {"date": "%d.%m.%Y"}, [date(2024, 2, 29), date(2024, 3, 1)]),
        (["007", " x "], "text", {}, ["007", " x "]),
    ],
)
def test_text_is_read_by_type(texts: list[str], kind: str, setting: dict[str, str], expected: list[object]) -> None:
    assert base(texts, kind, **setting).to_list() == expected


@pytest.mark.parametrize(
    ("texts", "kind", "setting"),
    [
        (["1.0"], "integer", {}),
        (["1e3"], "integer", {}),
        (["9223372036854775808"], "integer", {}),
        (["1,000"], "number", {}),
        (["1.000"], "number", {"decimal": ","}),
        (["1.000,5"], "number", {"decimal": ","}),
        (["1_000"], "number", {}),
        (["twelve"], "number", {}),
        ([""], "integer", {}),
        (["2023-02-29"], "date", {}),
        (["29.02.2024"], "date", {}),
    ],
)
def test_what_is_not_of_its_type(texts: list[str], kind: str, setting: dict[str, str]) -> None:
    message = refusal([None, *texts, *texts], kind, **setting)
    assert "column 'x': 2 cells are not" in message
    assert "the first in row 2" in message
    assert texts[0] == "" or texts[0] not in message


@pytest.mark.parametrize("text", ["NaN", "nan", "inf", "-Infinity", "1e999"])
def test_nan_and_infinity_in_text(text: str) -> None:
    message = refusal(["1", text], "number")
    assert "1 cell is not a finite number" in message
    assert "row 2" in message


@pytest.mark.parametrize("kind", ["integer", "number"])
def test_nan_and_infinity_in_frames(kind: str) -> None:
    assert "2 cells are not a finite number" in refusal([1.0, float("nan"), float("-inf")], kind)


def test_all_columns_at_once() -> None:
    columns = {"x": {"role": "quasi", "type": "integer"}, "y": {"role": "insensitive", "type": "date"}}
    with pytest.raises(TableError) as caught:
        read(pl.DataFrame({"x": ["a"], "y": ["b"]}), policy(columns))
    assert "column 'x'" in str(caught.value)
    assert "column 'y'" in str(caught.value)


def test_lines_of_a_file_are_named(tmp_path: Any) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"x\n1\n2\nthree\n")
    with pytest.raises(TableError, match="the first in line 4;"):
        read(path, policy({"x": {"role": "quasi", "type": "integer"}}))


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        (pl.Series([2000, None], dtype=pl.Int32), "text", ["2000", None]),
        (pl.Series([True, False]), "text", ["true", "false"]),
        (pl.Series([date(2024, 1, 2)]), "text", ["2024-01-02"]),
        (pl.Series([Decimal("1.50")]), "text", ["1.50"]),
        (pl.Series(["b", "a"], dtype=pl.Categorical), "text", ["b", "a"]),
        (pl.Series(["b", "a"], dtype=pl.Enum(["a", "b"])), "text", ["b", "a"]),
        (pl.Series(["5", "6"], dtype=pl.Categorical), "integer", [5, 6]),
        (pl.Series([1.0, None, -3.0]), "integer", [1, None, -3]),
        (pl.Series([Decimal("4.00")]), "integer", [4]),
        (pl.Series([3], dtype=pl.UInt64), "integer", [3]),
        (pl.Series([1, 2]), "number", [1.0, 2.0]),
        (pl.Series([Decimal("0.10")]), "number", [0.1]),
        (pl.Series([datetime(2024, 1, 2)]), "date", [date(2024, 1, 2)]),
        (pl.Series([None, None]), "date", [None, None]),
    ],
)
def test_frames_have_their_own_types(values: pl.Series, kind: str, expected: list[object]) -> None:
    assert base(values, kind).to_list() == expected


@pytest.mark.parametrize(
    ("values", "kind", "word"),
    [
        (pl.Series([1.0]), "text", "floating-point"),
        (pl.Series([1.5, 2.0]), "integer", "1 cell is not a whole number"),
        (pl.Series([1e300]), "integer", "not a whole number"),
        (pl.Series([2**63], dtype=pl.UInt64), "integer", "larger than 64 bits"),
        (pl.Series([True]), "integer", "holds Boolean"),
        (pl.Series([date(2024, 1, 2)]), "number", "holds Date"),
        (pl.Series([20240102]), "date", "holds Int64"),
        (pl.Series([datetime(2024, 1, 2), datetime(2024, 1, 2, 3)]), "date", "1 cell is not at midnight"),
    ],
)
def test_frames_of_another_type(values: pl.Series, kind: str, word: str) -> None:
    assert word in refusal(values, kind)


def test_published_numbers_look_equal_if_they_are() -> None:
    columns = {
        "q": "quasi",
        "pay": {"role": "sensitive", "type": "number"},
        "day": {"role": "sensitive", "type": "date"},
    }
    frame = pl.DataFrame({"q": ["a", "b"], "pay": ["10,0", " 10"], "day": ["1.2.2024", None], "extra": ["1,0", "1"]})
    wanted = policy(
        {**columns, "extra": {"role": "insensitive", "type": "number"}}, input={"decimal": ",", "date": "%d.%m.%Y"}
    )
    with pytest.warns(UserWarning, match="'day': missing"):
        table = read(frame, wanted)
    assert published(table).to_dict(as_series=False) == {
        "q": ["a", "b"],
        "pay": ["10", "10"],
        "day": ["2024-02-01", None],
        "extra": ["1,0", "1"],
    }


def test_published_frames_keep_their_types() -> None:
    frame = pl.DataFrame({"q": ["a"], "pay": pl.Series([3], dtype=pl.Int16)})
    table = read(frame, policy({"q": "quasi", "pay": {"role": "sensitive", "type": "integer"}}))
    assert published(table).schema == frame.schema
