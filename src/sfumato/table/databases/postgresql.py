"""PostgreSQL: ``postgresql://USER@HOST:PORT/DATABASE?table=SCHEMA.NAME``, as libpq reads it.

What is not in the address (password, host, user) libpq takes from where it always does: ``PGPASSWORD``, ``~/.pgpass``,
a service file. Numbers of type `numeric` are decimals; types for which Arrow has no word are read as their text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa

from sfumato.errors import InputError
from sfumato.table.databases.address import Address, TableName, decoded, settings_in, table_in
from sfumato.table.databases.contract import Convert, Database
from sfumato.table.databases.driver import from_extra
from sfumato.table.databases.session import Session, literal
from sfumato.table.dictionaries import as_written
from sfumato.table.types import is_text

__all__ = ["POSTGRESQL"]

_GRAMMAR = (
    "an address must be postgresql://USER@HOST:PORT/DATABASE?table=SCHEMA.NAME; write @ / : # ? & = and % of a name or"
    " password as %40 %2F %3A %23 %3F %26 %3D %25, and give it as a text, not as a path"
)
_HOST = r"(?:\[[0-9A-Fa-f:.]+\]|[^:@/?#\[\],]*)(?::[0-9]*)?"
_PLACE = re.compile(
    rf"//(?:(?P<user>[^:@/?#]*)(?::(?P<password>[^@/?#]*))?@)?(?P<hosts>{_HOST}(?:,{_HOST})*)(?:/(?P<database>[^/?#@]*))?"
)
_SECRET = ("password", "sslpassword", "oauth_client_secret")
_DIGITS = 38
_MOMENT, _ZONED = "timestamp without time zone", "timestamp with time zone"
_SETTINGS = {
    "client_encoding": "UTF8",
    "standard_conforming_strings": "on",
    "idle_in_transaction_session_timeout": "0",  # an audit may take its time
    "row_security": "off",  # an error instead of rows that are silently not there
    "lock_timeout": "5s",
    # rows in the order in which they lie there
    "synchronize_seqscans": "off",
    "max_parallel_workers_per_gather": "0",
    "enable_indexscan": "off",
    "enable_indexonlyscan": "off",
    "enable_bitmapscan": "off",
}
_WORDS = {
    "08": "the connection was lost",
    "22": "it does not take a value of a column, such as a text with a NUL character",
    "25": "it allows no writing",
    "28": "it does not let this user in",
    "40": "another program changed the same at the same time; try again",
    "42501": "this user may not do that; ask for the privileges (SELECT to read, CREATE in the schema to publish)",
    "42P01": "no such table",
    "42P07": "another run was faster; try again",
    "53": "it has no room or memory left",
    "55P03": "another run or program is at work on it; try again when it is done",
    "57": "the server ended the connection or the statement",
}


def _address(rest: str) -> Address:
    path, _, query = rest.partition("?")
    found = _PLACE.fullmatch(path)
    settings = settings_in(query, _GRAMMAR)
    if found is None:
        raise InputError(_GRAMMAR)
    for text in (*found.groupdict("").values(), *settings.values()):
        decoded(text, _GRAMMAR)
    table = table_in(settings, _GRAMMAR, schemas=True)
    others = {name: value for name, value in settings.items() if name != "table"}
    hidden = [found["password"] or "", *(others.get(name, "") for name in _SECRET)]
    user = f"{found['user']}@" if found["user"] else ""
    place = f"{found['hosts']}/{found['database'] or ''}"
    return Address(
        "postgresql",
        f"postgresql://{user}{place}",
        "&".join([place, *(f"{name}={value}" for name, value in sorted(others.items()) if name not in _SECRET)]),
        table,
        "?".join(["postgresql:" + path, "&".join(f"{name}={value}" for name, value in others.items())]).removesuffix(
            "?"
        ),
        tuple(dict.fromkeys(text for each in hidden if each for text in (each, decoded(each, _GRAMMAR)))),
        decoded(found["database"] or "", _GRAMMAR),
        schemas=True,
    )


def _connected(address: Address, writing: bool) -> Any:
    with from_extra():
        import adbc_driver_postgresql.dbapi as driver
    return driver.connect(address.given, autocommit=True)


def _begin(session: Session, how: str) -> None:
    session.run(f"BEGIN ISOLATION LEVEL {how}")
    settings = (f"set_config({literal(name)}, {literal(value)}, true)" for name, value in _SETTINGS.items())
    session.rows(f"SELECT {', '.join(settings)}")


def _reading(session: Session) -> None:
    _begin(session, "REPEATABLE READ READ ONLY")


def _writing(session: Session, table: TableName) -> None:
    _begin(session, "READ COMMITTED READ WRITE")
    session.rows(f"SELECT pg_advisory_xact_lock(hashtextextended({literal(f'sfumato {table.sql}')}, 0))")
    if session.rows(f"SELECT has_schema_privilege({literal(table.schema or '')}, 'CREATE')") != [(True,)]:
        raise InputError(
            f"{session.address}: this user may not make tables in schema {table.schema!r}; have CREATE granted"
        )


def _schema(session: Session) -> str | None:
    found = session.rows("SELECT current_schema()")[0][0]
    if found is None:
        raise InputError(f"{session.address}: its user has no schema; write ?table=SCHEMA.NAME")
    return str(found)


def _kept_as(session: Session, table: TableName) -> str | None:
    found = session.rows(
        "SELECT c.relkind::text FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
        f" WHERE n.nspname = {literal(table.schema or '')} AND c.relname = {literal(table.name)}"
    )
    kinds = {"r": "table", "p": "partitioned table", "v": "view", "m": "materialized view", "f": "foreign table"}
    return kinds.get(found[0][0], "thing of another kind") if found else None


def _fields(session: Session, table: TableName) -> pa.Schema:
    """As Arrow has them; decimals by their digits, types that it has no word for as texts."""
    answered = session.fields(f"SELECT * FROM {table.sql} LIMIT 0")
    return pa.schema([pa.field(each.name, _shown(each), metadata=each.metadata) for each in answered])


def _shown(field: pa.Field) -> pa.DataType:
    return pa.string() if _by_text(field) else pa.decimal128(_DIGITS, 0) if _is_numeric(field) else field.type


def _is_numeric(field: pa.Field) -> bool:
    return bool((field.metadata or {}).get(b"POSTGRESQL:type") == b"numeric")


def _by_text(field: pa.Field) -> bool:
    """Whether cells have to be asked for as texts: an enum, a uuid, a network address; JSON is no single value."""
    kind = field.type
    return isinstance(kind, pa.BaseExtensionType) and not _is_numeric(field) and kind.extension_name != "arrow.json"


def _selected(session: Session, table: TableName, wanted: Sequence[str]) -> tuple[str, dict[str, Convert]]:
    fields = session.fields(f"SELECT * FROM {table.sql} LIMIT 0")
    asked, convert = [], dict[str, Convert]()
    for name in wanted:
        field, sql = fields.field(name), TableName(None, name).sql
        asked.append(f"CAST({sql} AS text) AS {sql}" if _by_text(field) else sql)
        if _is_numeric(field):
            convert[name] = partial(_decimal, scale=_scale(session, table, field))
    return f"SELECT {', '.join(asked)} FROM {table.sql}", convert


def _scale(session: Session, table: TableName, field: pa.Field) -> int:
    """Digits behind the point: as declared, else as many as some cell has."""
    declared = int(field.metadata.get(b"POSTGRESQL:typmod", b"-1"))
    if declared >= 0:
        return min(max((((declared - 4) & 0x7FF) ^ 1024) - 1024, 0), _DIGITS)
    found = session.rows(f"SELECT max(scale({TableName(None, field.name).sql})) FROM {table.sql}")[0][0]
    return min(int(found or 0), _DIGITS)


def _decimal(column: pa.Array, scale: int) -> pa.Array:
    texts = column.storage if isinstance(column, pa.ExtensionArray) else column
    try:
        return texts.cast(pa.decimal128(_DIGITS, scale))
    except pa.ArrowException:
        raise ValueError(
            f"numbers of more than {_DIGITS} digits, or that are none, such as NaN; cast it in a view"
        ) from None


def _told(error: Exception, connecting: bool) -> str:
    state = str(getattr(error, "sqlstate", None) or "")
    if connecting:
        said = str(error).partition("Failed to connect: ")[2] or "it cannot be reached"
        return f"it cannot be opened: {' '.join(said.split())}"
    if not state:
        lost = "closed the connection" in str(error) or "no connection" in str(error) or "SSL" in str(error)
        return "the connection was lost" if lost else "the driver failed"
    words = next((words for sign, words in _WORDS.items() if state.startswith(sign)), "it refuses what was asked of it")
    return f"{words} (SQLSTATE {state})"


def _stored(column: pl.Series) -> tuple[pl.Series, str]:
    """Types that come back as they went; all else is the text that a CSV file would show."""
    kind = column.dtype
    if is_text(kind):
        return column, "text"
    if kind.is_integer():
        return column.cast(pl.Int64), "bigint"
    if isinstance(kind, pl.Decimal):
        return column, f"numeric({kind.precision or _DIGITS},{kind.scale})"
    if isinstance(kind, pl.Datetime) and (kind.time_unit != "ns" or bool((column.dt.nanosecond() % 1000 == 0).all())):
        fine = column.dt.cast_time_unit("us")
        return (fine, _MOMENT) if kind.time_zone is None else (fine.dt.convert_time_zone("UTC"), _ZONED)
    names: dict[Any, str] = {pl.Float64: "double precision", pl.Float32: "real", pl.Boolean: "boolean", pl.Date: "date"}
    if kind in names:
        return column, names[kind]
    if isinstance(kind, pl.List):
        return column.cast(pl.List(pl.String)), "text[]"
    return as_written(column), "text"


def _declared(session: Session, table: TableName) -> dict[str, str]:
    found = session.rows(
        "SELECT attname::text, format_type(atttypid, atttypmod) FROM pg_catalog.pg_attribute"
        f" WHERE attrelid = {literal(table.sql)}::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum"
    )
    return {str(name): str(kind) for name, kind in found}


def _hold(session: Session, tables: Sequence[TableName]) -> None:
    session.run(f"LOCK TABLE {', '.join(table.sql for table in tables)} IN SHARE ROW EXCLUSIVE MODE")


def _insert(session: Session, table: TableName, rows: pa.RecordBatchReader) -> None:
    with session.connection.cursor() as cursor:
        session.attempt(lambda: cursor.adbc_ingest(table.name, rows, mode="append", db_schema_name=table.schema))


def _beside_cells(session: Session, table: TableName) -> Iterator[str]:
    """Remarks, and what computes cells when they are read or written."""
    it = f"{literal(table.sql)}::regclass"
    remarks, rules = session.rows(
        "SELECT (SELECT count(*) FROM pg_catalog.pg_description"
        f" WHERE classoid = 'pg_class'::regclass AND objoid = {it}),"
        f" (SELECT count(*) FROM pg_catalog.pg_rewrite WHERE ev_class = {it})"
        f" + (SELECT count(*) FROM pg_catalog.pg_inherits WHERE inhparent = {it})"
    )[0]
    if remarks:
        yield f"has {remarks} remarks (COMMENT) that are not part of the table"
    if rules:
        yield "has rules or parts of its own, which sfumato does not make"


def _manifest(address: Address) -> Path:
    return Path(address.manifest_name)


def _no_file(address: Address) -> Callable[[bool], None]:
    return lambda done: None


POSTGRESQL = Database(
    called="PostgreSQL",
    address=_address,
    connected=_connected,
    reading=_reading,
    writing=_writing,
    schema=_schema,
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
    begin_file=_no_file,
    lists=True,
    longest=63,
)
