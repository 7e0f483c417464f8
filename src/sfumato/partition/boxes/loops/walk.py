"""The loop that walks over all boxes: every depth of every column, and the items that share a node in all of them.

Columns are taken one after the other. Within the boxes of the columns before, items are sorted by the code of the next
one, so that those under a node stand together at every depth. What cannot keep the promise however it is cut is left
at once, with all that lies below it; so is a box that costs each of its items more than it may, and one whose items
all lie in a box that costs no more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner

__all__ = ["Found", "Heights", "Needs", "walk"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]

_FEW = 24
"""BoxItems that are sorted by insertion."""


class Heights(NamedTuple):
    """What an item may show in every column.

    node     [column, depth, code]: the first code of the node there that a code is under; -1 if its leaf lies higher
    cost     what that node costs
    depths   how many there are in every column
    sizes    how many codes
    """

    node: NDArray[np.int32]
    cost: Ints
    depths: Ints
    sizes: Ints


class Needs(NamedTuple):
    """What every group that keeps the promise has at least: rows, and different values."""

    rows: int
    values: int


class Found(NamedTuple):
    """Boxes: what each costs, and its items from `start` on, up to where those of the next one start."""

    cost: Ints
    start: Ints
    member: Codes


@inner
def _sorted_by(items: Codes, begin: int, end: int, codes: Codes, size: int, count: Ints, room: Codes) -> None:
    """Sort some items by their codes."""
    if end - begin < _FEW:
        for place in range(begin + 1, end):
            item = items[place]
            code, at = codes[item], place - 1
            while at >= begin and codes[items[at]] > code:
                items[at + 1] = items[at]
                at -= 1
            items[at + 1] = item
        return
    for code in range(size + 1):
        count[code] = 0
    for place in range(begin, end):
        count[codes[items[place]] + 1] += 1
    for code in range(size):
        count[code + 1] += count[code]
    for place in range(begin, end):
        code = codes[items[place]]
        room[count[code]] = items[place]
        count[code] += 1
    for place in range(begin, end):
        items[place] = room[place - begin]


@inner
def _grown(given: Any, wanted: int) -> Any:
    """With room for more."""
    made = np.empty(max(wanted, 2 * len(given)), given.dtype)
    for place in range(len(given)):
        made[place] = given[place]
    return made


@inner
def _needless(codes: Codes, heights: Heights, depth: Ints, last: int, items: Codes, begin: int, end: int) -> Any:
    """Whether some items of a box all lie in another one too, which is finer in one column and costs no more."""
    first = items[begin]
    for column in range(last, -1, -1):
        code, finer = codes[column, first], depth[column] + 1
        if finer == heights.depths[column] or heights.node[column, finer, code] < 0:
            continue
        if heights.cost[column, finer, code] > heights.cost[column, finer - 1, code]:
            continue
        at = begin + 1
        while at < end and heights.node[column, finer, codes[column, items[at]]] == heights.node[column, finer, code]:
            at += 1
        if at == end:
            return True
    return False


@compiled
def walk(
    codes: Codes, values: Codes, rows: Ints, heights: Heights, needs: Needs, shares: Floats, least: Ints, most: Ints,
    lower: bool, room: int,
) -> Found:  # fmt: skip
    """The boxes that could keep the promise and that cost some item no more than its `most`.

    codes    of every item, column by column: [column, item]
    shares   of a class that a value can fill at most
    lower    instead of listing boxes, lower `least` to the cheapest box of every item, and `most` to the cheapest one
             in which its value does not fill more than its share
    room     places for members beyond which it gives up; what it then answers has one start too many
    """
    columns, count = codes.shape
    items, starts = np.empty((columns + 1, count), np.int32), np.empty((columns + 1, count + 1), np.int64)
    costs, boxes = np.empty((columns + 1, count), np.int64), np.zeros(columns + 1, np.int64)
    depth, sorting = np.empty(columns, np.int64), np.empty(count, np.int32)
    codes_here, rows_here = np.empty((columns, count), np.int32), np.empty((columns, count), np.int64)
    buckets = np.empty(heights.node.shape[2] + 1, np.int64)
    seen, often, stamp = np.zeros(len(shares), np.int64), np.zeros(len(shares), np.int64), 0
    kept, start, member = np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty(1024, np.int32)
    found, used = 0, 0
    for item in range(count):
        items[0, item] = item
    starts[0, 0], starts[0, 1], costs[0, 0], boxes[0] = 0, count, 0, 1
    column, fresh = np.int64(0), True
    while column >= 0:
        mine = codes[column]
        if fresh:
            for box in range(boxes[column]):
                _sorted_by(
                    items[column],
                    starts[column, box],
                    starts[column, box + 1],
                    mine,
                    heights.sizes[column],
                    buckets,
                    sorting,
                )
            for place in range(starts[column, boxes[column]]):
                codes_here[column, place] = mine[items[column, place]]
                rows_here[column, place] = rows[items[column, place]]
            depth[column], fresh = heights.depths[column], False
        depth[column] -= 1
        if depth[column] < 0:
            column -= 1
            continue
        node, cost = heights.node[column, depth[column]], heights.cost[column, depth[column]]
        here, there, code_at, rows_at = items[column], items[column + 1], codes_here[column], rows_here[column]
        made, filled = 0, np.int64(0)
        for box in range(boxes[column]):
            place, end = starts[column, box], starts[column, box + 1]
            while place < end:
                code, first, size, different, allowed = code_at[place], place, 0, 0, np.int64(-1)
                this, price, begin = node[code], costs[column, box] + cost[code], filled
                while place < end and node[code_at[place]] == this:
                    size += rows_at[place]
                    place += 1
                if this < 0 or size < needs.rows:
                    continue
                stamp += 1
                for at in range(first, place):
                    item = here[at]
                    allowed = max(allowed, most[item])
                    there[filled] = item
                    filled += 1
                    if needs.values > 1:
                        different += seen[values[item]] != stamp
                        seen[values[item]] = stamp
                could = (needs.values <= 1 or different >= needs.values) and price + lower <= allowed
                if not could or _needless(codes, heights, depth, column, there, begin, filled):
                    filled = begin
                else:
                    starts[column + 1, made], costs[column + 1, made] = begin, price
                    made += 1
        if made == 0:
            continue
        starts[column + 1, made], boxes[column + 1] = filled, made
        if column + 1 < columns:
            column, fresh = column + 1, True
            continue
        if lower:
            for box in range(made):
                begin, end, size = starts[columns, box], starts[columns, box + 1], 0
                for place in range(begin, end):
                    size += rows[there[place]]
                    often[values[there[place]]] += rows[there[place]]
                for place in range(begin, end):
                    item = there[place]
                    if least[item] > costs[columns, box]:
                        least[item] = costs[columns, box]
                    if often[values[item]] <= size * shares[values[item]]:
                        most[item] = min(most[item], costs[columns, box])
                for place in range(begin, end):
                    often[values[there[place]]] = 0
            continue
        if used + filled > room:
            return Found(kept[:found], start[: found + 2], member[:used])
        if found + made + 1 > len(kept):
            kept, start = _grown(kept, found + made + 1), _grown(start, found + made + 1)
        if used + filled > len(member):
            member = _grown(member, used + filled)
        for box in range(made):
            begin, end = starts[columns, box], starts[columns, box + 1]
            kept[found], start[found] = costs[columns, box], used
            for place in range(begin, end):
                member[used] = there[place]
                used += 1
            found += 1
    start[found] = used
    return Found(kept[:found], start[: found + 1], member[:used])
