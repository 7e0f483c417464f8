"""Columns as dictionaries: the same cells, each different text once, in ascending order."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.table.dictionaries import (
    as_dictionaries,
    as_texts,
    codes_of,
    dictionary_of,
    from_pieces,
    mapped,
    tidy,
    values_of,
)

cells = st.lists(st.none() | st.sampled_from(["", " ", "a", "b", "*", "ä"]), max_size=30)


def in_order(texts: list[str | None]) -> list[str]:
    return sorted({text for text in texts if text is not None})


@given(cells, st.permutations(["", " ", "a", "b", "*", "ä", "unused"]))
def test_a_dictionary_is_that_of_its_cells_however_it_was(texts: list[str | None], order: list[str]) -> None:
    plain = pl.Series("x", texts, dtype=pl.String)
    for given_ in (plain, plain.cast(pl.Categorical), plain.cast(pl.Enum(order))):
        made = tidy(given_)
        assert made.to_list() == texts
        assert values_of(made).to_list() == in_order(texts)
        meant = [*values_of(made).to_list(), None]
        assert [meant[code] for code in codes_of(made)] == texts
    frame = as_dictionaries(pl.DataFrame([plain]))
    assert as_texts(frame).to_series().equals(plain)


@pytest.mark.parametrize("different", [254, 255, 256, 65_535, 65_536])
def test_codes_are_as_small_as_can_be_and_missing_fits(different: int) -> None:
    texts = [*sorted(map(str, range(different))), None]
    made = tidy(pl.Series(texts, dtype=pl.String))
    assert codes_of(made).dtype == np.min_scalar_type(different)
    assert codes_of(made)[-1] == different
    assert made.to_list() == texts


def test_late_values_are_found() -> None:
    texts = ["a"] * 500_000 + ["b", "a", "c"]
    made = tidy(pl.Series(texts).cast(pl.Enum(["c", "unused", "b", "a"])))
    assert values_of(made).to_list() == ["a", "b", "c"]
    assert made[-3:].to_list() == ["b", "a", "c"]


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([1.5, None, -0.0, 0.0, 1.5, float("nan"), 1e300]),
        pl.Series([3, None, -3, 3]),
        pl.Series([True, None, False, True]),
        pl.Series([date(2024, 1, 2), None, date(1, 1, 1)]),
        pl.Series([datetime(2024, 1, 2, 3), None, datetime(2024, 1, 2)]),
        pl.Series([Decimal("1.50"), None, Decimal("2.00"), Decimal("1.50")]),
        pl.Series([1, None, 1], dtype=pl.Int128),
        pl.Series([None, None], dtype=pl.Null),
        pl.Series([], dtype=pl.Int64),
    ],
    ids=lambda column: str(column.dtype),
)
def test_any_value_is_shown_as_text(column: pl.Series) -> None:
    made = dictionary_of(column)
    assert made.to_list() == column.cast(pl.String).to_list()
    assert values_of(made).to_list() == in_order(column.cast(pl.String).to_list())


def test_times_of_day_keep_their_last_digit() -> None:
    made = dictionary_of(pl.Series([1, 2, None, 1], dtype=pl.Int64).cast(pl.Time))
    assert made.to_list() == ["00:00:00.000000001", "00:00:00.000000002", None, "00:00:00.000000001"]
    assert dictionary_of(pl.Series([time(1)])).to_list() == ["01:00:00.000000000"]


def test_texts_that_become_the_same_are_one() -> None:
    column = tidy(pl.Series("x", ["a", "A", None, "b", "a", ""]))
    made = mapped(column, lambda text: text.lower() or None)
    assert made.to_list() == ["a", "a", None, "b", "a", None]
    assert values_of(made).to_list() == ["a", "b"]
    assert mapped(column, lambda text: text) is column


@given(st.lists(cells, max_size=4))
def test_pieces_are_one_column(parts: list[list[str | None]]) -> None:
    pieces = []
    for part in parts:
        coded = pa.array(part, pa.large_string()).dictionary_encode()
        codes = coded.indices.fill_null(len(coded.dictionary)).to_numpy(zero_copy_only=False)
        pieces.append((codes, coded.dictionary))
    made = from_pieces("x", pieces)
    whole = [text for part in parts for text in part]
    assert made.to_list() == whole
    assert values_of(made).to_list() == in_order(whole)
