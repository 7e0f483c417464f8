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
from sfumato.kernels.room import longer
from sfumato.kernels.sorting import ascending, falling, stable_order
from sfumato.partition.sweep.loops.classes import Filter, Items, Room, Rungs, find_classes, has_enough, sort_members
from sfumato.partition.sweep.loops.judging import Caps, tally, within

__all__ = ["Store", "Wish", "a_member", "bundle", "compact", "members_of", "next_classes", "tell"]

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]

_CELLS = 1 << 22
"""Most counts, of classes by codes, to be kept side by side."""


class Store(NamedTuple):
    """Items and bundles, landing by landing.

    items    with the rows that are open
    owner    item of every run
    below    what a bundle is made of: bundle b, counted from the first one, of ``below[place[b]:place[b+1]]``
    links    run of a bundle for every run of the landing below it
    opens    items with open rows, and some without: landing i has ``opens[open_at[i]:][:size[i]]``
    dead     how many of these are without
    parent   the landing below a landing
    run_at   where the runs of a landing begin, and at last their number
    link_at  where its links begin
    """

    items: Items
    owner: NDArray[np.int32]
    place: Ints
    below: NDArray[np.int32]
    links: NDArray[np.int32]
    opens: Ints
    open_at: Ints
    size: Ints
    dead: Ints
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
def _pays(store: Store, vectors: Ints, vector: int, size: int, found: int, wish: Wish) -> bool:
    """Whether the vectors above are looked at with so much less work that a landing here pays."""
    above = 1
    for column in range(vectors.shape[1]):
        above *= vectors[vector, column] + 1
    cost = wish.cost * size + wish.fixed
    if (
        wish.work[2] == vector
        or 2 * found > size
        or (size - found) * above <= cost
        or len(store.items.rows) + found > wish.room
    ):
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
            now = min(store.size[wish.at[other]], store.size[0])
            if now > found:
                gain += now - found
                if gain > cost:
                    wish.work[2] = vector
                    return True
    return False


@compiled
def next_classes(
    store: Store,
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
    of everything open there, or -1. No classes: a landing should be made there; or it is `until`, not looked at.
    """
    slots, items = np.int64(16), store.items
    have, touched, cells = np.zeros(wanted.codes, np.int64), np.empty(wanted.codes, np.int64), np.empty(0, np.int64)
    for vector in range(begin, until):
        landing = wish.at[vector] if store.size[wish.at[vector]] < store.size[0] else 0
        opens = store.opens[store.open_at[landing] : store.open_at[landing] + store.size[landing]]
        found = find_classes(items, rungs, vectors[vector], opens, slots, shelf.owner)
        if min(len(shelf.rows), len(shelf.seen)) < found:
            raise ValueError("fewer places than classes")
        wish.work[0] += len(opens)
        if _pays(store, vectors, vector, len(opens), found, wish):
            return vector, landing, 0
        slots = np.int64(16)
        while slots < 2 * found:
            slots *= 2
        shelf.rows[:found], shelf.seen[:found] = 0, 0
        for at in range(len(opens)):
            if shelf.owner[at] >= 0:
                shelf.rows[shelf.owner[at]] += items.rows[opens[at]]
                shelf.seen[shelf.owner[at]] |= items.seen[opens[at]]
        kept: Any = np.int64(0)
        for group in range(found):
            enough = has_enough(shelf.rows[group], shelf.seen[group], wanted)
            shelf.rows[group] = kept if enough else -1
            kept += enough
        if kept and judged:
            room = kept * wanted.codes
            if room <= _CELLS:
                if room > len(cells):
                    cells = np.empty(2 * room, np.int64)
                kept = _judge_all(items, opens, shelf, found, bounds, cells[:room], wanted.codes)
            else:
                _renumber(shelf, len(opens))
                kept = _judge(items, opens, shelf, kept, bounds, have, touched)
        if kept:
            _renumber(shelf, len(opens))
            return vector, landing, kept
    return until, 0, 0


@inner
def _highest(counts: Ints, into: Ints) -> int:
    """The highest counts above 0 in descending order, as many as there is room for; answers how many."""
    found = 0
    for count in counts:
        at = found
        while at > 0 and into[at - 1] < count:
            if at < len(into):
                into[at] = into[at - 1]
            at -= 1
        if count and at < len(into):
            into[at] = count
            found = min(found + 1, len(into))
    return found


@inner
def _renumber(shelf: Room, count: int) -> None:
    """Classes get the numbers that stand on the shelf in place of their rows; -1: none any more."""
    for at in range(count):
        if shelf.owner[at] >= 0:
            shelf.owner[at] = shelf.rows[shelf.owner[at]]


@inner
def _judge_all(items: Items, opens: Ints, shelf: Room, found: int, bounds: Caps, cells: Ints, codes: int) -> int:
    """As `_judge`, for few codes: all classes are counted at once, in the order in which items are stored."""
    cells[:] = 0
    for at in range(len(opens)):
        if shelf.owner[at] >= 0 and shelf.rows[shelf.owner[at]] >= 0:
            base, item = shelf.rows[shelf.owner[at]] * codes, opens[at]
            for run in range(items.starts[item], items.starts[item + 1]):
                cells[base + items.values[run]] += items.counts[run]
    kept, loose, highest = 0, len(bounds.top) == 0, np.empty(len(bounds.top), np.int64)
    for group in range(found):
        if shelf.rows[group] < 0:
            continue
        counts = cells[shelf.rows[group] * codes : (shelf.rows[group] + 1) * codes]
        rows, most = np.int64(0), np.int64(0)
        for count in counts:
            rows += count
            most = max(most, count)
        keeps = loose or most * bounds.bottom[0] <= bounds.top[0] * rows
        if keeps:
            keeps = within(highest[: _highest(counts, highest)], rows, bounds.top, bounds.bottom)
        shelf.rows[group] = kept if keeps else -1
        kept += keeps
    return kept


@inner
def _judge(items: Items, opens: Ints, shelf: Room, groups: int, bounds: Caps, have: Ints, touched: Ints) -> int:
    """Number the classes that keep the bounds, on the shelf in place of their rows; answers how many there are."""
    place, members = sort_members(shelf.owner[: len(opens)], groups)
    kept = 0
    for group in range(groups):
        fresh = tally(items, opens, members[place[group] : place[group + 1]], have, touched)
        rows, most = np.int64(0), np.int64(0)
        for code in touched[:fresh]:
            rows += have[code]
            most = max(most, have[code])
        keeps = len(bounds.top) == 0 or most * bounds.bottom[0] <= bounds.top[0] * rows
        if keeps:
            mine = np.empty(fresh, np.int64)
            for at in range(fresh):
                mine[at] = have[touched[at]]
            keeps = within(falling(mine), rows, bounds.top, bounds.bottom)
        for code in touched[:fresh]:
            have[code] = 0
        shelf.rows[group] = kept if keeps else -1
        kept += keeps
    return kept


@compiled
def members_of(store: Store, roots: int, opens: Ints, owner: Ints, groups: int) -> tuple[Ints, Ints, Ints]:
    """The open items of every class in ascending order, classes by their first item.

    Answers which class comes where, and their items as `sort_members` does.
    """
    begins, bundles = sort_members(owner, groups)
    place, first = np.zeros(groups + 1, np.int64), np.empty(groups, np.int64)
    members, used, waiting = np.empty(len(bundles), np.int64), 0, np.empty(64, np.int64)
    for group in range(groups):
        for bundle in bundles[begins[group] : begins[group + 1]]:
            waiting[0], depth = opens[bundle], 1
            while depth:
                depth -= 1
                item = waiting[depth]
                if store.items.rows[item] == 0:
                    continue
                if item < roots:
                    if used == len(members):
                        members = longer(members, used + 64)
                    members[used] = item
                    used += 1
                    continue
                start, end = store.place[item - roots], store.place[item - roots + 1]
                if depth + end - start > len(waiting):
                    waiting = longer(waiting, depth + end - start)
                for each in range(start, end):
                    waiting[depth] = store.below[each]
                    depth += 1
        place[group + 1] = used
        ascending(members[place[group] : used])
        first[group] = members[place[group]]
    order = stable_order(first)
    sorted_place, sorted_members = np.zeros(groups + 1, np.int64), np.empty(used, np.int64)
    used = 0
    for at in range(groups):
        for member in members[place[order[at]] : place[order[at] + 1]]:
            sorted_members[used] = member
            used += 1
        sorted_place[at + 1] = used
    return order, sorted_place, sorted_members


@compiled
def a_member(store: Store, roots: int, opens: Ints, owner: Ints, groups: int) -> Ints:
    """An item of every class."""
    found = np.empty(groups, np.int64)
    for at in range(len(owner)):
        if owner[at] >= 0:
            item = opens[at]
            while item >= roots:
                item = np.int64(store.below[store.place[item - roots]])
            found[owner[at]] = item
    return found


@compiled
def bundle(
    store: Store, opens: Ints, owner: Ints, groups: int, landing: int, bits: Keys
) -> tuple[Items, NDArray[np.int32], Ints, NDArray[np.int32], NDArray[np.int32]]:
    """Bundles of what is open at a landing: items, owners of runs, what is below, and links of runs; all from 0 on."""
    items, codes = store.items, len(bits)
    place, members = sort_members(owner, groups)
    begin, end = store.run_at[landing], store.run_at[landing + 1]
    links = np.full(end - begin, -1, np.int32)
    most = 0
    for item in opens:
        most += items.starts[item + 1] - items.starts[item]
    shown = np.empty((groups, items.codes.shape[1]), np.int32)
    starts, seen, rows = np.zeros(groups + 1, np.int64), np.zeros(groups, np.uint64), np.zeros(groups, np.int64)
    values, counts, mine = np.empty(most, np.int32), np.empty(most, np.int64), np.empty(most, np.int32)
    slot = np.full(codes, -1, np.int64)
    below, used = np.empty(len(members), np.int32), 0
    for group in range(groups):
        for at in range(place[group], place[group + 1]):
            item = opens[members[at]]
            below[at] = item
            rows[group] += items.rows[item]
            for run in range(items.starts[item], items.starts[item + 1]):
                if items.counts[run] == 0:
                    continue
                code = items.values[run]
                if slot[code] < starts[group]:
                    slot[code] = used
                    values[used], counts[used], mine[used] = code, 0, group
                    seen[group] |= bits[code]
                    used += 1
                counts[slot[code]] += items.counts[run]
                links[run - begin] = slot[code]
        for chunk in range(items.codes.shape[1]):
            shown[group, chunk] = items.codes[opens[members[place[group]]], chunk]
        starts[group + 1] = used
    made = Items(shown, starts, values[:used].copy(), counts[:used].copy(), seen, rows)
    return made, mine[:used].copy(), place, below, links


@inner
def _drop(store: Store, item: int, run: int, rows: int, bits: Keys) -> bool:
    """Take rows from a run; answers whether its item is empty then. Without bits, codes seen stay as they are."""
    items = store.items
    items.counts[run] -= rows
    items.rows[item] -= rows
    if items.counts[run] == 0 and len(bits):
        seen = np.uint64(0)
        for each in range(items.starts[item], items.starts[item + 1]):
            if items.counts[each]:
                seen |= bits[items.values[each]]
        items.seen[item] = seen
    return bool(items.rows[item] == 0)


@compiled
def tell(store: Store, vector: int, until: Ints, runs: Ints, rows: Ints, bits: Keys, taken: Ints) -> None:
    """So many rows of runs have a class now, since a vector: every landing that is needed later gets to know.

    `taken` is room for every run, all zeros.
    """
    if len(taken) < len(store.owner):
        raise ValueError("fewer places than runs")
    landings = len(store.size)
    touched, begins = runs.copy(), np.zeros(landings + 1, np.int64)
    used = begins[1] = len(runs)
    for at in range(used):
        taken[runs[at]] = rows[at]
        store.dead[0] += _drop(store, store.owner[runs[at]], runs[at], rows[at], bits)
    for landing in range(1, landings):
        parent = store.parent[landing]
        begins[landing + 1] = used
        if until[landing] <= vector:
            continue
        shift = store.link_at[landing] - store.run_at[parent]
        if used + begins[parent + 1] - begins[parent] > len(touched):
            touched = longer(touched, used + begins[parent + 1] - begins[parent])
        for at in range(begins[parent], begins[parent + 1]):
            above = store.links[shift + touched[at]]
            if taken[above] == 0:
                touched[used] = above
                used += 1
            taken[above] += taken[touched[at]]
        begins[landing + 1] = used
        for run in touched[begins[landing] : used]:
            store.dead[landing] += _drop(store, store.owner[run], run, taken[run], bits)
    for run in touched[:used]:
        taken[run] = 0
    for landing in range(landings):
        if 8 * store.dead[landing] > store.size[landing]:
            compact(store, landing)


@compiled
def compact(store: Store, landing: int) -> None:
    """Forget what is not open any more."""
    begin, left = store.open_at[landing], store.open_at[landing]
    for at in range(begin, begin + store.size[landing]):
        if store.items.rows[store.opens[at]]:
            store.opens[left] = store.opens[at]
            left += 1
    store.size[landing], store.dead[landing] = left - begin, 0
