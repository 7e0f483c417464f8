"""A kd-tree per bucket: the point that costs a group least, exactly, while points are taken away.

Every node has the box of the points that it still holds. Stretching the group's box until it touches a node's box costs
no more than stretching it to any point inside, term by term of the same sum, so rounding cannot hide a nearer point.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sfumato.kernels.boxes import Prices, price

__all__ = ["Forest", "grow", "nearest", "remove"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

_LEAF = 8
_DEEPEST = 200
"""Levels of a tree, at most; what lies below is one leaf. Room to work in has a place for each."""


class Forest(NamedTuple):
    """Trees over points; node n of bucket b's tree starts at root[b].

    points, others, rank    the points' codes, what else they must differ in, and their order among equals
    slots                   points, those of a leaf side by side
    leaf                    the leaf of every point
    start, count            the slots of a leaf, how many points a node still holds
    left, right, parent     nodes; left is -1 in a leaf
    low, high               the box of a node
    first                   the least rank of a node's points
    """

    points: Codes
    others: Codes
    rank: Codes
    root: Codes
    slots: Codes
    leaf: Codes
    start: Codes
    count: Codes
    left: Codes
    right: Codes
    parent: Codes
    low: Codes
    high: Codes
    first: Codes


@njit(nogil=True, cache=True)
def _larger(numbers: Codes) -> Codes:
    more = np.empty(2 * len(numbers), np.int32)
    more[: len(numbers)] = numbers
    return more


@njit(nogil=True, cache=True)
def _larger_boxes(boxes: Codes) -> Codes:
    more = np.empty((2 * len(boxes), boxes.shape[1]), np.int32)
    more[: len(boxes)] = boxes
    return more


@njit(nogil=True, cache=True)
def _split(slots: Codes, start: int, stop: int, points: Codes, column: int) -> int:
    """Points up to the mean first; where they end."""
    total = 0
    for slot in range(start, stop):
        total += points[slots[slot], column]
    mean = total // (stop - start)
    here, there = start, stop - 1
    while here <= there:
        if points[slots[here], column] <= mean:
            here += 1
        else:
            slots[here], slots[there] = slots[there], slots[here]
            there -= 1
    return here


@njit(nogil=True, cache=True)
def grow(points: Codes, others: Codes, rank: Codes, bounds: Ints, prices: Prices) -> Forest:
    """A tree for every bucket; bucket b has the points from bounds[b] to bounds[b + 1]."""
    total, width = points.shape
    room = max(total // 2, 16) + len(bounds)
    root = np.full(len(bounds) - 1, -1, np.int32)
    slots, leaf = np.arange(total).astype(np.int32), np.empty(total, np.int32)
    start, count = np.empty(room, np.int32), np.empty(room, np.int32)
    left, right, parent = np.full(room, -1, np.int32), np.full(room, -1, np.int32), np.full(room, -1, np.int32)
    low, high = np.empty((room, width), np.int32), np.empty((room, width), np.int32)
    first = np.empty(room, np.int32)
    nodes = 0
    waiting, level = np.empty(_DEEPEST + 2, np.int64), np.empty(_DEEPEST + 2, np.int64)
    for bucket in range(len(bounds) - 1):
        if bounds[bucket] == bounds[bucket + 1]:
            continue
        root[bucket] = nodes
        start[nodes], count[nodes], parent[nodes] = bounds[bucket], bounds[bucket + 1] - bounds[bucket], -1
        waiting[0], level[0], depth = nodes, 0, 1
        nodes += 1
        while depth:
            depth -= 1
            node, deep = waiting[depth], level[depth]
            begin, end = start[node], start[node] + count[node]
            least = rank[slots[begin]]
            for column in range(width):
                low[node, column] = high[node, column] = points[slots[begin], column]
            for slot in range(begin + 1, end):
                point = slots[slot]
                least = min(least, rank[point])
                for column in range(width):
                    low[node, column] = min(low[node, column], points[point, column])
                    high[node, column] = max(high[node, column], points[point, column])
            first[node], left[node], right[node] = least, -1, -1
            if end - begin <= _LEAF or deep == _DEEPEST:
                for slot in range(begin, end):
                    leaf[slots[slot]] = node
                continue
            widest, most = -1, 0.0
            for column in range(width):
                worth = price(prices, column, low[node, column], high[node, column])
                if low[node, column] < high[node, column] and (widest < 0 or worth > most):
                    widest, most = column, worth
            middle = (begin + end) // 2 if widest < 0 else _split(slots, begin, end, points, widest)
            if nodes + 2 > len(start):
                start, count, first = _larger(start), _larger(count), _larger(first)
                left, right, parent = _larger(left), _larger(right), _larger(parent)
                low, high = _larger_boxes(low), _larger_boxes(high)
            left[node], right[node] = nodes, nodes + 1
            parent[nodes] = parent[nodes + 1] = node
            start[nodes], count[nodes] = begin, middle - begin
            start[nodes + 1], count[nodes + 1] = middle, end - middle
            waiting[depth], waiting[depth + 1] = nodes, nodes + 1
            level[depth] = level[depth + 1] = deep + 1
            depth += 2
            nodes += 2
    return Forest(
        points, others, rank, root, slots, leaf, start, count, left, right, parent, low, high, first
    )


@njit(nogil=True, cache=True)
def remove(forest: Forest, point: int) -> None:
    """A point is gone; boxes become as tight as what is left allows."""
    width = forest.points.shape[1]
    node = forest.leaf[point]
    begin = forest.start[node]
    last = begin + forest.count[node] - 1
    for slot in range(begin, last):
        if forest.slots[slot] == point:
            forest.slots[slot], forest.slots[last] = forest.slots[last], forest.slots[slot]
            break
    forest.count[node] -= 1
    for column in range(width):
        low, high = np.int32(2147483647), np.int32(-1)
        for slot in range(begin, last):
            code = forest.points[forest.slots[slot], column]
            low, high = min(low, code), max(high, code)
        forest.low[node, column], forest.high[node, column] = low, high
    node = forest.parent[node]
    changed = True
    while node >= 0:
        forest.count[node] -= 1
        if changed:
            changed = False
            left, right = forest.left[node], forest.right[node]
            for column in range(width):
                low = min(forest.low[left, column], forest.low[right, column])
                high = max(forest.high[left, column], forest.high[right, column])
                if low != forest.low[node, column] or high != forest.high[node, column]:
                    forest.low[node, column], forest.high[node, column] = low, high
                    changed = True
        node = forest.parent[node]


@njit(nogil=True, cache=True)
def _bound(forest: Forest, prices: Prices, node: int, low: Codes, high: Codes, most: float) -> float:
    """What the group costs at least with a point of the node; anything above `most` will do if it is more."""
    total = 0.0
    for column in range(len(low)):
        total += price(
            prices, column, min(low[column], forest.high[node, column]), max(high[column], forest.low[node, column])
        )
        if total > most:
            break
    return total


@njit(nogil=True, cache=True)
def _apart(others: Codes, point: int, members: Ints, count: int) -> bool:
    for place in range(count):
        for column in range(others.shape[1]):
            if others[members[place], column] == others[point, column]:
                return False
    return True


@njit(nogil=True, cache=True)
def nearest(
    forest: Forest,
    prices: Prices,
    bucket: int,
    low: Codes,
    high: Codes,
    members: Ints,
    count: int,
    found: int,
    cost: float,
    waiting: Ints,
    bounds: NDArray[np.float64],
) -> tuple[int, float]:
    """The point of a bucket that costs the group least, if less than `cost`, that of `found`; of equals by rank.

    `waiting` and `bounds` are room to work in.
    """
    points, width = forest.points, len(low)
    root = forest.root[bucket]
    if root < 0 or forest.count[root] == 0:
        return found, cost
    waiting[0], bounds[0], depth = root, _bound(forest, prices, root, low, high, cost), 1
    while depth:
        depth -= 1
        node, bound = waiting[depth], bounds[depth]
        if bound > cost or (bound == cost and found >= 0 and forest.first[node] > forest.rank[found]):
            continue
        left = forest.left[node]
        if left < 0:
            for slot in range(forest.start[node], forest.start[node] + forest.count[node]):
                point = forest.slots[slot]
                total = 0.0
                for column in range(width):
                    code = points[point, column]
                    total += price(prices, column, min(low[column], code), max(high[column], code))
                    if total > cost:
                        break
                if total < cost or (total == cost and (found < 0 or forest.rank[point] < forest.rank[found])):
                    if _apart(forest.others, point, members, count):
                        found, cost = point, total
            continue
        right = forest.right[node]
        near, far = np.inf, np.inf
        if forest.count[left]:
            near = _bound(forest, prices, left, low, high, cost)
        if forest.count[right]:
            far = _bound(forest, prices, right, low, high, cost)
        if far < near:
            left, right, near, far = right, left, far, near
        if far <= cost and far < np.inf:
            waiting[depth], bounds[depth] = right, far
            depth += 1
        if near <= cost and near < np.inf:
            waiting[depth], bounds[depth] = left, near
            depth += 1
    return found, cost
