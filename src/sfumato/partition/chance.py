"""Secret chance that depends on what rows hold, never on the order in which they come."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples

__all__ = ["content_keys"]

_BLOCK = 1 << 15
"""Rows whose numbers stay in the nearest cache while all columns are mixed in."""


def content_keys(table: Tuples, randomness: Randomness, purpose: str) -> NDArray[np.uint64]:
    """A secret number for every tuple, the same for those that hold the same."""
    from sfumato.kernels.chance import absorb

    if table.counted is not None:
        return content_keys(table.counted, randomness, purpose)[table.counted.of_each]
    columns = table.every
    secrets = randomness.numbers(len(columns) + 1, purpose)
    keys = np.full(len(table), secrets[-1], dtype=np.uint64)
    for begin in range(0, len(table), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        for codes, secret in zip(columns, secrets, strict=False):
            absorb(keys[block], codes[block], secret)
    return keys
