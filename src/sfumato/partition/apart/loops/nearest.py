"""kd-trees over the points of buckets: the point that costs a group least, exactly, while points are taken away.

Every node has the box of the points that it still holds. Stretching the group's box until it touches a node's box costs
no more than stretching it to any point inside, term by term of the same sum, so rounding cannot hide a nearer point.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.box_prices import Prices, price
from sfumato.kernels.room import longer

__all__ = ["BEGIN", "END", "Forest", "GrowingGroup", "cover", "grow", "nearest", "remove", "start"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

_LEAF = 6
_NARROW = 128
"""Codes between which every cut of a column is tried."""
_DEEPEST = 200
"""Levels of a tree, at most; what lies below is one leaf. Room to work in has a place for each."""
BEGIN, END, _LEFT = -3, -2, -1
"""Where a node says so; its box stands before."""
_ODD = np.uint64(0x9E3779B97F4A7C15)


class Forest(NamedTuple):
    """Trees over points, of which a node has a run.

    root       the node of every tree, -1 if it has no points
    leaf       the leaf of every point
    nodes      side by side what a search wants to know of a node: lowest and highest code of every column in turn,
               where its run begins and ends, and its left part, -1 in a leaf; the right one comes after the left one
    parent     of every node
    bits       which buckets the points come from that a node still holds, one bit for every 64th
    """

    root: Codes
    leaf: Codes
    nodes: Codes
    parent: Codes
    bits: Ints


class GrowingGroup(NamedTuple):
    """A group that grows: its box, its members, and room to search with."""

    box: Codes
    members: Ints
    waiting: Ints
    bounds: NDArray[np.float64]


def start(width: int, size: int) -> GrowingGroup:
    """Room for a group."""
    room = np.empty(_DEEPEST + 2, dtype=np.int64), np.empty(_DEEPEST + 2)
    return GrowingGroup(np.empty(2 * width, dtype=np.int32), np.empty(size, dtype=np.int64), *room)


@inner
def _cut(
    order: Codes, begin: int, end: int, points: Codes, column: int, low: int, high: int, prices: Prices, counts: Ints
) -> tuple[float, int]:
    """What a cut of a column saves the points of a node, and up to which code the lower part goes.

    The best of all cuts; where codes are far apart, at their mean, which is taken to save half.
    """
    whole = (end - begin) * price(prices, column, low, high)
    if high - low >= len(counts):
        total = 0
        for place in range(begin, end):
            total += points[order[place], column]
        return whole / 2, total // (end - begin)
    counts[: high - low + 1] = 0
    for place in range(begin, end):
        counts[points[order[place], column] - low] += 1
    least, cut, below, code = np.inf, low, counts[0], low
    for after in range(low + 1, high + 1):
        if counts[after - low]:
            over = price(prices, column, np.int32(after), high)
            cost = below * price(prices, column, low, np.int32(code)) + (end - begin - below) * over
            if cost < least:
                least, cut = cost, code
            below += counts[after - low]
            code = after
    return whole - least, cut


@inner
def _split(order: Codes, begin: int, end: int, points: Codes, column: int, cut: int, mirrored: bool) -> int:
    """Points up to a code first, or last if mirrored; where the first ones end."""
    here, there = begin, end - 1
    while here <= there:
        if (points[order[here], column] <= cut) != mirrored:
            here += 1
        else:
            order[here], order[there] = order[there], order[here]
            there -= 1
    return here


@inner
def _enclose(box: Codes, node: int, points: Codes, order: Codes, begin: int, end: int) -> None:
    width = points.shape[1]
    for column in range(width):
        box[node, 2 * column] = box[node, 2 * column + 1] = points[order[begin], column]
    for place in range(begin + 1, end):
        point = order[place]
        for column in range(width):
            code = points[point, column]
            box[node, 2 * column] = min(box[node, 2 * column], code)
            box[node, 2 * column + 1] = max(box[node, 2 * column + 1], code)


@compiled
def grow(points: Codes, home: Codes, order: Codes, bounds: Ints, prices: Prices, chance: np.uint64) -> Forest:
    """A tree for every run of `order` between bounds; points are reordered in it, and run node by node then.

    Which half of a node comes first is left to chance, and so is, by it, which of equally near points is found.
    """
    total, width = points.shape
    room = max(total // 2, 16) + 2 * len(bounds)
    root, leaf = np.full(len(bounds) - 1, -1, np.int32), np.empty(total, np.int32)
    nodes, parent, bits = np.empty((room, 2 * width + 3), np.int32), np.empty(room, np.int32), np.empty(room, np.int64)
    count = 0
    waiting, level = np.empty(_DEEPEST + 2, np.int64), np.empty(_DEEPEST + 2, np.int64)
    counts = np.empty(_NARROW, np.int64)
    for tree in range(len(bounds) - 1):
        if bounds[tree] == bounds[tree + 1]:
            continue
        root[tree] = count
        nodes[count, BEGIN], nodes[count, END], parent[count] = bounds[tree], bounds[tree + 1], -1
        waiting[0], level[0], depth = count, 0, 1
        count += 1
        while depth:
            depth -= 1
            node, deep = waiting[depth], level[depth]
            first, last = np.int64(nodes[node, BEGIN]), np.int64(nodes[node, END])
            _enclose(nodes, node, points, order, first, last)
            nodes[node, _LEFT], bits[node] = -1, 0
            if last - first <= _LEAF or deep == _DEEPEST:
                for place in range(first, last):
                    leaf[place] = node
                    bits[node] |= np.int64(1) << (home[order[place]] & 63)
                continue
            best: Any = np.int64(-1)
            cut: Any = np.int64(0)
            most = 0.0
            for column in range(width):
                low, high = nodes[node, 2 * column], nodes[node, 2 * column + 1]
                if low < high:
                    saved, code = _cut(order, first, last, points, column, low, high, prices, counts)
                    if best < 0 or saved > most:
                        best, most, cut = column, saved, code
            chance = chance * _ODD + np.uint64(1)
            mirrored = chance >> np.uint64(63) == 1
            middle = (first + last) // 2 if best < 0 else _split(order, first, last, points, best, cut, mirrored)
            if count + 2 > len(parent):
                parent, bits = longer(parent, count + 2), longer(bits, count + 2)
                more = np.empty((len(parent), 2 * width + 3), np.int32)
                for at in range(count):
                    for each in range(2 * width + 3):
                        more[at, each] = nodes[at, each]
                nodes = more
            nodes[node, _LEFT], parent[count], parent[count + 1] = count, node, node
            nodes[count, BEGIN], nodes[count, END] = first, middle
            nodes[count + 1, BEGIN], nodes[count + 1, END] = middle, last
            waiting[depth], waiting[depth + 1] = count, count + 1
            level[depth] = level[depth + 1] = deep + 1
            depth += 2
            count += 2
    for node in range(count - 1, -1, -1):
        left = nodes[node, _LEFT]
        if left >= 0:
            bits[node] = bits[left] | bits[left + 1]
    return Forest(root, leaf, nodes[:count], parent[:count], bits[:count])


@compiled
def remove(forest: Forest, points: Codes, home: Codes, live: Ints, point: int) -> None:
    """A point is gone, nothing of it is live; nodes become as tight as what is left allows."""
    width, box = points.shape[1], forest.nodes
    node = forest.leaf[point]
    bits = np.int64(0)
    for column in range(width):
        box[node, 2 * column], box[node, 2 * column + 1] = 2147483647, -1
    for other in range(box[node, BEGIN], box[node, END]):
        if live[other]:
            bits |= np.int64(1) << (home[other] & 63)
            for column in range(width):
                code = points[other, column]
                box[node, 2 * column] = min(box[node, 2 * column], code)
                box[node, 2 * column + 1] = max(box[node, 2 * column + 1], code)
    forest.bits[node] = bits
    node, changed = forest.parent[node], True
    while node >= 0 and changed:
        left = box[node, _LEFT]
        bits = forest.bits[left] | forest.bits[left + 1]
        changed = bits != forest.bits[node]
        forest.bits[node] = bits
        for column in range(width):
            low = min(box[left, 2 * column], box[left + 1, 2 * column])
            high = max(box[left, 2 * column + 1], box[left + 1, 2 * column + 1])
            if low != box[node, 2 * column] or high != box[node, 2 * column + 1]:
                box[node, 2 * column], box[node, 2 * column + 1] = low, high
                changed = True
        node = forest.parent[node]


@compiled
def cover(group: GrowingGroup, points: Codes, point: int, place: int) -> None:
    """A point joins a group in its place."""
    box = group.box
    group.members[place] = point
    for column in range(len(box) // 2):
        code = points[point, column]
        if place == 0 or code < box[2 * column]:
            box[2 * column] = code
        if place == 0 or code > box[2 * column + 1]:
            box[2 * column + 1] = code


@inner
def _bound(box: Codes, node: int, prices: Prices, group: GrowingGroup) -> float:
    """What the group costs at least with a point of a node's box.

    Without a branch, though a sum that is too high could end early: what cannot be foretold costs more than it saves.
    """
    total = 0.0
    mine = group.box
    for column in range(len(mine) // 2):
        low = min(mine[2 * column], box[node, 2 * column + 1])
        high = max(mine[2 * column + 1], box[node, 2 * column])
        total += price(prices, column, low, high)
    return total


@inner
def _total(points: Codes, point: int, prices: Prices, group: GrowingGroup) -> float:
    """What the group costs with a point."""
    total = 0.0
    mine = group.box
    for column in range(len(mine) // 2):
        code = points[point, column]
        total += price(prices, column, min(mine[2 * column], code), max(mine[2 * column + 1], code))
    return total


@inner
def _apart(others: Codes, point: int, members: Ints, count: int) -> bool:
    if others.shape[1] == 0:
        return True
    for place in range(count):
        for column in range(others.shape[1]):
            if others[members[place], column] == others[point, column]:
                return False
    return True


@compiled
def nearest(
    forest: Forest,
    tree: int,
    points: Codes,
    others: Codes,
    home: Codes,
    live: Ints,
    opened: NDArray[np.bool_],
    bits: int,
    prices: Prices,
    group: GrowingGroup,
    count: int,
) -> int:
    """The point of an open bucket that costs the group least, of equals the first; -1 if there is none.

    bits    of the open buckets
    """
    root, nodes = forest.root[tree], forest.nodes
    if root < 0 or forest.bits[root] == 0:
        return -1
    found, cost = -1, np.inf
    waiting, bounds = group.waiting, group.bounds
    waiting[0], bounds[0], depth = root, 0.0, 1
    while depth:
        depth -= 1
        node, bound = waiting[depth], bounds[depth]
        if bound > cost or (bound == cost and nodes[node, BEGIN] > found):
            continue
        left = np.int64(nodes[node, _LEFT])
        if left < 0:
            for point in range(nodes[node, BEGIN], nodes[node, END]):
                if live[point] and opened[home[point]]:
                    total = _total(points, point, prices, group)
                    if (total < cost or (total == cost and point < found)) and _apart(
                        others, point, group.members, count
                    ):
                        found, cost = point, total
            continue
        right = left + 1
        near, far = np.inf, np.inf
        if forest.bits[left] & bits:
            near = _bound(nodes, left, prices, group)
        if forest.bits[right] & bits:
            far = _bound(nodes, right, prices, group)
        if far < near:
            left, right, near, far = right, left, far, near
        if far <= cost and far < np.inf:
            waiting[depth], bounds[depth] = right, far
            depth += 1
        if near <= cost and near < np.inf:
            waiting[depth], bounds[depth] = left, near
            depth += 1
    return found
