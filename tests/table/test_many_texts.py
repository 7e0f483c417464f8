"""Columns with many different texts are the same as with few."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.table import dictionaries
from sfumato.table.dictionaries import column_of, from_pieces, stacked, tidy, unstacked, values_of
from sfumato.table.formats.parquet.sink import into
from tests.support.examples import examples

cells = st.lists(st.none() | st.text(max_size=2), max_size=12)


def many() -> pytest.MonkeyPatch:
    """From here on, few texts are dealt with as many are."""
    patch = pytest.MonkeyPatch()
    patch.setattr(dictionaries, "_FEW", -1)
    return patch


def parquet(column: pl.Series) -> bytes:
    file = BytesIO()
    into(pl.DataFrame([column]), file)
    return file.getvalue()


@given(texts=st.lists(st.none() | st.text(max_size=3), max_size=12), seed=st.integers(0, 999))
@settings(max_examples=examples(200))
def test_many_and_few(texts: list[str | None], seed: int) -> None:
    values = pl.Series(texts, dtype=pl.String)
    codes = np.random.default_rng(seed).integers(0, len(texts) + 1, 20) if texts else np.zeros(0, np.int64)
    few = column_of("a", codes, values)
    patch = many()
    found = column_of("a", codes, values)
    patch.undo()
    assert tidy(found).dtype == tidy(few).dtype
    assert found.to_list() == few.to_list() == [None if code == len(texts) else texts[code] for code in codes.tolist()]


@given(parts=st.lists(cells, min_size=1, max_size=4))
@settings(max_examples=examples(200))
def test_columns_below_one_another_and_their_bytes(parts: list[list[str | None]]) -> None:
    columns, whole = (
        [pl.Series("a", part, dtype=pl.String) for part in parts],
        [each for part in parts for each in part],
    )
    few = stacked("a", [unstacked(column) for column in columns])
    patch = many()
    found = stacked("a", [unstacked(column) for column in columns])
    tidied = tidy(found)
    patch.undo()
    assert found.to_list() == few.to_list() == whole
    assert values_of(tidied).to_list() == sorted({text for text in whole if text is not None})
    assert parquet(found) == parquet(few) == parquet(tidied)


def test_texts_that_hardly_repeat_are_held_as_texts_and_others_as_a_dictionary() -> None:
    texts = pa.array([f"{number:05d}" for number in range(5000)])
    once, often = np.arange(5000), np.tile(np.arange(5000), 4)
    assert from_pieces("a", [(once, texts)]).dtype == pl.String
    held = from_pieces("a", [(often, texts), (once, texts)])
    assert isinstance(held.dtype, pl.Enum)
    assert held.to_list() == texts.to_pylist() * 5
