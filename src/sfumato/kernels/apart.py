"""The loops that give rows secret numbers, sort rows by them, and deal rows to groups in which all differ."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["by_chance", "clashes", "deal_apart", "dealt", "stir"]

Ints = NDArray[np.int64]

_ODD = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_PATIENCE = 1 << 12
"""Groups that are tried for a row, at most."""
_CROWD = np.uint64(4)
"""Rows that are to share a drawer, on average."""
_FEW = 24
"""Rows that are sorted by insertion."""


@njit(nogil=True, cache=True)
def stir(mixed: NDArray[np.uint64], codes: NDArray[np.int32], key: np.uint64) -> None:
    """Mix a column into a secret number per row."""
    for row in range(len(mixed)):
        number = (mixed[row] ^ np.uint64(codes[row])) * _ODD + key
        number ^= number >> _HALF
        number *= _ODD
        mixed[row] = number ^ (number >> _HALF)


@njit(nogil=True, cache=True)
def by_chance(values: NDArray[np.int32], bounds: Ints, chance: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Rows of every value in the order of their numbers: those of value v from bounds[v] on, wherever that is.

    Numbers are uniform, so a row lies near its place at once: in one of as many drawers as its value has rows, nearly.
    """
    counts = np.zeros(len(bounds), np.uint64)
    for value in values:
        counts[value] += np.uint64(1)
    drawers = np.empty(len(values), np.int32)
    place = np.zeros(len(values) + 1, np.int32)
    for row in range(len(values)):
        value = values[row]
        drawer = ((chance[row] >> _HALF) * (counts[value] // _CROWD + np.uint64(1))) >> _HALF
        drawers[row] = bounds[value] + np.int64(drawer)
        place[drawers[row]] += 1
    total = 0
    for drawer in range(len(place)):
        total, place[drawer] = total + place[drawer], total
    rows = np.empty(len(values), np.int32)
    for row in range(len(values)):
        rows[place[drawers[row]]] = row
        place[drawers[row]] += 1
    begin = 0
    for drawer in range(len(values)):
        if place[drawer] > begin + 1:
            _sort(rows[begin : place[drawer]], chance)
        begin = place[drawer]
    return rows


@njit(nogil=True, cache=True)
def _sort(rows: NDArray[np.int32], chance: NDArray[np.uint64]) -> None:
    if len(rows) > _FEW:
        rows[:] = rows[np.argsort(chance[rows], kind="mergesort")]
        return
    for at in range(1, len(rows)):
        row = rows[at]
        number = chance[row]
        while at > 0 and chance[rows[at - 1]] > number:
            rows[at] = rows[at - 1]
            at -= 1
        rows[at] = row


@njit(nogil=True, cache=True)
def dealt(order: NDArray[np.int32], groups: int, places: int) -> Ints:
    """Rows in turn to the groups; those beyond so many places to none."""
    labels = np.empty(len(order), np.int64)
    group = 0
    for place in range(len(order)):
        labels[order[place]] = group if place < places else -1
        group = group + 1 if group + 1 < groups else 0
    return labels


@njit(nogil=True, cache=True)
def clashes(
    row: int, members: NDArray[np.int64], count: int, values: NDArray[np.int32], others: NDArray[np.int32]
) -> bool:
    """Whether a row agrees with a member in any column."""
    for place in range(count):
        member = members[place]
        if values[member] == values[row]:
            return True
        for column in range(others.shape[1]):
            if others[member, column] == others[row, column]:
                return True
    return False


@njit(nogil=True, cache=True)
def _place(
    row: int,
    start: int,
    least: int,
    most: int,
    sizes: Ints,
    members: NDArray[np.int64],
    values: NDArray[np.int32],
    others: NDArray[np.int32],
) -> int:
    """The first group from `start` on that a row differs from, of a size within the limits before it comes."""
    groups = len(sizes)
    for step in range(min(groups, _PATIENCE)):
        group = (start + step) % groups
        if least <= sizes[group] < most and not clashes(row, members[group], sizes[group], values, others):
            members[group, sizes[group]] = row
            sizes[group] += 1
            return group
    return -1


@njit(nogil=True, cache=True)
def deal_apart(
    order: NDArray[np.int32],
    groups: int,
    size: int,
    exactly: bool,
    values: NDArray[np.int32],
    others: NDArray[np.int32],
) -> Ints:
    """Rows in turn to the next group from which they differ in every column.

    Groups that stay short are dissolved, and rows without a group join full ones, unless these must not grow.
    """
    sizes = np.zeros(groups, np.int64)
    room = size if exactly else 2 * size
    members = np.empty((groups, room), np.int64)
    labels = np.full(len(order), -1, np.int64)
    for place in range(len(order)):
        row = order[place]
        labels[row] = _place(row, place % groups, 0, size, sizes, members, values, others)
    for row in order:
        if labels[row] >= 0 and sizes[labels[row]] < size:
            labels[row] = -1
    for place in range(len(order)):
        row = order[place]
        if labels[row] < 0 and not exactly:
            labels[row] = _place(row, place % groups, size, room, sizes, members, values, others)
    return labels
