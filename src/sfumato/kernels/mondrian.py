"""The loops of Mondrian over packed records: one row per record, one segment of rows per group.

A candidate is a segment and a column to cut it by. A cut sends codes below `cut` to the left, codes above it to the
right, and the first `quota` rows that are equal to it to the left.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["choose_cuts", "divide", "segment_boxes", "tally"]

Records = NDArray[np.int32]
Ints = NDArray[np.int64]


@njit(nogil=True, cache=True)
def segment_boxes(records: Records, starts: Ints, stops: Ints, columns: int) -> tuple[Ints, Ints]:
    """Smallest and largest code of every column in every segment."""
    low = np.empty((len(starts), columns), np.int64)
    high = np.empty((len(starts), columns), np.int64)
    for segment in range(len(starts)):
        for column in range(columns):
            low[segment, column] = high[segment, column] = records[starts[segment], column]
        for row in range(starts[segment] + 1, stops[segment]):
            for column in range(columns):
                code = records[row, column]
                if code < low[segment, column]:
                    low[segment, column] = code
                elif code > high[segment, column]:
                    high[segment, column] = code
    return low, high


@njit(nogil=True, cache=True)
def _cumulate(codes: Records, low: int, span: int) -> tuple[Ints, Ints]:
    """The different codes in ascending order, and how many rows have one no larger than each."""
    size = len(codes)
    present = np.empty(min(size, span), np.int64)
    below = np.empty(min(size, span), np.int64)
    found = 0
    if span <= 4 * size + 64:
        counts = np.zeros(span, np.int64)
        for row in range(size):
            counts[codes[row] - low] += 1
        total = 0
        for offset in range(span):
            if counts[offset]:
                total += counts[offset]
                present[found], below[found] = offset + low, total
                found += 1
    else:
        ordered = np.sort(codes)
        for row in range(size):
            if row + 1 == size or ordered[row + 1] != ordered[row]:
                present[found], below[found] = ordered[row], row + 1
                found += 1
    return present[:found], below[:found]


@njit(nogil=True, cache=True)
def _nearest_half(present: Ints, below: Ints, edges: Ints) -> int:
    """Which of the codes to cut after, so that the halves are as equal as the edges allow; -1 if there is none."""
    size = below[-1]
    best = -1
    if len(edges) == 0:
        for index in range(len(present) - 1):
            if best < 0 or abs(2 * below[index] - size) < abs(2 * below[best] - size):
                best = index
    for edge in edges:
        index = np.searchsorted(present, edge, side="right") - 1
        if 0 <= index < len(present) - 1 and (best < 0 or abs(2 * below[index] - size) < abs(2 * below[best] - size)):
            best = index
    return best


@njit(nogil=True, cache=True)
def choose_cuts(
    records: Records,
    starts: Ints,
    stops: Ints,
    columns: Ints,
    low: Ints,
    high: Ints,
    edge_from: Ints,
    edge_to: Ints,
    edges: Ints,
    relaxed: bool,
) -> tuple[Ints, Ints, Ints]:
    """The cut of every candidate that comes nearest to two halves: (code, quota, rows on the left); none: quota 0.

    Where ``edge_from < edge_to`` a cut is allowed only after one of the codes ``edges[edge_from:edge_to]``.
    """
    cut = np.zeros(len(starts), np.int64)
    quota = np.zeros(len(starts), np.int64)
    left = np.zeros(len(starts), np.int64)
    for index in range(len(starts)):
        if low[index] == high[index]:
            continue
        codes = records[starts[index] : stops[index], columns[index]].copy()
        present, below = _cumulate(codes, low[index], high[index] - low[index] + 1)
        free = edge_from[index] >= edge_to[index]
        if free and relaxed:
            best = np.searchsorted(2 * below, len(codes))
            before = below[best - 1] if best > 0 else 0
            cut[index], quota[index] = present[best], max(len(codes) // 2 - before, 1)
            left[index] = before + quota[index]
        else:
            best = _nearest_half(present, below, edges[edge_from[index] : edge_to[index]])
            if best >= 0:
                before = below[best - 1] if best > 0 else 0
                cut[index], quota[index] = present[best], below[best] - before
                left[index] = below[best]
    return cut, quota, left


@njit(nogil=True, cache=True)
def tally(
    records: Records,
    starts: Ints,
    stops: Ints,
    columns: Ints,
    cut: Ints,
    quota: Ints,
    counted: int,
    domain: int,
) -> tuple[Ints, Ints, Ints]:
    """Runs of (value, count) of the statistic in column `counted`, left and right of every cut: 2i and 2i+1."""
    room = 0
    for index in range(len(starts)):
        room += 2 * min(stops[index] - starts[index], np.int64(domain))
    runs = np.zeros(2 * len(starts) + 1, np.int64)
    values = np.empty(room, np.int64)
    counts = np.empty(room, np.int64)
    seen = np.zeros((2, domain), np.int64)
    touched = np.empty(domain, np.int64)
    used = 0
    for index in range(len(starts)):
        ties = quota[index]
        fresh = 0
        for row in range(starts[index], stops[index]):
            code = records[row, columns[index]]
            side = 1
            if code < cut[index]:
                side = 0
            elif code == cut[index] and ties > 0:
                side = 0
                ties -= 1
            value = records[row, counted]
            if seen[0, value] == 0 and seen[1, value] == 0:
                touched[fresh] = value
                fresh += 1
            seen[side, value] += 1
        if fresh * 8 < domain:
            present = np.sort(touched[:fresh])
        else:
            present = touched[:fresh]
            fresh = 0
            for value in range(domain):
                if seen[0, value] or seen[1, value]:
                    present[fresh] = value
                    fresh += 1
        for side in range(2):
            for position in range(fresh):
                value = present[position]
                if seen[side, value]:
                    values[used] = value
                    counts[used] = seen[side, value]
                    used += 1
            runs[2 * index + side + 1] = used
        for position in range(fresh):
            seen[0, present[position]] = 0
            seen[1, present[position]] = 0
    return runs, values[:used], counts[:used]


@njit(nogil=True, cache=True)
def divide(records: Records, starts: Ints, stops: Ints, columns: Ints, cut: Ints, quota: Ints) -> Ints:
    """Put the left rows of every segment before its right ones, order kept; answer where the right ones begin."""
    middle = np.empty(len(starts), np.int64)
    longest = 0
    for index in range(len(starts)):
        longest = max(longest, stops[index] - starts[index])
    width = records.shape[1]
    aside = np.empty((longest, width), np.int32)
    for index in range(len(starts)):
        ties = quota[index]
        target = starts[index]
        parked = 0
        for row in range(starts[index], stops[index]):
            code = records[row, columns[index]]
            left = code < cut[index]
            if code == cut[index] and ties > 0:
                left = True
                ties -= 1
            if left:
                if target != row:
                    for part in range(width):
                        records[target, part] = records[row, part]
                target += 1
            else:
                for part in range(width):
                    aside[parked, part] = records[row, part]
                parked += 1
        middle[index] = target
        for row in range(parked):
            for part in range(width):
                records[target + row, part] = aside[row, part]
    return middle
