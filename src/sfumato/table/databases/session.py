"""A connection to a database, in one transaction: all that is read is of one moment, all that is written appears at
once.

What a driver says may repeat a password or a cell. So its errors are asked for what is known to be neither, and are let
go before ours is raised: no traceback leads to them.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pyarrow as pa

from sfumato.errors import SfumatoError, TableError
from sfumato.table.databases import database_of
from sfumato.table.databases.address import Address, TableName
from sfumato.table.databases.contract import Database

__all__ = ["Session", "literal", "reading", "writing"]

T = TypeVar("T")

_WITHHELD = "it cannot be opened; what the driver says is not shown, since it repeats the password"


@dataclass(frozen=True, eq=False)
class Session:
    """A transaction that has begun. `table` is that of the address, with its schema."""

    address: Address
    kind: Database
    table: TableName
    connection: Any = field(repr=False)

    def run(self, sql: str) -> None:
        """One statement that answers nothing."""
        with self._cursor() as cursor:
            self.attempt(lambda: cursor.execute(sql))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """A few rows."""
        with self._cursor() as cursor:
            self.attempt(lambda: cursor.execute(sql))
            return self.attempt(cursor.fetchall)

    def fields(self, sql: str) -> pa.Schema:
        """The columns of what a statement would answer, as the driver has them."""
        with self._cursor() as cursor:
            self.attempt(lambda: cursor.execute(sql))
            return self.attempt(lambda: cursor.fetch_record_batch().schema)

    def stream(self, sql: str) -> Iterator[pa.RecordBatch]:
        """All rows, block by block; never all of them at once."""
        with self._cursor() as cursor:
            self.attempt(lambda: cursor.adbc_statement.set_options(**self.kind.streaming))
            self.attempt(lambda: cursor.execute(sql))
            reader = self.attempt(cursor.fetch_record_batch)
            while (batch := self.attempt(lambda: next(reader, None))) is not None:
                yield batch

    def insert(self, table: TableName, rows: pa.RecordBatchReader) -> None:
        """Rows into a table that is there."""
        self.kind.insert(self, table, rows)

    def commit(self) -> None:
        """Let everybody see what was written."""
        self.run("COMMIT")

    def attempt(self, call: Callable[[], T]) -> T:
        """What the driver answers; a `TableError` with words of ours where it fails."""
        return _attempted(self.address, self.kind, call, connecting=False)

    @contextlib.contextmanager
    def _cursor(self) -> Iterator[Any]:
        cursor = self.attempt(self.connection.cursor)
        try:
            yield cursor
        finally:
            with contextlib.suppress(Exception):  # a connection that is lost has none to close
                cursor.close()


def literal(text: str) -> str:
    """A text as a statement has it.

    >>> print(literal("it's"))
    'it''s'
    """
    return f"'{text.replace(chr(39), 2 * chr(39))}'"


@contextlib.contextmanager
def reading(address: Address) -> Iterator[Session]:
    """A transaction in which every statement sees the same moment, and nothing can be written."""
    with _connected(address, writing=False) as session:
        session.kind.reading(session)
        yield session


@contextlib.contextmanager
def writing(address: Address) -> Iterator[Session]:
    """A transaction for writing; what is not committed when it ends has never been."""
    with _connected(address, writing=True) as session:
        session.kind.writing(session, session.table)
        yield session


@contextlib.contextmanager
def _connected(address: Address, writing: bool) -> Iterator[Session]:
    kind = database_of(address)
    connection = _attempted(address, kind, lambda: kind.connected(address, writing), connecting=True)
    try:
        made = Session(address, kind, address.table, connection)
        schema = address.table.schema or kind.schema(made)
        yield Session(address, kind, TableName(schema, address.table.name), connection)
    finally:
        _let_go(connection)


def _let_go(connection: Any) -> None:
    """End a connection, and with it a transaction that was not committed: at once, if the server still hears of it."""
    with contextlib.suppress(Exception), connection.cursor() as cursor:
        cursor.execute("ROLLBACK")
    with contextlib.suppress(Exception):
        connection.close()


def _attempted(address: Address, kind: Database, call: Callable[[], T], connecting: bool) -> T:
    try:
        return call()
    except SfumatoError:
        raise
    except Exception as error:
        words = kind.told(error, connecting)
    if any(secret in words for secret in (*address.secrets, os.environ.get("PGPASSWORD", "")) if secret):
        words = _WITHHELD
    raise TableError(f"{address}: {words}")
