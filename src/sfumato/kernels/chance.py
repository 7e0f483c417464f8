"""The loops that give every row a secret number, and sort rows by such numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.sorting import stable_order

__all__ = ["absorb", "by_chance", "permuted"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Keys = NDArray[np.uint64]

_HALF = np.uint64(32)
_CROWD = 4
"""Rows that are to share a drawer, on average."""
_FEW = 24
"""Rows that are sorted by insertion."""


@compiled
def absorb(keys: Keys, codes: Codes, secret: int) -> None:
    """Mix a column into the key of every row: rows that hold the same have the same key, others one by chance."""
    for row in range(len(keys)):
        key = (keys[row] ^ np.uint64(codes[row] + 1)) * (np.uint64(secret) | np.uint64(1))
        key = (key ^ (key >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
        keys[row] = key ^ (key >> np.uint64(29))


@compiled
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
        for at in range(count):
            rows[begin + at] = sorted_rows[at]
    return rows


@inner
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


@inner
def _sort(rows: NDArray[np.int32], numbers: NDArray[np.uint64]) -> None:
    if len(rows) > _FEW:  # rows alike, mostly of one kind
        for at in range(1, len(rows)):
            if numbers[at] < numbers[at - 1]:
                before = rows.copy()
                order = stable_order(numbers)
                for place in range(len(order)):
                    rows[place] = before[order[place]]
                return
        return
    for at in range(1, len(rows)):
        row, number = rows[at], numbers[at]
        while at > 0 and numbers[at - 1] > number:
            rows[at], numbers[at] = rows[at - 1], numbers[at - 1]
            at -= 1
        rows[at], numbers[at] = row, number


@compiled
def permuted(numbers: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The places ``0..n-1`` in another order: from the last down, each changes with one at or before it."""
    order = np.empty(len(numbers), np.int64)
    for place in range(len(numbers)):
        order[place] = place
    for place in range(len(numbers) - 1, 0, -1):
        other = np.int64(numbers[place] % np.uint64(place + 1))
        order[place], order[other] = order[other], order[place]
    return order
