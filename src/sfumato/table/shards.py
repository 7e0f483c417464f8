"""Rows in shards: each holds all rows that are equal in some columns, and shards follow one another as these ascend.

What is counted shard by shard is what is counted at once, in the same order, with room for one shard at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from sfumato.table.packing import Column

__all__ = ["counted_by_places", "shards_of"]

Ints = NDArray[np.int64]

_PREFIXES = 1 << 16
"""So many beginnings of combinations are told apart, if there are as many; a shard has all rows of at least one."""
_BLOCK = 1 << 20
_COUNTERS = 1 << 20
"""Combinations that may have a counter each."""


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
        made[block] = _keys(columns, sizes, least, block) // step
    return made, product // step + 1


def _keys(columns: Sequence[Column], widths: Sequence[int], least: int, rows: slice) -> Ints:
    """The combination of the first columns that some rows have, as one number."""
    key: Ints = np.zeros(1, dtype=np.int64)
    for (codes, _), width in zip(columns, widths, strict=False):
        key = key * width + (codes[rows].astype(np.int64) - least)
    return key


def counted_by_places(
    columns: Sequence[Column], least: int, times: Ints | None
) -> tuple[tuple[Ints, ...], Ints] | None:
    """The different combinations of columns, ascending, and their rows, by a counter for each that may be; None: these
    would be too many, or rows too few for it to be worth while."""
    rows = len(columns[0][0]) if columns else 0
    widths = [size - least for _, size in columns]
    if rows <= _BLOCK or prod(widths) > _COUNTERS:
        return None
    counters = np.zeros(prod(widths), dtype=np.int64)
    for begin in range(0, rows, _BLOCK):
        block = slice(begin, begin + _BLOCK)
        weights = None if times is None else times[block]  # summed as floats, exactly: rows are fewer than 2**53
        counters += np.bincount(_keys(columns, widths, least, block), weights, len(counters)).astype(np.int64)
    found, codes = np.flatnonzero(counters), []
    rest = found
    for width in reversed(widths):
        rest, code = np.divmod(rest, max(width, 1))
        codes.append(code)
    return tuple(reversed(codes)), counters[found]
