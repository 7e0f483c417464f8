"""One hash table for all loops: a key and its number side by side per slot, open addressing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import inner

__all__ = ["FREE", "GOLDEN", "hashed"]

Keys = NDArray[np.uint64]

FREE = np.uint64(2**64 - 1)
"""No key: they have a bit to spare."""
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@inner
def hashed(keys: Keys, count: int, slots: int) -> tuple[Keys, np.uint64]:
    """A table of the first keys, with a power of two slots; and the shift from hash to slot."""
    shift, room = np.uint64(64), 1
    while room < slots:
        room *= 2
        shift -= np.uint64(1)
    cells = np.full(2 * slots, FREE)
    for index in range(count):
        slot = np.int64((keys[index] * GOLDEN) >> shift)
        while cells[2 * slot] != FREE:
            slot = (slot + 1) & (slots - 1)
        cells[2 * slot], cells[2 * slot + 1] = keys[index], np.uint64(index)
    return cells, shift
