"""Cells that the libraries below cannot hold, as days outside the calendar: found before anybody looks at them.

A date or time outside the calendar makes polars abort what it does with a `PanicException`, which is no `Exception`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import date

import polars as pl
from polars.exceptions import PanicException, PolarsError

from sfumato.errors import InputError, TableError

__all__ = ["no_panic", "require_calendar"]


def require_calendar(frame: pl.DataFrame, name: str) -> None:
    """Refuse dates and times outside the years 1 to 9999, which cannot be written."""
    wrong = []
    for column in frame.iter_columns():
        least, most = _bounds(column.dtype)
        if least is None or most is None:
            continue
        physical = column.to_physical()
        outside = int(((physical < least) | (physical > most)).sum())
        if outside:
            cells = "1 cell is" if outside == 1 else f"{outside} cells are"
            wrong.append(f"  column {column.name!r}: {cells} not in the years 1 to 9999; correct them")
    if wrong:
        raise TableError("\n".join([f"{name}: dates outside the calendar", *wrong]))


_PER_DAY = {"ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
_EPOCH = date(1970, 1, 1).toordinal()


def _bounds(dtype: pl.DataType) -> tuple[int | None, int | None]:
    """The least and the largest number that a cell of the type may be stored as; None: any."""
    first, last = date.min.toordinal() - _EPOCH, date.max.toordinal() - _EPOCH
    if isinstance(dtype, pl.Date):
        return first, last
    if isinstance(dtype, pl.Datetime):
        day = _PER_DAY[dtype.time_unit]
        zone = day if dtype.time_zone is not None else 0  # the clock of a place may be a day off
        return max(first * day + zone, -(2**63)), min((last + 1) * day - 1 - zone, 2**63 - 1)
    if isinstance(dtype, pl.Time):
        return 0, _PER_DAY["ns"] - 1
    return None, None


@contextlib.contextmanager
def no_panic(name: str) -> Iterator[None]:
    """An `InputError` where polars fails or aborts: nothing of what it says is repeated, it may hold cells."""
    try:
        yield
    except (PanicException, PolarsError):
        raise InputError(f"{name}: has cells or types that cannot be read; write it again with plain ones") from None
