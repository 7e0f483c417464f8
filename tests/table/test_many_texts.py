"""Columns with many different texts are the same as with few."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.table import dictionaries
from sfumato.table.dictionaries import column_of
from tests.support.examples import examples


@given(texts=st.lists(st.none() | st.text(max_size=3), max_size=12), seed=st.integers(0, 999))
@settings(max_examples=examples(200))
def test_many_and_few(texts: list[str | None], seed: int) -> None:
    values = pl.Series(texts, dtype=pl.String)
    codes = np.random.default_rng(seed).integers(0, len(texts) + 1, 20) if texts else np.zeros(0, np.int64)
    few = column_of("a", codes, values)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dictionaries, "_FEW", -1)
        many = column_of("a", codes, values)
    assert many.dtype == few.dtype
    assert many.to_list() == few.to_list() == [None if code == len(texts) else texts[code] for code in codes.tolist()]
