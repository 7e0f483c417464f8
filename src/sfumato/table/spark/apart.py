"""Rows of a Spark frame that stay there: what its columns are is counted by the cluster, column by column.

Of every column its different values come here, with how many rows have them; which of them stand together in a row is
known to the workers alone. A plan names columns and no cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from sfumato.errors import TableError
from sfumato.progress import Progress
from sfumato.table.alike import AlikeRows
from sfumato.table.arrow import columns_of
from sfumato.table.distinct import Distinct
from sfumato.table.marginals import column_counted
from sfumato.table.memory import budget, in_words
from sfumato.table.origin import Origin
from sfumato.table.spark.cells import TIMES, chosen, fetched, held, quietly, raw_cells
from sfumato.table.spark.fields import Field
from sfumato.table.spark.given import SparkTable
from sfumato.table.spark.watching import Watch
from sfumato.table.words import counted

__all__ = ["RowsOnSpark"]

_WHICH = "which"
_AT_ONCE = 16
"""Columns that are counted in one look at all rows."""
_PER_VALUE = 250
"""Bytes that a different value takes here besides its text, at most."""


@dataclass(frozen=True, eq=False)
class RowsOnSpark:
    """Some columns of a Spark frame.

    every    its columns
    fields   those that are wanted
    """

    table: SparkTable
    every: Sequence[Field]
    fields: Sequence[Field]

    @property
    def store(self) -> str:
        return "spark"

    @property
    def rows(self) -> Any:
        """A frame of what is wanted, under names of its own."""
        return chosen(self.table.frame, self.every, self.fields, signs=False)

    def columns(self, progress: Progress, most: int | None) -> tuple[Mapping[str, Distinct], Origin]:
        """`TableError` if their different values take more memory than there is, before any is fetched.

        Where a message names a row, rows are meant as sorted by the column that it speaks of.
        """
        found: dict[str, Distinct] = {}
        watch = Watch.of(self.table, progress, "counts columns")
        left = budget(self.table.memory) if most is None else most
        for begin in range(0, len(self.fields), _AT_ONCE):
            some = _Counting(self.table, self.every, self.fields[begin : begin + _AT_ONCE])
            with held(watch(some.frame), watch) as rows:
                sizes = watch(lambda rows=rows, some=some: some.sizes(rows))  # type: ignore[misc]
                left -= self._require_room(sizes, left)
                found |= some.columns(rows, sizes, watch)
        return found, Origin("spark", self.table.called, by_content=True, files=self.table.files)

    def _require_room(self, sizes: Mapping[Field, _Values], left: int) -> int:
        """What they take."""
        taken = sum(each.bytes for each in sizes.values())
        if taken > left:
            field, largest = max(sizes.items(), key=lambda each: each[1].bytes)
            raise TableError(
                f"{self.table.called}: column {field.name!r} has {counted(largest.values, 'different value')}: those of"
                f" all columns take about {in_words(taken)} here, and {in_words(left)} are left for them, so none was"
                " fetched. Make the column coarser, drop it, or allow more (memory)"
            )
        return taken


@dataclass(frozen=True)
class _Values:
    """How many different values a column has, and the bytes of their texts."""

    values: int
    texts: int

    @property
    def bytes(self) -> int:
        return self.texts + _PER_VALUE * self.values


@dataclass(frozen=True, eq=False)
class _Counting:
    """Some columns, few enough to be counted in one look."""

    table: SparkTable
    every: Sequence[Field]
    fields: Sequence[Field]

    def frame(self) -> Any:
        """A row for each different value of each column; the number of its column tells which it is."""
        from pyspark.sql import functions

        rows = chosen(self.table.frame, self.every, self.fields, signs=True)
        sets = [[field.alias, *([field.signed] if field.sign is not None else [])] for field in self.fields]
        grouped = rows.groupingSets(sets, *rows.columns)
        return grouped.agg(functions.grouping_id().alias(_WHICH), functions.count("*").alias(TIMES))

    def _numbers(self) -> dict[Field, int]:
        """What Spark numbers each set of columns by: a bit for each column that is not in it."""
        names = [*(field.alias for field in self.fields)]
        names += [field.signed for field in self.fields if field.sign is not None]
        return {
            field: sum(1 << at for at, name in enumerate(names[::-1]) if name not in (field.alias, field.signed))
            for field in self.fields
        }

    def sizes(self, rows: Any) -> dict[Field, _Values]:
        from pyspark.sql import functions

        texts = " + ".join(f"coalesce({field.size}, 0)" for field in self.fields if field.size is not None) or "0"
        asked = rows.selectExpr(_WHICH, f"CAST({texts} AS BIGINT) AS texts").groupBy(_WHICH)
        totals = functions.count("*").alias("values"), functions.sum("texts").alias("texts")
        found = quietly(asked.agg(*totals).toArrow)
        known = {each[_WHICH]: _Values(each["values"], each["texts"]) for each in found.to_pylist()}
        return {field: known.get(number, _Values(0, 0)) for field, number in self._numbers().items()}

    def columns(self, rows: Any, sizes: Mapping[Field, _Values], watch: Watch) -> dict[str, Distinct]:
        parts: dict[str, list[Distinct]] = {field.name: [] for field in self.fields}
        names = [_WHICH, *(field.alias for field in self.fields)]
        for found in fetched(rows, names, sum(each.bytes for each in sizes.values()), watch):
            for name, values in self._values(found):
                parts[name].append(values)
        return {name: column_counted(each) for name, each in parts.items()}

    def _values(self, found: pa.Table) -> Iterator[tuple[str, Distinct]]:
        """What came of every column."""
        which = pl.Series(found.column(_WHICH))
        for field, number in self._numbers().items():
            mine = found.filter((which == number).to_arrow())
            times = mine.column(TIMES).to_numpy().astype(np.int64)
            (values,) = columns_of(raw_cells(mine, [field], self.table.called)).values()
            yield field.name, replace(values, entries=AlikeRows(times, np.arange(len(times))))
