"""Rows of a Spark frame as it hands them over, here or to a worker, and as the columns of a table."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import polars as pl
import pyarrow as pa

from sfumato.table.arrow import Raw
from sfumato.table.frames import raw_of
from sfumato.table.spark.fields import Field
from sfumato.table.spark.telling import told
from sfumato.table.spark.watching import Watch

__all__ = ["TIMES", "chosen", "fetched", "held", "quietly", "raw_cells"]

T = TypeVar("T")

TIMES = "times"
"""What the column is called that says how many rows there are of something."""
_AT_ONCE = 1 << 27
"""Bytes that are handed over at a time, about."""
_FEWER_PARTS = "spark.sql.optimizer.canChangeCachedPlanOutputPartitioning"


def chosen(frame: Any, every: Sequence[Field], fields: Sequence[Field], signs: bool) -> Any:
    """Some columns of a frame that has all of these, under names that Spark takes for no others; beside numbers that
    would lose their sign where rows are grouped, this, if it is asked for."""
    beside = [field.sign for field in fields if signs and field.sign is not None]
    return frame.toDF(*(field.alias for field in every)).selectExpr(*(field.chosen for field in fields), *beside)


def raw_cells(found: pa.Table, fields: Sequence[Field], name: str) -> Raw:
    """What came of some columns, with the signs that came beside; `name` is what messages call the table."""
    raw: Raw = {}
    for field in fields:
        cells = raw_of(pa.table({field.name: found.column(field.alias)}), name)[field.name]
        signed = field.signed in found.column_names
        raw[field.name] = _signed(cells, pl.Series(found.column(field.signed))) if signed else cells
    return raw


@contextlib.contextmanager
def held(rows: Any, watch: Watch) -> Iterator[Any]:
    """Counted rows that are asked for twice, and counted once.

    Spark is allowed to put few of them together in fewer parts, which it otherwise does not for what it holds.
    """
    settings = watch.session.conf
    before = settings.get(_FEWER_PARTS, "false")
    try:
        settings.set(_FEWER_PARTS, "true")
        kept = rows.persist()
        settings.set(_FEWER_PARTS, before)
    except Exception as error:
        raise told(error, watch.name) from None
    try:
        yield kept
    finally:
        with contextlib.suppress(Exception):  # a session that is lost holds nothing
            kept.unpersist()


def fetched(rows: Any, columns: Sequence[str], handed: int, watch: Watch) -> Iterator[pa.Table]:
    """Counted rows, of about so many bytes, some at a time: what Spark's driver cannot hold as a whole it hands over in
    parts, by what stands in some columns."""
    parts = -(-handed // _AT_ONCE) or 1
    number = f"pmod(xxhash64({', '.join(columns)}), {parts})"
    for part in range(parts):
        some = rows if parts == 1 else rows.where(f"{number} = {part}")
        yield watch(lambda some=some: quietly(some.toArrow))  # type: ignore[misc]


def quietly(call: Callable[[], T]) -> T:
    """Without what Spark says of pandas, which is not used."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call()


def _signed(cells: Any, negative: pl.Series) -> pl.Series:
    """Numbers with the signs that zeros had."""
    zero = pl.lit(-0.0, dtype=cells.dtype)
    return pl.select(pl.when((cells == 0) & negative).then(zero).otherwise(cells).alias(cells.name)).to_series()
