"""The loops behind counting: keys are packed, sorted and counted in place; nothing else is compiled here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["append", "distinct_histograms", "number", "runs", "sort"]

Keys = NDArray[np.uint64]
Ints = NDArray[np.int64]
Rows = NDArray[np.uint32]

_DIGIT = 11
"""Bits of a radix sort's digit: as many counters as the nearest cache has room for."""


@njit(nogil=True, cache=True)
def append(keys: Keys, codes: NDArray[Any], size: int) -> bool:
    """Append a digit of that radix to every key; whether all codes lie in ``0..size-1``."""
    if len(codes) != len(keys):
        raise ValueError("a code for every key")
    radix = np.uint64(size)
    wrong = 0
    for row in range(len(keys)):
        code = np.uint64(codes[row])  # a negative code becomes a huge one
        wrong |= int(code >= radix)
        keys[row] = keys[row] * radix + code
    return wrong == 0


@njit(nogil=True, cache=True)
def _offsets(keys: Keys, passes: int, width: int) -> Ints:
    """For every digit, lowest first: how many keys have a smaller one."""
    mask = np.uint64((1 << width) - 1)
    offsets = np.zeros((passes, 1 << width), np.int64)
    for key in keys:
        for digit in range(passes):
            offsets[digit, np.int64(key & mask)] += 1
            key >>= np.uint64(width)
    for digit in range(passes):
        before = 0
        for value in range(1 << width):
            count = offsets[digit, value]
            offsets[digit, value] = before
            before += count
    return offsets


@njit(nogil=True, cache=True)
def sort(keys: Keys, spare: Keys, bits: int) -> tuple[Keys, Keys]:
    """Keys below ``2**bits`` in ascending order, and the array that is free again: the two that were given."""
    if len(spare) != len(keys):
        raise ValueError("as much room as there are keys")
    passes = max(1, -(-bits // _DIGIT))
    width = -(-bits // passes)
    mask = np.uint64((1 << width) - 1)
    offsets = _offsets(keys, passes, width)
    for digit in range(passes):
        shift = np.uint64(digit * width)
        place = offsets[digit]
        for key in keys:
            value = np.int64((key >> shift) & mask)
            spare[place[value]] = key
            place[value] += 1
        keys, spare = spare, keys
    return keys, spare


@njit(nogil=True, cache=True)
def number(keys: Keys, bits: int) -> int:
    """Replace every key by its place among the different keys; how many there are."""
    passes = max(1, -(-bits // _DIGIT))
    width = -(-bits // passes)
    mask = np.uint64((1 << width) - 1)
    offsets = _offsets(keys, passes, width)
    ordered, spare = keys.copy(), np.empty_like(keys)
    rows, spare_rows = np.arange(len(keys)).astype(np.uint32), np.empty(len(keys), np.uint32)
    for digit in range(passes):
        shift = np.uint64(digit * width)
        place = offsets[digit]
        for at in range(len(keys)):
            value = np.int64((ordered[at] >> shift) & mask)
            spare[place[value]] = ordered[at]
            spare_rows[place[value]] = rows[at]
            place[value] += 1
        ordered, spare = spare, ordered
        rows, spare_rows = spare_rows, rows
    found = 0
    for at in range(len(keys)):
        found += at > 0 and ordered[at] != ordered[at - 1]
        keys[rows[at]] = found
    return found + 1


@njit(nogil=True, cache=True)
def runs(ordered: Keys, counts: Keys, size: int) -> tuple[int, int]:
    """Leave every different key once, with its number of rows beside it.

    Answers how many there are, and how many if the last digit, of radix `size`, is left out.
    """
    if len(counts) < len(ordered):
        raise ValueError("a count for every key")
    radix = np.uint64(size)
    found, classes, start = 0, 0, 0
    base = np.uint64(0)
    for at in range(1, len(ordered) + 1):
        if at < len(ordered) and ordered[at] == ordered[start]:
            continue
        key = ordered[start]
        if found == 0 or key - base >= radix:
            base = key - key % radix
            classes += 1
        ordered[found], counts[found] = key, at - start
        found, start = found + 1, at
    return found, classes


@njit(nogil=True, cache=True)
def _sort_by_count(values: Keys, counts: Keys, begin: int, end: int) -> None:
    """Shell's sort: the most frequent first, ties by value."""
    gap = 1
    while gap * 9 // 4 < end - begin:
        gap = gap * 9 // 4 + 1
    while gap > 0:
        for at in range(begin + gap, end):
            value, count, to = values[at], counts[at], at
            while to - begin >= gap and (
                counts[to - gap] < count or (counts[to - gap] == count and values[to - gap] > value)
            ):
                values[to], counts[to] = values[to - gap], counts[to - gap]
                to -= gap
            values[to], counts[to] = value, count
        gap = gap * 4 // 9


@njit(nogil=True, cache=True)
def _mixed(values: Keys, counts: Keys, begin: int, end: int) -> np.uint64:
    mixed = np.uint64(0)
    for at in range(begin, end):
        mixed = (mixed ^ values[at]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
        mixed = (mixed ^ counts[at]) * np.uint64(0xD6E8FEB86659FD93)
        mixed ^= mixed >> np.uint64(32)
    return mixed


@njit(nogil=True, cache=True)
def distinct_histograms(keys: Keys, counts: Keys, size: int, table: Rows, starts: Ints, alike: Ints) -> int:
    """Leave the values and counts of every different histogram once, the most frequent value of each first.

    `keys` and `counts` are what `runs` left. Histogram h then stands at ``starts[h]..starts[h+1]`` of both, and
    `alike` says of how many classes it is; answers how many there are. `table` is zero, its length a power of two
    beyond the number of classes.
    """
    radix, mask = np.uint64(size), np.uint64(len(table) - 1)
    hashes = np.empty(len(alike), np.uint64)
    if len(starts) <= len(alike) or len(table) <= len(alike) or len(counts) < len(keys):
        raise ValueError("less room than classes ask for")
    found, begin = 0, 0
    starts[0] = 0
    while begin < len(keys):
        base, end = keys[begin] - keys[begin] % radix, begin
        while end < len(keys) and keys[end] - base < radix:
            keys[end] -= base
            end += 1
        length = end - begin
        _sort_by_count(keys, counts, begin, end)
        mixed = _mixed(keys, counts, begin, end)
        slot = np.int64(mixed & mask)
        while True:
            known = np.int64(table[slot]) - 1
            if known < 0:
                if found == len(alike):
                    raise ValueError("more classes than were counted")
                first = starts[found]
                for at in range(length):  # never ahead of what is still to be read
                    keys[first + at], counts[first + at] = keys[begin + at], counts[begin + at]
                starts[found + 1] = first + length
                hashes[found], alike[found] = mixed, 1
                found += 1
                table[slot] = found
                break
            if hashes[known] == mixed and starts[known + 1] - starts[known] == length:
                first, same = starts[known], True
                for at in range(length):
                    same &= keys[first + at] == keys[begin + at] and counts[first + at] == counts[begin + at]
                if same:
                    alike[known] += 1
                    break
            slot = (slot + 1) & (len(table) - 1)
        begin = end
    return found
