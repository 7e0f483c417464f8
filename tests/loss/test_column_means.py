"""Mean costs of columns: cells weighed by the rows that they stand for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.loss.contract import column_means


@given(
    cells=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.integers(1, 9)), min_size=1, max_size=12),
    suppressed=st.integers(0, 20),
)
def test_a_cell_counts_for_its_rows_and_a_suppressed_row_for_one(
    cells: list[tuple[float, float, int]], suppressed: int
) -> None:
    rows = np.array([count for _, _, count in cells])
    columns = [np.array([cell[side] for cell in cells]) for side in (0, 1)]
    found = column_means(columns, rows, suppressed)
    one_by_one = [[cell[side] for cell in cells for _ in range(cell[2])] + [1.0] * suppressed for side in (0, 1)]
    assert found.tolist() == pytest.approx([sum(each) / len(each) for each in one_by_one])


def test_no_rows_lose_nothing_and_suppressed_ones_everything() -> None:
    none = np.zeros(0)
    assert column_means([none], none.astype(np.int64), 0).tolist() == [0.0]
    assert column_means([none, none], none.astype(np.int64), 3).tolist() == [1.0, 1.0]
