"""Write tables into a transaction: made, filled block by block, or emptied and filled anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl
import pyarrow as pa

from sfumato.errors import InputError
from sfumato.table.databases.address import TableName
from sfumato.table.databases.contract import Database
from sfumato.table.databases.session import Session
from sfumato.table.dictionaries import as_texts

__all__ = ["Columns", "put"]

_ROWS_AT_ONCE = 1 << 16


@dataclass(frozen=True, eq=False)
class Columns:
    """A frame as a database keeps it, and the type of each column there."""

    frame: pl.DataFrame
    types: Mapping[str, str]

    @classmethod
    def of(cls, frame: pl.DataFrame, kind: Database) -> Columns:
        """`InputError` if it does not take the names."""
        _require_names(frame.columns, kind)
        made = {column.name: kind.stored(column) for column in frame.get_columns()}
        return cls(pl.DataFrame([column for column, _ in made.values()]), {name: of for name, (_, of) in made.items()})

    @property
    def declared(self) -> str:
        """The columns as a statement has them."""
        return ", ".join(f"{TableName(None, name).sql} {kind}" for name, kind in self.types.items())

    def stream(self) -> pa.RecordBatchReader:
        """Its rows block by block, a text in every cell of a dictionary."""
        first = _arrow(self.frame[:0])
        return pa.RecordBatchReader.from_batches(first.schema, self._batches())

    def _batches(self) -> Iterator[pa.RecordBatch]:
        for part in self.frame.iter_slices(_ROWS_AT_ONCE):
            yield from _arrow(part).combine_chunks().to_batches()


def put(session: Session, table: TableName, columns: Columns, same: bool) -> None:
    """Write a table; `same`: one with the same columns stands there, and is emptied first, so that who may read it and
    what rests on it stay as they are."""
    session.run(f"DELETE FROM {table.sql}" if same else f"CREATE TABLE {table.sql} ({columns.declared})")
    session.insert(table, columns.stream())


def _arrow(frame: pl.DataFrame) -> pa.Table:
    return as_texts(frame).to_arrow(compat_level=pl.CompatLevel.oldest())


def _require_names(names: list[str], kind: Database) -> None:
    longer = [name for name in names if kind.longest is not None and len(name.encode()) > kind.longest]
    if longer:
        raise InputError(
            f"{kind.called} takes names of {kind.longest} bytes at most: rename {', '.join(map(repr, longer))}"
        )
    alike = [name for name, count in Counter(map(_folded if kind.folds else str, names)).items() if count > 1]
    if alike:
        raise InputError(f"{kind.called} takes {', '.join(map(repr, alike))} for one name in any case; rename columns")


def _folded(name: str) -> str:
    """As SQL compares names: letters of ASCII alone have no case."""
    return "".join(each.lower() if each.isascii() else each for each in name)
