"""Rows in shards: each holds all rows that are equal in some columns, and shards follow one another as these ascend.

What is counted shard by shard is what is counted at once, in the same order, with room for one shard at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.table.packing import Column

__all__ = ["shards_of"]

_PREFIXES = 1 << 16
"""So many beginnings of combinations are told apart, if there are as many; a shard has all rows of at least one."""
_BLOCK = 1 << 20


def shards_of(columns: Sequence[Column], least: int, most: int) -> Iterator[NDArray[np.int64]]:
    """The rows of every shard, ascending; about `most` of them, unless more have one beginning.

    columns   those whose equal rows stay together, the first of them counting most
    """
    prefix, size = _prefixes(columns, least)
    ends = np.cumsum(np.bincount(prefix, minlength=size))
    shard = ((ends - 1) // most).astype(np.int32)
    number = np.unique(shard, return_inverse=True)[1].reshape(-1).astype(np.int32)[prefix]
    for each in range(int(number.max(initial=-1)) + 1):
        yield np.flatnonzero(number == each)


def _prefixes(columns: Sequence[Column], least: int) -> tuple[NDArray[np.int32], int]:
    """What the combination of every row begins with, as a number, and how many there may be."""
    sizes, product = [], 1
    for _, size in columns:
        if product >= _PREFIXES:
            break
        sizes.append(size - least)
        product *= max(size - least, 1)
    step = max(product // (1 << 24), 1)  # neighbours may share a number
    made = np.empty(len(columns[0][0]), dtype=np.int32)
    for begin in range(0, len(made), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        key: NDArray[Any] = np.zeros(len(made[block]), dtype=np.int64)
        for (codes, _), width in zip(columns, sizes, strict=False):
            key = key * width + (codes[block].astype(np.int64) - least)
        made[block] = key // step
    return made, product // step + 1
