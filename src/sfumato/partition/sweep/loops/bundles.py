"""The loops that make bundles, look what is in them, and tell them which rows have a class (see `landings`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.room import longer
from sfumato.kernels.sorting import ascending, stable_order
from sfumato.partition.sweep.loops.classes import Items, sort_members
from sfumato.partition.sweep.loops.landings import Open, Store

__all__ = ["bundle", "members_of", "tell"]

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]


@compiled
def members_of(
    rows: Ints, places: Ints, below: NDArray[np.int32], roots: int, opens: Ints, owner: Ints, groups: int
) -> tuple[Ints, Ints, Ints]:
    """The open items of every class in ascending order, classes by their first item.

    `rows`, `places` and `below` are those of the store. Answers which class comes where, and their items as
    `sort_members` does.
    """
    begins, bundles = sort_members(owner, groups)
    place, first = np.zeros(groups + 1, np.int64), np.empty(groups, np.int64)
    members, used, waiting = np.empty(len(bundles), np.int64), 0, np.empty(64, np.int64)
    for group in range(groups):
        for at in range(begins[group], begins[group + 1]):
            waiting[0], depth = opens[bundles[at]], 1
            while depth:
                depth -= 1
                item = waiting[depth]
                if rows[item] == 0:
                    continue
                if item < roots:
                    if used == len(members):
                        members = longer(members, used + 64)
                    members[used] = item
                    used += 1
                    continue
                start, end = places[item - roots], places[item - roots + 1]
                if depth + end - start > len(waiting):
                    waiting = longer(waiting, depth + end - start)
                for each in range(start, end):
                    waiting[depth] = below[each]
                    depth += 1
        place[group + 1] = used
        ascending(members[place[group] : used])
        first[group] = members[place[group]]
    order = stable_order(first)
    sorted_place, sorted_members = np.zeros(groups + 1, np.int64), np.empty(used, np.int64)
    used = 0
    for group in range(groups):
        for at in range(place[order[group]], place[order[group] + 1]):
            sorted_members[used] = members[at]
            used += 1
        sorted_place[group + 1] = used
    return order, sorted_place, sorted_members


@compiled
def bundle(
    store: Store, opens: Ints, owner: Ints, groups: int, landing: int, bits: Keys
) -> tuple[Items, NDArray[np.int32], Ints, NDArray[np.int32], NDArray[np.int32]]:
    """Bundles of what is open at a landing: items, owners of runs, what is below, and links of runs; all from 0 on."""
    items, codes = store.items, len(bits)
    place, members = sort_members(owner, groups)
    begin, end = store.run_at[landing], store.run_at[landing + 1]
    links, slot = np.empty(end - begin, np.int32), np.empty(codes, np.int64)
    for run in range(end - begin):
        links[run] = -1
    for code in range(codes):
        slot[code] = -1
    most = 0
    for at in range(len(opens)):
        most += items.starts[opens[at] + 1] - items.starts[opens[at]]
    shown = np.empty((groups, items.codes.shape[1]), np.int32)
    starts, seen, rows = np.zeros(groups + 1, np.int64), np.zeros(groups, np.uint64), np.zeros(groups, np.int64)
    values, counts, mine = np.empty(most, np.int32), np.empty(most, np.int64), np.empty(most, np.int32)
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
def _drop(items: Items, item: int, run: int, rows: int, bits: Keys) -> bool:
    """Take rows from a run; answers whether its item is empty then. Without bits, codes seen stay as they are."""
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
    size, dead, links, run_at = store.open.size, store.open.dead, store.links, store.run_at
    landings = len(size)
    used: Any = np.int64(len(runs))
    touched, begins = np.empty(used, np.int64), np.zeros(landings + 1, np.int64)
    begins[1] = used
    for at in range(used):
        touched[at] = runs[at]
        taken[runs[at]] = rows[at]
    for landing in range(landings):
        if landing > 0:
            parent = store.parent[landing]
            begins[landing + 1] = used
            if until[landing] <= vector:
                continue
            shift = store.link_at[landing] - run_at[parent]
            touched = longer(touched, used + begins[parent + 1] - begins[parent])
            for at in range(begins[parent], begins[parent + 1]):
                above = links[shift + touched[at]]
                if taken[above] == 0:
                    touched[used] = above
                    used += 1
                taken[above] += taken[touched[at]]
            begins[landing + 1] = used
        for at in range(begins[landing], used):
            run = touched[at]
            dead[landing] += _drop(store.items, store.owner[run], run, taken[run], bits)
    for at in range(used):
        taken[touched[at]] = 0
    for landing in range(landings):
        if 8 * dead[landing] > size[landing]:
            _compact(store.open, landing, store.items.rows)


@inner
def _compact(open_: Open, landing: int, rows: Ints) -> None:
    """Forget what is not open any more."""
    items, begin, left = open_.items, open_.at[landing], open_.at[landing]
    for at in range(begin, begin + open_.size[landing]):
        if rows[items[at]]:
            items[left] = items[at]
            left += 1
    open_.size[landing], open_.dead[landing] = left - begin, 0
