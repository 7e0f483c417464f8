"""Combinations of columns as one code."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples

ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=30)


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, wide=st.booleans())
def test_a_joint_code_stands_for_its_combination(rows: list[tuple[int, int, int]], wide: bool) -> None:
    """Also where the combinations outgrow 64 bits."""
    sizes = (2**22, 2**22, 2**22) if wide else (4, 3, 6)
    columns = []
    for place, size in enumerate(sizes):
        codes = np.array([row[place] for row in rows], dtype=np.int32)
        columns.append(Domain(f"c{place}", codes, pl.int_range(size, eager=True)))
    table = Tuples(len(rows), (), tuple(columns))
    codes, combinations = table.joint(("c0", "c1", "c2"))
    assert [tuple(combinations[code].tolist()) for code in codes] == rows
    assert [tuple(each) for each in combinations.tolist()] == sorted(set(rows))
    assert table.joint(["c0", "c1", "c2"])[0] is codes, "computed once"
    assert [tuple(table.joint(("c2", "c0"))[1][code].tolist()) for code in table.joint(("c2", "c0"))[0]] == [
        (third, first) for first, _, third in rows
    ]
