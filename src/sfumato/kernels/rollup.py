"""The loops of the lattice: groups that become one at a higher level, their histograms, and what they show."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["chain", "count_runs", "count_shown", "merge_groups", "merge_runs", "nth_waiting", "pack", "smallest_below"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Keys = NDArray[np.uint64]
Runs = tuple[Ints, Ints, Ints]
_SLOTS = 1 << 16  # that a hash table has at first, at most: rows of a large table often repeat
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@njit(nogil=True, cache=True)
def pack(keys: Keys, codes: Codes, fields: Keys) -> None:
    """Put the field of one column into every key; `fields` has it for every code."""
    for row in range(len(keys)):
        keys[row] |= fields[codes[row]]


@njit(nogil=True, cache=True)
def _hashed(keys: Keys, count: int, slots: int) -> tuple[NDArray[np.int32], Keys, np.uint64]:
    """A hash table of the first keys: the number in every slot (-1: free), the key beside it, and the shift."""
    shift = np.uint64(64)
    room = 1
    while room < slots:
        room *= 2
        shift -= np.uint64(1)
    table = np.full(slots, -1, np.int32)
    beside = np.empty(slots, np.uint64)
    for index in range(count):
        slot = np.int64((keys[index] * _GOLDEN) >> shift)
        while table[slot] >= 0:
            slot = (slot + 1) & (slots - 1)
        table[slot], beside[slot] = index, keys[index]
    return table, beside, shift


@njit(nogil=True, cache=True)
def merge_groups(
    keys: Keys, fields: Ints, lifts: Codes, lift_at: Ints, below: Ints, above: Ints, sizes: Ints
) -> tuple[Ints, Keys, Ints]:
    """Lift what every group shows from one node to another and merge those that then look alike.

    In a key every column has its field: a row (column, shift, mask) of `fields`. A column that goes from level a to b
    shows ``lifts[lift_at[column, a, b] + code]`` afterwards. Answers the new group of every old one, in order of
    appearance, the keys of the new groups, and their sizes.
    """
    raised = 0
    shifts = np.empty(len(fields), np.uint64)
    masks = np.empty(len(fields), np.uint64)
    offsets = np.empty(len(fields), np.int64)
    untouched = np.uint64(0xFFFFFFFFFFFFFFFF)
    for field in range(len(fields)):
        column = fields[field, 0]
        if below[column] != above[column]:
            shifts[raised], masks[raised] = np.uint64(fields[field, 1]), np.uint64(fields[field, 2])
            offsets[raised] = lift_at[column, below[column], above[column]]
            untouched &= ~(masks[raised] << shifts[raised])
            raised += 1
    groups = len(keys)
    owner = np.empty(groups, np.int64)
    lifted = np.empty(groups, np.uint64)
    merged = np.empty(groups, np.int64)
    found, slots = 0, 16
    while slots < 2 * groups and slots < _SLOTS:
        slots *= 2
    table, beside, shift = _hashed(lifted, found, slots)
    for group in range(groups):
        old = keys[group]
        new = old & untouched
        for index in range(raised):
            code = np.int64((old >> shifts[index]) & masks[index])
            new |= np.uint64(lifts[offsets[index] + code]) << shifts[index]
        slot = np.int64((new * _GOLDEN) >> shift)
        while table[slot] >= 0 and beside[slot] != new:
            slot = (slot + 1) & (slots - 1)
        other = table[slot]
        if other < 0:
            other = found
            table[slot] = other
            beside[slot] = lifted[found] = new
            merged[found] = 0
            found += 1
            if 2 * found > slots:
                slots *= 4
                table, beside, shift = _hashed(lifted, found, slots)
        owner[group] = other
        merged[other] += sizes[group]
    return owner, lifted[:found].copy(), merged[:found].copy()


@njit(nogil=True, cache=True)
def smallest_below(nodes: Ints, sizes: Ints, count: int, node: Ints) -> int:
    """Which of the first `count` nodes that are nowhere above one has the smallest size; the last of equal ones."""
    best = 0
    for index in range(count):
        if sizes[index] <= sizes[best]:
            lower = True
            for axis in range(len(node)):
                if nodes[index, axis] > node[axis]:
                    lower = False
                    break
            if lower:
                best = index
    return best


@njit(nogil=True, cache=True)
def _members(owner: Ints, groups: int) -> tuple[Ints, Ints]:
    """What belongs to every group: group g has ``members[place[g]:place[g+1]]``."""
    place = np.zeros(groups + 1, np.int64)
    for each in owner:
        place[each + 1] += 1
    for group in range(groups):
        place[group + 1] += place[group]
    members = np.empty(len(owner), np.int64)
    fill = place[:-1].copy()
    for index in range(len(owner)):
        members[fill[owner[index]]] = index
        fill[owner[index]] += 1
    return place, members


@njit(nogil=True, cache=True)
def _in_order(touched: Ints, fresh: int, seen: Ints) -> None:
    """Sort the first values of `touched`: by going through the domain where it is small."""
    if fresh * 8 < len(seen):
        touched[:fresh].sort()
        return
    found = 0
    for value in range(len(seen)):
        if seen[value]:
            touched[found] = value
            found += 1


@njit(nogil=True, cache=True)
def _sparse(dense: Ints, groups: int, domain: int) -> Runs:
    """Runs of a table of groups by values."""
    used = 0
    for count in dense:
        used += count > 0
    runs = np.zeros(groups + 1, np.int64)
    values = np.empty(used, np.int64)
    counts = np.empty(used, np.int64)
    used = 0
    for group in range(groups):
        for value in range(domain):
            if dense[group * domain + value]:
                values[used], counts[used] = value, dense[group * domain + value]
                used += 1
        runs[group + 1] = used
    return runs, values, counts


@njit(nogil=True, cache=True)
def merge_runs(owner: Ints, groups: int, starts: Ints, values: Ints, counts: Ints, domain: int) -> Runs:
    """Histograms of `groups` new groups; old group g goes to `owner[g]`. Values of a group come in ascending order."""
    if groups * domain <= 8 * len(values) + 1024:
        dense = np.zeros(groups * domain, np.int64)
        for old in range(len(owner)):
            base = owner[old] * domain
            for run in range(starts[old], starts[old + 1]):
                dense[base + values[run]] += counts[run]
        runs, out_values, out_counts = _sparse(dense, groups, domain)
        return runs, out_values, out_counts
    place, members = _members(owner, groups)
    runs = np.zeros(groups + 1, np.int64)
    out_values = np.empty(len(values), np.int64)
    out_counts = np.empty(len(values), np.int64)
    seen = np.zeros(domain, np.int64)
    touched = np.empty(domain, np.int64)
    used = 0
    for new in range(groups):
        if place[new + 1] - place[new] == 1:
            old = members[place[new]]
            for run in range(starts[old], starts[old + 1]):
                out_values[used], out_counts[used] = values[run], counts[run]
                used += 1
        else:
            fresh = 0
            for member in range(place[new], place[new + 1]):
                old = members[member]
                for run in range(starts[old], starts[old + 1]):
                    value = values[run]
                    if seen[value] == 0:
                        touched[fresh] = value
                        fresh += 1
                    seen[value] += counts[run]
            _in_order(touched, fresh, seen)
            for index in range(fresh):
                out_values[used], out_counts[used] = touched[index], seen[touched[index]]
                seen[touched[index]] = 0
                used += 1
        runs[new + 1] = used
    return runs, out_values[:used].copy(), out_counts[:used].copy()


@njit(nogil=True, cache=True)
def count_runs(owner: Ints, groups: int, codes: Codes, domain: int) -> Runs:
    """Histograms of groups of rows; row r belongs to `owner[r]`. Values of a group come in ascending order."""
    if groups * domain <= 8 * len(codes) + 1024:
        dense = np.zeros(groups * domain, np.int64)
        for row in range(len(owner)):
            dense[owner[row] * domain + codes[row]] += 1
        runs, values, counts = _sparse(dense, groups, domain)
        return runs, values, counts
    place, members = _members(owner, groups)
    runs = np.zeros(groups + 1, np.int64)
    values = np.empty(len(codes), np.int64)
    counts = np.empty(len(codes), np.int64)
    seen = np.zeros(domain, np.int64)
    touched = np.empty(domain, np.int64)
    used = 0
    for group in range(groups):
        fresh = 0
        for member in range(place[group], place[group + 1]):
            value = codes[members[member]]
            if seen[value] == 0:
                touched[fresh] = value
                fresh += 1
            seen[value] += 1
        _in_order(touched, fresh, seen)
        for index in range(fresh):
            values[used], counts[used] = touched[index], seen[touched[index]]
            seen[touched[index]] = 0
            used += 1
        runs[group + 1] = used
    return runs, values[:used].copy(), counts[:used].copy()


@njit(nogil=True, cache=True)
def count_shown(keys: Keys, fields: Ints, offsets: Ints, sizes: Ints, kept: NDArray[np.bool_], counts: Ints) -> None:
    """Count rows of the kept groups by what they show; code k of column c at ``offsets[c] + k``."""
    for group in range(len(sizes)):
        if kept[group]:
            for field in range(len(fields)):
                code = np.int64((keys[group] >> np.uint64(fields[field, 1])) & np.uint64(fields[field, 2]))
                counts[offsets[fields[field, 0]] + code] += sizes[group]


@njit(nogil=True, cache=True)
def chain(waiting: NDArray[np.bool_], shape: Ints, strides: Ints, start: int, step: int) -> Ints:
    """Waiting nodes from one on, each one step above (1) or below (-1) the one before, as long as there are any."""
    level = np.empty(len(shape), np.int64)
    longest = 1
    for axis in range(len(shape)):
        level[axis] = start // strides[axis] % shape[axis]
        longest += shape[axis] - 1
    path = np.empty(longest, np.int64)
    path[0] = start
    length = 1
    axis = 0
    while axis < len(shape):
        onward = path[length - 1] + step * strides[axis]
        if 0 <= level[axis] + step < shape[axis] and waiting[onward]:
            path[length] = onward
            length += 1
            level[axis] += step
            axis = 0
        else:
            axis += 1
    return path[:length]


@njit(nogil=True, cache=True)
def nth_waiting(order: Ints, waiting: NDArray[np.bool_], start: int, number: int) -> tuple[int, int]:
    """From `start` on, where in `order` the first waiting place is, and the number-th, or the last if there are less.

    Both are the length of `order` if nothing waits.
    """
    first = chosen = len(order)
    for index in range(start, len(order)):
        if waiting[order[index]]:
            if first == len(order):
                first = index
            chosen = index
            number -= 1
            if number == 0:
                break
    return first, chosen
