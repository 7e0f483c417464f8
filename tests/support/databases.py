"""Databases that tests read from and publish to: one body of a test for every kind."""

from __future__ import annotations

import contextlib
import importlib.util
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.support.postgres import PASSWORD, Server

COLUMNS = "name text, age integer, zip text, disease text, visits double precision"
PEOPLE = [
    (f"person {i}", 20 + i % 30, f"{14850 + i % 4}", ("flu", "gout", 'it\'s "odd", ünï')[i % 3], i / 4)
    for i in range(48)
]
POLICY: dict[str, Any] = {
    "columns": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}},
        "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
        "disease": {"role": "sensitive"},
        "visits": {"role": "drop"},
    },
    "privacy": [{"model": "k-anonymity", "k": 4}, {"model": "distinct-l", "l": 2, "on": "disease"}],
    "partition": {"method": "mondrian"},
}


MOSTLY_SQLITE = pytest.mark.parametrize(
    "database", ["sqlite", pytest.param("postgresql", marks=pytest.mark.thorough)], indirect=True
)
"""For a test that a server takes long for, and that tells little more with it."""


class Place(Protocol):
    """A database of a test's own."""

    @property
    def kind(self) -> str: ...

    def address(self, table: str) -> str: ...

    def run(self, *statements: str) -> None: ...

    def rows(self, sql: str) -> list[tuple[Any, ...]]: ...


def require_drivers() -> None:
    for name in ("adbc_driver_sqlite", "adbc_driver_postgresql"):
        if importlib.util.find_spec(name) is None:
            pytest.skip('no drivers of databases, so nothing is tested with them (pip install "sfumato[db]")')


@dataclass(frozen=True)
class SqlitePlace:
    file: Path
    kind: str = "sqlite"

    def address(self, table: str) -> str:
        return f"sqlite:{self.file}?table={table}"

    def run(self, *statements: str) -> None:
        with contextlib.closing(sqlite3.connect(self.file)) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with contextlib.closing(sqlite3.connect(self.file)) as connection:
            return connection.execute(sql).fetchall()


@dataclass(frozen=True)
class PostgresPlace:
    """A schema of a server's, which the address names."""

    server: Server
    schema: str
    kind: str = "postgresql"

    def address(self, table: str) -> str:
        return self.server.address(f"{self.schema}.{table}")

    def run(self, *statements: str) -> None:
        with self._cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with self._cursor() as cursor:
            cursor.execute(sql)
            found: list[tuple[Any, ...]] = cursor.fetchall()
            return found

    @contextlib.contextmanager
    def _cursor(self) -> Iterator[Any]:
        import adbc_driver_postgresql.dbapi as driver

        plain = self.server.address("x", PASSWORD).partition("?")[0]
        with driver.connect(plain, autocommit=True) as connection, connection.cursor() as cursor:
            cursor.execute(f"SET search_path = {self.schema}")
            yield cursor


def fill(place: Place, table: str = "people", columns: str = COLUMNS, rows: list[tuple[Any, ...]] = PEOPLE) -> str:
    """A table with rows; its address."""
    place.run(f"CREATE TABLE {table} ({columns})")
    cells = ", ".join(f"({', '.join(_literal(cell) for cell in row)})" for row in rows)
    place.run(f"INSERT INTO {table} VALUES {cells}")
    return place.address(table)


def _literal(cell: Any) -> str:
    if cell is None:
        return "NULL"
    return f"'{cell.replace(chr(39), 2 * chr(39))}'" if isinstance(cell, str) else repr(cell)
