"""Judging classes: what they count, which keep a bound, and which do once sensitive values are generalized."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.sorting import ascending, falling
from sfumato.partition.sweep.loops.classes import Items, sort_members

__all__ = [
    "Caps",
    "Tree",
    "blur_classes",
    "climb_one_by_one",
    "count_classes",
    "fits",
    "keeping",
    "raised",
    "tally",
    "within",
]

Ints = NDArray[np.int64]
Runs = tuple[Ints, Ints, Ints]


class Caps(NamedTuple):
    """The k+1 most frequent codes fill at most ``top[k]/bottom[k]`` of a class."""

    top: Ints
    bottom: Ints


class Tree(NamedTuple):
    """A sensitive column's taxonomy.

    shares   of a base value in a row that shows a node, times `scale`: [node, base value]; or rounded, with a scale
             that is smaller by more than was rounded, so that what keeps a bound does so exactly
    rank     of base values that are equally frequent
    """

    shares: Any
    scale: float
    parent: Ints
    first: Ints
    last: Ints
    rank: Ints


@inner
def tally(items: Items, open_items: Ints, members: Ints, begin: int, end: int, have: Ints, touched: Ints) -> int:
    """Count the rows of a class, which has the members from `begin` on, per code, into zeros; answers how many codes
    there are."""
    starts, values, counts = items.starts, items.values, items.counts
    fresh = 0
    for at in range(begin, end):
        item = open_items[members[at]]
        for run in range(starts[item], starts[item + 1]):
            if counts[run]:
                code = values[run]
                if have[code] == 0:
                    touched[fresh] = code
                    fresh += 1
                have[code] += counts[run]
    return fresh


@inner
def highest(counts: NDArray[Any], begin: int, end: int, into: NDArray[Any]) -> int:
    """The highest counts above 0 in descending order, as many as there is room for; answers how many."""
    found = 0
    for place in range(begin, end):
        count, at = counts[place], found
        while at > 0 and into[at - 1] < count:
            if at < len(into):
                into[at] = into[at - 1]
            at -= 1
        if count and at < len(into):
            into[at] = count
            found = min(found + 1, len(into))
    return found


@inner
def within(counts: NDArray[Any], many: int, rows: int, top: Ints, bottom: Ints) -> bool:
    """Whether so many counts in descending order keep a bound."""
    filled = 0
    for k in range(min(len(top), many)):
        filled += counts[k]
        if filled * bottom[k] > top[k] * rows:
            return False
    return rows > 0


@inner
def fits(counts: NDArray[Any], begin: int, end: int, rows: int, bounds: Caps, room: NDArray[Any]) -> bool:
    """Whether counts in any order keep bounds, for which there is room; the most frequent alone is looked at first."""
    if len(bounds.top):
        most = counts[begin]
        for place in range(begin + 1, end):
            most = max(most, counts[place])
        if most * bounds.bottom[0] > bounds.top[0] * rows:
            return False
    kept: bool = within(room, highest(counts, begin, end, room), rows, bounds.top, bounds.bottom)
    return kept


@compiled
def count_classes(items: Items, open_items: Ints, owner: Ints, groups: int, codes: int) -> Runs:
    """Rows per code of every class, as runs with room to spare; codes of a class ascend."""
    place, members = sort_members(owner, groups)
    starts, used = np.zeros(groups + 1, np.int64), 0
    for at in range(len(members)):
        used += items.starts[open_items[members[at]] + 1] - items.starts[open_items[members[at]]]
    values, counts = np.empty(used, np.int64), np.empty(used, np.int64)
    have, touched = np.zeros(codes, np.int64), np.empty(codes, np.int64)
    used = 0
    for group in range(groups):
        fresh = tally(items, open_items, members, place[group], place[group + 1], have, touched)
        ascending(touched[:fresh])
        for at in range(fresh):
            code = touched[at]
            values[used], counts[used] = code, have[code]
            have[code] = 0
            used += 1
        starts[group + 1] = used
    return starts, values, counts


@compiled
def keeping(starts: Ints, counts: Ints, bounds: Caps) -> NDArray[np.bool_]:
    """Which classes keep a bound."""
    kept = np.empty(len(starts) - 1, np.bool_)
    for group in range(len(kept)):
        mine, rows, most = counts[starts[group] : starts[group + 1]], np.int64(0), np.int64(0)
        for at in range(len(mine)):
            rows += mine[at]
            most = max(most, mine[at])
        kept[group] = len(bounds.top) == 0 or most * bounds.bottom[0] <= bounds.top[0] * rows
        kept[group] = kept[group] and within(falling(mine), len(mine), rows, bounds.top, bounds.bottom)
    return kept


@inner
def _unsaid(have: Ints, codes: Ints, tree: Tree, cut: Ints) -> float:
    """What the rows of a class do not tell of their sensitive values where these are shown by a cut."""
    lost = 0.0
    for at in range(len(codes)):
        node = cut[codes[at]]
        lost += have[codes[at]] * (1 - 1 / (tree.last[node] - tree.first[node] + 1))
    return lost


@inner
def raised(
    have: Ints, codes: Ints, tree: Tree, bounds: Caps, most: float, sums: NDArray[Any], room: NDArray[Any], cut: Ints
) -> bool:
    """Generalize whole subtrees, that of the dominant value first, until a class keeps a bound; False if it never does,
    or loses more than `most` by it: every step loses more.

    `cut` gets the node that every base value is shown as; `sums` and `room` are for base values and bounds.
    """
    shares, parent, rank = tree.shares, tree.parent, tree.rank
    width = shares.shape[1]
    total = np.int64(0)
    for value in range(width):
        cut[value], sums[value] = value, 0
    for at in range(len(codes)):
        total += have[codes[at]]
        sums[codes[at]] += have[codes[at]] * shares[codes[at], codes[at]]  # a base value shows itself and no other
    rows = total * tree.scale
    while not fits(sums, 0, width, rows, bounds, room):
        best = -1
        for value in range(width):
            if sums[value] and parent[cut[value]] >= 0:
                more = best < 0 or sums[value] > sums[best]
                if more or (sums[value] == sums[best] and rank[value] < rank[best]):
                    best = value
        if best < 0:
            return False
        node = parent[cut[best]]
        first, last = tree.first[node], tree.last[node]
        for at in range(len(codes)):
            code = codes[at]
            if first <= code <= last:
                for value in range(first, last + 1):
                    sums[value] += have[code] * (shares[node, value] - shares[cut[code], value])
        for value in range(first, last + 1):
            cut[value] = node
        if _unsaid(have, codes, tree, cut) > most:
            return False
    return True


@compiled
def blur_classes(
    starts: Ints,
    values: Ints,
    counts: Ints,
    kept: NDArray[np.bool_],
    most: NDArray[np.float64],
    tree: Tree,
    bounds: Caps,
) -> Ints:
    """Classes that keep a bound once sensitive values are generalized, at a loss of `most` per class: marked as kept.

    Answers the node of every base value for every class that is marked here, and -1 for the first of any other.
    """
    width = tree.shares.shape[1]
    have, cut = np.zeros(width, np.int64), np.empty(width, np.int64)
    cuts = np.empty((len(kept), width), np.int64)
    sums, room = np.empty(width, tree.shares.dtype), np.empty(len(bounds.top), tree.shares.dtype)
    for group in range(len(kept)):
        begin, end = starts[group], starts[group + 1]
        dominant = 0
        cuts[group, 0] = -1
        for place in range(begin, end):
            have[values[place]] = counts[place]
            dominant = max(dominant, counts[place])
        hopeful = not kept[group] and dominant <= 2 * most[group]  # a value joins at least one other
        if hopeful and raised(have, values[begin:end], tree, bounds, most[group], sums, room, cut):
            kept[group] = True
            for value in range(width):
                cuts[group, value] = cut[value]
        for place in range(begin, end):
            have[values[place]] = 0
    return cuts


@compiled
def climb_one_by_one(
    counts: Ints, shares: Ints, scale: int, parent: Ints, rank: Ints, bounds: Caps
) -> tuple[Ints, bool]:
    """Rows of a class climb one by one: of the dominant value, and there of the deepest node, until it keeps a bound.

    `counts` has the rows of every node. Answers how many rows leave every node for its parent, and whether that helps.
    """
    nodes, width = shares.shape
    left, sums, rows = np.zeros(nodes, np.int64), np.zeros(width, np.int64), counts.sum() * scale
    for node in range(nodes):
        for value in range(width):
            sums[value] += counts[node] * shares[node, value]
    while not within(falling(sums), width, rows, bounds.top, bounds.bottom):
        best, goes = -1, -1
        for value in range(width):
            if sums[value] == 0 or (best >= 0 and sums[value] < sums[best]):
                continue
            if best >= 0 and sums[value] == sums[best] and rank[value] > rank[best]:
                continue
            node = value
            while node >= 0 and counts[node] == 0:
                node = parent[node]
            if node >= 0 and parent[node] >= 0:
                best, goes = value, node
        if best < 0:
            return left, False
        top = parent[goes]
        counts[goes] -= 1
        counts[top] += 1
        left[goes] += 1
        for value in range(width):
            sums[value] += shares[top, value] - shares[goes, value]
    return left, True
