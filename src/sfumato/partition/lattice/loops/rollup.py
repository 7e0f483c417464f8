"""The loops of the lattice: groups that become one at a higher level, their histograms, and what they show."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.slots import FREE, GOLDEN, hashed

__all__ = ["chain", "count_runs", "count_shown", "merge_groups", "merge_runs", "nth_waiting", "pack", "smallest_below"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Keys = NDArray[np.uint64]
Runs = tuple[Ints, Ints, Ints]
_SLOTS = 1 << 16  # that a hash table has at first, at most: rows of a large table often repeat


@compiled
def pack(keys: Keys, codes: Codes, fields: Keys) -> None:
    """Put the field of one column into every key; `fields` has it for every code."""
    for row in range(len(keys)):
        keys[row] |= fields[codes[row]]


@inner
def _chunks(
    fields: Ints, lifts: Codes, lift_at: Ints, below: Ints, above: Ints, most_bits: int
) -> tuple[Keys, Keys, np.uint64]:
    """Lookup tables for the columns that rise, neighbours together as long as they have no more bits than that.

    A chunk is (shift, mask, offset): what stands there in a key becomes ``tables[offset + code]``, in place. Also
    answers the mask of what no chunk touches.
    """
    chunks = np.empty((len(fields), 3), np.uint64)
    bits = np.zeros(len(fields), np.int64)
    owner = np.full(len(fields), -1, np.int64)
    count, room, untouched = 0, 0, np.uint64(2**64 - 1)
    for field in range(len(fields)):
        column, shift = fields[field, 0], fields[field, 1]
        width = 0
        while fields[field, 2] >> width:
            width += 1
        if below[column] == above[column]:
            continue
        untouched &= ~(np.uint64(fields[field, 2]) << np.uint64(shift))
        last = count - 1
        joined = last >= 0 and shift + width - np.int64(chunks[last, 0]) <= most_bits
        if joined:
            bits[last] = shift + width - np.int64(chunks[last, 0])
        else:
            last = count
            chunks[last, 0], bits[last] = np.uint64(shift), width
            count += 1
        owner[field] = last
    for chunk in range(count):
        chunks[chunk, 1] = np.uint64((np.int64(1) << bits[chunk]) - 1)
        chunks[chunk, 2] = np.uint64(room)
        room += np.int64(1) << bits[chunk]
    tables = np.zeros(room, np.uint64)
    for field in range(len(fields)):
        if owner[field] < 0:
            continue
        chunk = owner[field]
        begin, size = np.int64(chunks[chunk, 2]), np.int64(1) << bits[chunk]
        column, shift, mask = fields[field, 0], np.uint64(fields[field, 1]), fields[field, 2]
        offset = lift_at[column, below[column], above[column]]
        most = lift_at[column, below[column], above[column]] + mask
        inside = np.int64(shift) - np.int64(chunks[chunk, 0])
        for code in range(size):
            place = offset + ((code >> inside) & mask)
            if place < len(lifts) and place <= most:
                tables[begin + code] |= np.uint64(lifts[place]) << shift
    return chunks[:count], tables, untouched


@compiled
def merge_groups(
    keys: Keys, fields: Ints, lifts: Codes, lift_at: Ints, below: Ints, above: Ints, sizes: Ints
) -> tuple[Ints, Keys, Ints]:
    """Lift what every group shows from one node to another and merge those that then look alike.

    In a key every column has its field: a row (column, shift, mask) of `fields`. A column that goes from level a to b
    shows ``lifts[lift_at[column, a, b] + code]`` afterwards. Answers the new group of every old one, in order of
    appearance, the keys of the new groups, and their sizes.
    """
    groups = len(keys)
    most_bits = 0  # a table should not take longer to make than it saves
    while groups >> (most_bits + 4) and most_bits < 11:
        most_bits += 1
    chunks, tables, untouched = _chunks(fields, lifts, lift_at, below, above, most_bits)
    owner = np.empty(groups, np.int64)
    lifted = np.empty(groups, np.uint64)
    merged = np.empty(groups, np.int64)
    group, found, slots = 0, 0, 16
    while slots < groups and slots < _SLOTS:
        slots *= 2
    while group < groups:
        cells, shift = hashed(lifted, found, slots)
        while group < groups and 2 * found <= slots:
            old = keys[group]
            new = old & untouched
            for chunk in range(len(chunks)):
                code = (old >> chunks[chunk, 0]) & chunks[chunk, 1]
                new |= tables[chunks[chunk, 2] + code]
            slot = np.int64((new * GOLDEN) >> shift)
            while cells[2 * slot] != new and cells[2 * slot] != FREE:
                slot = (slot + 1) & (slots - 1)
            if cells[2 * slot] == FREE:
                cells[2 * slot], cells[2 * slot + 1] = new, np.uint64(found)
                lifted[found], merged[found] = new, 0
                found += 1
            other = np.int64(cells[2 * slot + 1])
            owner[group] = other
            merged[other] += sizes[group]
            group += 1
        slots *= 2
    return owner, lifted[:found].copy(), merged[:found].copy()


@compiled
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


@inner
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


@inner
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


@inner
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


@compiled
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


@compiled
def count_runs(owner: Ints, groups: int, codes: Codes, rows: Ints, domain: int) -> Runs:
    """Histograms of groups of tuples; tuple t belongs to `owner[t]` and stands for `rows[t]`. Values of a group come in
    ascending order."""
    if groups * domain <= 8 * len(codes) + 1024:
        dense = np.zeros(groups * domain, np.int64)
        for each in range(len(owner)):
            dense[owner[each] * domain + codes[each]] += rows[each]
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
            seen[value] += rows[members[member]]
        _in_order(touched, fresh, seen)
        for index in range(fresh):
            values[used], counts[used] = touched[index], seen[touched[index]]
            seen[touched[index]] = 0
            used += 1
        runs[group + 1] = used
    return runs, values[:used].copy(), counts[:used].copy()


@compiled
def count_shown(keys: Keys, fields: Ints, offsets: Ints, sizes: Ints, kept: NDArray[np.bool_], counts: Ints) -> None:
    """Count rows of the kept groups by what they show; code k of column c at ``offsets[c] + k``."""
    for group in range(len(sizes)):  # a code that a column does not have would be counted as another's, or nowhere
        if kept[group]:
            for field in range(len(fields)):
                code = np.int64((keys[group] >> np.uint64(fields[field, 1])) & np.uint64(fields[field, 2]))
                place = offsets[fields[field, 0]] + code
                if place >= len(counts):
                    raise ValueError("a code beyond those that are counted")
                counts[place] += sizes[group]


@compiled
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


@compiled
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
