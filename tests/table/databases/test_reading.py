"""Tables of databases, read: streamed, of one moment, with their own types; what does not fit is told by name."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

import sfumato as sf
from sfumato.errors import TableError
from sfumato.policy.document import Input
from sfumato.table.arrow import Raw, columns_of
from sfumato.table.databases import address_of, source
from sfumato.table.databases.session import reading
from sfumato.table.databases.source import DatabaseTable
from sfumato.table.formats.source import opened
from tests.support.databases import (
    MOSTLY_SQLITE,
    PEOPLE,
    POLICY,
    Place,
    PostgresPlace,
    SqlitePlace,
    fill,
    require_drivers,
)
from tests.support.postgres import Server


def table_of(address: str) -> DatabaseTable:
    found = opened(address, Input(), None)
    assert isinstance(found, DatabaseTable)
    return found


def frame_of(raw: Raw) -> pl.DataFrame:
    return pl.DataFrame([found.spread().alias(name) for name, found in columns_of(raw).items()])


def test_columns_have_their_own_types_and_cells(database: Place) -> None:
    found = table_of(fill(database))
    assert list(found.names) == ["name", "age", "zip", "disease", "visits"]
    frame = found.frame()
    assert sorted(frame.rows()) == sorted(PEOPLE)
    assert [dtype.is_numeric() for dtype in frame.dtypes] == [False, True, False, False, True]
    raw, origin = next(found.parts(["disease", "age"]))
    assert list(raw) == ["disease", "age"]
    assert (origin.kind, origin.title.split(".")[-1]) == (database.kind, "people")
    assert sorted(frame_of(raw).rows()) == sorted((row[3], row[1]) for row in PEOPLE)


@MOSTLY_SQLITE
@pytest.mark.parametrize("rows", [1, 7, 48, 1000])
def test_rows_come_in_parts(database: Place, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "PART", rows)
    parts = [frame_of(raw) for raw, _ in table_of(fill(database)).parts(["zip", "age"])]
    assert all(part.height >= rows for part in parts[:-1])
    assert sorted(pl.concat(parts).rows()) == sorted((row[2], row[1]) for row in PEOPLE)


@MOSTLY_SQLITE
def test_missing_texts_empty_texts_and_an_empty_table(database: Place) -> None:
    address = fill(database, "gaps", "a text, b integer", [(None, None)] * 3 + [("", 1), ("x", None)])
    assert table_of(address).frame().rows() == [(None, None)] * 3 + [("", 1), ("x", None)]
    database.run("DELETE FROM gaps")
    assert table_of(address).frame().rows() == []
    assert [len(raw["a"]) for raw, _ in table_of(address).parts(["a"])] == [0]


def test_all_that_is_read_is_of_one_moment(database: Place) -> None:
    """Whoever changes the table between two statements of a reading is not seen by it."""
    address = address_of(fill(database))
    assert address is not None
    if database.kind == "sqlite":
        database.run("PRAGMA journal_mode = WAL")  # else a writer waits for the reader
    with reading(address) as session:
        before = session.rows(f"SELECT count(*) FROM {session.table.sql}")
        database.run("DELETE FROM people WHERE age > 30")
        assert session.rows(f"SELECT count(*) FROM {session.table.sql}") == before
        with pytest.raises(TableError):
            session.run(f"DELETE FROM {session.table.sql}")


def test_a_view_is_read_like_a_table(database: Place) -> None:
    fill(database)
    database.run("CREATE VIEW adults AS SELECT name, age, zip, disease, visits FROM people WHERE age > 40")
    assert sf.read(database.address("adults"), POLICY).rows == sum(row[1] > 40 for row in PEOPLE)


@MOSTLY_SQLITE
def test_a_table_that_is_not_there_and_columns_that_differ_are_told(database: Place) -> None:
    with pytest.raises(TableError, match=r"table=.*nothing: no table 'nothing'"):
        database.run("CREATE TABLE something (a text)")
        sf.read(database.address("nothing"), POLICY)
    address = fill(database, columns="nom text, age integer, zip text, disease text, visits double precision")
    with pytest.raises(TableError, match="column 'nom' of the data is not in the policy"):
        sf.read(address, POLICY)


def test_sqlite_columns_are_what_their_cells_are(here: Path) -> None:
    require_drivers()
    database = SqlitePlace(here / "clinic.db")
    late = [(None, i, None) for i in range(3000)] + [("text at last", 1.5, 7)]
    frame = table_of(fill(database, "late", "a, b, c", late)).frame()
    assert frame.dtypes == [pl.String, pl.Float64, pl.Int64]
    assert frame.row(-1) == ("text at last", 1.5, 7)
    for odd in ([(1,), ("one",)], [(2**60,), (0.5,)]):
        with pytest.raises(TableError, match="column 'a' mixes"):
            table_of(fill(database, "odd", "a", odd)).frame()
        database.run("DROP TABLE odd")
    database.run("CREATE TABLE bytes (a)", "INSERT INTO bytes VALUES (x'ff')")
    with pytest.raises(TableError, match="column 'a' mixes blob"):
        table_of(database.address("bytes")).frame()
    database.run("CREATE TABLE broken (a)", "INSERT INTO broken VALUES (CAST(x'ff' AS TEXT))")
    with pytest.raises(TableError, match="column 'a': holds bytes that are no UTF-8 text"):
        table_of(database.address("broken")).frame()


@pytest.fixture
def typed(postgres: Server, here: Path) -> PostgresPlace:
    place = PostgresPlace(postgres, "types")
    place.run(
        "DROP SCHEMA IF EXISTS types CASCADE",
        "CREATE SCHEMA types",
        "CREATE TYPE mood AS ENUM ('well', 'ill')",
        "CREATE DOMAIN years AS integer",
        "CREATE TABLE many (i smallint, y years, n numeric(10,2), f numeric, d date, t timestamp, z timestamptz,"
        " b boolean, u uuid, m mood, l text[], c char(4), r real)",
        "INSERT INTO many VALUES (1, 40, 1.5, 12345678901234567890.000000001, '2020-02-29',"
        " '2020-01-02 03:04:05.000006', '2020-01-02 03:04:05+01',"
        " true, '7f8ec089-cfc2-473e-9df8-36506f0a3495', 'ill', '{a,b}', 'ab', 0.1)",
        "INSERT INTO many DEFAULT VALUES",
    )
    return place


def test_types_of_postgresql(typed: PostgresPlace) -> None:
    frame = table_of(typed.address("many")).frame()
    assert frame.row(0) == (
        *(1, 40, Decimal("1.50"), Decimal("12345678901234567890.000000001"), dt.date(2020, 2, 29)),
        dt.datetime(2020, 1, 2, 3, 4, 5, 6),
        dt.datetime(2020, 1, 2, 2, 4, 5, tzinfo=dt.UTC),
        *(True, "7f8ec089-cfc2-473e-9df8-36506f0a3495", "ill", ["a", "b"], "ab  "),
        pl.Series([0.1], dtype=pl.Float32)[0],
    )
    assert frame.row(1) == (None,) * frame.width


def test_what_has_no_single_value_is_refused_by_name_where_it_is_needed(typed: PostgresPlace) -> None:
    typed.run("ALTER TABLE many ADD COLUMN j jsonb", "ALTER TABLE many ADD COLUMN x bytea")
    found = table_of(typed.address("many"))
    assert len(next(found.parts(["i"]))[0]["i"]) == 2, "nobody asked for the others"
    for name in ("j", "x"):
        with pytest.raises(TableError, match=f"cannot use column '{name}'"):
            next(found.parts([name]))
    typed.run("UPDATE many SET f = 'NaN' WHERE i IS NULL")
    with pytest.raises(TableError, match="column 'f': numbers of more than 38 digits, or that are none"):
        next(found.parts(["f"]))


def test_rows_that_a_policy_of_the_database_hides_are_an_error(typed: PostgresPlace) -> None:
    typed.run("ALTER TABLE many ENABLE ROW LEVEL SECURITY", "ALTER TABLE many FORCE ROW LEVEL SECURITY")
    typed.run("DO $$ BEGIN CREATE ROLE clerk LOGIN PASSWORD 'clerk'; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
    typed.run("GRANT USAGE ON SCHEMA types TO clerk", "GRANT SELECT ON many TO clerk")
    clerk = f"postgresql://clerk:clerk@127.0.0.1:{typed.server.port}/postgres?table=types.many"
    with pytest.raises(TableError, match="this user may not do that"):
        table_of(clerk).frame()


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([1, None, 3], dtype=pl.UInt16),
        pl.Series([0.1, None, 1e300]),
        pl.Series([0.1, None, 3.0], dtype=pl.Float32),
        pl.Series([True, None, False]),
        pl.Series(["", None, "x\ny,\"z'"]),
        pl.Series([dt.date(1, 1, 1), None, dt.date(9999, 12, 31)]),
        pl.Series([dt.datetime(2020, 1, 2, 3, 4, 5, 6), None, None], dtype=pl.Datetime("us")),
        pl.Series([dt.datetime(2020, 1, 2, 3, 4, 5), None, None], dtype=pl.Datetime("ms", "Europe/Berlin")),
        pl.Series([1, None, 3], dtype=pl.Int64).cast(pl.Datetime("ns")),
        pl.Series([Decimal("1.50"), None, Decimal("-0.01")], dtype=pl.Decimal(20, 2)),
        pl.Series([None, None, None], dtype=pl.Null),
    ],
    ids=lambda column: str(column.dtype),
)
def test_what_is_stored_is_read_back_cell_for_cell(database: Place, column: pl.Series) -> None:
    from sfumato.release.in_database import InDatabase
    from sfumato.table.databases.cells import cells_sha256
    from sfumato.table.databases.session import writing
    from sfumato.table.databases.sink import Columns, put

    database.run("CREATE TABLE other (a text)")
    address = address_of(database.address("stored"))
    assert address is not None
    with writing(address) as session:
        columns = Columns.of(pl.DataFrame({"a b": column}), session.kind)
        put(session, session.table, columns, same=False)
        found = InDatabase(session).frame(session.table, ())
        assert cells_sha256(found) == cells_sha256(columns.frame)
        assert found.height == len(column)
        assert found["a b"].null_count() == column.null_count()
