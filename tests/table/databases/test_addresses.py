"""Addresses of tables: one grammar, and no password where anybody could see it."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.errors import InputError, TableError
from sfumato.table.databases import address_of
from sfumato.table.databases.address import TableName
from tests.support.databases import POLICY, require_drivers
from tests.support.postgres import PASSWORD, USER, Server

SHOWN = {
    "postgresql://ann@h/db?table=t": "postgresql://ann@h/db?table=t",
    "postgresql://ann:pw@h:5433/db?table=s.t": "postgresql://ann@h:5433/db?table=s.t",
    "postgresql://h1:1,h2:2/db?sslmode=require&table=t": "postgresql://h1:1,h2:2/db?table=t",
    "postgresql:///db?table=t&password=pw&host=%2Ftmp": "postgresql:///db?table=t",
    "postgresql://[::1]:5432/db?table=t": "postgresql://[::1]:5432/db?table=t",
    'postgresql://h/db?table="a.b".t': 'postgresql://h/db?table="a.b".t',
    "sqlite:a b.db?table=t.u": "sqlite:a b.db?table=t.u",
    "sqlite:/x/y.db?table=t": "sqlite:/x/y.db?table=t",
}


@pytest.mark.parametrize("given", SHOWN)
def test_what_is_shown_holds_no_password_and_no_setting(given: str) -> None:
    address = address_of(given)
    assert address is not None
    assert str(address) == SHOWN[given]
    assert "pw" not in repr(address) + str(address)
    again = address_of(str(address))
    assert again is not None and again.table == address.table


def test_settings_reach_the_driver_and_the_table_does_not() -> None:
    address = address_of("postgresql://ann:p%40w@h/db?sslmode=require&table=t&connect_timeout=3")
    assert address is not None
    assert address.given == "postgresql://ann:p%40w@h/db?sslmode=require&connect_timeout=3"
    assert {*address.secrets} == {"p%40w", "p@w"}


def test_names_are_as_the_database_spells_them() -> None:
    tables = {"S.T": TableName("S", "T"), "%22a%22%22.b%22": TableName(None, 'a".b'), "a%20b": TableName(None, "a b")}
    for text, table in tables.items():
        found = address_of(f"postgresql://h/db?table={text}")
        assert found is not None and found.table == table


WRONG = [
    "postgresql://ann:se@cret@h/db?table=t",
    "postgresql://ann:secret/@h/db?table=t",
    "postgresql://ann:12/secret@h/db?table=t",
    "postgresql://ann:secret#@h/db?table=t",
    "postgresql://ann:12?secret@h/db?table=t",
    "postgresql://ann:secret%zz@h/db?table=t",
    "postgresql://ann:secret%ff@h/db?table=t",
    "postgresql:/ann:secret@h/db?table=t",
    "postgresql://ann:secret@h/db",
    "postgresql://ann:secret@h/db?table=",
    "postgresql://ann:secret@h/db?table=a.b.c",
    "postgresql://ann:secret@h/db?table=t&table=u",
    "sqlite:///secret.db?table=t",
    "sqlite:secret.db",
    "sqlite:secret.db?table=t&mode=ro",
    "sqlite:?table=secret",
    "mysql://ann:secret@h/db?table=t",
]


@pytest.mark.parametrize("given", WRONG)
def test_a_wrong_address_is_refused_and_not_repeated(given: str) -> None:
    with pytest.raises(InputError) as raised:
        sf.read(given, POLICY)
    assert "secret" not in "".join(traceback.format_exception(raised.value))


def test_files_are_no_addresses() -> None:
    for name in ("a.csv", "-", "C:\\a.csv", "./sqlite:a.csv", Path("out"), object()):
        assert address_of(name) is None


def everything(error: BaseException) -> str:
    """All that a traceback could show of an error, and of those that led to it."""
    told, seen = "", error
    while seen is not None:
        told += "".join(traceback.format_exception(seen)) + repr(seen) + repr(vars(seen))
        seen = seen.__cause__ or seen.__context__  # type: ignore[assignment]
    return told


HOSTILE = ["password authentication failed", "FATAL", "s3cr3t", "%41 @:/?#&=[]", "'; DROP TABLE x; --", "ünï\u00a0code"]


@pytest.mark.parametrize("password", HOSTILE)
def test_a_driver_that_repeats_the_password_is_not_repeated(
    postgres: Server, here: Path, monkeypatch: pytest.MonkeyPatch, password: str
) -> None:
    with pytest.raises(TableError) as raised:
        sf.read(postgres.address("people", password), POLICY)
    told = everything(raised.value)
    assert password not in told.replace("password authentication failed for user", "")
    assert password not in str(raised.value)
    assert USER in str(raised.value)
    monkeypatch.setenv("PGPASSWORD", password)
    with pytest.raises(TableError) as again:
        sf.read(postgres.address("people", None), POLICY)
    assert password not in str(again.value)


def test_a_password_need_not_stand_in_the_address(
    postgres: Server, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """libpq looks where it always does."""
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    with pytest.raises(TableError, match="no table 'nothing'"):
        sf.read(postgres.address("nothing", None), POLICY)
    monkeypatch.delenv("PGPASSWORD")
    kept = here / "pgpass"
    escaped = PASSWORD.replace("\\", "\\\\").replace(":", "\\:")
    kept.write_text(f"127.0.0.1:{postgres.port}:*:{USER}:{escaped}\n", encoding="utf-8")
    kept.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(kept))
    with pytest.raises(TableError, match="no table 'nothing'"):
        sf.read(postgres.address("nothing", None), POLICY)


def test_without_drivers_it_is_said_how_to_get_them(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in ("adbc_driver_sqlite.dbapi", "adbc_driver_postgresql.dbapi"):
        monkeypatch.setitem(sys.modules, name, None)
    (here / "a.db").touch()
    for address in ("sqlite:a.db?table=t", "postgresql://127.0.0.1:1/db?table=t"):
        with pytest.raises(InputError, match=r'pip install "sfumato\[db\]"'):
            sf.read(address, POLICY)


def test_a_file_that_is_none_is_told(here: Path) -> None:
    require_drivers()
    (here / "text.db").write_text("name,age\n", encoding="utf-8")
    for name, words in {"text.db": "is no SQLite database", "absent.db": "no such file"}.items():
        with pytest.raises(TableError, match=words):
            sf.read(f"sqlite:{name}?table=t", POLICY)
    assert not (here / "absent.db").exists()
