"""The loops of the Hilbert curve: the index of a point by bit operations, and groups taken along the curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.partition.apart.loops.dealt import clashes
from sfumato.partition.apart.loops.shelf import Shelf, less
from sfumato.partition.apart.loops.tournament import NOBODY, enter, tournament

__all__ = ["curve", "follow"]

Ints = NDArray[np.int64]
_WORD = 63
_BUCKET = (np.int64(1) << 31) - 1
"""The part of a player in the tournament that is its bucket; its rank stands above."""
_WAITING = -2
"""The label of a row that is still in its bucket."""


@compiled
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


@compiled
def follow(
    starts: Ints,
    ranks: NDArray[np.int32],
    values: NDArray[np.int32],
    others: NDArray[np.int32],
    shelf: Shelf,
    size: int,
    exactly: bool,
) -> Ints:
    """Groups of the rows that come first on the curve, as long as what is left can still be grouped; -1 for no group.

    Rows come bucket by bucket, each in the order of the curve. A bucket that holds as many rows as groups are still to
    be made gives a row to the next of them.
    """
    total, buckets = len(ranks), len(starts) - 1
    groups = total // size
    labels = np.full(total, _WAITING, np.int64)
    members = np.empty((groups, size if exactly else 2 * size), np.int32)
    sizes = np.zeros(groups, np.int64)
    head = starts[:-1].copy()
    first = tournament(buckets)
    for bucket in range(buckets):
        enter(first, bucket, _player(bucket, head, starts, ranks))
    made = 0
    asked = np.empty(buckets, np.int64)
    while made < groups and shelf.upto[min(1, len(shelf.upto) - 1)] >= size:
        due = min(groups - made, len(shelf.upto) - 1)
        forced = shelf.upto[due] if shelf.upto[due] and due == groups - made else 0
        forced = min(forced, size)
        count = asking = 0
        while count < size and (asking < forced or first[1] < NOBODY):
            bucket = shelf.order[asking] if asking < forced else first[1] & _BUCKET
            enter(first, bucket, NOBODY)
            asked[asking] = bucket
            asking += 1
            row = _first_apart(head[bucket], starts[bucket + 1], labels, members, made, count, values, others)
            if row >= 0:
                members[made, count] = row
                count += 1
        whole = count == size
        for place in range(count if whole else min(count, 1)):
            row = members[made, place]
            labels[row] = made if whole else -1
            less(shelf, values[row])
        for place in range(asking):
            bucket = asked[place]
            while head[bucket] < starts[bucket + 1] and labels[head[bucket]] != _WAITING:
                head[bucket] += 1
            enter(first, bucket, _player(bucket, head, starts, ranks))
        if whole:
            sizes[made] = size
            made += 1
    _join(labels, members[:made], sizes[:made], ranks, values, others)
    return labels


@inner
def _player(bucket: int, head: Ints, starts: Ints, ranks: NDArray[np.int32]) -> Any:
    """The rank of a bucket's first row, and the bucket."""
    if head[bucket] == starts[bucket + 1]:
        return NOBODY
    return (np.int64(ranks[head[bucket]]) << 31) | bucket


@inner
def _first_apart(
    begin: int,
    end: int,
    labels: Ints,
    members: NDArray[np.int32],
    group: int,
    count: int,
    values: NDArray[np.int32],
    others: NDArray[np.int32],
) -> int:
    """The first row of a run that differs from all members of a group; -1 if there is none."""
    for row in range(begin, end):
        if labels[row] == _WAITING and (
            others.shape[1] == 0 or not clashes(row, members[group], count, values, others)
        ):
            return row
    return -1


@inner
def _join(
    labels: Ints,
    members: NDArray[np.int32],
    sizes: Ints,
    ranks: NDArray[np.int32],
    values: NDArray[np.int32],
    others: NDArray[np.int32],
) -> None:
    """What is left joins the group nearest on the curve from which it differs, if groups may grow."""
    for row in range(len(labels)):
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
