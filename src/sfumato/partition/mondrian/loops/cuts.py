"""The loops of Mondrian: which cut comes next, what lies on either side of it, and the cut itself.

The helpers stand in this file, although it is long, because a compiled loop is cached with the file that it is in.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.sorting import ascending, first_not_below
from sfumato.partition.mondrian.loops.segments import CutRules, Cuts, Fields, Scratch, Segments, Trees

__all__ = ["divide", "propose", "shrink", "tally"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Records = NDArray[np.int64]
Field = tuple[int, int, int]


class _Cut(NamedTuple):
    """One of `Cuts`, as far as it says where records go."""

    code: int
    ties: int
    quota: int
    begin: int
    end: int
    chance: int


@inner
def _field(fields: Ints, column: int) -> Field:
    return fields[column, 0], fields[column, 1], fields[column, 2]


@inner
def _code(records: Records, row: int, field: Field) -> Any:
    word, shift, mask = field
    return (records[row, word] >> shift) & mask


@inner
def _rows(records: Records, row: int) -> Any:
    return records[row, records.shape[1] - 1] >> 32


@compiled
def shrink(records: Records, fields: Ints, first: int, stop: int, low: Ints, high: Ints) -> None:
    """Tighten a box to the codes of a segment; it stops looking when both ends of a side are touched."""
    for column in range(len(low)):
        least, most = low[column], high[column]
        if least == most:
            continue
        field = _field(fields, column)
        bottom, top = most, least
        for row in range(first, stop):
            code = _code(records, row, field)
            bottom, top = min(bottom, code), max(top, code)
            if bottom == least and top == most:
                break
        low[column], high[column] = bottom, top


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
            code = _code(records, row, field)
            if low <= code <= high:
                buckets[(code - low) >> bits] += _rows(records, row)
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
            code = _code(records, row, field)
            if bottom <= code <= top:
                low, high = min(low, code), max(high, code)
        if low == high:
            return low, before, buckets[bucket]


@inner
def _at_edge(
    records: Records, first: int, stop: int, field: Field, node: int, high: int, rows: int, median: int, trees: Trees
) -> tuple[int, int]:
    """The cut between children that is nearest to two halves: after which code, and rows left of it (none: 0).

    The children are those of the lowest node above the leaf `node` that reaches up to `high`.
    Rows to the left grow from edge to edge and pass one half at the median: one of the two edges around it is best.
    """
    while trees.last[node] < high:
        node = trees.parent[node]
    edges = trees.edges[trees.edge_from[node] : trees.edge_from[node + 1]]
    place = first_not_below(edges, median)
    under = edges[place - 1] if place > 0 else -1
    over = edges[place] if place < len(edges) else high
    left_under, left_over = 0, 0
    for row in range(first, stop):
        code = _code(records, row, field)
        if code <= over:
            left_over += _rows(records, row)
        if code <= under:
            left_under += _rows(records, row)
    return (under, left_under) if rows <= left_under + left_over else (over, left_over)


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
        if _code(records, row, field) == code:
            same = begin >= 0
            for word in range(len(alike)):
                same = same and (records[row, word] ^ records[begin, word]) & alike[word] == 0
            if not same:
                if begin >= 0 and before + here >= quota:
                    break
                before += here
                here, begin = 0, row
            here += _rows(records, row)
        row += 1
    return here, quota - before, begin, row


@inner
def _next_column(cost: Floats, low: Ints, high: Ints, last: int) -> int:
    """The most costly column after the one tried last, ties by position; -1 if no other can be cut."""
    best = -1
    for column in range(len(cost)):
        if low[column] == high[column] or column == last:
            continue
        if last >= 0 and (cost[column] > cost[last] or (cost[column] == cost[last] and column < last)):
            continue
        if best < 0 or cost[column] > cost[best]:
            best = column
    return best


@inner
def _goes_left(cut: _Cut, row: int, code: int, rows: int, carry: int) -> tuple[Any, Any]:
    """How many rows of a record go left, and what is carried over to the next one that is shared out.

    Shares are in proportion; what is lost in rounding adds up in `carry` to a row, so that all shares make the quota.
    """
    if cut.ties == 0 or code != cut.code:
        return (rows if code <= cut.code else 0), carry
    if row < cut.begin or row >= cut.end:
        return (rows if row < cut.begin else 0), carry
    carry += rows * cut.quota
    if carry < cut.ties:
        return 0, carry
    share = np.int64(np.uint64(carry) // np.uint64(cut.ties)) if rows > 1 else np.int64(1)
    return share, carry - share * cut.ties


@inner
def _varied(
    records: Records, first: int, stop: int, field: Field, cut: _Cut, value: Field, wanted: int, seen: Ints
) -> bool:
    """Whether both sides have that many different values."""
    stamp = seen[-1, 0] + 1
    seen[-1, 0] = stamp
    carry = cut.chance % max(cut.ties, 1)
    left_found, right_found = 0, 0
    for row in range(first, stop):
        rows = _rows(records, row)
        left, carry = _goes_left(cut, row, _code(records, row, field), rows, carry)
        each = _code(records, row, value)
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
    segments: Segments, layout: Fields, rules: CutRules, cost: Floats, scratch: Scratch, waiting: Ints, cuts: Cuts
) -> Ints:
    """The next cut of every waiting segment, written into `cuts`; answers which of them have one.

    Columns come in order of falling cost, after the one in `cuts`. Cuts that break the rules are passed over.
    """
    records, trees, found = segments.records, rules.trees, 0
    for segment in waiting:
        first, stop, rows = segments.first[segment], segments.stop[segment], segments.rows[segment]
        low, high = segments.low[segment], segments.high[segment]
        column, manner = cuts.column[segment], cuts.manner[segment]
        while True:
            column = _next_column(cost[segment], low, high, column)
            if column < 0 and rules.relaxed and manner == 0:
                manner = 1
                continue
            cuts.column[segment], cuts.manner[segment] = column, manner
            if column < 0:
                break
            field = _field(layout.quasi, column)
            bottom, top = low[column], high[column]
            code, before, here = _median(records, first, stop, field, bottom, top, rows, scratch.buckets)
            ties, quota, begin, end = 0, 0, first, stop
            if trees.leaves[column] >= 0:
                leaf = trees.leaves[column] + bottom
                code, left = _at_edge(records, first, stop, field, leaf, top, rows, code, trees)
            elif rules.relaxed:
                ties, quota, left = here, rows // 2 - before, rows // 2
                if manner == 0:
                    ties, quota, begin, end = _straddling(records, first, stop, field, code, quota, layout.alike)
            elif rows <= 2 * before + here:  # as near to one half as the cut after it, or nearer
                code, left = code - 1, before
            else:
                left = before + here
            if min(left, rows - left) < rules.least:
                continue
            cut = _Cut(code, ties, quota, begin, end, cuts.chance[segment])
            enough = rules.wanted <= 1
            for index in range(len(layout.counted)):
                value = _field(layout.counted, index)
                enough = enough or _varied(records, first, stop, field, cut, value, rules.wanted, scratch.seen)
            if enough:
                cuts.code[segment], cuts.left[segment] = code, left
                cuts.ties[segment], cuts.quota[segment] = ties, quota
                cuts.begin[segment], cuts.end[segment] = begin, end
                waiting[found] = segment
                found += 1
                break
    return waiting[:found]


@inner
def _cut(cuts: Cuts, at: int) -> _Cut:
    return _Cut(cuts.code[at], cuts.ties[at], cuts.quota[at], cuts.begin[at], cuts.end[at], cuts.chance[at])


@compiled
def tally(
    segments: Segments, layout: Fields, statistic: int, domain: int, scratch: Scratch, which: Ints, cuts: Cuts
) -> tuple[Ints, Ints, Ints]:
    """Runs of (value, count), with room to spare, on both sides of cuts: of the i-th of `which`, groups 2i and 2i+1."""
    records, value = segments.records, _field(layout.counted, statistic)
    room = 1  # a run is written before it is known to count
    for segment in which:
        room += 2 * min(segments.stop[segment] - segments.first[segment], np.int64(domain))
    runs, sides = np.zeros(2 * len(which) + 1, np.int64), scratch.counts
    if len(sides) < domain:
        raise ValueError("fewer places than values")
    values, counts = np.empty(room, np.int64), np.empty(room, np.int64)
    present, used = np.empty(min(room, domain), np.int64), 0
    for index in range(len(which)):
        segment = which[index]
        cut, field = _cut(cuts, segment), _field(layout.quasi, cuts.column[segment])
        carry = cut.chance % max(cut.ties, 1)
        first, stop = segments.first[segment], segments.stop[segment]
        dense, found = domain <= 4 * (stop - first), 0
        for row in range(first, stop):
            rows = _rows(records, row)
            left, carry = _goes_left(cut, row, _code(records, row, field), rows, carry)
            each = _code(records, row, value)
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


@inner
def _settle(records: Records, first: int, stop: int, group: int, places: Ints, groups: NDArray[np.int32]) -> None:
    """Give the rows of a segment their group: each record takes the next places of its tuple, or the only one."""
    for row in range(first, stop):
        each = records[row, records.shape[1] - 1] & 0xFFFFFFFF
        if len(places) == 0:
            groups[each] = group
            continue
        for place in range(places[each], places[each] + _rows(records, row)):
            groups[place] = group
        places[each] += _rows(records, row)


@inner
def _part(records: Records, first: int, stop: int, field: Field, cut: _Cut, out: Records, at: int) -> tuple[int, int]:
    """Write the records of a segment to `out`, left before right; where the right ones begin, and where they end.

    Where records are shared out there may be twice as many, and there is room for them.
    """
    width = records.shape[1]
    if cut.ties == 0:
        end = at + stop - first
        right = end - 1
        for row in range(first, stop):
            left: Any = np.int64(_code(records, row, field) <= cut.code)
            for word in range(width):  # to both places: cheaper than to foretell which
                out[at, word] = records[row, word]
                out[right, word] = records[row, word]
            at += left
            right -= 1 - left
        return at, end
    carry = cut.chance % cut.ties
    parked = end = at + stop - first
    for row in range(first, stop):
        rows = _rows(records, row)
        left, carry = _goes_left(cut, row, _code(records, row, field), rows, carry)
        for word in range(width):
            out[at, word] = records[row, word]
            out[end, word] = records[row, word]
        out[at, width - 1] -= (rows - left) << 32
        out[end, width - 1] -= left << 32
        at += left > 0
        end += left < rows
    for row in range(parked, end):
        for word in range(width):
            out[at + row - parked, word] = out[row, word]
    return at, at + end - parked


@compiled
def divide(
    segments: Segments, fields: Ints, cuts: Cuts, least: int, group: int, places: Ints, groups: NDArray[np.int32]
) -> tuple[Segments, int, int, int]:
    """Cut segments; halves too small to be cut again are settled, as are segments without a cut.

    Answers the other halves with room to spare, how many records and segments are used, and the next group's number.
    """
    records = segments.records
    room, halves = 0, 0
    for segment in range(len(segments.first)):
        if cuts.column[segment] >= 0:
            halves += 2
            room += (segments.stop[segment] - segments.first[segment]) * (1 + (cuts.ties[segment] > 0))
    out = np.empty((room, records.shape[1]), np.int64)
    first, stop, rows = np.empty(halves, np.int64), np.empty(halves, np.int64), np.empty(halves, np.int64)
    low, high = np.empty((halves, len(fields)), np.int64), np.empty((halves, len(fields)), np.int64)
    at: Any = np.int64(0)
    born = 0
    for segment in range(len(segments.first)):
        begin, until, column = segments.first[segment], segments.stop[segment], cuts.column[segment]
        if column < 0:
            _settle(records, begin, until, group, places, groups)
            group += 1
            continue
        cut, field = _cut(cuts, segment), _field(fields, column)
        middle, end = _part(records, begin, until, field, cut, out, at)
        for side in range(2):
            begin, until = (at, middle) if side == 0 else (middle, end)
            size = cuts.left[segment] if side == 0 else segments.rows[segment] - cuts.left[segment]
            if size < 2 * least:
                _settle(out, begin, until, group, places, groups)
                group += 1
                continue
            first[born], stop[born], rows[born] = begin, until, size
            for each in range(len(fields)):
                low[born, each], high[born, each] = segments.low[segment, each], segments.high[segment, each]
            if side == 0:
                high[born, column] = cut.code
            else:
                low[born, column] = cut.code + (cut.ties == 0)
            shrink(out, fields, begin, until, low[born], high[born])
            born += 1
        at = end
    return Segments(out, first, stop, rows, low, high), at, born, group
