"""The loops of Mondrian against plain Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.kernels.mondrian import choose_cuts, divide, segment_boxes, tally

codes_of_segment = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), min_size=1, max_size=30)


def packed(rows: list[tuple[int, int]], scale: int = 1) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    return np.array([(code * scale, value, row) for row, (code, value) in enumerate(rows)], dtype=np.int32)


def left_rows(rows: list[tuple[int, int]], cut: int, quota: int) -> list[int]:
    """Which rows a cut sends to the left, by its definition."""
    chosen = []
    for row, (code, _) in enumerate(rows):
        if code < cut or (code == cut and quota > 0):
            quota -= code == cut
            chosen.append(row)
    return chosen


@settings(max_examples=200, deadline=None)
@given(rows=codes_of_segment, scale=st.sampled_from([1, 1000]), relaxed=st.booleans())
def test_a_free_cut_comes_nearest_to_two_halves(rows: list[tuple[int, int]], scale: int, relaxed: bool) -> None:
    records = packed(rows, scale)
    one = np.zeros(1, np.int64)
    low, high = segment_boxes(records, one, np.array([len(rows)]), 1)
    assert (low[0, 0], high[0, 0]) == (records[:, 0].min(), records[:, 0].max())
    none = np.zeros(0, np.int64)
    cut, quota, left = choose_cuts(
        records, one, np.array([len(rows)]), one, low[:, 0], high[:, 0], one, one, none, relaxed
    )
    codes = sorted(int(code) for code in records[:, 0])
    if codes[0] == codes[-1]:
        assert quota[0] == 0
        return
    scaled = [(code * scale, value) for code, value in rows]
    chosen = left_rows(scaled, int(cut[0]), int(quota[0]))
    assert len(chosen) == left[0]
    assert 0 < len(chosen) < len(rows)
    if relaxed:
        assert abs(2 * len(chosen) - len(rows)) <= 2
    else:
        possible = [sum(code <= at for code in codes) for at in codes if at < codes[-1]]
        assert abs(2 * len(chosen) - len(rows)) == min(abs(2 * size - len(rows)) for size in possible)
        assert {scaled[row][0] for row in chosen}.isdisjoint(
            scaled[row][0] for row in range(len(rows)) if row not in chosen
        )


@settings(max_examples=200, deadline=None)
@given(rows=codes_of_segment, edges=st.lists(st.integers(0, 8), min_size=1, max_size=4, unique=True))
def test_a_cut_respects_the_edges_of_a_taxonomy(rows: list[tuple[int, int]], edges: list[int]) -> None:
    records = packed(rows)
    one, stop = np.zeros(1, np.int64), np.array([len(rows)])
    low, high = segment_boxes(records, one, stop, 1)
    marks = np.array(sorted(edges))
    cut, quota, left = choose_cuts(
        records, one, stop, one, low[:, 0], high[:, 0], one, np.array([len(marks)]), marks, False
    )
    sizes = {sum(code <= edge for code, _ in rows) for edge in edges} - {0, len(rows)}
    if not sizes:
        assert quota[0] == 0
        return
    assert abs(2 * left[0] - len(rows)) == min(abs(2 * size - len(rows)) for size in sizes)
    chosen = left_rows(rows, int(cut[0]), int(quota[0]))
    assert any({row for row, (code, _) in enumerate(rows) if code <= edge} == set(chosen) for edge in edges)


@settings(max_examples=200, deadline=None)
@given(
    segments=st.lists(codes_of_segment, min_size=1, max_size=4),
    data=st.data(),
    domain=st.sampled_from([4, 100]),
)
def test_counts_and_division_agree_with_the_cut(
    segments: list[list[tuple[int, int]]], data: st.DataObject, domain: int
) -> None:
    rows = [row for segment in segments for row in segment]
    records = packed(rows)
    bounds = np.cumsum([0, *map(len, segments)])
    cuts = np.array([data.draw(st.integers(0, 9)) for _ in segments])
    quotas = np.array([data.draw(st.integers(1, 5)) for _ in segments])
    column = np.zeros(len(segments), np.int64)
    runs, values, counts = tally(records, bounds[:-1], bounds[1:], column, cuts, quotas, 1, domain)
    expected = [
        left_rows(segment, int(cut), int(quota)) for segment, cut, quota in zip(segments, cuts, quotas, strict=True)
    ]
    for index, (segment, chosen) in enumerate(zip(segments, expected, strict=True)):
        for side in (0, 1):
            part = slice(runs[2 * index + side], runs[2 * index + side + 1])
            wanted = Counter(value for row, (_, value) in enumerate(segment) if (row in chosen) == (side == 0))
            assert dict(zip(values[part].tolist(), counts[part].tolist(), strict=True)) == wanted
            assert list(values[part]) == sorted(values[part])
    middle = divide(records, bounds[:-1], bounds[1:], column, cuts, quotas)
    for index, chosen in enumerate(expected):
        start = bounds[index]
        assert middle[index] - start == len(chosen)
        assert [int(row) - start for row in records[start : middle[index], 2]] == chosen
        rest = [row for row in range(len(segments[index])) if row not in chosen]
        assert [int(row) - start for row in records[middle[index] : bounds[index + 1], 2]] == rest
