"""Rows as words, and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.table.tuples import Tuples
from sfumato.table.word_layout import WordLayout
from tests.support.examples import examples
from tests.support.handmade import Column, column_with, counted, rows_of
from tests.support.topcuts import bare


def column_of(name: str, codes: list[int], size: int) -> Column:
    return column_with(name, np.array(codes) % size, [str(code) for code in range(size)])


@st.composite
def tables(draw: st.DrawFn) -> Tuples:
    rows = draw(st.integers(1, 20))
    codes = st.lists(st.integers(0, 10_000), min_size=rows, max_size=rows)
    sizes = draw(st.lists(st.sampled_from([1, 2, 3, 64, 65, 9000]), min_size=3, max_size=9))
    columns = [column_of(f"c{at}", draw(codes), size) for at, size in enumerate(sizes)]
    return rows_of(columns[2:], columns[:1], beside=columns[1:2])


@settings(max_examples=examples(100))
@given(table=tables(), weighted=st.booleans())
def test_tuples_come_back_with_the_columns_of_the_whole_table(table: Tuples, weighted: bool) -> None:
    layout = WordLayout.of_table(bare(table))
    held = counted(table) if weighted else table
    words = layout.pack(held.codes)
    assert words.shape == (len(held), layout.words)
    back, expected = layout.tuples(words[:7], held.counts[:7] if weighted else None, bare(table)), counted(table)
    assert back.rows == held.counts[:7].sum()
    assert back.quasi == expected.quasi
    assert all(back[name].counts.sum() == table.rows for name in table.codes)
    whole = layout.tuples(words, held.counts if weighted else None, bare(table))
    assert whole.counts.tolist() == expected.counts.tolist()
    for name, codes in expected.codes.items():
        assert whole.codes[name].tolist() == codes.tolist()


def test_columns_without_a_field_are_named() -> None:
    layout = WordLayout.of([column_of("q", [0, 1], 2).domain])
    with pytest.raises(ValueError, match="no field for: 'r', 's'"):
        layout.where(["q", "r", "s"])
