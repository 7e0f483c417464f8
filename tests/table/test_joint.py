"""Combinations of columns as one code."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.handmade import column_with, counted, rows_of

ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=30)


@settings(max_examples=examples(60))
@given(rows=ROWS, wide=st.booleans())
def test_a_joint_code_stands_for_its_combination(rows: list[tuple[int, int, int]], wide: bool) -> None:
    """Also where the combinations outgrow 64 bits."""
    sizes = (2**22, 2**22, 2**22) if wide else (4, 3, 6)
    columns = []
    for place, size in enumerate(sizes):
        columns.append(column_with(f"c{place}", [row[place] for row in rows], pl.int_range(size, eager=True)))
    table = rows_of((), columns)
    codes, combinations = table.joint(("c0", "c1", "c2"))
    assert [tuple(combinations[code].tolist()) for code in codes] == rows
    assert [tuple(each) for each in combinations.tolist()] == sorted(set(rows))
    assert table.joint(["c0", "c1", "c2"])[0] is codes, "computed once"
    assert [tuple(table.joint(("c2", "c0"))[1][code].tolist()) for code in table.joint(("c2", "c0"))[0]] == [
        (third, first) for first, _, third in rows
    ]
    few = counted(table)
    assert np.array_equal(few.joint(("c0", "c1", "c2"))[1], combinations), "of rows and of tuples alike"
    assert sum(few.counts.tolist()) == len(rows)
