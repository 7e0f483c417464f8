"""Types of columns: never guessed where two readings fit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal

import polars as pl
import pytest

from sfumato.suggestions.evidence import evidence_of
from sfumato.suggestions.reading import Reading, read_values


def read(values: Sequence[object], code: bool = False) -> Reading:
    return read_values(evidence_of(pl.Series("x", values))[1], code)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "22", "-3", "0"], "integer"),
        (["1", None, "3"], "integer"),
        (["007", "123"], "text"),
        (["1.5", "2", "-.5", "1e3"], "number"),
        (["1.5", "x"], "text"),
        (["nan", "1.5"], "text"),
        (["-", "+"], "text"),
        (["123456789012345678901", "2"], "text"),
        (["2024-02-29", "2023-01-01"], "date"),
        (["2023-02-29", "2023-01-01"], "text"),
        (["31.12.2020", "1.2.2020"], "date"),
        (["2024/1/5"], "date"),
        (["a", "b"], "text"),
        ([1, 2], "integer"),
        ([1.5, 2.0], "number"),
        ([40.0, None, 41.0], "integer"),  # whole numbers, stored as such because one is missing
        ([" 40", "41 "], "integer"),
        ([" 1.5", "2"], "number"),
        (["2024-01-01 "], "date"),
        ([datetime(2024, 1, 1), datetime(2024, 1, 2)], "date"),
        ([Decimal("1.50"), Decimal("2.00")], "number"),
        ([date(2024, 1, 1)], "date"),
        ([True, False], "text"),
        ([None, None], "text"),
    ],
)
def test_types(values: list[object], kind: str) -> None:
    assert read(values).type == kind


def test_codes_named_so_stay_text() -> None:
    plain, named = read(["81925", "10115"]), read(["81925", "10115"], code=True)
    assert (plain.type, named.type, named.length) == ("integer", "text", 5)
    assert read([81925, 10115], code=True).type == "text"
    assert read(["8000", "10115"], code=True).length is None
    assert "code" in read(["007", "123"]).notes[0]  # a leading zero says so as well


@pytest.mark.parametrize(
    ("values", "form"),
    [
        (["13/01/2020", "01/02/2020"], "%d/%m/%Y"),
        (["01/13/2020", "01/02/2020"], "%m/%d/%Y"),
        (["31-12-1999", "01-02-2020"], "%d-%m-%Y"),
        (["05/05/2020", "1/1/2020"], "%d/%m/%Y"),  # the same days either way
        (["31.12.2020"], "%d.%m.%Y"),
        (["2020-12-31"], "%Y-%m-%d"),
    ],
)
def test_the_format_of_dates(values: list[str], form: str) -> None:
    reading = read(values)
    assert (reading.type, reading.settings) == ("date", {"date": form})
    assert form in reading.notes[0]


@pytest.mark.parametrize("values", [["01/02/2020", "03/04/2021"], ["1-2-2020"]])
def test_day_or_month_first_is_not_guessed(values: list[str]) -> None:
    reading = read(values)
    assert (reading.type, reading.doubtful) == ("text", True)
    assert "day or month first" in reading.notes[0]


def test_neither_day_nor_month_first() -> None:
    assert read(["13/01/2020", "01/13/2020"]).doubtful


def test_decimal_commas() -> None:
    assert read(["1,5", "2,25", "3"]).settings == {"decimal": ","}
    thousands = read(["1,500", "2,250"])
    assert (thousands.type, thousands.doubtful) == ("text", True)


def test_spans() -> None:
    assert read(["18", "64", "90"]).span == 72
    assert read(["2024-01-01", "2024-03-01"]).span == 60
    assert read([0.25, 1.0]).span == 0.75
    assert read([5, 6, 7]).dense
    assert not read([5, 7]).dense


def test_what_a_person_should_know() -> None:
    marked = read(["1", "2", "NA", "N/A", "NA"])
    assert marked.type == "text"
    assert "3 rows" in marked.notes[0]
    assert "missing_values" in marked.notes[0]
    infinite = read([1.0, 2.0, float("nan"), float("inf")])
    assert infinite.span == 1.0
    assert "2 rows" in infinite.notes[0]
    assert read(["2024-01-01T10:00:00"]).notes
    assert read([datetime(2024, 1, 1, 10)]).doubtful
    assert read([[1], [2]]).doubtful
    assert read([float("nan")]).span is None
