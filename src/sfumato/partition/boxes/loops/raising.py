"""The loop that raises the prices of items together until boxes stop them.

A price is what a row may cost at least, on average. Prices are fair if no group that keeps the promise is asked for
more than its box costs: for every box and every choice of rows in it that could keep the promise, their prices add up
to no more than the box costs them. Then no release costs less than all prices together.

All prices rise at the same pace. When the first choice of rows of a box reaches its cost, the box is tight, and all its
items stop. Among choices the dearest counts: all rows that pay more than the box costs, and as many more as it takes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.partition.boxes.loops.walk import Found, Needs

__all__ = ["listed", "raised"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

_NEVER = np.int64(2**62)


class _Fill(NamedTuple):
    """Room for the rows that a box still needs: their prices in falling order, how many have each, and their value."""

    price: Ints
    rows: Ints
    value: Ints
    seen: Ints


@inner
def _filled(fill: _Fill, used: int, wanted: int, price: int, rows: int) -> Any:
    """Enter rows of a price, and forget the cheapest that are more than wanted; how many entries there are."""
    at = used
    while at > 0 and fill.price[at - 1] < price:
        fill.price[at], fill.rows[at] = fill.price[at - 1], fill.rows[at - 1]
        at -= 1
    fill.price[at], fill.rows[at] = price, rows
    total = 0
    for place in range(used + 1):
        total += fill.rows[place]
        if total >= wanted:
            return place + 1
    return used + 1


@inner
def _tight_at(boxes: Found, box: int, values: Codes, rows: Ints, price: Ints, needs: Needs, fill: _Fill) -> Any:
    """The price of those that still rise at which this box becomes tight; never if none does."""
    cost, rising, surplus, size, different = boxes.cost[box], 0, 0, 0, 0
    fill.seen[-1] += 1
    stamp = fill.seen[-1]
    for place in range(boxes.start[box], boxes.start[box + 1]):
        item = boxes.member[place]
        if price[item] < 0 or price[item] > cost:
            if price[item] < 0:
                rising += rows[item]
            else:
                surplus += rows[item] * (price[item] - cost)
            size += rows[item]
            different += fill.seen[values[item]] != stamp
            fill.seen[values[item]] = stamp
    if rising == 0:
        return _NEVER
    used, wanted = np.int64(0), needs.values - different
    if wanted > 0:  # one row of each of the dearest values that are not there
        for place in range(boxes.start[box], boxes.start[box + 1]):
            item = boxes.member[place]
            if fill.seen[values[item]] == stamp:
                continue
            known = 0
            while known < used and fill.value[known] != values[item]:
                known += 1
            if known == used:
                fill.value[used], fill.price[used] = values[item], price[item]
                used += 1
            else:
                fill.price[known] = max(fill.price[known], price[item])
        for turn in range(wanted):
            best = turn
            for place in range(turn + 1, used):
                if fill.price[place] > fill.price[best]:
                    best = place
            surplus += fill.price[best] - cost
            fill.price[best] = fill.price[turn]
        size += wanted
    if size < needs.rows:  # and the dearest rows beside; those just counted may count again, which only helps fairness
        used, short = np.int64(0), needs.rows - size
        for place in range(boxes.start[box], boxes.start[box + 1]):
            item = boxes.member[place]
            if 0 <= price[item] <= cost:
                used = _filled(fill, used, short, price[item], rows[item])
        for place in range(used):
            taken = min(short, fill.rows[place])
            surplus += taken * (fill.price[place] - cost)
            short -= taken
    return cost + max(0, (-surplus) // rising)


@compiled
def raised(boxes: Found, values: Codes, rows: Ints, needs: Needs, room: int, most: int) -> Ints:
    """The price of a row of every item. Boxes are in order of rising cost, and every item is in one of them.

    room    the most items of a box
    most    values there are
    """
    count, size = len(boxes.cost), room + needs.rows + needs.values + 2
    price = np.empty(len(rows), np.int64)
    for item in range(len(rows)):
        price[item] = -1
    fill = _Fill(
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.zeros(most + 1, np.int64),
    )
    heap, level, waiting = np.empty(count + 1, np.int64), np.empty(count + 1, np.int64), 0
    ahead, rising = 0, len(rows)
    while rising > 0 and (ahead < count or waiting > 0):
        if waiting > 0 and (ahead == count or level[0] <= boxes.cost[ahead]):
            box, height = heap[0], level[0]
            waiting -= 1
            last, lowest, at = heap[waiting], level[waiting], 0
            while 2 * at + 1 < waiting:
                child = 2 * at + 1
                if child + 1 < waiting and level[child + 1] < level[child]:
                    child += 1
                if level[child] >= lowest:
                    break
                heap[at], level[at] = heap[child], level[child]
                at = child
            heap[at], level[at] = last, lowest
        else:
            box, height = ahead, boxes.cost[ahead]
            ahead += 1
        tight = _tight_at(boxes, box, values, rows, price, needs, fill)
        if tight == _NEVER:
            continue
        if tight > height:
            at = waiting
            waiting += 1
            while at > 0 and level[(at - 1) // 2] > tight:
                heap[at], level[at] = heap[(at - 1) // 2], level[(at - 1) // 2]
                at = (at - 1) // 2
            heap[at], level[at] = box, tight
            continue
        for place in range(boxes.start[box], boxes.start[box + 1]):
            item = boxes.member[place]
            if price[item] < 0:
                price[item] = height
                rising -= 1
    for item in range(len(rows)):
        price[item] = max(price[item], 0)
    return price


@compiled
def listed(boxes: Found, items: int) -> tuple[Ints, Codes]:
    """The boxes of every item, in their order: where they start, and which they are."""
    start = np.zeros(items + 1, np.int64)
    for item in boxes.member:
        start[item + 1] += 1
    for item in range(items):
        start[item + 1] += start[item]
    place, box_of = np.empty(items, np.int64), np.empty(len(boxes.member), np.int32)
    for item in range(items):
        place[item] = start[item]
    for box in range(len(boxes.cost)):
        for at in range(boxes.start[box], boxes.start[box + 1]):
            item = boxes.member[at]
            box_of[place[item]] = box
            place[item] += 1
    return start, box_of
