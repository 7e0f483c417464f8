"""The loops of Mondrian against plain Python."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.partition.mondrian.loops.cuts import propose, tally
from sfumato.partition.mondrian.loops.halves import divide, shrink
from sfumato.partition.mondrian.loops.segments import (
    CHANCE,
    CODE,
    COLUMN,
    FIRST,
    LEFT,
    MANNER,
    STOP,
    CutRules,
    Fields,
    Scratch,
    Segments,
    Trees,
    no_cuts,
)
from sfumato.table.packing import Packed
from tests.support.examples import examples

Ints = NDArray[np.int64]
Row = tuple[int, int, int]
"""Code, value, and how many rows they stand for."""

rows_of_segment = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(1, 4)),
    min_size=1,
    max_size=30,
    unique_by=lambda row: row[:2],
)
FREE = Trees(np.array([-1]), *(np.zeros(0, np.int64),) * 4)


def tree(edges: list[int], size: int) -> Trees:
    """One taxonomy: leaves, and a root that may be cut after some of them."""
    last = np.append(np.arange(size), size - 1)
    edge_from = np.append(np.zeros(size + 1, np.int64), len(edges))
    return Trees(np.array([0]), np.full(size + 1, size), last, edge_from, np.array(edges))


class Bench:
    """Segments over one column and one counted value, and a place for their cuts."""

    def __init__(self, segments: list[list[Row]], scale: int = 1, chance: int = 0, size: int = 10) -> None:
        rows = [row for segment in segments for row in segment]
        self.domain = 1 + max(value for _, value, _ in rows)
        codes = np.array([code * scale for code, _, _ in rows], dtype=np.int32)
        values = np.array([value for _, value, _ in rows], dtype=np.int32)
        columns = [(values, self.domain), (codes, size * scale)]
        packed = Packed.of(columns, np.ones(len(rows), dtype=np.int64), canonical=False)
        records = np.empty((len(rows), 2), np.int64)
        records[:, 0] = values | (codes.astype(np.int64) << int(packed.fields[1, 1]))
        records[:, 1] = [(count << 32) | at for at, (_, _, count) in enumerate(rows)]
        _, shift, mask = packed.fields[1].tolist()
        self.layout = Fields(packed.fields[1:], packed.fields[:1], np.array([mask << shift]))
        bounds = np.cumsum([0, *map(len, segments)])
        self.sizes = np.array([sum(count for _, _, count in segment) for segment in segments])
        low, high = np.zeros((len(segments), 1), np.int64), np.full((len(segments), 1), size * scale - 1)
        self.segments = Segments(records, np.stack([bounds[:-1], bounds[1:], self.sizes], axis=1), low, high)
        for index in range(len(segments)):
            shrink(records, self.layout.quasi, int(bounds[index]), int(bounds[index + 1]), low[index], high[index])
        self.cuts = no_cuts(len(segments))
        self.cuts[:, CHANCE] = chance
        seen, counts = np.zeros((self.domain + 1, 2), np.int64), np.zeros((self.domain, 2), np.int64)
        self.scratch = Scratch(np.empty(256, np.int64), seen, counts)

    def propose(self, trees: Trees = FREE, least: int = 1, wanted: int = 1, relaxed: bool = False) -> list[int]:
        rules = CutRules(trees, least, wanted, relaxed)
        count = len(self.sizes)
        cost, waiting = np.ones((count, 1)), np.arange(count)
        return list(propose(self.segments, self.layout, rules, cost, self.scratch, waiting, self.cuts))

    def tally(self) -> list[dict[int, int]]:
        which = np.flatnonzero(self.cuts[:, COLUMN] >= 0)
        runs, values, counts = tally(self.segments, self.layout, 0, self.domain, self.scratch, which, self.cuts)
        parts = [slice(start, stop) for start, stop in pairwise(runs)]
        pairs = [list(zip(values[part].tolist(), counts[part].tolist(), strict=True)) for part in parts]
        assert all(pair == sorted(pair) for pair in pairs)
        assert not self.scratch.counts.any()
        return [dict(pair) for pair in pairs]

    def divide(self, least: int) -> tuple[list[Counter[int]], Counter[tuple[int, int]]]:
        """Rows per tuple of every half that may be cut again; and the rows of every (group, tuple) that is settled."""
        counts = self.segments.records[:, 1] >> 32
        starts = np.concatenate(([0], np.cumsum(counts)))
        groups = np.full(starts[-1], -1, np.int32)
        room, records, born, _ = divide(
            self.segments, self.layout.quasi, self.cuts, least, 0, starts[:-1].copy(), groups
        )
        halves = room.used(records, born)
        last = halves.records[:, 1]
        made = []
        for first, stop in halves.spans[:, [FIRST, STOP]].tolist():
            each = Counter[int]()
            for word in last[first:stop].tolist():
                assert word >> 32 > 0
                each[word & 0xFFFFFFFF] += word >> 32
            made.append(each)
        owner = np.repeat(np.arange(len(counts)), counts)
        settled = Counter((group, at) for group, at in zip(groups.tolist(), owner.tolist(), strict=True) if group >= 0)
        return made, settled


def sizes_below(rows: list[Row]) -> dict[int, int]:
    """Rows with a code no larger than each."""
    return {at: sum(count for code, _, count in rows if code <= at) for at in {code for code, _, _ in rows}}


@settings(max_examples=examples(200))
@given(rows=rows_of_segment, scale=st.sampled_from([1, 1000, 10**6]))
def test_a_free_cut_comes_nearest_to_two_halves(rows: list[Row], scale: int) -> None:
    bench = Bench([rows], scale)
    codes = [code * scale for code, _, _ in rows]
    assert (bench.segments.low[0, 0], bench.segments.high[0, 0]) == (min(codes), max(codes))
    total = sum(count for _, _, count in rows)
    if bench.propose() == []:
        assert min(codes) == max(codes)
        return
    below = sizes_below(rows)
    left = int(bench.cuts[0, LEFT])
    assert left == sum(count for code, _, count in rows if code * scale <= bench.cuts[0, CODE])
    assert abs(2 * left - total) == min(abs(2 * size - total) for size in below.values() if size < total)
    assert bench.propose() == []  # there is one column only


@settings(max_examples=examples(200))
@given(codes=st.lists(st.one_of(st.integers(0, 4000), st.integers(1990, 2010)), min_size=2, max_size=40))
def test_medians_of_wide_columns_with_neighbouring_codes(codes: list[int]) -> None:
    bench = Bench([[(code, 0, 1) for code in codes]], size=4001)
    found = bench.propose(relaxed=True)
    assert bool(found) == (len(set(codes)) > 1)
    if found:
        assert bench.cuts[0, CODE] == sorted(codes)[(len(codes) - 1) // 2]


@settings(max_examples=examples(200))
@given(rows=rows_of_segment, edges=st.lists(st.integers(0, 8), min_size=1, max_size=4, unique=True))
def test_a_cut_respects_the_edges_of_a_taxonomy(rows: list[Row], edges: list[int]) -> None:
    bench = Bench([rows])
    found = bench.propose(tree(sorted(edges), 10))
    total = sum(count for _, _, count in rows)
    sizes = {sum(count for code, _, count in rows if code <= edge) for edge in edges} - {0, total}
    if not sizes or len({code for code, _, _ in rows}) == 1:
        assert found == []
        return
    assert abs(2 * bench.cuts[0, LEFT] - total) == min(abs(2 * size - total) for size in sizes)
    assert bench.cuts[0, CODE] in edges


@settings(max_examples=examples(200))
@given(rows=rows_of_segment, chance=st.integers(0, 2**62), together=st.booleans())
def test_a_relaxed_cut_makes_halves_and_shares_in_proportion(rows: list[Row], chance: int, together: bool) -> None:
    rows = sorted(rows)
    bench = Bench([rows], chance=chance)
    if bench.propose(relaxed=True) == []:
        return
    if not together:
        bench.propose(relaxed=True)
        assert bench.cuts[0, MANNER] == 1
    total, cut = sum(count for _, _, count in rows), int(bench.cuts[0, CODE])
    assert bench.cuts[0, LEFT] == total // 2
    halves, settled = bench.divide(least=0)
    assert not settled
    assert sum(halves[0].values()) == bench.cuts[0, LEFT]
    ties = sum(count for code, _, count in rows if code == cut)
    quota = int(bench.cuts[0, LEFT]) - sum(count for code, _, count in rows if code < cut)
    for at, (code, _, count) in enumerate(rows):
        assert halves[0][at] + halves[1][at] == count
        if code == cut:
            assert abs(Fraction(count * quota, ties) - halves[0][at]) < 1
        else:
            assert halves[0][at] == (count if code < cut else 0)


@settings(max_examples=examples(200))
@given(
    segments=st.lists(rows_of_segment, min_size=1, max_size=4),
    chance=st.integers(0, 2**62),
    relaxed=st.booleans(),
    least=st.integers(1, 8),
    wanted=st.integers(1, 3),
)
def test_counts_division_and_rules_agree(
    segments: list[list[Row]], chance: int, relaxed: bool, least: int, wanted: int
) -> None:
    bench = Bench(list(map(sorted, segments)), chance=chance)
    found = bench.propose(least=least, wanted=wanted, relaxed=relaxed)
    assert found == np.flatnonzero(bench.cuts[:, COLUMN] >= 0).tolist()
    counted = bench.tally()
    rows = [row for segment in segments for row in sorted(segment)]
    assert all(len(side) >= wanted and sum(side.values()) >= least for side in counted)
    halves, settled = bench.divide(least)
    wanted_halves = [side for side in counted if sum(side.values()) >= 2 * least]
    assert [dict(sorted(by_value(half, rows).items())) for half in halves] == wanted_halves
    groups: dict[int, Counter[int]] = {}
    for (group, at), count in settled.items():
        groups.setdefault(group, Counter())[at] += count
    uncut = [sum(count for _, _, count in segment) for at, segment in enumerate(segments) if at not in found]
    small = [sum(side.values()) for side in counted if sum(side.values()) < 2 * least]
    assert sorted(sum(group.values()) for group in groups.values()) == sorted(uncut + small)
    assert sorted(groups) == list(range(len(groups)))


def by_value(half: Counter[int], rows: list[Row]) -> Counter[int]:
    made = Counter[int]()
    for at, count in half.items():
        made[rows[at][1]] += count
    return made


def test_tallies_of_many_values_come_in_order() -> None:
    rows = [(code, value, 1) for code, value in [(0, 90), (0, 7), (1, 90), (1, 3), (0, 3), (1, 50)]]
    bench = Bench([rows])
    assert bench.domain > 4 * len(rows)
    assert bench.propose() == [0]
    assert bench.tally() == [{3: 1, 7: 1, 90: 1}, {3: 1, 50: 1, 90: 1}]
