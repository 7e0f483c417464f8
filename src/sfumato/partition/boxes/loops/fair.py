"""The loop that judges prices box by box, all boxes there are, and lowers them where they are not fair.

It shares nothing with the loops that found the prices: boxes are made by dealing the items of a part to the nodes of
the next column, items always in order of falling price. So the first item of a part says whether any pays more than
the part costs, and what nobody pays more for is left at once: finer parts cost no less than the part they come from.

Of a box the dearest choice is made of all rows that pay more than it costs, then of the dearest row of as many other
values as it takes, then of the dearest rows that are left, until there are enough. No other choice is dearer: a row of
it that is not among these can be exchanged for one that is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner

__all__ = ["RowPrices", "judge"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]


class RowPrices(NamedTuple):
    """What items are asked for, and what a choice of their rows must have.

    price     of a row, now
    first     of a row, when it began: never less, and items stand in its order
    rows      of each item
    value     of each item
    least     rows, and different values, of a choice that could keep the promise
    """

    price: Ints
    first: Ints
    rows: Ints
    value: Codes
    least: tuple[int, int]


@inner
def _beyond(asked: RowPrices, price: Ints, box: Codes, cost: int, taker: Ints) -> Any:
    """What the dearest choice of a box pays beyond its cost; not more than 0 if it pays no more, or there is none.

    Items of the box come in order of falling price. `taker` has a place for every value, and is left as it was.
    """
    beyond, size, different, end = 0, 0, 0, 0
    while end < len(box) and price[box[end]] > cost:
        item = box[end]
        beyond += asked.rows[item] * (price[item] - cost)
        size += asked.rows[item]
        if taker[asked.value[item]] < 0:
            taker[asked.value[item]] = item
            different += 1
        end += 1
    at = end
    while different < asked.least[1] and at < len(box) and beyond > 0:
        item = box[at]
        if taker[asked.value[item]] < 0:
            taker[asked.value[item]] = item
            beyond += price[item] - cost
            size += 1
            different += 1
        at += 1
    seen, at = at, end
    while size < asked.least[0] and at < len(box) and beyond > 0:
        item = box[at]
        left = asked.rows[item] - (taker[asked.value[item]] == item)
        taken = min(left, asked.least[0] - size)
        beyond += taken * (price[item] - cost)
        size += taken
        at += 1
    for at in range(seen):
        taker[asked.value[box[at]]] = -1
    return beyond if size >= asked.least[0] and different >= asked.least[1] else 0


@inner
def _lowered(asked: RowPrices, box: Codes, cost: int, beyond: int) -> None:
    """Lower the dearest prices of a box to one height, so that what is beyond is gone. Its items are in order."""
    rows, total, at = 0, 0, 0
    while at < len(box) and asked.price[box[at]] > cost:
        rows += asked.rows[box[at]]
        total += asked.rows[box[at]] * asked.price[box[at]]
        following = cost
        if at + 1 < len(box):
            following = max(cost, asked.price[box[at + 1]])
        if total - rows * following >= beyond:
            break
        at += 1
    height = (total - beyond) // rows
    for place in range(at + 1):
        asked.price[box[place]] = min(asked.price[box[place]], height)


@inner
def _by_price(box: Codes, price: Ints) -> Codes:
    """The items of a box in order of what they are asked for now; few of them have moved."""
    made = box.copy()
    for place in range(1, len(made)):
        item, at = made[place], place - 1
        while at >= 0 and price[made[at]] < price[item]:
            made[at + 1] = made[at]
            at -= 1
        made[at + 1] = item
    return made


@compiled
def judge(codes: Codes, node: Codes, cost: Ints, depths: Ints, asked: RowPrices) -> int:
    """How many boxes the prices were not fair for; these are lowered until they are.

    codes    of every item, column by column: [column, item]; items in order of falling price
    node     [column, depth, code]: what a code is shown as there; -1 if there is nothing
    cost     what that costs
    depths   how many there are in every column
    """
    columns, count = codes.shape
    item, begin = np.empty((columns + 1, count), np.int32), np.zeros((columns + 1, count + 1), np.int64)
    paid, parts = np.zeros((columns + 1, count), np.int64), np.zeros(columns + 1, np.int64)
    size, place = np.zeros(node.shape[2], np.int64), np.zeros(node.shape[2], np.int64)
    rows, alive = np.zeros(node.shape[2], np.int64), np.zeros(node.shape[2], np.bool_)
    met = np.empty(node.shape[2], np.int64)
    taker = np.full(np.int64(asked.value.max()) + 1, -1, np.int64)
    item[0] = np.arange(count)
    begin[0, 1], parts[0] = count, 1
    depth, column, unfair = np.zeros(columns + 1, np.int64), 0, 0
    while column >= 0:
        if depth[column] == depths[column]:
            depth[column] = 0
            column -= 1
            continue
        to, price = node[column, depth[column]], cost[column, depth[column]]
        depth[column] += 1
        made, filled = 0, 0
        for part in range(parts[column]):
            found = 0
            for at in range(begin[column, part], begin[column, part + 1]):
                one = item[column, at]
                code = codes[column, one]
                if to[code] < 0:
                    continue
                if size[to[code]] == 0:
                    met[found] = to[code]
                    found += 1
                    alive[to[code]] = asked.first[one] > paid[column, part] + price[code]
                    place[to[code]] = paid[column, part] + price[code]
                size[to[code]] += 1
                rows[to[code]] += asked.rows[one]
            for which in range(found):
                here = met[which]
                if alive[here] and rows[here] >= asked.least[0]:
                    begin[column + 1, made], paid[column + 1, made], place[here] = filled, place[here], filled
                    filled += size[here]
                    made += 1
                else:
                    alive[here] = False
            for at in range(begin[column, part], begin[column, part + 1]):
                one = item[column, at]
                here = to[codes[column, one]]
                if here >= 0 and alive[here]:
                    item[column + 1, place[here]] = one
                    place[here] += 1
            for which in range(found):
                size[met[which]], rows[met[which]] = 0, 0
        if made == 0:
            continue
        begin[column + 1, made], parts[column + 1] = filled, made
        if column + 1 < columns:
            column += 1
            continue
        for part in range(made):
            box, price_of = item[columns, begin[columns, part] : begin[columns, part + 1]], paid[columns, part]
            if _beyond(asked, asked.first, box, price_of, taker) > 0:
                box = _by_price(box, asked.price)
                beyond = _beyond(asked, asked.price, box, price_of, taker)
                if beyond > 0:
                    _lowered(asked, box, price_of, beyond)
                    unfair += 1
    return unfair
