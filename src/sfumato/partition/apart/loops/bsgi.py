"""The loops of BSGI: groups row by row from buckets, and what is left over into the groups that it costs least."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.box_prices import Prices, price
from sfumato.partition.apart.loops.nearest import Forest, GrowingGroup, cover, nearest, remove
from sfumato.partition.apart.loops.shelf import Shelf, less

__all__ = ["incorporate", "select"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]


@compiled
def select(
    forest: Forest,
    points: Codes,
    others: Codes,
    home: Codes,
    live: Ints,
    prices: Prices,
    shelf: Shelf,
    walk: Codes,
    bounds: Ints,
    group: GrowingGroup,
    groups: int,
    free: bool,
) -> Ints:
    """Groups of points from different buckets.

    home      the bucket of a point
    live      rows of a point that have no group yet
    walk      the points of every bucket, once per row, in random order: bucket b's from bounds[b] on
    group     room for one
    groups    as many as can be made
    free      any bucket may give, and all are in one tree; otherwise the fullest do, and each has a tree
    """
    size, buckets = len(group.members), len(bounds) - 1
    members = np.empty((groups, size), np.int64)
    at, opened = bounds[:-1].copy(), np.ones(buckets, np.bool_)
    made = 0
    while made < groups and shelf.upto[1] >= size:
        due = groups - made
        must = shelf.upto[due] if free and due < len(shelf.upto) else 0
        bucket = shelf.order[0]
        while live[walk[at[bucket]]] == 0:
            at[bucket] += 1
        cover(group, points, np.int64(walk[at[bucket]]), np.int64(0))
        if free:
            count = _any(forest, points, others, home, live, opened, prices, shelf, group, must)
        else:
            count = _fullest(forest, points, others, home, live, opened, prices, shelf, group)
        whole = count == size
        for place in range(size if whole else 1):
            point = group.members[place]
            members[made, place] = point
            live[point] -= 1
            less(shelf, home[point])
            if live[point] == 0:
                remove(forest, points, home, live, point)
        made += whole
    return members[:made]


@inner
def _fullest(
    forest: Forest,
    points: Codes,
    others: Codes,
    home: Codes,
    live: Ints,
    opened: NDArray[np.bool_],
    prices: Prices,
    shelf: Shelf,
    group: GrowingGroup,
) -> int:
    """The nearest point of each of the next fullest buckets that has one joins; how many there are then."""
    count: Any = np.int64(1)
    for turn in range(1, shelf.upto[1]):
        if count == len(group.members):
            break
        tree = shelf.order[turn]
        found = nearest(forest, tree, points, others, home, live, opened, np.int64(-1), prices, group, count)
        if found >= 0:
            cover(group, points, found, count)
            count += 1
    return int(count)


@inner
def _any(
    forest: Forest,
    points: Codes,
    others: Codes,
    home: Codes,
    live: Ints,
    opened: NDArray[np.bool_],
    prices: Prices,
    shelf: Shelf,
    group: GrowingGroup,
    must: int,
) -> int:
    """The nearest point of any unused bucket joins, unless those that must give need the place; how many there are.

    The first `must` buckets have to give: they hold as many rows as groups are still to be made.
    """
    count: Any = np.int64(1)
    size = len(group.members)
    opened[home[group.members[0]]] = False
    bound_to = must - (must > 0)
    restricted = False
    while count < size:
        if not restricted and bound_to and bound_to >= size - count:
            restricted = True
            opened[:] = False
            for place in range(must):
                opened[shelf.order[place]] = True
            for place in range(count):
                opened[home[group.members[place]]] = False
        bits = np.int64(-1)
        if len(opened) <= 64:
            bits = np.int64(0)
            for bucket in range(len(opened)):
                if opened[bucket]:
                    bits |= np.int64(1) << bucket
        found = nearest(forest, np.int64(0), points, others, home, live, opened, bits, prices, group, count)
        if found < 0 and restricted:  # those that must cannot, for what else they have to differ in
            bound_to, restricted = 0, False
            opened[:] = True
            for place in range(count):
                opened[home[group.members[place]]] = False
            continue
        if found < 0:
            break
        opened[home[found]] = False
        bound_to -= bound_to > 0 and shelf.place[home[found]] < must
        cover(group, points, found, count)
        count += 1
    if restricted:
        opened[:] = True
    for place in range(count):
        opened[home[group.members[place]]] = True
    return int(count)


@inner
def _cost(prices: Prices, low: Codes, high: Codes) -> float:
    total = 0.0
    for column in range(len(low)):
        total += price(prices, column, low[column], high[column])
    return total


@inner
def _stretch(low: Codes, high: Codes, points: Codes, point: int, alone: bool) -> None:
    for column in range(len(low)):
        code = points[point, column]
        low[column] = code if alone else min(low[column], code)
        high[column] = code if alone else max(high[column], code)


@compiled
def incorporate(
    points: Codes, others: Codes, prices: Prices, home: Codes, members: Ints, left: Ints, room: int, whole: bool
) -> Ints:
    """For every row left over, as a point, the group that it costs least to join, or -1.

    A row joins only a group from which it differs in every column, also from rows that joined before. A group costs
    what its rows cost together, so to join costs (s + 1)·price(with it) − s·price(without). `whole`: the group is taken
    that costs least with the row, whatever it cost without, (s + 1)·price(with it).
    """
    groups, size = members.shape
    if room < size:
        raise ValueError("groups hold more than there is room for")
    width = points.shape[1]
    low, high = np.empty((groups, width), np.int32), np.empty((groups, width), np.int32)
    now, sizes = np.empty(groups, np.float64), np.full(groups, size, np.int64)
    inside = np.empty((groups, room), np.int64)
    for group in range(groups):
        for place in range(size):
            point = inside[group, place] = members[group, place]
            _stretch(low[group], high[group], points, point, place == 0)
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
            more = (sizes[group] + 1) * total - (0.0 if whole else sizes[group] * now[group])
            if more < least and _differs(others, home, point, inside[group], sizes[group]):
                best, least = group, more
        chosen[row] = best
        if best >= 0:
            inside[best, sizes[best]] = point
            sizes[best] += 1
            _stretch(low[best], high[best], points, point, best < 0)
            now[best] = _cost(prices, low[best], high[best])
    return chosen


@inner
def _differs(others: Codes, home: Codes, point: int, inside: Ints, count: int) -> bool:
    for place in range(count):
        if home[inside[place]] == home[point]:
            return False
        for column in range(others.shape[1]):
            if others[inside[place], column] == others[point, column]:
                return False
    return True
