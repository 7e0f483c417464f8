"""A fingerprint of a table's content: names, types, order and values; never how it lies in memory."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import polars as pl

__all__ = ["digest"]


def digest(frame: pl.DataFrame) -> str:
    """SHA-256, in hexadecimal, of the columns in order.

    Chunks, slices, dictionaries and what lies under a missing value do not matter.
    """
    whole = hashlib.sha256(f"{frame.width} columns, {frame.height} rows".encode())
    with ThreadPoolExecutor(max_workers=4) as pool:
        for part in pool.map(_column, frame.get_columns()):
            whole.update(part)
    return whole.hexdigest()


def _column(column: pl.Series) -> bytes:
    dtype = column.dtype
    if not (dtype.is_numeric() or dtype.is_temporal()) or dtype.is_decimal():
        column = column.cast(pl.String)
    hashed = hashlib.sha256()
    for word in (column.name, str(column.dtype)):
        hashed.update(len(word.encode()).to_bytes(8, "little") + word.encode())
    hashed.update(np.packbits(column.is_null().to_numpy()).tobytes())
    if column.dtype != pl.String:
        hashed.update(column.to_physical().fill_null(0).to_numpy().tobytes())
        return hashed.digest()
    text = column.fill_null("")
    hashed.update(text.str.len_bytes().to_numpy().tobytes())
    array = text.rechunk().to_arrow(compat_level=pl.CompatLevel.oldest())  # the texts one after the other
    _, bounds, joined = array.buffers()
    if joined is not None and len(array):
        offsets = np.frombuffer(bounds, dtype=np.int64, count=len(array) + 1, offset=8 * array.offset)
        hashed.update(memoryview(joined)[offsets[0] : offsets[-1]])
    return hashed.digest()
