"""The loop that cuts Mondrian's segments, once it is known where."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.partition.mondrian.loops.records import Cut, Field, Records, code_of, cut_of, field_of, goes_left, rows_of
from sfumato.partition.mondrian.loops.segments import COLUMN, FIRST, LEFT, ROWS, STOP, TIES, Segments

__all__ = ["divide", "shrink"]

Ints = NDArray[np.int64]


@compiled
def shrink(records: Records, fields: Ints, first: int, stop: int, low: Ints, high: Ints) -> None:
    """Tighten a box to the codes of a segment; it stops looking when both ends of a side are touched."""
    for column in range(len(low)):
        least, most = low[column], high[column]
        if least == most:
            continue
        field = field_of(fields, column)
        bottom, top = most, least
        for row in range(first, stop):
            code = code_of(records, row, field)
            bottom, top = min(bottom, code), max(top, code)
            if bottom == least and top == most:
                break
        low[column], high[column] = bottom, top


@inner
def _settle(records: Records, first: int, stop: int, group: int, places: Ints, groups: NDArray[np.int32]) -> None:
    """Give the rows of a segment their group: each record takes the next places of its tuple, or the only one."""
    for row in range(first, stop):
        each = records[row, records.shape[1] - 1] & 0xFFFFFFFF
        if len(places) == 0:
            groups[each] = group
            continue
        for place in range(places[each], places[each] + rows_of(records, row)):
            groups[place] = group
        places[each] += rows_of(records, row)


@inner
def _part(records: Records, first: int, stop: int, field: Field, cut: Cut, out: Records, at: int) -> tuple[int, int]:
    """Write the records of a segment to `out`, left before right; where the right ones begin, and where they end.

    Where records are shared out there may be twice as many, and there is room for them.
    """
    width = records.shape[1]
    if cut.ties == 0:
        end = at + stop - first
        right = end - 1
        for row in range(first, stop):
            left: Any = np.int64(code_of(records, row, field) <= cut.code)
            for word in range(width):  # to both places: cheaper than to foretell which
                out[at, word] = records[row, word]
                out[right, word] = records[row, word]
            at += left
            right -= 1 - left
        return at, end
    carry = cut.chance % cut.ties
    parked = end = at + stop - first
    for row in range(first, stop):
        rows = rows_of(records, row)
        left, carry = goes_left(cut, row, code_of(records, row, field), rows, carry)
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
    segments: Segments, fields: Ints, cuts: Ints, least: int, group: int, places: Ints, groups: NDArray[np.int32]
) -> tuple[Segments, int, int, int]:
    """Cut segments; halves too small to be cut again are settled, as are segments without a cut.

    Answers the other halves with room to spare, how many records and segments are used, and the next group's number.
    """
    records, spans = segments.records, segments.spans
    room, halves = 0, 0
    for segment in range(len(spans)):
        if cuts[segment, COLUMN] >= 0:
            halves += 2
            room += (spans[segment, STOP] - spans[segment, FIRST]) * (1 + (cuts[segment, TIES] > 0))
    out = np.empty((room, records.shape[1]), np.int64)
    made, width = np.empty((halves, 3), np.int64), len(fields)
    low, high = np.empty((halves, width), np.int64), np.empty((halves, width), np.int64)
    at: Any = np.int64(0)
    born = 0
    for segment in range(len(spans)):
        begin, until, column = spans[segment, FIRST], spans[segment, STOP], cuts[segment, COLUMN]
        if column < 0:
            _settle(records, begin, until, group, places, groups)
            group += 1
            continue
        cut, field = cut_of(cuts, segment), field_of(fields, column)
        middle, end = _part(records, begin, until, field, cut, out, at)
        for side in range(2):
            begin, until = (at, middle) if side == 0 else (middle, end)
            size = cuts[segment, LEFT] if side == 0 else spans[segment, ROWS] - cuts[segment, LEFT]
            if size < 2 * least:
                _settle(out, begin, until, group, places, groups)
                group += 1
                continue
            made[born, FIRST], made[born, STOP], made[born, ROWS] = begin, until, size
            for each in range(width):
                low[born, each], high[born, each] = segments.low[segment, each], segments.high[segment, each]
            if side == 0:
                high[born, column] = cut.code
            else:
                low[born, column] = cut.code + (cut.ties == 0)
            shrink(out, fields, begin, until, low[born], high[born])
            born += 1
        at = end
    return Segments(out, made, low, high), at, born, group
