"""A column as what it is: its different values, in order, and the position of every row's value among them.

Rules look at different values, once each, and move codes; nothing is held or made per row but a number. Where rows are
many and hardly differ, those that are equal in every column are held as one entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.table.alike import AlikeRows
from sfumato.table.packing import Packed

__all__ = ["Distinct", "Distincts", "combined", "distinct", "entries_of", "joined", "recoded", "rows_of"]

Codes = NDArray[np.int32]

_ROWS_AT_ONCE = 1 << 16
_FEW = 1000
"""Cells that are looked at one by one, which for more of them takes longer than to have it planned."""


@dataclass(frozen=True, eq=False)
class Distinct:
    """values    distinct values, ascending, none missing
    codes     per entry the position of its value, -1 for a missing one
    entries   what an entry stands for; None: each is a row
    """

    values: pl.Series
    codes: Codes
    entries: AlikeRows | None = None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.codes) if self.entries is None else self.entries.rows

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Rows per value."""
        return _counted(self.codes, len(self.values), None if self.entries is None else self.entries.times)

    @cached_property
    def missing(self) -> int:
        """Rows without a value."""
        return self.rows - int(self.counts.sum())

    def rows_where(self, which: NDArray[np.bool_]) -> int:
        """How many rows some of the entries stand for."""
        return int(which.sum() if self.entries is None else self.entries.times[which].sum())

    def row_of(self, entry: int) -> int:
        """The first row, from 0, that an entry stands for."""
        return entry if self.entries is None else int(self.entries.first[entry])

    @cached_property
    def first_rows(self) -> NDArray[np.int64]:
        """Per value the first row, from 0, that has it; of one that none has, nothing is said."""
        if self.entries is None:
            return self.first_entries
        return self.entries.first[np.minimum(self.first_entries, len(self.codes) - 1)]

    @cached_property
    def first_entries(self) -> NDArray[np.int64]:
        """Per value the first entry that has it; the number of entries if none has."""
        rows = np.full(len(self.values) + 1, len(self.codes), dtype=np.int64)
        step = max(_ROWS_AT_ONCE, 4 * len(rows))
        for start in range(0, len(self.codes), step):
            part = self.codes[start : start + step]
            here = np.full(len(rows), len(self.codes), dtype=np.int64)
            here[part[::-1]] = np.arange(start + len(part) - 1, start - 1, -1)  # of several the last that is written
            np.minimum(rows, here, out=rows)
            if rows[:-1].max(initial=0) < len(self.codes):
                break
        return rows[:-1]

    def first(self, which: NDArray[np.bool_]) -> int:
        """The first row, from 0, that has one of these values."""
        return int(self.first_rows[which].min(initial=self.rows))

    def spread(self) -> pl.Series:
        """The value of every row, those of an entry side by side; null for a missing one."""
        codes = self.codes if self.entries is None else np.repeat(self.codes, self.entries.times)
        places = pl.Series(codes)
        return self.values.gather(places.set(places < 0, None) if (codes < 0).any() else places)

    def mapped(self, made: pl.Series) -> Distinct:
        """The same rows, each value become another one: several may become one, null is a missing one."""
        found = distinct(made.alias(self.values.name))
        same = len(found.values) == len(found.codes) and np.array_equal(found.codes, np.arange(len(found.codes)))
        return replace(self, values=found.values, codes=self.codes if same else recoded(found.codes, self.codes))

    def renamed(self, made: pl.Series) -> Distinct:
        """The same rows, each value called otherwise; as many values, in this order."""
        return replace(self, values=made)

    def apart(self) -> Distinct:
        """Without rows: an entry for each value, and one for missing ones if there are any."""
        values, missing = len(self.values), int(self.missing > 0)
        codes = np.append(np.arange(values, dtype=np.int32), np.full(missing, -1, np.int32))
        times = np.append(self.counts, np.full(missing, self.missing))
        return Distinct(self.values, codes, AlikeRows(times, np.zeros(len(times), np.int64)))

    def where(self, some: NDArray[np.bool_]) -> Distinct:
        """Some of the entries, with the values that they have."""
        codes, entries = self.codes[some], None if self.entries is None else self.entries.where(some)
        used = _counted(codes, len(self.values)) > 0
        if used.all():
            return Distinct(self.values, codes, entries)
        places = np.where(used, np.cumsum(used) - 1, -1)
        return Distinct(self.values.filter(pl.Series(used)), recoded(places, codes), entries)

    def followed_by(self, other: Distinct) -> Distinct:
        """These rows, then those of the other."""
        mine, theirs = self.entries, other.entries
        entries = None if mine is None or theirs is None else mine.followed_by(theirs)
        return replace(joined([self, other]), entries=entries)


Distincts = Mapping[str, Distinct]
"""Distincts by name, all of the same entries."""


def joined(parts: Sequence[Distinct]) -> Distinct:
    """The entries of several columns of one type, or without a value, one after the other; what they stand for is not
    said."""
    dtype = next((each.values.dtype for each in parts if not isinstance(each.values.dtype, pl.Null)), pl.Null)
    found = distinct(pl.concat([each.values.cast(dtype) for each in parts]))
    codes, begin = [], 0
    for each in parts:
        codes.append(recoded(found.codes[begin : begin + len(each.values)], each.codes))
        begin += len(each.values)
    return Distinct(found.values, np.concatenate(codes))


def rows_of(columns: Distincts) -> int:
    """How many rows the columns have."""
    return next((each.rows for each in columns.values()), 0)


def entries_of(columns: Distincts) -> int:
    """How many entries the columns have."""
    return next((len(each.codes) for each in columns.values()), 0)


def recoded(places: NDArray[Any], codes: NDArray[Any]) -> Codes:
    """Every code as the place of its value; -1 stays."""
    return np.append(places, -1).astype(np.int32).take(codes, mode="wrap")


def combined(columns: Sequence[Distinct]) -> tuple[Codes, Codes]:
    """One dense code per entry for what it has in some columns, and what every such code is in each of them."""
    sizes = [(column.codes + np.int32(1), len(column.values) + 1) for column in columns]
    packed = Packed.of(sizes, np.ones(len(columns[0].codes), np.int64), canonical=True)
    places = np.stack([packed.codes(at) - 1 for at in range(len(columns))], axis=1).astype(np.int32)
    return np.arange(len(places), dtype=np.int32) if packed.numbers is None else packed.numbers, places


def distinct(series: pl.Series) -> Distinct:
    """The distinct values of a column of any type that a cell of a table may have; categories become texts."""
    dtype = series.dtype
    if isinstance(dtype, pl.Null):
        return Distinct(series.clear(), np.full(len(series), -1, np.int32))
    if isinstance(dtype, (pl.Categorical, pl.Enum)):
        return _of_categories(series)
    if isinstance(dtype, pl.String):
        return _of_text(series)
    if isinstance(dtype, pl.List):
        return _of_lists(series.cast(pl.List(pl.String)))
    if dtype.is_float():
        return _of_floats(series)
    if isinstance(series.to_physical().dtype, (pl.Decimal, pl.Int128, pl.UInt128, pl.UInt64)):
        ranks = series.rank("dense").cast(pl.Int32) - 1
        return Distinct(series.drop_nulls().unique().sort(), ranks.fill_null(-1).to_numpy())
    return _of_integers(series)


def _counted(codes: Codes, size: int, times: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Rows per code, block by block: never a wider copy of all codes."""
    counts = np.zeros(size + 1, np.int64)
    step = max(_ROWS_AT_ONCE, 4 * size)
    for start in range(0, len(codes), step):
        block = slice(start, start + step)
        weights = None if times is None else times[block]  # summed as floats, exactly: rows are fewer than 2**53
        counts += np.bincount(codes[block] + 1, weights, size + 1).astype(np.int64)
    return counts[1:]


def _without(series: pl.Series, codes: Codes) -> Codes:
    if series.null_count():
        codes = codes.copy()
        codes[series.is_null().to_numpy()] = -1
    return codes


def _of_text(series: pl.Series) -> Distinct:
    """By hash: an Enum holds its codes densely and in the order given, as a Categorical does not."""
    if len(series) <= _FEW:
        return _of_few_texts(series)
    column = series.alias("value").to_frame()
    values = column.lazy().drop_nulls().group_by("value").agg().collect()["value"].sort()
    codes = column["value"].cast(pl.Enum(values)).to_physical()
    return Distinct(values.alias(series.name), codes.cast(pl.Int32).fill_null(-1).to_numpy())


def _of_few_texts(series: pl.Series) -> Distinct:
    """The same one by one: to plan a query takes longer than to read so few. Texts stand in the order of their bytes,
    which is that of their code points."""
    cells: list[str | None] = series.to_list()
    texts = sorted({cell for cell in cells if cell is not None})
    places: dict[str | None, int] = {text: place for place, text in enumerate(texts)}
    codes = np.fromiter((places.get(cell, -1) for cell in cells), np.int32, len(cells))
    return Distinct(pl.Series(series.name, texts, dtype=pl.String), codes)


def _of_categories(series: pl.Series) -> Distinct:
    """By the numbers of the categories, which the whole process may share: only those that occur are looked at."""
    found = distinct(series.to_physical())
    firsts = series.gather(found.first_entries).cast(pl.String)
    return found.mapped(firsts)


def _of_lists(series: pl.Series) -> Distinct:
    """Lists of texts, in order of appearance."""
    cells = series.alias("cell").to_frame().with_row_index("row").drop_nulls("cell")
    found = cells.group_by("cell", maintain_order=True).agg("row")
    codes = np.full(len(series), -1, np.int32)
    codes[found["row"].explode().to_numpy()] = np.repeat(np.arange(found.height), found["row"].list.len().to_numpy())
    return Distinct(found["cell"].alias(series.name), codes)


def _of_floats(series: pl.Series) -> Distinct:
    """By their bits, so that nothing follows from the order of rows: -0.0 is another value than 0.0, and before it.

    What is not a number is one value, whatever bits a library gives it.
    """
    numbers = series.fill_null(0).to_numpy()
    if np.isnan(numbers).any():
        numbers = np.where(np.isnan(numbers), numbers.dtype.type(np.nan), numbers)
    bits = pl.Series(numbers.view(f"i{numbers.itemsize}")).set(series.is_null(), None)
    found = distinct(bits)
    values = found.values.to_numpy().view(numbers.dtype)
    order = np.lexsort((found.values.to_numpy(), values))
    places = np.empty(len(order), np.int32)
    places[order] = np.arange(len(order))
    return Distinct(pl.Series(series.name, values[order], dtype=series.dtype), recoded(places, found.codes))


def _of_integers(series: pl.Series) -> Distinct:
    """By table look-up, where the values lie close enough together for one; else by search."""
    numbers = series.to_physical().cast(pl.Int64)
    low, high = cast(int | None, numbers.min()), cast(int | None, numbers.max())
    if low is None or high is None:
        return Distinct(series.clear(), np.full(len(series), -1, np.int32))
    plain = numbers.fill_null(low).to_numpy()
    if high - low > 4 * len(series) + 1024:
        values = numbers.drop_nulls().unique().sort()
        codes = np.searchsorted(values.to_numpy(), plain).astype(np.int32)
    else:
        offsets = plain - low
        present = np.bincount(offsets, minlength=1) > 0
        if series.null_count():
            present[0] = bool((numbers == low).any())
        values = pl.Series(np.flatnonzero(present) + low)
        codes = (np.cumsum(present) - 1).astype(np.int32)[offsets]
    typed = values.cast(series.to_physical().dtype).cast(series.dtype)
    return Distinct(typed.alias(series.name), _without(series, codes))
