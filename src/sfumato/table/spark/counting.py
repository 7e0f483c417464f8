"""Rows of a Spark frame, counted where they are: only different rows, with how many there are of each, come here.

A plan holds names of columns and nothing else, so that neither Spark's log nor its pages show a cell. How Spark deals
rows out does not matter: what arrives is sorted by content.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from sfumato.errors import TableError
from sfumato.progress import Progress
from sfumato.table.alike import AlikeRows
from sfumato.table.arrow import columns_of
from sfumato.table.distinct import Distinct, Distincts, joined, recoded
from sfumato.table.gathering import TooManyRows
from sfumato.table.memory import budget, in_words
from sfumato.table.origin import Origin
from sfumato.table.packing import Packed
from sfumato.table.spark.apart import RowsOnSpark
from sfumato.table.spark.cells import TIMES, chosen, fetched, held, quietly, raw_cells
from sfumato.table.spark.fields import Field, fields_of
from sfumato.table.spark.given import SparkTable
from sfumato.table.spark.telling import told
from sfumato.table.spark.watching import Watch
from sfumato.table.words import counted

__all__ = ["CountedRows"]

_PER_ROW = 160
_PER_CELL = 24
"""Bytes that a run takes for a different row, and for each of its cells besides the bytes of texts, at most."""
_APART = 12
"""Bytes per cell of a row that stands by itself."""
_SURE = 0.8
"""Of an estimated number, what there is in any case."""


@dataclass(frozen=True, eq=False)
class CountedRows:
    """A Spark frame whose columns are known, and whose rows are still to be counted."""

    table: SparkTable
    fields: Sequence[Field]

    @classmethod
    def of(cls, given: object, lists: Sequence[str] | None) -> CountedRows:
        """`TableError` if a column does not hold single values; `lists` may hold lists of texts, None: any may."""
        table = given if isinstance(given, SparkTable) else SparkTable(given)
        budget(table.memory)
        try:
            schema = table.frame.schema
        except Exception as error:
            raise told(error, table.called) from None
        return cls(table, fields_of(schema, table.called, lists))

    @property
    def name(self) -> str:
        return self.table.called

    @cached_property
    def names(self) -> Sequence[str]:
        return [field.name for field in self.fields]

    def counted(
        self, wanted: Sequence[str], apart: bool, progress: Progress, most: Callable[[int], int] | None = None
    ) -> tuple[Distincts, Origin]:
        """Some columns of all rows: equal ones as one entry, or, if they are to stay apart, each by itself.

        Entries stand in the order of their content. `TableError` if they take more memory than there is, before any
        is fetched; if `most` says how many may be held, `TooManyRows`.
        """
        fields, watch = self._of(wanted), Watch.of(self.table, progress, "counts rows")
        if most is not None:
            self._foresee(fields, apart, most(len(fields)), watch)
        with held(watch(lambda: self._grouped(fields)), watch) as rows:
            size = watch(lambda: _Size.of(rows, fields))
            if most is not None and not self._has_room(size, fields, apart, most(len(fields))):
                raise TooManyRows
            self._require_room(size, fields, apart)
            parts = [
                self._columns(found, fields)
                for found in fetched(rows, [field.alias for field in fields], size.handed(len(fields)), watch)
            ]
        made = _sorted(_together(parts))
        del parts
        self._require_same(made, size)
        origin = Origin("spark", self.name, by_content=True, files=self.table.files, notes=_notes(size, apart))
        return (_apart(made) if apart else made), origin

    def apart(self, wanted: Sequence[str]) -> RowsOnSpark:
        return RowsOnSpark(self.table, self.fields, self._of(wanted))

    def _of(self, wanted: Sequence[str]) -> Sequence[Field]:
        return [self.fields[self.names.index(name)] for name in wanted]

    def _grouped(self, fields: Sequence[Field]) -> Any:
        rows = chosen(self.table.frame, self.fields, fields, signs=True)
        return rows.groupBy(*rows.columns).count().withColumnRenamed("count", TIMES)

    def _foresee(self, fields: Sequence[Field], apart: bool, most: int, watch: Watch) -> None:
        """`TooManyRows` if one look at all rows shows it, before they are dealt out to be counted.

        How many differ is estimated, within a few hundredths, by what rows are: in any order and any parts the same.
        """
        rows = chosen(self.table.frame, self.fields, fields, signs=False)
        differ = f"approx_count_distinct(xxhash64({', '.join(rows.columns)})) AS entries"
        found = watch(lambda: quietly(rows.selectExpr(differ, "count(1) AS rows").toArrow)).to_pylist()[0]
        if (found["rows"] if apart else found["entries"] * _SURE) > most:
            raise TooManyRows

    def _has_room(self, size: _Size, fields: Sequence[Field], apart: bool, most: int) -> bool:
        rows = size.rows if apart else size.entries
        return rows <= most and size.bytes(len(fields), apart) <= budget(self.table.memory)

    def _require_room(self, size: _Size, fields: Sequence[Field], apart: bool) -> None:
        needed, have = size.bytes(len(fields), apart), budget(self.table.memory)
        if needed <= have:
            return
        rows = counted(size.rows, "row")
        what = f"{counted(size.entries, 'different row')} among {rows} of {counted(len(fields), 'column')}"
        why = (
            f"; since whose a row is matters, or what it stands for, all {rows} would stand here one by one"
            if apart
            else ""
        )
        raise TableError(
            f"{self.name}: has {what}{why}: about {in_words(needed)}, and {in_words(have)} are allowed for them, so"
            " none was fetched. Allow more (memory), make columns coarser, drop some, or publish it in parts"
        )

    def _columns(self, found: pa.Table, fields: Sequence[Field]) -> Distincts:
        """What came, column by column."""
        times = found.column(TIMES).to_numpy().astype(np.int64)
        every = AlikeRows(times, np.arange(len(times)))
        raw = raw_cells(found, fields, self.name)
        return {name: replace(each, entries=every) for name, each in columns_of(raw).items()}

    def _require_same(self, columns: Distincts, size: _Size) -> None:
        found = next(iter(columns.values()))
        if (len(found.codes), found.rows) != (size.entries, size.rows):
            raise TableError(
                f"{self.name}: Spark found {size.rows} rows, {size.entries} different, and then handed over"
                f" {found.rows}, {len(found.codes)} different: the frame is not the same every time; write it to files,"
                " and read those"
            )


@dataclass(frozen=True)
class _Size:
    """How many different rows there are, of how many, and how many bytes their texts have."""

    entries: int
    rows: int
    texts: int

    @classmethod
    def of(cls, rows: Any, fields: Sequence[Field]) -> _Size:
        sizes = [field.size for field in fields if field.size is not None]
        texts = " + ".join(f"coalesce(sum({size}), 0)" for size in sizes) or "0"
        asked = ("count(1) AS entries", f"coalesce(sum({TIMES}), 0) AS rows", f"CAST({texts} AS BIGINT) AS texts")
        return cls(**quietly(rows.selectExpr(*asked).toArrow).to_pylist()[0])

    def handed(self, columns: int) -> int:
        """Bytes that come here, about."""
        return self.texts + self.entries * 8 * (columns + 1)

    def bytes(self, columns: int, apart: bool) -> int:
        """What a run takes for them here, about."""
        made = self.texts + self.entries * (_PER_ROW + _PER_CELL * columns)
        return made + (self.rows * (_PER_ROW + _APART * columns) if apart else 0)


def _together(parts: Sequence[Distincts]) -> Distincts:
    """Entries of several parts, which are all different."""
    if len(parts) == 1:
        return parts[0]
    times = np.concatenate([each.entries.times for part in parts if (each := next(iter(part.values()))).entries])
    every = AlikeRows(times, np.arange(len(times)))
    return {name: replace(joined([part[name] for part in parts]), entries=every) for name in parts[0]}


def _sorted(columns: Distincts) -> Distincts:
    """Entries in the order of their content, the first column first; their rows are numbered that way."""
    known = {name: _ordered(each) for name, each in columns.items()}
    entries = next(iter(known.values())).entries
    if entries is None:
        raise ValueError("rows that stand one by one are not counted")
    packed = Packed.of_rows([(each.codes, len(each.values)) for each in [*known.values()][::-1]], -1, entries.times)
    order = packed.first()
    made = AlikeRows(packed.counts, np.cumsum(packed.counts) - packed.counts)
    return {name: Distinct(each.values, each.codes[order], made) for name, each in known.items()}


def _ordered(column: Distinct) -> Distinct:
    """A column whose values ascend; lists come as they appear."""
    if not isinstance(column.values.dtype, pl.List):
        return column
    lists = column.values.to_list()
    order = sorted(range(len(lists)), key=lambda at: [(term is not None, term or "") for term in lists[at]])
    places = np.empty(len(order), np.int32)
    places[order] = np.arange(len(order))
    return Distinct(column.values.gather(order), recoded(places, column.codes), column.entries)


def _apart(columns: Distincts) -> Distincts:
    """Entries as the rows that they stand for."""
    return {
        name: Distinct(each.values, each.codes if each.entries is None else np.repeat(each.codes, each.entries.times))
        for name, each in columns.items()
    }


def _notes(size: _Size, apart: bool) -> tuple[str, ...]:
    if not apart:
        return ()
    return (f"{counted(size.rows, 'row')} of Spark came one by one: whose a row is matters, or what it stands for",)
