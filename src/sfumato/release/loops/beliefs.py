"""The loop behind beliefs: what the classes that somebody fits say of their secret, added up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled
from sfumato.release.loops.arrays import roomy, sort_ascending

__all__ = ["added"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@compiled
def added(
    starts: Ints, classes: Ints, weights: Floats, begins: Ints, values: Ints, shares: Floats, size: int
) -> tuple[Ints, Ints, Floats]:
    """Per person the values that they may have, ascending, and how likely each is; as runs.

    starts, classes, weights   the classes that each person fits, and how much
    begins, values, shares     how likely values are in each class; values are below `size`
    """
    people = len(starts) - 1
    ends, held, chance = np.zeros(people + 1, np.int64), np.empty(1024, np.int64), np.empty(1024, np.float64)
    total, seen, found = np.zeros(size, np.float64), np.zeros(size, np.bool_), 0
    touched = np.empty(size, np.int64)
    for person in range(people):
        many, whole = 0, 0.0
        for at in range(starts[person], starts[person + 1]):
            group, weight = classes[at], weights[at]
            whole += weight
            for place in range(begins[group], begins[group + 1]):
                value = values[place]
                if not seen[value]:
                    seen[value], touched[many] = True, value
                    many += 1
                total[value] += weight * shares[place]
        held, chance = roomy(held, found + many), roomy(chance, found + many)
        sort_ascending(touched[:many])
        for place in range(many):
            value = touched[place]
            held[found], chance[found] = value, total[value] / whole
            total[value], seen[value] = 0.0, False
            found += 1
        ends[person + 1] = found
    return ends, held[:found], chance[:found]
