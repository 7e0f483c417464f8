"""The loops of the lattice: number equal keys, and merge histograms of groups that become one."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["merge_runs", "number"]

Ints = NDArray[np.int64]


@njit(nogil=True, cache=True)
def number(keys: Ints) -> tuple[Ints, Ints]:
    """A number from 0 on for every key, equal keys alike, in order of appearance; and where each appeared first."""
    slots = 1
    while slots < 2 * len(keys):
        slots *= 2
    table = np.full(slots, -1, np.int64)
    numbers = np.empty(len(keys), np.int64)
    first = np.empty(len(keys), np.int64)
    found = 0
    for index in range(len(keys)):
        key = keys[index]
        mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
        slot = np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(slots - 1))
        while table[slot] >= 0 and keys[first[table[slot]]] != key:
            slot = (slot + 1) & (slots - 1)
        if table[slot] < 0:
            table[slot] = found
            first[found] = index
            found += 1
        numbers[index] = table[slot]
    return numbers, first[:found]


@njit(nogil=True, cache=True)
def merge_runs(
    owner: Ints, groups: int, starts: Ints, values: Ints, counts: Ints, domain: int
) -> tuple[Ints, Ints, Ints]:
    """Histograms of `groups` new groups; old group g goes to `owner[g]`. Values of a group come in ascending order."""
    place = np.zeros(groups + 1, np.int64)
    for old in range(len(owner)):
        place[owner[old] + 1] += 1
    for new in range(groups):
        place[new + 1] += place[new]
    members = np.empty(len(owner), np.int64)
    fill = place[:-1].copy()
    for old in range(len(owner)):
        members[fill[owner[old]]] = old
        fill[owner[old]] += 1
    runs = np.zeros(groups + 1, np.int64)
    out_values = np.empty(len(values), np.int64)
    out_counts = np.empty(len(values), np.int64)
    seen = np.zeros(domain, np.int64)
    touched = np.empty(domain, np.int64)
    used = 0
    for new in range(groups):
        fresh = 0
        for member in range(place[new], place[new + 1]):
            old = members[member]
            for run in range(starts[old], starts[old + 1]):
                value = values[run]
                if seen[value] == 0:
                    touched[fresh] = value
                    fresh += 1
                seen[value] += counts[run]
        present = touched[:fresh]
        present.sort()
        for index in range(fresh):
            out_values[used] = present[index]
            out_counts[used] = seen[present[index]]
            seen[present[index]] = 0
            used += 1
        runs[new + 1] = used
    return runs, out_values[:used], out_counts[:used]
