"""What a kind of database is to everybody else: a frozen `Database`, one for each kind.

Its reading and its writing keep one promise together: of the columns that `stored` gives, what is put into a table is
read back with the same cells, within the transaction and after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl
import pyarrow as pa

from sfumato.table.databases.address import Address, TableName

if TYPE_CHECKING:
    from sfumato.table.databases.session import Session

__all__ = ["Convert", "Database"]

Convert: TypeAlias = Callable[[pa.Array], pa.Array]
"""Makes what a driver answers what the column is; `ValueError` with the reason in words if it cannot be."""


@dataclass(frozen=True, eq=False)
class Database:
    """One kind of database.

    called        in words, as messages have it
    address       of what stands behind ``KIND:``; `InputError` that repeats nothing of it
    connected     a connection of the driver's, for reading or for writing; each statement commits by itself
    reading       begins a transaction in which nothing that others do is seen, and nothing is written
    writing       begins a transaction of which others see nothing until it is committed, and in which no other run
                  writes to the table; `InputError` if one does
    schema        the schema of a table that is named without one; None: there are no schemas
    kept_as       what there is under a name: ``table``, ``view``; None: nothing
    fields        the columns of a table, with types of Arrow
    selected      how these columns are asked for, and how each is converted that the driver answers otherwise
    told          what went wrong, in words that hold no cell; whether that was while the connection was made
    stored        a column in a type that the database keeps, and what statements call that type
    declared      the columns of a table, and what statements call the type of each
    hold          nobody else writes to these tables until the transaction ends; they can be read
    insert        rows into a table
    beside_cells  what is wrong with a table of a release apart from its cells
    manifest      where the internal manifest of a release goes
    begin_file    makes the file of a database that is one; what it answers undoes that, if it was made
    streaming     options of the driver's for statements whose rows are read block by block
    ahead         rows that a driver answers before those of the table
    lists         whether a cell can be a list of texts
    longest       bytes of a name at most
    folds         whether names that differ in upper and lower case are one
    """

    called: str
    address: Callable[[str], Address]
    connected: Callable[[Address, bool], Any]
    reading: Callable[[Session], None]
    writing: Callable[[Session, TableName], None]
    schema: Callable[[Session], str | None]
    kept_as: Callable[[Session, TableName], str | None]
    fields: Callable[[Session, TableName], pa.Schema]
    selected: Callable[[Session, TableName, Sequence[str]], tuple[str, dict[str, Convert]]]
    told: Callable[[Exception, bool], str]
    stored: Callable[[pl.Series], tuple[pl.Series, str]]
    declared: Callable[[Session, TableName], dict[str, str]]
    hold: Callable[[Session, Sequence[TableName]], None]
    insert: Callable[[Session, TableName, pa.RecordBatchReader], None]
    beside_cells: Callable[[Session, TableName], Iterator[str]]
    manifest: Callable[[Address], Path]
    begin_file: Callable[[Address], Callable[[bool], None]]
    streaming: Mapping[str, str] = field(default_factory=dict)
    ahead: int = 0
    lists: bool = False
    longest: int | None = None
    folds: bool = False
