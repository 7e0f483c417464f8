"""The loops that share out groups among rows that look the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled

__all__ = ["deal", "undecided"]

Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]


@compiled
def undecided(starts: Ints, groups: Numbers) -> int:
    """How many rows belong to tuples with more than one group; tuple t has the places ``starts[t]..starts[t+1]-1``."""
    rows = 0
    for each in range(len(starts) - 1):
        start, stop = starts[each], starts[each + 1]
        if groups[start] != groups[stop - 1]:
            rows += stop - start
    return rows


@compiled
def deal(numbers: Numbers, starts: Ints, groups: Numbers, chance: NDArray[np.uint64]) -> Ints:
    """The group of every row: each takes a place of its tuple at random. `chance` holds a number per undecided row."""
    used = 0
    for each in range(len(starts) - 1):
        start, stop = starts[each], starts[each + 1]
        if groups[start] != groups[stop - 1]:
            for last in range(stop - 1, start, -1):
                other = start + np.int64(chance[used] % np.uint64(last - start + 1))
                groups[last], groups[other] = groups[other], groups[last]
                used += 1
    labels = np.empty(len(numbers), np.int64)
    place = starts[:-1].copy()
    for row in range(len(numbers)):
        labels[row] = groups[place[numbers[row]]]
        place[numbers[row]] += 1
    return labels
