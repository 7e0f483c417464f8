"""Cells as other tools write them: what they stand for, and that what cannot be read is said."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.policy.columns import Column
from sfumato.release.foreign import ForeignCells
from sfumato.release.spans import CellSpans
from sfumato.release.writing import Blank, Writing
from sfumato.table.domain import Domain

AGES = ["5", "19", "20", "25", "29", "30", "80", "95"]
DAYS = ["1999-12-31", "2020-01-31", "2020-02-29", "2020-04-01", "2021-07-15"]
ZIPS = ["81675", "81667", "8167", "80331", "91054"]
SEXES = ["female", "male", "not told"]


def meant(cell: str | None, texts: list[str], kind: str, **how: Any) -> list[str] | None:
    """The values among some that a cell stands for; None if it is not read."""
    writing = how.pop("writing", Writing())
    column = Column.model_validate({"role": "quasi", "type": kind, **how})
    codes = ForeignCells([*texts], {}, column, writing).codes(cell)
    return None if codes is None else [texts[code] for code in codes]


@pytest.mark.parametrize(
    ("cell", "values"),
    [
        ("[20, 30[", ["20", "25", "29"]),
        ("[20, 30)", ["20", "25", "29"]),
        ("(20.0, 30.0]", ["25", "29", "30"]),
        ("(19.999, 30.0]", ["20", "25", "29", "30"]),
        ("20-29", ["20", "25", "29"]),
        ("20\u201329", ["20", "25", "29"]),
        ("20 to 29", ["20", "25", "29"]),
        ("<20", ["5", "19"]),
        (">=80", ["80", "95"]),
        ("80+", ["80", "95"]),
        ("[2e+01,1e+02)", ["20", "25", "29", "30", "80", "95"]),
        ("30.0", ["30"]),
        (" 30 ", ["30"]),
        ("3e+01", ["30"]),
        ("2*", ["20", "25", "29"]),
        ("{20, 30}", ["20", "30"]),
        ("{20, 80+}", ["20", "80", "95"]),
        ("*", AGES),
        ("**", AGES),
        ("26.4", []),
        ("[40, 50[", []),
        ("adult", None),
        ("{20, young}", None),
    ],
)
def test_numbers(cell: str, values: list[str] | None) -> None:
    assert meant(cell, AGES, "integer") == values


@pytest.mark.parametrize(
    ("cell", "values"),
    [
        ("2020", DAYS[1:4]),
        ("2020-02", DAYS[2:3]),
        ("02/2020", DAYS[2:3]),
        ("2020Q1", DAYS[1:3]),
        ("Q1 2020", DAYS[1:3]),
        ("[2020-01-31, 2020-04-01[", DAYS[1:3]),
        ("[31.01.2020, 01.04.2020]", DAYS[1:4]),
        ("31.01.2020", DAYS[1:2]),
        ("31.01.2020 - 29.02.2020", DAYS[1:3]),
        ("[2020, 2021[", DAYS[1:4]),
        ("1990-1999", DAYS[:1]),
        ("<2020", DAYS[:1]),
        (">=2020-04", DAYS[3:]),
        ("2020+", DAYS[1:]),
        ("2020-02-29 00:00:00", DAYS[2:3]),
        ("2020-0*-**", DAYS[1:4]),
        ("{2020-02, 2021}", [DAYS[2], DAYS[4]]),
        ("spring", None),
        ("[1, 2, 3]", None),
    ],
)
def test_days(cell: str, values: list[str] | None) -> None:
    assert meant(cell, DAYS, "date", writing=Writing(date="%d.%m.%Y")) == values


@pytest.mark.parametrize(
    ("cell", "values"),
    [
        ("81***", ["81675", "81667"]),
        ("816**", ["81675", "81667"]),
        ("816*", ["8167"]),
        ("80*", ["80331"]),
        ("***54", ["91054"]),
        ("8****", ["81675", "81667", "80331"]),
        (" 91054", ["91054"]),
        ("{81675, 91054}", ["81675", "91054"]),
        ('{"81675"}', ["81675"]),
        ("[80000, 82000[", ["81675", "81667", "80331"]),
        ("Bavaria", None),
    ],
)
def test_texts(cell: str, values: list[str] | None) -> None:
    found = meant(cell, ZIPS, "text")
    assert found == values if found is None or values is None else sorted(found) == sorted(values)


def test_spellings_that_the_policy_makes_one() -> None:
    assert meant("Female", SEXES, "text", role="sensitive") is None
    assert meant("Female", SEXES, "text", role="sensitive", same="case") == ["female"]
    assert meant(" not  told", SEXES, "text") == ["not told"]


@pytest.mark.parametrize("mark", [None, "", "NA", "nan", "NaN", "<NA>", "?"])
@pytest.mark.parametrize(
    ("blank", "missing", "every"),
    [("auto", False, True), ("auto", True, False), ("suppressed", True, True), ("missing", False, False)],
)
def test_empty_cells(mark: str | None, blank: Blank, missing: bool, every: bool) -> None:
    texts: list[str | None] = ["a", "b", *([None] if missing else [])]
    writing = Writing.of(sf.Policy.model_validate(POLICY | {"input": {"missing_values": ["?"]}}).input, blank)
    codes = ForeignCells(texts, {}, Column(role="quasi"), writing).codes(mark)
    assert codes is not None
    assert [texts[code] for code in codes] == (texts if every else [None] if missing else [])


def test_a_value_that_looks_like_nothing_is_a_value() -> None:
    assert meant("NA", ["DE", "NA"], "text") == ["NA"]


def test_numbers_with_a_decimal_comma() -> None:
    comma = Writing(decimal=",")
    assert meant("2,5", ["2.5", "3"], "number", writing=comma) == ["2.5"]
    assert meant("[2,5; 3[", ["2.5", "3"], "number", writing=comma) == ["2.5"]
    assert meant("[2,3]", ["2.5", "3"], "number", writing=comma) == ["2.5", "3"]


@given(st.integers(0, 10**6))
@example(242)
def test_spans_are_those_of_every_value_by_itself(seed: int) -> None:
    """Cells of many notations over random numbers: an interval has exactly the numbers that lie in it."""
    draw = random.Random(seed)
    numbers = sorted(draw.sample(range(100), draw.randrange(1, 20)))
    domain = Domain("n", pl.Series(numbers), np.ones(len(numbers), np.int64), ordered=True)
    low, high = sorted(draw.sample(range(100), 2))
    cells: dict[str, Callable[[int], bool]] = {
        f"[{low}, {high}[": lambda n: low <= n < high,
        f"({low}.0, {high}.0]": lambda n: low < n <= high,
        f"{low}-{high}": lambda n: low <= n <= high,
        f"<{low}": lambda n: n < low,
        f"{low}+": lambda n: n >= low,
        f"{{{low}, {high}}}": lambda n: n in (low, high),
        "0*": lambda n: n == 0,  # no number is as long, and one begins so
        "nobody": lambda n: False,
    }
    spans = CellSpans.of([*cells], domain, Column(role="quasi", type="integer"), Writing())
    for place, fits in enumerate(cells.values()):
        every = np.arange(len(numbers))
        assert spans.has(np.full(len(every), place), every).tolist() == [fits(number) for number in numbers]
    assert spans.unread.tolist() == [len(cells) - 1]


POLICY: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "type": "integer"},
        "zip": {"role": "quasi"},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 2}],
}
ORIGINAL = pl.DataFrame(
    {"age": [23, 27, 34, 38], "zip": ["81667", "81675", "81675", "81925"], "disease": ["flu", "gout", "flu", "gout"]}
)
THEIRS = ORIGINAL.with_columns(age=pl.Series(["[20, 30["] * 2 + ["[30, 40["] * 2), zip=pl.lit("81***"))


def test_measures_and_adversaries_read_them() -> None:
    measured = sf.measure(THEIRS, POLICY, original=ORIGINAL)
    assert measured.rows == 4 and measured.suppressed == 0
    attacked = sf.attack(THEIRS, POLICY, original=ORIGINAL)
    assert attacked.rows == 4


def test_what_cannot_be_read_is_warned_of() -> None:
    odd = THEIRS.with_columns(age=pl.Series(["young", "young", "[30, 40[", "[80, 90["]))
    with pytest.warns(sf.SfumatoWarning, match=r"column 'age'.*original table: 3, of which cannot be read: 2"):
        sf.measure(odd, POLICY, original=ORIGINAL)
    with pytest.warns(sf.SfumatoWarning, match="column 'age'"):
        sf.attack(odd, POLICY, original=ORIGINAL)
