"""A secret number for every row that counted rows stand for: SipHash-2-4 of the row's place.

Reference: Aumasson, Bernstein: SipHash: a fast short-input PRF. INDOCRYPT 2012.
https://doi.org/10.1007/978-3-642-34931-7_28
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inlined, inner

__all__ = ["secret_numbers"]

Words = NDArray[np.uint64]


@inlined
def _turned(word: np.uint64, bits: int) -> Any:
    return (word << np.uint64(bits)) | (word >> np.uint64(64 - bits))


@inner
def _rounds(state: Words, times: int) -> None:
    a, b, c, d = state[0], state[1], state[2], state[3]
    for _ in range(times):
        a += b
        c += d
        b = _turned(b, 13) ^ a
        d = _turned(d, 16) ^ c
        a = _turned(a, 32)
        c += b
        a += d
        b = _turned(b, 17) ^ c
        d = _turned(d, 21) ^ a
        c = _turned(c, 32)
    state[0], state[1], state[2], state[3] = a, b, c, d


@compiled
def secret_numbers(key: Words, first: int, numbers: Words) -> None:
    """Of the places from `first` on, as many as there is room for; each is a message of eight bytes."""
    state = np.empty(4, np.uint64)
    for at in range(len(numbers)):
        state[0] = key[0] ^ np.uint64(0x736F6D6570736575)
        state[1] = key[1] ^ np.uint64(0x646F72616E646F6D)
        state[2] = key[0] ^ np.uint64(0x6C7967656E657261)
        state[3] = key[1] ^ np.uint64(0x7465646279746573)
        for block in (np.uint64(first + at), np.uint64(8) << np.uint64(56)):
            state[3] ^= block
            _rounds(state, 2)
            state[0] ^= block
        state[2] ^= np.uint64(0xFF)
        _rounds(state, 4)
        numbers[at] = state[0] ^ state[1] ^ state[2] ^ state[3]
