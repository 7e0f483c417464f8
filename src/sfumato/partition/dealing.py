"""Dealing: an algorithm says how many rows that look the same to it go to which group; which ones is secret chance.

What looks the same to an algorithm may differ in whose it is or in what else is published, so neither the order of rows
nor what they hold may say which of them goes where. Rows stand in an order of their own, and chance follows from the
key, so that the outcome is the same for any order of the input.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.randomness import Randomness

__all__ = ["dealt"]

Ints = NDArray[np.int64]


def dealt(looks: NDArray[np.int32], counts: Ints, places: NDArray[np.int32], randomness: Randomness) -> Ints:
    """The group of every row.

    looks     per row, which rows it looks the same as, as a number
    counts    rows of every such number
    places    their groups: first one for each row of number 0, then of number 1, and so on
    """
    from sfumato.kernels.dealing import deal, undecided

    starts = np.concatenate(([0], np.cumsum(counts)))
    chance = randomness.numbers(undecided(starts, places), "rows alike")
    labels: Ints = deal(looks, starts, places, chance)
    return labels
