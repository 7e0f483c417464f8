"""The distinct values of a column, in order, and the position of every row's value among them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["Distinct", "distinct"]


@dataclass(frozen=True, eq=False)
class Distinct:
    """values   distinct values, ascending, none missing
    codes    per row the position of its value, -1 for a missing one
    """

    values: pl.Series
    codes: NDArray[np.int32]

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Rows per value."""
        return np.bincount(self.codes + 1, minlength=len(self.values) + 1)[1:].astype(np.int64)

    @cached_property
    def missing(self) -> int:
        """Rows without a value."""
        return len(self.codes) - int(self.counts.sum())

    @cached_property
    def first_rows(self) -> NDArray[np.int64]:
        """Per value the first row, from 0, that has it."""
        rows = np.full(len(self.values) + 1, len(self.codes), dtype=np.int64)
        np.minimum.at(rows, self.codes + 1, np.arange(len(self.codes), dtype=np.int64))
        return rows[1:]


def distinct(series: pl.Series) -> Distinct:
    """The distinct values of a String, Int64, Float64 or Date column."""
    if isinstance(series.dtype, pl.String):
        return _of_text(series)
    if isinstance(series.dtype, (pl.Int64, pl.Date)):
        made = _of_near_integers(series)
        if made is not None:
            return made
    values = series.drop_nulls().unique().sort()
    codes = np.searchsorted(values.to_physical().to_numpy(), series.to_physical().fill_null(0).to_numpy())
    return Distinct(values, _without(series, codes.astype(np.int32)))


def _without(series: pl.Series, codes: NDArray[np.int32]) -> NDArray[np.int32]:
    if series.null_count():
        codes = codes.copy()
        codes[series.is_null().to_numpy()] = -1
    return codes


def _of_text(series: pl.Series) -> Distinct:
    """By hash: an Enum holds its codes densely and in the order given, as a Categorical does not."""
    column = series.alias("value").to_frame()
    values = column.lazy().drop_nulls().group_by("value").agg().collect()["value"].sort()
    codes = column["value"].cast(pl.Enum(values)).to_physical()
    return Distinct(values.alias(series.name), codes.cast(pl.Int32).fill_null(-1).to_numpy())


def _of_near_integers(series: pl.Series) -> Distinct | None:
    """By table look-up, where the values lie close enough together for one."""
    numbers = series.to_physical()
    low, high = cast(int | None, numbers.min()), cast(int | None, numbers.max())
    if low is None or high is None or high - low > 4 * len(series) + 1024:
        return None
    offsets = numbers.fill_null(low).to_numpy() - low
    present = np.bincount(offsets, minlength=1) > 0
    if series.null_count():
        present[0] = bool((numbers == low).any())
    ranks = (np.cumsum(present) - 1).astype(np.int32)
    values = pl.Series(series.name, np.flatnonzero(present) + low).cast(numbers.dtype).cast(series.dtype)
    return Distinct(values, _without(series, ranks[offsets]))
