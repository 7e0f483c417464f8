"""The loops that look for Mondrian's cuts: which comes next, and what lies on either side of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.sorting import ascending, first_not_below
from sfumato.partition.mondrian.loops.choice import edges_of, nearer, next_column
from sfumato.partition.mondrian.loops.records import Cut, Field, Records, code_of, cut_of, field_of, goes_left, rows_of
from sfumato.partition.mondrian.loops.segments import (
    BEGIN,
    CHANCE,
    CODE,
    COLUMN,
    END,
    FIRST,
    LEFT,
    MANNER,
    QUOTA,
    ROWS,
    STOP,
    TIES,
    CutRules,
    Fields,
    Scratch,
    Segments,
)

__all__ = ["propose", "tally"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@inner
def _median(
    records: Records, first: int, stop: int, field: Field, low: int, high: int, rows: int, buckets: Ints
) -> tuple[int, int, int]:
    """The lower median of a column: its code, how many rows have a smaller one, and how many have it.

    Codes are counted in buckets, then those of the bucket that holds the median, until it holds one code.
    """
    room = min(len(buckets), max(128, 2 * (stop - first)))
    before = 0
    while True:
        bits = 0
        while (high - low) >> bits >= room:
            bits += 1
        for bucket in range(((high - low) >> bits) + 1):
            buckets[bucket] = 0
        for row in range(first, stop):
            code = code_of(records, row, field)
            if low <= code <= high:
                buckets[(code - low) >> bits] += rows_of(records, row)
        bucket = 0
        while 2 * (before + buckets[bucket]) < rows:
            before += buckets[bucket]
            bucket += 1
        bottom = low + (bucket << bits)
        if bits == 0:
            return bottom, before, buckets[bucket]
        top = min(high, bottom + (1 << bits) - 1)
        low, high = top, bottom
        for row in range(first, stop):
            code = code_of(records, row, field)
            if bottom <= code <= top:
                low, high = min(low, code), max(high, code)
        if low == high:
            return low, before, buckets[bucket]


@inner
def _at_edge(
    records: Records, first: int, stop: int, field: Field, edges: Ints, high: int, rows: int, median: int
) -> tuple[int, int]:
    """The cut at an edge that is nearest to two halves: after which code, and rows left of it (none: 0).

    Rows to the left grow from edge to edge and pass one half at the median: one of the two edges around it is best.
    """
    place = first_not_below(edges, median)
    under = edges[place - 1] if place > 0 else -1
    over = edges[place] if place < len(edges) else high
    left_under, left_over = 0, 0
    for row in range(first, stop):
        code = code_of(records, row, field)
        if code <= over:
            left_over += rows_of(records, row)
        if code <= under:
            left_under += rows_of(records, row)
    code, left = nearer(rows, under, left_under, over, left_over)
    return code, left


@inner
def _straddling(
    records: Records, first: int, stop: int, field: Field, code: int, quota: int, alike: Ints
) -> tuple[int, int, int, int]:
    """Of the records with that code, those that look alike and straddle the quota.

    Answers how many rows they stand for, how many of these go left, and where the records begin and end.
    """
    before, here, begin = 0, 0, -1
    row = first
    while row < stop:
        if code_of(records, row, field) == code:
            same = begin >= 0
            for word in range(len(alike)):
                same = same and (records[row, word] ^ records[begin, word]) & alike[word] == 0
            if not same:
                if begin >= 0 and before + here >= quota:
                    break
                before += here
                here, begin = 0, row
            here += rows_of(records, row)
        row += 1
    return here, quota - before, begin, row


@inner
def _varied(
    records: Records, first: int, stop: int, field: Field, cut: Cut, value: Field, wanted: int, seen: Ints
) -> bool:
    """Whether both sides have that many different values."""
    stamp = seen[-1, 0] + 1
    seen[-1, 0] = stamp
    carry = cut.chance % max(cut.ties, 1)
    left_found, right_found = 0, 0
    for row in range(first, stop):
        rows = rows_of(records, row)
        left, carry = goes_left(cut, row, code_of(records, row, field), rows, carry)
        each = code_of(records, row, value)
        on_left = stamp if left > 0 else seen[each, 0]  # no branches: which side it is cannot be foretold
        on_right = stamp if left < rows else seen[each, 1]
        left_found += on_left != seen[each, 0]
        right_found += on_right != seen[each, 1]
        seen[each, 0], seen[each, 1] = on_left, on_right
        if left_found >= wanted and right_found >= wanted:
            return True
    return False


@compiled
def propose(
    segments: Segments, layout: Fields, rules: CutRules, cost: Floats, scratch: Scratch, waiting: Ints, cuts: Ints
) -> Ints:
    """The next cut of every waiting segment, written into `cuts`; answers which of them have one.

    Columns come in order of falling cost, after the one in `cuts`. Cuts that break the rules are passed over.
    """
    records, spans, trees, found = segments.records, segments.spans, rules.trees, 0
    for at in range(len(waiting)):
        segment = waiting[at]
        first, stop, rows = spans[segment, FIRST], spans[segment, STOP], spans[segment, ROWS]
        low, high = segments.low[segment], segments.high[segment]
        column, manner = cuts[segment, COLUMN], cuts[segment, MANNER]
        while True:
            column = next_column(cost[segment], low, high, column)
            if column < 0 and rules.relaxed and manner == 0:
                manner = 1
                continue
            cuts[segment, COLUMN], cuts[segment, MANNER] = column, manner
            if column < 0:
                break
            field = field_of(layout.quasi, column)
            bottom, top = low[column], high[column]
            code, before, here = _median(records, first, stop, field, bottom, top, rows, scratch.buckets)
            ties, quota, begin, end = 0, 0, first, stop
            if trees.leaves[column] >= 0:
                edges = edges_of(trees, column, bottom, top)
                code, left = _at_edge(records, first, stop, field, edges, top, rows, code)
            elif rules.relaxed:
                ties, quota, left = here, rows // 2 - before, rows // 2
                if manner == 0:
                    ties, quota, begin, end = _straddling(records, first, stop, field, code, quota, layout.alike)
            else:
                code, left = nearer(rows, code - 1, before, code, before + here)
            if min(left, rows - left) < rules.least:
                continue
            cut = Cut(code, ties, quota, begin, end, cuts[segment, CHANCE])
            enough = rules.wanted <= 1
            for index in range(len(layout.counted)):
                value = field_of(layout.counted, index)
                enough = enough or _varied(records, first, stop, field, cut, value, rules.wanted, scratch.seen)
            if enough:
                cuts[segment, CODE], cuts[segment, LEFT] = code, left
                cuts[segment, TIES], cuts[segment, QUOTA] = ties, quota
                cuts[segment, BEGIN], cuts[segment, END] = begin, end
                waiting[found] = segment
                found += 1
                break
    return waiting[:found]


@compiled
def tally(
    segments: Segments, layout: Fields, statistic: int, domain: int, scratch: Scratch, which: Ints, cuts: Ints
) -> tuple[Ints, Ints, Ints]:
    """Runs of (value, count), with room to spare, on both sides of cuts: of the i-th of `which`, groups 2i and 2i+1."""
    records, spans, value = segments.records, segments.spans, field_of(layout.counted, statistic)
    room = 1  # a run is written before it is known to count
    for index in range(len(which)):
        room += 2 * min(spans[which[index], STOP] - spans[which[index], FIRST], np.int64(domain))
    runs, sides = np.zeros(2 * len(which) + 1, np.int64), scratch.counts
    if len(sides) < domain:
        raise ValueError("fewer places than values")
    values, counts = np.empty(room, np.int64), np.empty(room, np.int64)
    present, used = np.empty(min(room, domain), np.int64), 0
    for index in range(len(which)):
        segment = which[index]
        cut, field = cut_of(cuts, segment), field_of(layout.quasi, cuts[segment, COLUMN])
        carry = cut.chance % max(cut.ties, 1)
        first, stop = spans[segment, FIRST], spans[segment, STOP]
        dense, found = domain <= 4 * (stop - first), 0
        for row in range(first, stop):
            rows = rows_of(records, row)
            left, carry = goes_left(cut, row, code_of(records, row, field), rows, carry)
            each = code_of(records, row, value)
            if not dense and sides[each, 0] == 0 and sides[each, 1] == 0:
                present[found] = each
                found += 1
            sides[each, 0] += left
            sides[each, 1] += rows - left
        ascending(present[:found])
        for side in range(2):
            for position in range(domain if dense else found):
                each = position if dense else present[position]
                values[used], counts[used] = each, sides[each, side]
                used += sides[each, side] > 0
                sides[each, side] = 0
            runs[2 * index + side + 1] = used
    return runs, values, counts
