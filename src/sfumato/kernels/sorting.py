"""Sorting inside compiled loops: numpy's own sorts take seconds to compile, each, and these do not."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import inner

__all__ = ["ascending", "falling", "first_not_below", "stable_order"]

Ints = NDArray[np.int64]


@inner
def ascending(numbers: Ints) -> None:
    """Sort numbers where they stand, by Shell's sort: meant for the few values of a group."""
    gap = 1
    while gap * 9 // 4 < len(numbers):
        gap = gap * 9 // 4 + 1
    while gap > 0:
        for at in range(gap, len(numbers)):
            number, to = numbers[at], at
            while to >= gap and numbers[to - gap] > number:
                numbers[to] = numbers[to - gap]
                to -= gap
            numbers[to] = number
        gap = gap * 4 // 9


@inner
def falling(numbers: NDArray[Any]) -> NDArray[Any]:
    """The same numbers, the highest first."""
    made = np.empty_like(numbers)
    for at in range(len(numbers)):
        made[at] = -numbers[at]
    ascending(made)
    for at in range(len(numbers)):
        made[at] = -made[at]
    return made


@inner
def first_not_below(numbers: Ints, least: int) -> int:
    """Of numbers in ascending order, the place of the first that is not below another; behind the last if all are."""
    place, beyond = 0, len(numbers)
    while place < beyond:
        middle = (place + beyond) // 2
        if numbers[middle] < least:
            place = middle + 1
        else:
            beyond = middle
    return place


@inner
def stable_order(keys: NDArray[Any]) -> Ints:
    """Places in ascending order of their keys, those of equal keys in their own, by merging longer and longer runs."""
    count = len(keys)
    order, spare = np.empty(count, np.int64), np.empty(count, np.int64)
    for at in range(count):
        order[at] = at
    width = 1
    while width < count:
        for begin in range(0, count, 2 * width):
            middle, end = min(begin + width, count), min(begin + 2 * width, count)
            left, right = begin, middle
            for at in range(begin, end):
                if left < middle and (right == end or keys[order[left]] <= keys[order[right]]):
                    spare[at] = order[left]
                    left += 1
                else:
                    spare[at] = order[right]
                    right += 1
        order, spare = spare, order
        width *= 2
    return order
