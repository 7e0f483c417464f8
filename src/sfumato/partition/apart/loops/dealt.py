"""The loops that deal rows to groups in which all differ."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner

__all__ = ["clashes", "deal_apart", "dealt"]

Ints = NDArray[np.int64]

_PATIENCE = 1 << 12
"""Groups that are tried for a row, at most."""


@compiled
def dealt(rows: int, order: NDArray[np.int32], begins: Ints, counts: Ints, groups: int, places: int) -> Ints:
    """Rows in turn to the groups, run after run of rows that are alike; those beyond so many places to none."""
    labels = np.empty(rows, np.int64)
    group = place = 0
    for run in order:
        for row in range(begins[run], begins[run] + counts[run]):
            labels[row] = group if place < places else -1
            place += 1
            group = group + 1 if group + 1 < groups else 0
    return labels


@compiled
def clashes(
    row: int, members: NDArray[np.integer[Any]], count: int, values: NDArray[np.int32], others: NDArray[np.int32]
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


@inner
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


@compiled
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
