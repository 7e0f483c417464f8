"""Columns apart from one another: the different values of each, and how many rows have them, from parts of a table.

It is all that says what columns are. Which values stand together in a row is not known here, so that it takes as much
room as there are different values, however many rows there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import TableError
from sfumato.table.alike import AlikeRows
from sfumato.table.distinct import Distinct, Distincts, distinct, entries_of
from sfumato.table.origin import Origin

__all__ = ["column_counted", "columns_apart"]

Ints = NDArray[np.int64]

_AT_ONCE = 16
"""Parts whose values are put together at a time."""


@dataclass(frozen=True, eq=False)
class _Marginal:
    """Different values, ascending; last, a missing one. Rows of each, and the first row that has it."""

    values: pl.Series
    counts: Ints
    first: Ints

    @classmethod
    def of(cls, found: Distinct, begin: int) -> _Marginal:
        """Of some rows, the first of which has a number."""
        absent = int((found.codes < 0).argmax()) if found.missing else len(found.codes)
        first = np.append(found.first_entries, absent) + begin
        return cls(found.values, np.append(found.counts, found.missing), first)

    @classmethod
    def together(cls, parts: Sequence[_Marginal]) -> _Marginal:
        dtype = next((each.values.dtype for each in parts if not isinstance(each.values.dtype, pl.Null)), pl.Null)
        found = distinct(pl.concat([each.values.cast(dtype) for each in parts]))
        size, begin = len(found.values) + 1, 0
        counts, first = np.zeros(size, np.int64), np.full(size, np.iinfo(np.int64).max)
        for each in parts:
            places = np.append(found.codes[begin : begin + len(each.values)], size - 1)
            counts[places] += each.counts
            first[places] = np.minimum(first[places], each.first)
            begin += len(each.values)
        return cls(found.values, counts, first)

    def distinct(self) -> Distinct:
        """An entry for each value, and one for missing ones if there are any."""
        kept = len(self.values) + (self.counts[-1] > 0)
        codes = np.append(np.arange(len(self.values), dtype=np.int32), np.int32(-1))[:kept]
        return Distinct(self.values, codes, AlikeRows(self.counts[:kept], self.first[:kept]))


def columns_apart(parts: Iterable[tuple[Distincts, Origin]]) -> tuple[Mapping[str, Distinct], Origin]:
    """Every column of a table that comes in parts, one at least: an entry for each of its different values.

    Entries of one column have nothing to do with those of another. `TableError` if a column is of one type here and of
    another there.
    """
    held: dict[str, list[_Marginal]] = {}
    rows, last = 0, Origin("", "")
    for part, origin in parts:
        last = origin
        for name, found in part.items():
            mine = held.setdefault(name, [])
            mine.append(_Marginal.of(found, rows))
            _require_type(name, mine, origin)
            if len(mine) > _AT_ONCE:
                mine[:] = [_Marginal.together(mine)]
        rows += entries_of(part)
    return {name: _Marginal.together(mine).distinct() for name, mine in held.items()}, last


def column_counted(parts: Sequence[Distinct]) -> Distinct:
    """A column whose values somebody else counted, in parts that share none: an entry for each of its different values.

    Its rows are numbered as if they were sorted by it, those that miss a value first.
    """
    whole = _Marginal.together([_Marginal.of(each, 0) for each in parts])
    rows = np.roll(whole.counts, 1)
    return replace(whole, first=np.roll(np.cumsum(rows) - rows, -1)).distinct()


def _require_type(name: str, parts: Sequence[_Marginal], origin: Origin) -> None:
    types = dict.fromkeys(each.values.dtype for each in parts if not isinstance(each.values.dtype, pl.Null))
    if len(types) > 1:
        before, now, *_ = types
        raise TableError(
            f"{origin.name}: column {name!r} is {before} in some parts and {now} in others; make it one type"
        )
