"""The loops of landings: level vectors at which open items are bundled, so that vectors above look at bundles.

A bundle is an item like any other, with runs of its own; all bundles stand in one store behind the items themselves,
which are landing 0. Items of a bundle look alike at its landing, or share what has no such level, and hence look alike
at every vector that is nowhere lower. When rows get a class, the bundles that hold them are told.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.sorting import falling
from sfumato.partition.sweep.loops.classes import Filter, Items, Room, Rungs, find_classes, has_enough, sort_members
from sfumato.partition.sweep.loops.judging import Caps, fits, tally, within

__all__ = ["Open", "Store", "Wish", "judged", "next_classes", "open_at"]

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]

_CELLS = 1 << 22
"""Most counts, of classes by codes, to be kept side by side."""


class Open(NamedTuple):
    """Items with open rows, and some without: landing i has ``items[at[i]:][:size[i]]``, ``dead[i]`` without."""

    items: Ints
    at: Ints
    size: Ints
    dead: Ints


class Store(NamedTuple):
    """Items and bundles, landing by landing.

    items    with the rows that are open
    open     which of them have some
    owner    item of every run
    below    what a bundle is made of: bundle b, counted from the first one, of ``below[place[b]:place[b+1]]``
    links    run of a bundle for every run of the landing below it
    parent   the landing below a landing
    run_at   where the runs of a landing begin, and at last their number
    link_at  where its links begin
    """

    items: Items
    open: Open
    owner: NDArray[np.int32]
    place: Ints
    below: NDArray[np.int32]
    links: NDArray[np.int32]
    parent: Ints
    run_at: Ints
    link_at: Ints


class Wish(NamedTuple):
    """When to make a landing.

    at       the landing from which to look, per vector
    work     looks so far; looks spent on asking whether a landing pays; the vector where one did last
    until    the last vector that looks from a landing, or from one above it
    room     items and bundles there may be
    cost     of bundling an item and keeping it up to date, in looks at one
    fixed    what a landing costs beside that
    """

    at: Ints
    work: Ints
    until: Ints
    room: int
    cost: int
    fixed: int


@inner
def _pays(stored: int, sizes: Ints, vectors: Ints, vector: int, size: int, found: int, wish: Wish) -> bool:
    """Whether the vectors above are looked at with so much less work that a landing here pays."""
    above = 1
    for column in range(vectors.shape[1]):
        above *= vectors[vector, column] + 1
    cost = wish.cost * size + wish.fixed
    if wish.work[2] == vector or 2 * found > size or (size - found) * above <= cost or stored + found > wish.room:
        return False
    ask = len(vectors) - vector
    if wish.work[1] + ask > wish.work[0]:
        return False
    wish.work[1] += ask
    gain = 0
    for other in range(vector + 1, len(vectors)):
        coarser = True
        for column in range(vectors.shape[1]):
            if vectors[other, column] > vectors[vector, column]:
                coarser = False
                break
        if coarser:
            now = min(sizes[wish.at[other]], sizes[0])
            if now > found:
                gain += now - found
                if gain > cost:
                    wish.work[2] = vector
                    return True
    return False


@inner
def open_at(opens: Open, landing: int) -> Ints:
    """What is open at a landing."""
    return opens.items[opens.at[landing] : opens.at[landing] + opens.size[landing]]


@compiled
def next_classes(
    items: Items,
    open_: Open,
    rungs: Rungs,
    vectors: Ints,
    begin: int,
    wanted: Filter,
    bounds: Caps,
    judged: bool,
    shelf: Room,
    wish: Wish,
    until: int,
) -> tuple[int, int, int]:
    """From a vector on, the first at which a class has what it needs and, if judged, keeps the bounds.

    Answers that vector, the landing looked from, and how many such classes there are; ``shelf.owner`` has the class
    of everything open there, or -1. No classes: a landing should be made there; or it is `until`, not looked at. Minus
    so many: there are too many to be judged here.
    """
    slots, cells = np.int64(16), np.empty(0, np.int64)
    owner, rows, seen = shelf.owner, shelf.rows, shelf.seen
    for vector in range(begin, until):
        landing = wish.at[vector] if open_.size[wish.at[vector]] < open_.size[0] else 0
        opens = open_at(open_, landing)
        found = find_classes(items, rungs, vectors[vector], opens, slots, owner)
        if min(len(rows), len(seen)) < found:
            raise ValueError("fewer places than classes")
        wish.work[0] += len(opens)
        if _pays(len(items.rows), open_.size, vectors, vector, len(opens), found, wish):
            return vector, landing, 0
        slots = np.int64(16)
        while slots < 2 * found:
            slots *= 2
        for group in range(found):
            rows[group], seen[group] = 0, 0
        for at in range(len(opens)):
            if owner[at] >= 0:
                rows[owner[at]] += items.rows[opens[at]]
                seen[owner[at]] |= items.seen[opens[at]]
        kept: Any = np.int64(0)
        for group in range(found):
            enough = has_enough(rows[group], seen[group], wanted)
            rows[group] = kept if enough else -1
            kept += enough
        if judged and 0 < kept * wanted.codes <= _CELLS:
            if kept * wanted.codes > len(cells):
                cells = np.empty(2 * kept * wanted.codes, np.int64)
            kept = _judge_all(items, opens, shelf, found, bounds, cells, kept, wanted.codes)
        elif judged:
            kept = -kept
        if kept:
            _renumber(shelf, len(opens))
            return vector, landing, kept
    return until, 0, 0


@compiled
def judged(items: Items, opens: Ints, shelf: Room, groups: int, bounds: Caps, codes: int) -> int:
    """How many classes keep the bounds, and ``shelf.owner`` knows only them: for classes of many codes."""
    place, members = sort_members(shelf.owner[: len(opens)], groups)
    have, touched = np.zeros(codes, np.int64), np.empty(codes, np.int64)
    kept: Any = np.int64(0)
    for group in range(groups):
        fresh = tally(items, opens, members, place[group], place[group + 1], have, touched)
        mine, rows, most = np.empty(fresh, np.int64), np.int64(0), np.int64(0)
        for at in range(fresh):
            mine[at] = have[touched[at]]
            have[touched[at]] = 0
            rows += mine[at]
            most = max(most, mine[at])
        keeps = len(bounds.top) == 0 or most * bounds.bottom[0] <= bounds.top[0] * rows
        keeps = keeps and within(falling(mine), fresh, rows, bounds.top, bounds.bottom)
        shelf.rows[group] = kept if keeps else -1
        kept += keeps
    _renumber(shelf, len(opens))
    return int(kept)


@inner
def _renumber(shelf: Room, count: int) -> None:
    """Classes get the numbers that stand on the shelf in place of their rows; -1: none any more."""
    for at in range(count):
        if shelf.owner[at] >= 0:
            shelf.owner[at] = shelf.rows[shelf.owner[at]]


@inner
def _judge_all(
    items: Items, opens: Ints, shelf: Room, found: int, bounds: Caps, cells: Ints, groups: int, codes: int
) -> int:
    """Number the classes that keep the bounds, on the shelf in place of their rows; answers how many there are.

    For few codes: all classes are counted at once, in the order in which items are stored.
    """
    starts, values, counts, owner, number = items.starts, items.values, items.counts, shelf.owner, shelf.rows
    for cell in range(groups * codes):
        cells[cell] = 0
    for at in range(len(opens)):
        if owner[at] >= 0 and number[owner[at]] >= 0:
            base, item = number[owner[at]] * codes, opens[at]
            for run in range(starts[item], starts[item + 1]):
                cells[base + values[run]] += counts[run]
    kept, top = 0, np.empty(len(bounds.top), np.int64)
    for group in range(found):
        if number[group] < 0:
            continue
        begin, end = number[group] * codes, (number[group] + 1) * codes
        rows = np.int64(0)
        for cell in range(begin, end):
            rows += cells[cell]
        keeps = fits(cells, begin, end, rows, bounds, top)
        number[group] = kept if keeps else -1
        kept += keeps
    return kept
