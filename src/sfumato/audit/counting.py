"""Counting by sorting: the codes of a row become one number, equal numbers stand together once they are sorted.

The codes are the digits of a mixed-radix number of 64 bits, the counted one the last. Where the next digit does not
fit, the combinations so far are numbered, and there are no more of them than rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from sfumato.audit import loops
from sfumato.audit.codes import Codes
from sfumato.audit.exactly import Ints

__all__ = ["histograms"]

_KEYS = 2**64
_WIDE = 2**32
"""More than there are rows. Two digits below it always fit."""
_BLOCK = 2**14
"""Rows that are packed at a time: their keys stay in the nearest cache while column after column is added."""


def histograms(columns: Sequence[Codes], counted: Codes) -> tuple[Ints, Ints, Ints, Ints]:
    """What `Classes` are made of: starts, values, counts, and how many classes are alike.

    It takes 16 to 32 bytes a row for a while, and 42 if almost every class has a histogram of its own.
    """
    if counted.size > _WIDE:
        raise ValueError(f"a column of {counted.size} codes cannot be counted; number them first")
    if not len(counted.rows):
        nothing = np.zeros(0, dtype=np.int64)
        return np.zeros(1, dtype=np.int64), nothing, nothing, nothing
    keys, size = _packed(columns, counted)
    keys, counts = loops.sort(keys, np.empty_like(keys), _bits(size))
    found, classes = loops.runs(keys, counts, counted.size)
    table = np.zeros(2 ** (2 * classes).bit_length(), dtype=np.uint32)
    starts, alike = np.empty(classes + 1, dtype=np.int64), np.empty(classes, dtype=np.int64)
    kinds = loops.distinct_histograms(keys[:found], counts[:found], counted.size, table, starts, alike)
    starts = starts[: kinds + 1].copy()
    entries = int(starts[-1])
    return starts, keys[:entries].astype(np.int64), counts[:entries].astype(np.int64), alike[:kinds].copy()


def _packed(columns: Sequence[Codes], last: Codes) -> tuple[NDArray[np.uint64], int]:
    """A key per row and the number that no key reaches; rows share it exactly if they are equal in all columns."""
    rows = len(last.rows)
    keys, size = np.zeros(rows, dtype=np.uint64), 1
    waiting: list[Codes] = []
    for column in chain(columns, (last,)):
        if len(column.rows) != rows:
            raise ValueError(f"a column has codes for {len(column.rows)} rows, the counted one for {rows}")
        digit = column if column.size <= _WIDE else _numbered(column)
        if size * digit.size > _KEYS:
            _append(keys, waiting)
            size, waiting = loops.number(keys, _bits(size)), []
        waiting.append(digit)
        size *= digit.size
    _append(keys, waiting)
    return keys, size


def _append(keys: NDArray[np.uint64], columns: Sequence[Codes]) -> None:
    for start in range(0, len(keys), _BLOCK):
        block = slice(start, start + _BLOCK)
        for column in columns:
            if not loops.append(keys[block], column.rows[block], column.size):
                raise ValueError(f"a code is not below the size {column.size} of its column, or negative")


def _numbered(column: Codes) -> Codes:
    keys = np.zeros(len(column.rows), dtype=np.uint64)
    _append(keys, (column,))
    return Codes(keys, loops.number(keys, _bits(column.size)))


def _bits(size: int) -> int:
    return (size - 1).bit_length()
