"""The loop behind what is asked where there are too many pairs to look at: how many rows fit each published row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner

__all__ = ["counted_in"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

_SMALL = 256
"""Pairs of points and boxes that are looked at one by one."""


@inner
def _place(low: Codes, high: Codes, box: int, least: Codes, largest: Codes) -> int:
    """Of points between two bounds: 0 if the box holds none of them, 2 if all, 1 if that is not known."""
    every = 2
    for column in range(len(least)):
        if high[box, column] < least[column] or low[box, column] > largest[column]:
            return 0
        if low[box, column] > least[column] or high[box, column] < largest[column]:
            every = 1
    return every


@compiled
def counted_in(points: Codes, counts: Ints, low: Codes, high: Codes, most: int) -> tuple[Ints, bool]:
    """Per box the rows of the points that it holds, by halving the points; a box that holds a half is not handed on.

    most   steps after which it is given up; the second answer says whether it was not
    """
    width, many = points.shape[1], len(low)
    order, spare = np.arange(len(points)).astype(np.int32), np.empty(len(points), np.int32)
    held = np.empty(4 * many + 16, np.int32)
    held[:many] = np.arange(many)
    waiting = np.empty((64 * width + 8, 4), np.int64)
    waiting[0] = (0, len(points), 0, many)
    depth, work, found = min(len(points), 1), 0, np.zeros(many, np.int64)
    least, largest = np.empty(width, np.int32), np.empty(width, np.int32)
    while depth > 0:
        depth -= 1
        begin, end, first, last = waiting[depth]
        work += (end - begin) + (last - first)
        if work > most:
            return found, False
        weight = 0
        least[:], largest[:] = points[order[begin]], points[order[begin]]
        for at in range(begin, end):
            weight += counts[order[at]]
            for column in range(width):
                least[column] = min(least[column], points[order[at], column])
                largest[column] = max(largest[column], points[order[at], column])
        while len(held) < last + (last - first):
            longer = np.empty(2 * len(held), np.int32)
            longer[: len(held)] = held
            held = longer
        top = last
        for at in range(first, last):
            where = _place(low, high, held[at], least, largest)
            if where == 2:
                found[held[at]] += weight
            elif where == 1:
                held[top] = held[at]
                top += 1
        column = 0
        for each in range(width):
            if largest[each] - least[each] > largest[column] - least[column]:
                column = each
        if top == last:
            continue
        if (end - begin) * (top - last) <= _SMALL:
            work += (end - begin) * (top - last)
            for place in range(last, top):
                for at in range(begin, end):
                    if _place(low, high, held[place], points[order[at]], points[order[at]]) == 2:
                        found[held[place]] += counts[order[at]]
            continue
        middle, left, right = (int(least[column]) + int(largest[column])) // 2, begin, 0
        for at in range(begin, end):
            point = order[at]
            if points[point, column] <= middle:
                order[left] = point
                left += 1
            else:
                spare[right] = point
                right += 1
        order[left:end] = spare[:right]
        waiting[depth], waiting[depth + 1] = (left, end, last, top), (begin, left, last, top)
        depth += 2
    return found, True
