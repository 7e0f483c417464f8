"""From Arrow to polars and numpy without what either of them would load for it: Arrow's functions, and pandas."""

from __future__ import annotations

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["positions", "series"]


class _Plain:
    """An array as any library may hand it over: for one of Arrow's own, polars loads Arrow's functions first."""

    def __init__(self, array: pa.Array) -> None:
        self._array = array

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        schema, array = self._array.__arrow_c_array__(requested_schema)
        return schema, array


def series(array: pa.Array) -> pl.Series:
    """The same values for polars."""
    return pl.Series(values=_Plain(array))


def positions(column: pa.DictionaryArray, missing: int) -> NDArray[np.int64] | NDArray[np.int32]:
    """Where each row's value stands in the column's dictionary; `missing` for one that is.

    >>> positions(pa.array(["b", None, "a", "b"]).dictionary_encode(), -1)
    array([ 0, -1,  1,  0], dtype=int32)
    """
    found = series(column.indices)
    if not isinstance(found.dtype, pl.Int32):
        found = found.cast(pl.Int64)
    return found.fill_null(missing).to_numpy()
