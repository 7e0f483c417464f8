"""A column as different values and codes says what the column says, whatever its type."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.table import distinct as module
from sfumato.table.arrow import columns_of
from sfumato.table.distinct import Distinct, combined, distinct, rows_of

ZONED = pl.Series([datetime(2020, 1, 1, 3), None, datetime(1999, 1, 1)]).dt.replace_time_zone("Europe/Berlin")
SERIES = [
    pl.Series(["b", "a", None, "", "a"]),
    pl.Series([127, -128, None, 3, 3], dtype=pl.Int8),
    pl.Series([2**64 - 1, 0, None, 5, 5], dtype=pl.UInt64),
    pl.Series([2**63 - 1, -(2**63), None, 1], dtype=pl.Int64),
    pl.Series([2**100, None, -5], dtype=pl.Int128),
    pl.Series([True, False, None, True]),
    pl.Series([1.5, -0.0, 0.0, float("nan"), None, float("inf"), -1.0]),
    pl.Series([1.5, -0.0, 0.0, None, -7.0], dtype=pl.Float32),
    pl.Series([date(2020, 1, 1), None, date(1, 1, 1), date(2020, 1, 1)]),
    pl.Series([datetime(2020, 1, 1, 3), None, datetime(1999, 1, 1)]),
    ZONED,
    pl.Series([time(3, 4, 5, 6), None, time(0)]),
    pl.Series([Decimal("1.50"), None, Decimal("-3"), Decimal("1.50")], dtype=pl.Decimal(10, 2)),
    pl.Series([None, None]),
    pl.Series([["a"], None, [], ["a", None], ["a"]], dtype=pl.List(pl.String)),
]


def same(found: pl.Series, wanted: pl.Series) -> bool:
    """By what is written: NaN is NaN, and 0.0 is not -0.0."""
    return found.dtype == wanted.dtype and repr(found.to_list()) == repr(wanted.to_list())


@pytest.mark.parametrize("given_series", SERIES, ids=lambda series: str(series.dtype))
def test_every_type_says_what_it_said(given_series: pl.Series) -> None:
    for series in (given_series, given_series.drop_nulls(), given_series.clear(), given_series.clear(3)):
        found = distinct(series)
        assert same(found.spread(), series)
        assert found.values.null_count() == 0 and found.counts.all()
        assert found.counts.sum() + found.missing == len(series) and found.missing == series.null_count()
        even = np.arange(len(series)) % 2 == 0
        parted = found.where(even)
        assert same(parted.spread(), series.filter(pl.Series(even, dtype=pl.Boolean))) and parted.counts.all()
        both = parted.followed_by(found.where(~even))
        assert sorted(map(repr, both.spread().to_list())) == sorted(map(repr, series.to_list()))


@given(st.lists(st.one_of(st.none(), st.text(max_size=3), st.sampled_from(["", "a", "\uffff", "\U00010000"]))))
def test_few_texts_are_told_as_many_are(cells: list[str | None]) -> None:
    given_series = pl.Series("x", cells, dtype=pl.String)
    few = distinct(given_series)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_FEW", -1)
        many = distinct(given_series)
    assert few.values.equals(many.values, check_names=True, check_dtypes=True, null_equal=False)
    assert few.codes.dtype == many.codes.dtype and few.codes.tolist() == many.codes.tolist()


@pytest.mark.parametrize("dtype", [pl.Categorical(), pl.Enum(["z", "x", "unused", "a"])])
def test_categories_become_texts(dtype: pl.DataType) -> None:
    found = distinct(pl.Series(["x", None, "a", "x", "z"], dtype=dtype))
    assert found.values.to_list() == ["a", "x", "z"] and found.codes.tolist() == [1, -1, 0, 1, 2]


@given(st.lists(st.none() | st.sampled_from("abcdef"), max_size=30))
def test_first_rows_and_places(cells: list[str | None]) -> None:
    found = distinct(pl.Series(cells, dtype=pl.String))
    texts = sorted({cell for cell in cells if cell is not None})
    assert found.values.to_list() == texts
    assert found.first_rows.tolist() == [cells.index(text) for text in texts]
    if texts:
        assert found.first(np.arange(len(texts)) >= len(texts) - 1) == cells.index(texts[-1])


def test_first_rows_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.table.distinct._ROWS_AT_ONCE", 2)
    numbers = [*range(5), *[0] * 60, 5]
    found = distinct(pl.Series(numbers))
    assert found.first_rows.tolist() == [0, 1, 2, 3, 4, 65]
    assert found.counts.tolist() == [61, 1, 1, 1, 1, 1]


def test_values_become_others() -> None:
    found = distinct(pl.Series("n", ["c", "a", None, "b", "a"]))
    made = found.mapped(pl.Series([2, None, 1]))  # of a, b and c
    assert made.spread().to_list() == [1, 2, None, None, 2] and made.values.name == "n"
    one = found.mapped(pl.Series(["x", "x", "x"]))
    assert one.values.to_list() == ["x"] and one.counts.tolist() == [4]
    assert found.mapped(pl.Series(["A", "B", "C"])).codes is found.codes, "no copy where nothing moves"


columns = st.lists(st.lists(st.none() | st.integers(0, 3), min_size=6, max_size=6), min_size=1, max_size=4)


@given(columns)
def test_combinations(cells: list[list[Any]]) -> None:
    found = [distinct(pl.Series(column, dtype=pl.Int64)) for column in cells]
    codes, places = combined(found)
    rows = list(zip(*cells, strict=True))
    assert len(places) == len(set(rows))
    shown = zip(*(Distinct(each.values, places[:, at]).spread() for at, each in enumerate(found)), strict=True)
    told = list(shown)
    assert [told[code] for code in codes] == rows


def test_dictionaries_of_chunks_become_one() -> None:
    parts = (["b", None, "a"], ["a", "c"], [None])
    chunks = [pa.array(part, pa.string()).dictionary_encode() for part in parts]
    odd = pa.DictionaryArray.from_arrays(pa.array([1, 0, None], pa.uint8()), pa.array(["d", None]))
    for column, wanted in (
        (pa.chunked_array(chunks), ["b", None, "a", "a", "c", None]),
        (pa.chunked_array(chunks).slice(1), [None, "a", "a", "c", None]),
        (pa.chunked_array([odd]), [None, "d", None]),
        (pa.chunked_array([], pa.dictionary(pa.int32(), pa.string())), []),
    ):
        found = columns_of({"x": column})["x"]
        assert found.spread().to_list() == wanted and found.counts.all()
        assert found.values.to_list() == sorted({text for text in wanted if text is not None})


def test_no_columns_have_no_rows() -> None:
    assert rows_of({}) == 0
