"""A tournament: who is least among many, when one after the other changes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled

__all__ = ["NOBODY", "enter", "tournament"]

Ints = NDArray[np.int64]

NOBODY = np.int64(1) << np.int64(62)
"""What an empty place holds: more than anybody."""


@compiled
def tournament(places: int) -> Ints:
    """Nobody yet. The winner will stand at 1, the winners of its halves at 2 and 3, and so on."""
    leaves = 1
    while leaves < places:
        leaves *= 2
    return np.full(2 * leaves, NOBODY, np.int64)


@compiled
def enter(winners: Ints, place: int, player: int) -> None:
    """Another player in a place."""
    at = len(winners) // 2 + place
    winners[at] = player
    at //= 2
    while at:
        winners[at] = min(winners[2 * at], winners[2 * at + 1])
        at //= 2
