"""SQLite: one file, ``sqlite:PATH?table=NAME``.

Its columns have no types, its cells have. What a column is follows from all of its cells, in the same transaction:
whole numbers, numbers, or texts; a column that mixes them is refused. It knows no dates: they are texts.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import polars as pl
import pyarrow as pa

from sfumato.errors import InputError, TableError
from sfumato.table.databases.address import Address, TableName, decoded, settings_in, table_in
from sfumato.table.databases.contract import Convert, Database
from sfumato.table.databases.driver import from_extra
from sfumato.table.databases.session import Session, literal
from sfumato.table.dictionaries import as_written
from sfumato.table.types import is_text

__all__ = ["SQLITE"]

_GRAMMAR = "an address must be sqlite:PATH?table=NAME; write ? # and % of a path as %3F %23 %25"
_ROWS = 1 << 16
_EXACT = 1 << 53
_BUSY = 5_000  # milliseconds that another program may take to write
_WORDS = {
    "unable to open": "no such file, or it cannot be opened",
    "not a database": "is no SQLite database",
    "readonly": "cannot be written to",
    "locked": "another program is writing to it; try again when it is done",
    "full": "there is no room to write to",
    "malformed": "the database is damaged",
    "I/O": "the disk does not answer as it should",
}


def _address(rest: str) -> Address:
    path, _, query = rest.partition("?")
    settings = settings_in(query, _GRAMMAR)
    if path.startswith("//") or not path or set(settings) - {"table"} or "#" in path:
        raise InputError(f"{_GRAMMAR}; a path is written as it is, without // before it")
    place = decoded(path, _GRAMMAR)
    table = table_in(settings, _GRAMMAR, schemas=False)
    named = Path(place)
    return Address("sqlite", f"sqlite:{path}", str(named.absolute()), table, place, database=named.stem)


def _connected(address: Address, writing: bool) -> Any:
    place = Path(address.given)
    if not place.is_file():
        raise TableError(f"{address}: no such file")
    with place.open("rb") as file:
        start = file.read(16)
    if start and start != b"SQLite format 3\0":
        raise TableError(f"{address}: is no SQLite database")
    mode = "rw" if os.access(place, os.W_OK) else "ro"  # whoever comes after a program that was killed undoes its work
    uri = f"file:{quote(str(place.absolute()))}?mode={mode}"
    with from_extra():
        import adbc_driver_sqlite.dbapi as driver
    connection = driver.connect(uri, autocommit=True)
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {_BUSY}")
            cursor.execute(f"PRAGMA query_only = {'OFF' if writing else 'ON'}")
    except BaseException:
        connection.close()
        raise
    return connection


def _reading(session: Session) -> None:
    session.run("BEGIN")


def _writing(session: Session, table: TableName) -> None:
    session.run("BEGIN IMMEDIATE")  # nobody else writes until the end


def _kept_as(session: Session, table: TableName) -> str | None:
    found = session.rows(
        "SELECT type FROM sqlite_schema WHERE type IN ('table', 'view')"
        f" AND name = {literal(table.name)} COLLATE NOCASE"
    )
    return str(found[0][0]) if found else None


def _declared(session: Session, table: TableName) -> dict[str, str]:
    """The columns of a table, and the type that each was declared with, if any."""
    found = session.rows(f"SELECT name, type FROM pragma_table_info({literal(table.name)})")
    return {str(name): str(kind or "") for name, kind in found}


def _fields(session: Session, table: TableName) -> pa.Schema:
    return pa.schema([pa.field(name, pa.string()) for name in _declared(session, table)])


def _selected(session: Session, table: TableName, wanted: Sequence[str]) -> tuple[str, dict[str, Convert]]:
    """The driver takes a column for what stands in its first rows. So a first row says what it is; it is cut off."""
    kinds = {name: _kind(session, table, name, declared) for name, declared in _of(session, table, wanted).items()}
    names = [TableName(None, name).sql for name in wanted]
    first = ", ".join(f"{kinds[name]} AS {sql}" for name, sql in zip(wanted, names, strict=True))
    plain = " NOT INDEXED" if _kept_as(session, table) == "table" else ""  # in the order in which they lie there
    return f"SELECT {first} UNION ALL SELECT {', '.join(names)} FROM {table.sql}{plain}", {}


def _of(session: Session, table: TableName, wanted: Sequence[str]) -> dict[str, str]:
    declared = _declared(session, table)
    return {name: declared[name] for name in wanted}


def _kind(session: Session, table: TableName, name: str, declared: str) -> str:
    """The value that says what a column is."""
    sql = TableName(None, name).sql
    found = session.rows(
        f"SELECT typeof({sql}), max(abs(CASE typeof({sql}) WHEN 'integer' THEN max({sql}, -9223372036854775807)"
        f" ELSE 0 END)) FROM {table.sql} GROUP BY typeof({sql})"
    )
    kinds = {str(kind): largest for kind, largest in found if kind != "null"}
    if not kinds:
        return "0" if "INT" in declared.upper() else "''"
    if set(kinds) == {"text"}:
        return "''"
    if set(kinds) == {"integer"}:
        return "0"
    if set(kinds) <= {"integer", "real"} and int(kinds.get("integer", 0)) <= _EXACT:
        return "0.0"
    raise TableError(
        f"{session.address}: column {name!r} mixes {', '.join(sorted(kinds))}: a column must be texts or numbers that"
        " floating point holds; make a view of it with CAST, or drop the column"
    )


def _told(error: Exception, connecting: bool) -> str:
    said = str(error)
    return next((words for sign, words in _WORDS.items() if sign in said), "the database refuses what was asked of it")


def _stored(column: pl.Series) -> tuple[pl.Series, str]:
    """Whole numbers, numbers and texts; all else is the text that a CSV file would show."""
    kind = column.dtype
    if kind.is_integer():
        return column.cast(pl.Int64), "INTEGER"
    if kind.is_float():
        return (column if kind == pl.Float64 else column.cast(pl.String).cast(pl.Float64)), "REAL"
    return (column if is_text(kind) else as_written(column)), "TEXT"


def _hold(session: Session, tables: Sequence[TableName]) -> None:
    """Whoever writes holds the whole database."""


def _insert(session: Session, table: TableName, rows: pa.RecordBatchReader) -> None:
    places = ", ".join("?" * len(rows.schema))
    with session.connection.cursor() as cursor:
        session.attempt(lambda: cursor.executemany(f"INSERT INTO {table.sql} VALUES ({places})", rows))


def _beside_cells(session: Session, table: TableName) -> Iterator[str]:
    """The statement that made a table is kept, with every remark in it."""
    made = session.rows(f"SELECT sql FROM sqlite_schema WHERE name = {literal(table.name)}")
    columns = ", ".join(f"{TableName(None, name).sql} {kind}" for name, kind in _declared(session, table).items())
    if made != [(f"CREATE TABLE {table.sql} ({columns})",)]:
        yield "was not made as sfumato makes a table; something may be hidden in its description"


def _manifest(address: Address) -> Path:
    return Path(address.given).with_name(address.manifest_name)


def _begin_file(address: Address) -> Callable[[bool], None]:
    """A new file can be read by its owner alone until something is in it."""
    place = Path(address.given)
    try:
        os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        if place.stat().st_size > 0:
            return lambda done: None
    except OSError as error:
        raise InputError(f"{address}: nothing can be written there ({error.strerror})") from None
    return partial(_end_file, place)


def _end_file(place: Path, done: bool) -> None:
    if done:
        mask = os.umask(0o077)
        os.umask(mask)
        place.chmod(0o666 & ~mask)
        return
    with contextlib.suppress(OSError):
        if place.stat().st_size == 0:
            place.unlink()


SQLITE = Database(
    called="SQLite",
    address=_address,
    connected=_connected,
    reading=_reading,
    writing=_writing,
    schema=lambda session: None,
    kept_as=_kept_as,
    fields=_fields,
    selected=_selected,
    told=_told,
    stored=_stored,
    declared=_declared,
    hold=_hold,
    insert=_insert,
    beside_cells=_beside_cells,
    manifest=_manifest,
    begin_file=_begin_file,
    streaming={"adbc.sqlite.query.batch_rows": str(_ROWS)},
    ahead=1,
    folds=True,
)
