"""The loops behind classes: histograms that are alike are one; nothing else is compiled here."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner

__all__ = ["distinct_histograms"]

Keys = NDArray[np.uint64]
Ints = NDArray[np.int64]
Rows = NDArray[np.uint32]


@inner
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


@inner
def _mixed(values: Keys, counts: Keys, begin: int, end: int) -> np.uint64:
    mixed = np.uint64(0)
    for at in range(begin, end):
        mixed = (mixed ^ values[at]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
        mixed = (mixed ^ counts[at]) * np.uint64(0xD6E8FEB86659FD93)
        mixed ^= mixed >> np.uint64(32)
    return mixed


@compiled
def distinct_histograms(keys: Keys, counts: Keys, size: int, table: Rows, starts: Ints, alike: Ints) -> int:
    """Leave the values and counts of every different histogram once, the most frequent value of each first.

    `keys` are those of different combinations in ascending order, class × size + value, with their counts. Histogram h
    then stands at ``starts[h]..starts[h+1]`` of both, and `alike` says of how many classes it is; answers how many
    there are. `table` is zero, its length a power of two beyond the number of classes.
    """
    radix, mask = np.uint64(size), np.uint64(len(table) - 1)
    hashes = np.empty(len(alike), np.uint64)
    if len(starts) <= len(alike) or len(table) <= len(alike) or len(counts) < len(keys):
        raise ValueError("less room than classes ask for")
    found, begin = 0, np.int64(0)
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
