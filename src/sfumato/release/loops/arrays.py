"""Arrays inside the loops of releases: to grow, and to sort.

Numpy's own sorting and copying of parts take a second each to compile, and these do not. They are not those of
`sfumato.kernels`: what an audit rests on shares no loop with what it judges.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import inner

__all__ = ["roomy", "sort_ascending"]


@inner
def roomy(numbers: NDArray[Any], wanted: int) -> NDArray[Any]:
    """The same numbers with room for at least so many; as they are, if they have it."""
    room = len(numbers)
    if wanted <= room:
        return numbers
    while room < wanted:
        room = 2 * room + 1
    more = np.empty(room, numbers.dtype)
    for at in range(len(numbers)):
        more[at] = numbers[at]
    return more


@inner
def _sink(numbers: NDArray[Any], place: int, end: int) -> None:
    """Let a number sink in a heap of which the largest is on top."""
    number = numbers[place]
    while 2 * place + 1 < end:
        below = 2 * place + 1
        if below + 1 < end and numbers[below + 1] > numbers[below]:
            below += 1
        if numbers[below] <= number:
            break
        numbers[place] = numbers[below]
        place = below
    numbers[place] = number


@inner
def sort_ascending(numbers: NDArray[Any]) -> None:
    """Sort numbers where they stand, by way of a heap."""
    for place in range(len(numbers) // 2 - 1, -1, -1):
        _sink(numbers, place, len(numbers))
    for end in range(len(numbers) - 1, 0, -1):
        largest = numbers[0]
        numbers[0] = numbers[end]
        _sink(numbers, 0, end)
        numbers[end] = largest
