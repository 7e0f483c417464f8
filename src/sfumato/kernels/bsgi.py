"""The loops of BSGI: groups row by row from buckets, and what is left over into the groups that it costs least."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sfumato.kernels.boxes import Prices, price
from sfumato.kernels.nearest import Forest, nearest, remove
from sfumato.kernels.shelf import Shelf, less

__all__ = ["incorporate", "select"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

_DEPTH = 256
"""More than the trees have levels."""


@njit(nogil=True, cache=True)
def select(
    forest: Forest,
    prices: Prices,
    shelf: Shelf,
    home: Codes,
    live: Ints,
    walk: Codes,
    bounds: Ints,
    size: int,
    groups: int,
    free: bool,
) -> tuple[Ints, int]:
    """Groups of points from different buckets, and how many there are.

    home      the bucket of a point
    live      rows of a point that have no group yet
    walk      the points of every bucket, once per row, in random order: bucket b's from bounds[b] on
    groups    as many as can be made
    free      any bucket may give, unless another must: it holds as many rows as groups are to be made
    """
    members = np.empty((groups, size), np.int64)
    at, used = bounds[:-1].copy(), np.full(len(bounds) - 1, -1, np.int64)
    width = forest.points.shape[1]
    low, high = np.empty(width, np.int32), np.empty(width, np.int32)
    waiting, room = np.empty(_DEPTH, np.int64), np.empty(_DEPTH, np.float64)
    made, attempt = 0, 0
    while made < groups and shelf.upto[min(1, len(shelf.upto) - 1)] >= size:
        due = groups - made
        must = shelf.upto[due] if free and due < len(shelf.upto) else 0
        group, full = members[made], shelf.upto[1]
        bucket = shelf.order[0]
        while live[walk[at[bucket]]] == 0:
            at[bucket] += 1
        group[0], count, turn = walk[at[bucket]], 1, 1
        used[bucket], must_left = attempt, max(must - 1, 0)
        for column in range(width):
            low[column] = high[column] = forest.points[group[0], column]
        while count < size:
            found, cost = -1, np.inf
            if free:
                forced = must_left >= size - count
                for place in range(must if forced else full):
                    bucket = shelf.order[place]
                    if used[bucket] != attempt:
                        found, cost = nearest(
                            forest, prices, bucket, low, high, group, count, found, cost, waiting, room
                        )
                if found < 0 and not forced:
                    break
                if found < 0:
                    must_left = 0
                    continue
                must_left -= must_left > 0 and shelf.place[home[found]] < must
            else:
                if turn == full:
                    break
                found, cost = nearest(
                    forest, prices, shelf.order[turn], low, high, group, count, found, cost, waiting, room
                )
                turn += 1
                if found < 0:
                    continue
            used[home[found]] = attempt
            group[count] = found
            count += 1
            for column in range(width):
                low[column] = min(low[column], forest.points[found, column])
                high[column] = max(high[column], forest.points[found, column])
        whole = count == size
        for place in range(size if whole else 1):
            point = group[place]
            live[point] -= 1
            less(shelf, home[point])
            if live[point] == 0:
                remove(forest, point)
        if whole:
            made += 1
        attempt += 1
    return members[:made], made


@njit(nogil=True, cache=True)
def _cost(prices: Prices, low: Codes, high: Codes) -> float:
    total = 0.0
    for column in range(len(low)):
        total += price(prices, column, low[column], high[column])
    return total


@njit(nogil=True, cache=True)
def incorporate(
    points: Codes, others: Codes, prices: Prices, home: Codes, members: Ints, left: Ints, room: int
) -> Ints:
    """For every row left over, as a point, the group that it costs least to join, or -1.

    A row joins only a group from which it differs in every column, also from rows that joined before. A group costs
    what its rows cost together, so to join costs (s + 1)·price(with it) − s·price(without).
    """
    groups, size = members.shape
    width = points.shape[1]
    low, high = np.empty((groups, width), np.int32), np.empty((groups, width), np.int32)
    now, sizes = np.empty(groups, np.float64), np.full(groups, size, np.int64)
    inside = np.empty((groups, room), np.int64)
    inside[:, :size] = members
    for group in range(groups):
        low[group] = high[group] = points[members[group, 0]]
        for place in range(1, size):
            low[group] = np.minimum(low[group], points[members[group, place]])
            high[group] = np.maximum(high[group], points[members[group, place]])
        now[group] = _cost(prices, low[group], high[group])
    chosen = np.full(len(left), -1, np.int64)
    for row in range(len(left)):
        point = left[row]
        best, least = -1, np.inf
        for group in range(groups):
            if sizes[group] == room:
                continue
            total = 0.0
            for column in range(width):
                code = points[point, column]
                total += price(prices, column, min(low[group, column], code), max(high[group, column], code))
            more = (sizes[group] + 1) * total - sizes[group] * now[group]
            if more < least and _differs(others, home, point, inside[group], sizes[group]):
                best, least = group, more
        chosen[row] = best
        if best >= 0:
            inside[best, sizes[best]] = point
            sizes[best] += 1
            low[best], high[best] = np.minimum(low[best], points[point]), np.maximum(high[best], points[point])
            now[best] = _cost(prices, low[best], high[best])
    return chosen


@njit(nogil=True, cache=True)
def _differs(others: Codes, home: Codes, point: int, inside: Ints, count: int) -> bool:
    for place in range(count):
        if home[inside[place]] == home[point]:
            return False
        for column in range(others.shape[1]):
            if others[inside[place], column] == others[point, column]:
                return False
    return True
