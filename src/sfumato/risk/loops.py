"""The loop behind sample uniques: which rows share their codes in a few columns with no other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner

__all__ = ["alone"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Bytes = NDArray[np.uint8]

_SPREAD = 0x9E3779B97F4A7C15 - (1 << 64)
"""An odd number near 2^64 divided by the golden ratio: products with it lie far apart."""


@inner
def _slot(key: int, bits: int) -> int:
    """Where a key is counted, together with few others."""
    return ((key * _SPREAD) >> (63 - bits)) & ((1 << bits) - 1)


@inner
def _place(held: Ints, key: int, bits: int) -> int:
    """Where a key is held, or would be."""
    place: int = _slot(key, bits)
    while held[place] >= 0 and held[place] != key:
        place = (place + 1) & ((1 << bits) - 1)
    return place


@compiled
def alone(begun: Ints, codes: Codes, size: int, unique: Codes, others: Codes, fewer: Bytes, room: int) -> Bytes:
    """Which unique rows are so by some columns, and by no fewer of them; eight in a byte.

    begun    of every combination a key for what it has in all of these columns but the last, not negative
    codes    what it has in the last, below `size`
    unique   combinations that are one row
    others   combinations that are several
    fewer    which unique rows are unique by fewer columns: nobody shares more columns with them
    room     one more than the largest key, if rows of all keys can be counted side by side; 0: they are too many, and
             several share a count, so that who is not alone there is looked up
    """
    found, bits, doubtful = np.zeros(len(fewer), np.uint8), 4, 0
    while room == 0 and bits < 26 and (1 << bits) < 16 * len(unique):
        bits += 1
    seen = np.zeros((max(room, 1 << bits) >> 2) + 1, np.uint8)  # four counts up to 2 in a byte: more fit a cache
    for at in range(len(others)):
        key = begun[others[at]] * size + codes[others[at]]
        slot = key if room > 0 else _slot(key, bits)
        seen[slot >> 2] |= 2 << (2 * (slot & 3))
    for at in range(len(unique)):
        if (fewer[at >> 3] >> (7 - (at & 7))) & 1 == 0:
            key = begun[unique[at]] * size + codes[unique[at]]
            slot = key if room > 0 else _slot(key, bits)
            before, shift = seen[slot >> 2], 2 * (slot & 3)
            seen[slot >> 2] = before | ((2 if (before >> shift) & 3 else 1) << shift)
    for at in range(len(unique)):
        if (fewer[at >> 3] >> (7 - (at & 7))) & 1 == 0:
            key = begun[unique[at]] * size + codes[unique[at]]
            slot = key if room > 0 else _slot(key, bits)
            if (seen[slot >> 2] >> (2 * (slot & 3))) & 3 == 1:
                found[at >> 3] |= 1 << (7 - (at & 7))
            else:
                doubtful += 1
    if room > 0 or doubtful == 0:
        return found
    small = 4
    while (1 << small) < 2 * doubtful:
        small += 1
    held, count = np.full(1 << small, -1, np.int64), np.zeros(1 << small, np.uint8)
    for at in range(len(unique)):
        if ((fewer[at >> 3] | found[at >> 3]) >> (7 - (at & 7))) & 1 == 0:
            key = begun[unique[at]] * size + codes[unique[at]]
            place = _place(held, key, small)
            held[place], count[place] = key, min(2, count[place] + 1)
    for at in range(len(others)):
        key = begun[others[at]] * size + codes[others[at]]
        place = _place(held, key, small)
        if held[place] == key:
            count[place] = 2
    for at in range(len(unique)):
        if ((fewer[at >> 3] | found[at >> 3]) >> (7 - (at & 7))) & 1 == 0:
            key = begun[unique[at]] * size + codes[unique[at]]
            if count[_place(held, key, small)] == 1:
                found[at >> 3] |= 1 << (7 - (at & 7))
    return found
