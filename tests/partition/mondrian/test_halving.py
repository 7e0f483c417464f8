"""Where a column halves a group: blocks of codes against all cuts tried."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.partition.mondrian.halving import CodeWindow, Halving
from tests.support.examples import examples

MOST = 3000
codes_of_rows = st.lists(
    st.one_of(st.integers(0, MOST), st.sampled_from([3, 700, 701, 702, 2999])), min_size=2, max_size=40
)


def best(codes: list[int], edges: list[int]) -> int:
    """Rows left of the first of those cuts that are nearest to one half."""
    lefts = [0, *(sum(code <= edge for code in codes) for edge in edges), len(codes)]
    return min(lefts, key=lambda left: (abs(2 * left - len(codes)), left))


@settings(max_examples=examples(400))
@given(
    codes=codes_of_rows, edges=st.none() | st.sets(st.integers(0, MOST - 1)), blocks=st.sampled_from([2, 3, 64, 9999])
)
def test_the_cut_is_the_nearest_to_one_half_of_all(codes: list[int], edges: set[int] | None, blocks: int) -> None:
    low, high, rows = min(codes), max(codes), Counter(codes)
    if low == high:
        return
    possible = None if edges is None else np.array(sorted(edges), dtype=np.int64)
    halving = Halving.start(7, len(codes), low, high, possible)
    passes = 0
    while halving.cut is None:
        asked = halving.windows(blocks)
        assert asked
        for window in asked:
            assert window.column == 7
            assert window.size <= blocks
            halving = halving.told(window, told(window, rows))
        assert len(halving.codes) <= 12
        passes += 1
    code, left = halving.cut
    assert not halving.windows(blocks)
    assert left == sum(each <= code for each in codes) == best(codes, sorted(range(MOST) if edges is None else edges))
    assert edges is None or left in (0, len(codes)) or code in edges
    assert passes <= {2: 13, 3: 13, 64: 3, 9999: 1}[blocks] + (edges is not None)


def told(window: CodeWindow, rows: Counter[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    cells = np.zeros(window.size, dtype=np.int64)
    for block in range(window.size):
        first = window.base + block * 2**window.shift
        cells[block] = sum(count for code, count in rows.items() if first <= code < first + 2**window.shift)
    return cells


def test_rows_up_to_a_code_are_one_block() -> None:
    for code in (0, 1, 6, 7, 8, 2999):
        window = CodeWindow.upto(0, code)
        assert told(window, Counter(range(MOST + 1))).tolist() == [code + 1]
        assert window.ends.tolist() == [code]
