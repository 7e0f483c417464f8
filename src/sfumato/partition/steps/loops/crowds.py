"""Groups of rows that change: who is in them, the box of codes that covers them, and what it costs.

A group is a ring of rows. Beside the lowest and highest code of every column it counts the rows that have them, so
that most rows can leave without a look at the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.box_prices import Prices, price

__all__ = ["Crowds", "differ", "empty", "enter", "gather", "move", "price_of", "price_with", "price_without", "settle"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]


class Crowds(NamedTuple):
    """The groups of a table's rows.

    codes         of every row
    group         of every row, -1: in none
    after, before rows of the same group
    first         a row of every group, -1 if it has none
    size          rows of every group
    low, high     codes of every group
    lows, highs   rows that have these
    cost          the price of every group's box: what each of its rows costs
    """

    codes: Codes
    group: Ints
    after: Ints
    before: Ints
    first: Ints
    size: Ints
    low: Codes
    high: Codes
    lows: Codes
    highs: Codes
    cost: Floats


def gather(codes: Codes, labels: Ints, groups: int, prices: Prices) -> Crowds:
    """The groups that labels say."""
    rows, width = codes.shape
    if len(labels) != rows or (rows > 0 and labels.max() >= groups):
        raise ValueError("labels of other rows, or of more groups than there are")
    crowds = Crowds(
        codes,
        np.full(rows, -1, dtype=np.int64),
        np.empty(rows, dtype=np.int64),
        np.empty(rows, dtype=np.int64),
        np.full(groups, -1, dtype=np.int64),
        np.zeros(groups, dtype=np.int64),
        np.empty((groups, width), dtype=np.int32),
        np.empty((groups, width), dtype=np.int32),
        np.zeros((groups, width), dtype=np.int32),
        np.zeros((groups, width), dtype=np.int32),
        np.zeros(groups),
    )
    inside = np.flatnonzero(labels >= 0)
    settle(crowds, prices, np.arange(groups), inside, labels[inside])
    return crowds


@compiled
def settle(crowds: Crowds, prices: Prices, groups: Ints, rows: Ints, targets: Ints) -> None:
    """Groups give up whatever they hold, and rows enter one of them each, in their order; prices follow."""
    for place in range(len(groups)):
        empty(crowds, groups[place])
    for place in range(len(rows)):
        enter(crowds, rows[place], targets[place])
    for place in range(len(groups)):
        crowds.cost[groups[place]] = price_of(crowds, groups[place], prices)


@inner
def price_of(crowds: Crowds, group: int, prices: Prices) -> float:
    """The price of a group's box, column by column in order, as everywhere: equal boxes have equal prices."""
    total = 0.0
    if crowds.size[group]:
        for column in range(crowds.codes.shape[1]):
            total += price(prices, column, crowds.low[group, column], crowds.high[group, column])
    return total


@inner
def enter(crowds: Crowds, row: int, group: int) -> None:
    """A row that is in no group is in this one. The price of its box is left for later."""
    codes = crowds.codes[row]
    first = crowds.first[group]
    if first < 0:
        crowds.first[group] = crowds.after[row] = crowds.before[row] = row
    else:
        last = crowds.before[first]
        crowds.after[last], crowds.before[row] = row, last
        crowds.after[row], crowds.before[first] = first, row
    for column in range(len(codes)):
        code = codes[column]
        if first < 0 or code < crowds.low[group, column]:
            crowds.low[group, column], crowds.lows[group, column] = code, 0
        if first < 0 or code > crowds.high[group, column]:
            crowds.high[group, column], crowds.highs[group, column] = code, 0
        crowds.lows[group, column] += code == crowds.low[group, column]
        crowds.highs[group, column] += code == crowds.high[group, column]
    crowds.size[group] += 1
    crowds.group[row] = group


@inner
def empty(crowds: Crowds, group: int) -> None:
    """Nobody is in a group any more; its rows are to enter others."""
    crowds.first[group], crowds.size[group], crowds.cost[group] = -1, 0, 0.0
    for column in range(crowds.lows.shape[1]):
        crowds.lows[group, column] = crowds.highs[group, column] = 0


@inner
def move(crowds: Crowds, row: int, group: int, prices: Prices) -> None:
    """A row leaves its group, if it has one, for another."""
    if crowds.group[row] >= 0:
        _leave(crowds, row, prices)
    enter(crowds, row, group)
    crowds.cost[group] = price_of(crowds, group, prices)


@inner
def _leave(crowds: Crowds, row: int, prices: Prices) -> None:
    """A row leaves its group."""
    group = crowds.group[row]
    last, following = crowds.before[row], crowds.after[row]
    crowds.after[last], crowds.before[following] = following, last
    crowds.size[group] -= 1
    crowds.group[row] = -1
    crowds.first[group] = following if crowds.size[group] else -1
    if crowds.size[group] == 0:
        crowds.cost[group] = 0.0
        return
    for column in range(crowds.codes.shape[1]):
        code = crowds.codes[row, column]
        lowest, highest = code == crowds.low[group, column], code == crowds.high[group, column]
        crowds.lows[group, column] -= lowest
        crowds.highs[group, column] -= highest
        if (lowest and crowds.lows[group, column] == 0) or (highest and crowds.highs[group, column] == 0):
            _enclose(crowds, group, column)
    crowds.cost[group] = price_of(crowds, group, prices)


@inner
def _enclose(crowds: Crowds, group: int, column: int) -> None:
    """The range of a column, from the rows."""
    first = row = crowds.first[group]
    low = high = crowds.codes[row, column]
    lows = highs = 0
    while True:
        code = crowds.codes[row, column]
        if code < low:
            low, lows = code, 0
        if code > high:
            high, highs = code, 0
        lows += code == low
        highs += code == high
        row = crowds.after[row]
        if row == first:
            break
    crowds.low[group, column], crowds.lows[group, column] = low, lows
    crowds.high[group, column], crowds.highs[group, column] = high, highs


@inner
def price_with(crowds: Crowds, group: int, row: int, prices: Prices) -> float:
    """The price of a group's box with one row more."""
    total = 0.0
    for column in range(crowds.codes.shape[1]):
        code = crowds.codes[row, column]
        low, high = crowds.low[group, column], crowds.high[group, column]
        total += price(prices, column, min(low, code), max(high, code))
    return total


@inner
def price_without(crowds: Crowds, row: int, box: Codes, prices: Prices) -> float:
    """The price of the group of a row without it, and its box: low and high code of every column in turn."""
    total = 0.0
    group = crowds.group[row]
    for column in range(crowds.codes.shape[1]):
        code = crowds.codes[row, column]
        low, high = crowds.low[group, column], crowds.high[group, column]
        alone = (code == low and crowds.lows[group, column] == 1) or (code == high and crowds.highs[group, column] == 1)
        if alone and crowds.size[group] > 1:
            other = crowds.after[row]
            low = high = crowds.codes[other, column]
            while other != row:
                code = crowds.codes[other, column]
                low, high = min(low, code), max(high, code)
                other = crowds.after[other]
        box[2 * column], box[2 * column + 1] = low, high
        total += price(prices, column, low, high)
    return total


@compiled
def differ(crowds: Crowds, keys: Codes) -> NDArray[np.bool_]:
    """Which groups have no two rows that are equal in one of the keys."""
    fine = np.ones(len(crowds.size), np.bool_)
    for column in range(keys.shape[1]):
        most = 0
        for row in range(len(keys)):
            most = max(most, keys[row, column])
        seen = np.full(most + 1, -1, np.int64)
        for group in range(len(crowds.size)):
            row = crowds.first[group]
            for _ in range(crowds.size[group]):
                fine[group] = fine[group] and seen[keys[row, column]] != group
                seen[keys[row, column]] = group
                row = crowds.after[row]
    return fine
