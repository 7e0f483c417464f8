"""The loops of the Hilbert curve: the index of a point by bit operations, and groups taken along the curve."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sfumato.kernels.apart import clashes
from sfumato.kernels.shelf import Shelf, less

__all__ = ["by_rank", "curve", "follow"]

Ints = NDArray[np.int64]
_WORD = 63


@njit(nogil=True, cache=True)
def curve(words: Ints, fields: Ints, sizes: Ints, bits: int) -> Ints:
    """The Hilbert index of packed points in a cube with `bits` bits a side; the last word counts most.

    A coordinate is a code spread over its side. J. Skilling, Programming the Hilbert curve, 2004: Gray code and
    rotations are undone in place, from the highest bit down; the bits of all sides, interleaved, are the index.
    """
    sides = len(fields)
    length = max((sides * bits + _WORD - 1) // _WORD, 1)
    index = np.zeros((len(words), length), np.int64)
    at = np.empty(sides, np.int64)
    for point in range(len(words)):
        for side in range(sides):
            code = (words[point, fields[side, 0]] >> fields[side, 1]) & fields[side, 2]
            at[side] = (code << bits) // sizes[side]
        bit = np.int64(1) << (bits - 1)
        while bit > 1:
            below = bit - 1
            for side in range(sides):
                if at[side] & bit:
                    at[0] ^= below
                else:
                    swap = (at[0] ^ at[side]) & below
                    at[0] ^= swap
                    at[side] ^= swap
            bit >>= 1
        for side in range(1, sides):
            at[side] ^= at[side - 1]
        flip = np.int64(0)
        bit = np.int64(1) << (bits - 1)
        while bit > 1:
            if at[sides - 1] & bit:
                flip ^= bit - 1
            bit >>= 1
        digit = sides * bits - 1
        for place in range(bits - 1, -1, -1):
            for side in range(sides):
                index[point, digit // _WORD] |= (((at[side] ^ flip) >> place) & 1) << (digit % _WORD)
                digit -= 1
    return index


@njit(nogil=True, cache=True)
def by_rank(ranks: NDArray[np.int32], highest: int, values: NDArray[np.int32], buckets: int) -> tuple[Ints, Ints]:
    """Rows sorted by value and, within one, by rank; and where each value starts."""
    place = np.zeros(highest + 2, np.int64)
    for rank in ranks:
        place[rank + 1] += 1
    for rank in range(highest + 1):
        place[rank + 1] += place[rank]
    along = np.empty(len(ranks), np.int32)
    for row in range(len(ranks)):
        along[place[ranks[row]]] = row
        place[ranks[row]] += 1
    starts = np.zeros(buckets + 1, np.int64)
    for value in values:
        starts[value + 1] += 1
    for value in range(buckets):
        starts[value + 1] += starts[value]
    next_place = starts[:-1].copy()
    rows = np.empty(len(ranks), np.int64)
    for each in along:
        rows[next_place[values[each]]] = each
        next_place[values[each]] += 1
    return rows, starts


@njit(nogil=True, cache=True)
def follow(
    rows: Ints,
    starts: Ints,
    ranks: NDArray[np.int32],
    values: NDArray[np.int32],
    others: NDArray[np.int32],
    shelf: Shelf,
    size: int,
    exactly: bool,
) -> Ints:
    """Groups of the rows that come first on the curve, as long as what is left can still be grouped; -1 for no group.

    A bucket that holds as many rows as groups are still to be made gives a row to the next of them.
    """
    total, buckets = len(rows), len(starts) - 1
    groups = total // size
    labels = np.full(total, -2, np.int64)  # -2: still in its bucket
    members = np.empty((groups, size if exactly else 2 * size), np.int64)
    sizes = np.zeros(groups, np.int64)
    head = starts[:-1].copy()
    tried = np.full(buckets, -1, np.int64)
    waiting = [(np.int64(ranks[rows[head[bucket]]]) << 31) | bucket for bucket in range(buckets) if shelf.held[bucket]]
    heapify(waiting)
    made, attempt = 0, 0
    from_buckets, back = np.empty(size, np.int64), np.empty(buckets, np.int64)
    while made < groups and shelf.upto[min(1, len(shelf.upto) - 1)] >= size:
        due = min(groups - made, len(shelf.upto) - 1)
        forced = shelf.upto[due] if shelf.upto[due] and due == groups - made else 0
        forced = min(forced, size)
        count, returned = 0, 0
        for place in range(forced):
            bucket = shelf.order[place]
            tried[bucket] = attempt
            row = _first_apart(bucket, head, starts, rows, labels, members[made], count, values, others)
            if row >= 0:
                members[made, count], from_buckets[count] = row, bucket
                count += 1
        while count < size and len(waiting):
            key = heappop(waiting)
            bucket = np.int64(key & ((np.int64(1) << 31) - 1))
            if tried[bucket] == attempt or not shelf.held[bucket] or ranks[rows[head[bucket]]] != key >> 31:
                continue
            tried[bucket] = attempt
            row = _first_apart(bucket, head, starts, rows, labels, members[made], count, values, others)
            if row >= 0:
                members[made, count], from_buckets[count] = row, bucket
                count += 1
            back[returned] = bucket
            returned += 1
        whole = count == size
        for place in range(count if whole else min(count, 1)):
            bucket = from_buckets[place]
            labels[members[made, place]] = made if whole else -1
            less(shelf, bucket)
            while head[bucket] < starts[bucket + 1] and labels[rows[head[bucket]]] != -2:
                head[bucket] += 1
            if shelf.held[bucket]:
                heappush(waiting, (np.int64(ranks[rows[head[bucket]]]) << 31) | bucket)
        for place in range(returned):
            bucket = back[place]
            if shelf.held[bucket]:
                heappush(waiting, (np.int64(ranks[rows[head[bucket]]]) << 31) | bucket)
        if whole:
            sizes[made] = size
            made += 1
        attempt += 1
    _join(rows, labels, members[:made], sizes[:made], ranks, values, others)
    return labels


@njit(nogil=True, cache=True)
def _first_apart(
    bucket: int,
    head: Ints,
    starts: Ints,
    rows: Ints,
    labels: Ints,
    members: Ints,
    count: int,
    values: NDArray[np.int32],
    others: NDArray[np.int32],
) -> Any:
    """The first row of a bucket that differs from all members; -1 if there is none."""
    for place in range(head[bucket], starts[bucket + 1]):
        row = rows[place]
        if labels[row] == -2 and (others.shape[1] == 0 or not clashes(row, members, count, values, others)):
            return row
    return -1


@njit(nogil=True, cache=True)
def _join(
    rows: Ints,
    labels: Ints,
    members: Ints,
    sizes: Ints,
    ranks: NDArray[np.int32],
    values: NDArray[np.int32],
    others: NDArray[np.int32],
) -> None:
    """What is left joins the group nearest on the curve from which it differs, if groups may grow."""
    for row in rows:
        if labels[row] >= 0:
            continue
        best, nearest = -1, np.int64(1) << 62
        for group in range(len(sizes)):
            away = abs(np.int64(ranks[members[group, 0]]) - ranks[row])
            if (
                away < nearest
                and sizes[group] < members.shape[1]
                and not clashes(row, members[group], sizes[group], values, others)
            ):
                best, nearest = group, away
        labels[row] = best
        if best >= 0:
            members[best, sizes[best]] = row
            sizes[best] += 1
