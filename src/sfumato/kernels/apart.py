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
_CROWD = 4
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

    First all rows go to their value, so that what follows stays in a small part of memory. Numbers are uniform, so a
    row then lies near its place at once: in one of a quarter as many drawers as its value has rows.
    """
    total = len(values)
    rows, numbers, ends = np.empty(total, np.int32), np.empty(total, np.uint64), bounds.copy()
    for row in range(total):
        place = ends[values[row]]
        rows[place], numbers[place] = row, chance[row]
        ends[values[row]] = place + 1
    most = 0
    for value in range(len(bounds)):
        most = max(most, ends[value] - bounds[value])
    sorted_rows, sorted_numbers = np.empty(most, np.int32), np.empty(most, np.uint64)
    place = np.empty(most // _CROWD + 2, np.int64)
    for value in range(len(bounds)):
        begin, end = bounds[value], ends[value]
        count = end - begin
        drawers = count // _CROWD + 1
        _into_drawers(rows[begin:end], numbers[begin:end], place[: drawers + 1], sorted_rows, sorted_numbers)
        start = 0
        for drawer in range(drawers):
            _sort(sorted_rows[start : place[drawer]], sorted_numbers[start : place[drawer]])
            start = place[drawer]
        rows[begin:end] = sorted_rows[:count]
    return rows


@njit(nogil=True, cache=True)
def _into_drawers(
    rows: NDArray[np.int32],
    numbers: NDArray[np.uint64],
    place: Ints,
    to_rows: NDArray[np.int32],
    to_numbers: NDArray[np.uint64],
) -> None:
    """Rows and numbers by the drawers in which these lie; `place` gets the end of every drawer."""
    drawers = np.uint64(len(place) - 1)
    place[:] = 0
    for number in numbers:
        place[(((number >> _HALF) * drawers) >> _HALF) + np.uint64(1)] += 1
    for drawer in range(len(place) - 1):
        place[drawer + 1] += place[drawer]
    for at in range(len(rows)):
        drawer = ((numbers[at] >> _HALF) * drawers) >> _HALF
        to_rows[place[drawer]], to_numbers[place[drawer]] = rows[at], numbers[at]
        place[drawer] += 1


@njit(nogil=True, cache=True)
def _sort(rows: NDArray[np.int32], numbers: NDArray[np.uint64]) -> None:
    if len(rows) > _FEW:  # rows alike, mostly of one kind
        for at in range(1, len(rows)):
            if numbers[at] < numbers[at - 1]:
                rows[:] = rows[np.argsort(numbers, kind="mergesort")]
                return
        return
    for at in range(1, len(rows)):
        row, number = rows[at], numbers[at]
        while at > 0 and numbers[at - 1] > number:
            rows[at], numbers[at] = rows[at - 1], numbers[at - 1]
            at -= 1
        rows[at], numbers[at] = row, number


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
