"""The loop behind fits: which boxes hold which points, by halving the points and handing on the boxes they reach."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.release.loops.arrays import roomy

__all__ = ["counted_within", "holding"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

_SMALL = 256
"""Pairs of points and boxes that are looked at one by one."""


@inner
def _halved(
    points: Codes, order: Codes, begin: int, end: int, low: Codes, high: Codes, boxes: Codes
) -> tuple[int, int]:
    """The column and the code by which to halve some points, so that boxes reach one half alone; -1: all are equal."""
    best, column, code = 2 * len(boxes) + 1, -1, 0
    for each in range(points.shape[1]):
        least = most = points[order[begin], each]
        for at in range(begin + 1, end):
            value = points[order[at], each]
            least, most = min(least, value), max(most, value)
        if least == most:
            continue
        middle, reached = (int(least) + int(most)) // 2, 0
        for box in boxes:
            reached += (low[box, each] <= middle) + (high[box, each] > middle)
        if reached < best:
            best, column, code = reached, each, middle
    return column, code


@inner
def _wait(waiting: Ints, place: int, begin: int, end: int, first: int, last: int) -> None:
    """Note some points and the boxes that reach them."""
    waiting[place, 0], waiting[place, 1], waiting[place, 2], waiting[place, 3] = begin, end, first, last


@compiled
def holding(points: Codes, low: Codes, high: Codes, most: int) -> tuple[Codes, Codes]:
    """Pairs of a point and a box that holds it; more than `most` are not looked for, and one more says that there are.

    points      a row of codes per point
    low, high   a row per box: in every column the least and the largest code that it holds
    """
    width, count = points.shape[1], len(low)
    order, spare = np.empty(len(points), np.int32), np.empty(len(points), np.int32)
    for at in range(len(points)):  # one by one here and below: what numpy has for it takes a second to compile
        order[at] = at
    held = np.empty(4 * count + 16, np.int32)  # the boxes of the nodes that wait, one after the other
    for at in range(count):
        held[at] = at
    waiting = np.empty((64 * width + 8, 4), np.int64)
    _wait(waiting, 0, 0, len(points), 0, count)
    depth, found = min(len(points), 1), 0
    whose, which = np.empty(1024, np.int32), np.empty(1024, np.int32)
    while depth > 0 and found <= most:
        depth -= 1
        begin, end, first, last = waiting[depth, 0], waiting[depth, 1], waiting[depth, 2], waiting[depth, 3]
        column, code = -1, 0
        if (end - begin) * (last - first) > _SMALL:
            column, code = _halved(points, order, begin, end, low, high, held[first:last])
        if column >= 0:
            left, right = begin, 0
            for at in range(begin, end):
                point = order[at]
                if points[point, column] <= code:
                    order[left] = point
                    left += 1
                else:
                    spare[right] = point
                    right += 1
            for at in range(right):
                order[left + at] = spare[at]
            held = roomy(held, last + 2 * (last - first))
            top = last
            for at in range(first, last):
                if high[held[at], column] > code:
                    held[top] = held[at]
                    top += 1
            _wait(waiting, depth, left, end, last, top)
            depth += 1
            bottom = top
            for at in range(first, last):
                if low[held[at], column] <= code:
                    held[top] = held[at]
                    top += 1
            _wait(waiting, depth, begin, left, bottom, top)
            depth += 1
            continue
        for at in range(begin, end):
            point = order[at]
            for place in range(first, last):
                box, inside = held[place], True
                for each in range(width):
                    value = points[point, each]
                    if value < low[box, each] or value > high[box, each]:
                        inside = False
                        break
                if inside:
                    if found == len(whose):
                        whose, which = roomy(whose, found + 1), roomy(which, found + 1)
                    whose[found], which[found] = point, box
                    found += 1
            if found > most:
                break
    return whose[:found], which[:found]


@compiled
def counted_within(
    people: Ints, classes: Ints, points: Codes, begins: Ints, low: Codes, high: Codes, counts: Ints
) -> NDArray[np.float64]:
    """For each pair of a point and a class, how many rows the boxes of the class stand for that hold the point.

    begins   class g has the boxes ``begins[g]`` to ``begins[g + 1]``; each stands for `counts` rows
    """
    found = np.zeros(len(people), np.float64)
    for pair in range(len(people)):
        point = people[pair]
        for box in range(begins[classes[pair]], begins[classes[pair] + 1]):
            inside = True
            for each in range(points.shape[1]):
                value = points[point, each]
                if value < low[box, each] or value > high[box, each]:
                    inside = False
                    break
            if inside:
                found[pair] += counts[box]
    return found
