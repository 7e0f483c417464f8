"""The loops of ARP's initial partition: a block is split by the values of one column after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner

__all__ = ["cross", "gather", "initial"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Bytes = NDArray[np.uint8]

_TUPLE = (1 << 32) - 1
_MIX = np.uint64(0x9E3779B97F4A7C15)


@compiled
def gather(codes: Codes, bins: Bytes, into: Bytes, column: int) -> None:
    """The bin of every tuple's code."""
    if len(into) < len(codes) or column >= into.shape[1]:
        raise ValueError("fewer places than tuples or columns")
    for each in range(len(codes)):
        into[each, column] = bins[codes[each]]


@compiled
def cross(codes: Codes, bins: Bytes, values: Codes, rows: Ints, table: Ints) -> None:
    """Count the rows of tuples, bins against values."""
    most = 0
    for code in range(len(bins)):
        most = max(most, bins[code] + 1)
    for each in range(len(codes)):
        if values[each] >= table.shape[1] or most > len(table):
            raise ValueError("fewer places than bins or values")
    for each in range(len(codes)):
        table[bins[codes[each]], values[each]] += rows[each]


@compiled
def initial(bins: Bytes, values: Codes, rows: Ints, domain: int, least: int, split_merged: bool, secret: int) -> Ints:
    """A block for every tuple of so many rows, neighbours in order: no value fills more than 1/least of one.

    Parts of a block that fail are merged with a neighbour, either by chance, until all of them meet the demand.
    """
    total, columns = bins.shape
    records = _packed(bins, values)
    room, last = np.empty_like(records), records.shape[1] - 1
    labels, blocks, every = np.empty(total, np.int64), 0, np.int64(0)
    for each in range(total):
        every += rows[each]
    counts, ends = np.zeros(257, np.int64), np.zeros(257, np.int64)
    seen = np.zeros((256, domain), np.int64)
    begins, merged, back = np.zeros(257, np.int64), np.zeros(256, np.bool_), np.zeros(256, np.int64)
    above = np.zeros(257, np.int64)  # rows before each part
    stack, chance = [(0, total, np.int64(0), every, 0)], np.uint64(secret)
    while len(stack) > 0:
        begin, end, first, behind, depth = stack.pop()
        if depth >= columns or behind - first < 2 * least:
            for at in range(begin, end):
                labels[records[at, last] & _TUPLE] = blocks
            blocks += 1
            continue
        parts = _sorted_by(records, room, depth, begin, end, counts, ends, begins)
        if parts == 1:
            stack.append((begin, end, first, behind, depth + 1))
            continue
        above[0] = first
        for part in range(parts):
            for value in range(domain):
                seen[part, value] = 0
            above[part + 1] = above[part]
            for at in range(begins[part], begins[part + 1]):
                count = rows[records[at, last] & _TUPLE]
                seen[part, records[at, last] >> 32] += count
                above[part + 1] += count
            merged[part] = False
        chance = (chance ^ np.uint64(behind)) * _MIX
        kept = _merged(seen, above, parts, least, merged, back, chance)
        # Last first, so that the first is taken next and blocks are numbered in order.
        stop = end
        for place in range(kept - 1, -1, -1):
            part = back[place]
            final = merged[part] and not split_merged
            stack.append((begins[part], stop, above[part], behind, columns if final else depth + 1))
            stop, behind = begins[part], above[part]
    return labels


@inner
def _packed(bins: Bytes, values: Codes) -> Ints:
    """Eight bins to a word, then the value and the number of the tuple in one: these are moved whole, not looked up."""
    total, columns = bins.shape
    records = np.zeros((total, (columns + 7) // 8 + 1), np.int64)
    last = records.shape[1] - 1
    for each in range(total):
        for column in range(columns):
            records[each, column // 8] |= np.int64(bins[each, column]) << (column % 8 * 8)
        records[each, last] = np.int64(values[each]) << 32 | each
    return records


@inner
def _sorted_by(
    records: Ints, room: Ints, column: int, begin: int, end: int, counts: Ints, ends: Ints, begins: Ints
) -> int:
    """Sort a block by one column; where its parts begin goes into `begins`, their number is returned."""
    low, high, word, shift = 255, 0, column // 8, column % 8 * 8
    for at in range(begin, end):
        code = (records[at, word] >> shift) & 255
        counts[code] += 1
        low, high = min(low, code), max(high, code)
    parts, place = 0, begin
    for code in range(low, high + 1):
        if counts[code] > 0:
            begins[parts] = place
            parts += 1
        ends[code] = place
        place += counts[code]
        counts[code] = 0
    begins[parts] = end
    if parts > 1:
        for at in range(begin, end):
            code = (records[at, word] >> shift) & 255
            for each in range(records.shape[1]):
                room[ends[code], each] = records[at, each]
            ends[code] += 1
        for at in range(begin, end):
            for each in range(records.shape[1]):
                records[at, each] = room[at, each]
    return parts


@inner
def _most(seen: Ints, part: int) -> Any:
    """How often the most frequent value of a part occurs."""
    most = 0
    for value in range(seen.shape[1]):
        most = max(most, seen[part, value])
    return most


@inner
def _merged(
    seen: Ints, above: Ints, parts: int, least: int, merged: NDArray[np.bool_], back: Ints, chance: np.uint64
) -> int:
    """Merge parts until all meet the demand; `back` gets those that stay, each standing for what follows it."""
    kept, part = 0, 0
    while part < parts:
        here, after = part, part + 1
        while _most(seen, here) * least > above[after] - above[here]:
            chance = (chance ^ (chance >> np.uint64(29))) * _MIX
            left = kept > 0 and (after == parts or (chance >> np.uint64(63)) == np.uint64(1))
            other = back[kept - 1] if left else after
            if left:
                kept -= 1
                here, other = other, here
            else:
                after += 1
            for value in range(seen.shape[1]):
                seen[here, value] += seen[other, value]
            merged[here] = True
        back[kept] = here
        kept, part = kept + 1, after
    return kept
