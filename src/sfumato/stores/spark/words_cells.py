"""Words of rows as Spark holds them: some hundred to a cell of bytes, so that a row costs Spark next to nothing."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["cells_of", "rows_in_cell", "words_in"]

Ints = NDArray[np.int64]

_CELL = 1 << 13
"""Bytes of a cell: Spark hands ten thousand of them to a worker at a time, and no row of a worker is larger."""


def rows_in_cell(width: int) -> int:
    """Rows of so many words each."""
    return max(_CELL // (8 * width), 1)


def cells_of(words: Ints) -> pa.Array:
    """Rows, a line each, as cells."""
    rows, width = words.shape
    ends = np.append(np.arange(0, rows, rows_in_cell(width)), rows) * (8 * width)
    buffers = [None, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(np.ascontiguousarray(words))]
    return pa.Array.from_buffers(pa.binary(), len(ends) - 1, buffers)


def words_in(cells: pa.Array, width: int) -> Ints:
    """All rows of some cells, in an array of one's own."""
    kind = np.int64 if pa.types.is_large_binary(cells.type) else np.int32
    _, offsets, content = cells.buffers()
    if content is None or not len(cells):
        return np.zeros((0, width), np.int64)
    ends = np.frombuffer(offsets, kind)[cells.offset : cells.offset + len(cells) + 1]
    return np.frombuffer(content, np.uint8)[ends[0] : ends[-1]].copy().view(np.int64).reshape(-1, width)
