"""Releases in databases: table to table, whole or not at all, judged as a recipient finds them."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.errors import AuditFailed, InputError
from sfumato.table.databases.sink import Columns, put
from tests.support.databases import MOSTLY_SQLITE, PEOPLE, POLICY, Place, fill

PERMUTED: dict[str, Any] = {**POLICY, "privacy": [{"model": "distinct-l", "l": 2}], "form": {"publish": "permuted"}}
ANATOMIZED: dict[str, Any] = {**PERMUTED, "form": {"publish": "anatomized"}}


@pytest.fixture
def made(database: Place) -> sf.Release:
    return sf.publish(fill(database), policy=POLICY)


def test_from_table_to_table(database: Place, made: sf.Release, here: Path) -> None:
    written = made.write(database.address("shown"))
    assert written.audit.holds and not written.files
    assert [table.table.name for table in written.tables] == ["shown", "shown_release"]
    published = database.rows("SELECT age, zip, disease FROM shown")
    assert sorted(published, key=str) == sorted(made.table.rows(), key=str)
    assert len(published) == len(PEOPLE)
    (text,) = database.rows("SELECT document FROM shown_release")[0]
    entry = json.loads(text)["tables"][0]
    assert (entry["kind"], entry["file"], entry["rows"]) == (database.kind, "shown", 48)
    assert stat.S_IMODE(written.manifest.stat().st_mode) == 0o600 or os.name != "posix"
    audit = sf.audit(database.address("shown"), POLICY, written.manifest)
    assert audit.holds and not audit.problems
    assert sf.audit(written.tables[0], POLICY, original=database.address("people")).holds
    assert [path.name for path in here.iterdir() if path.name.startswith(".")] == []


@MOSTLY_SQLITE
def test_files_and_databases_tell_the_same(database: Place, made: sf.Release, here: Path) -> None:
    made.write(here / "out.csv")
    made.write(database.address("shown"))
    files, table = sf.audit(here / "out.csv", POLICY), sf.audit(database.address("shown"), POLICY)
    assert files.to_dict() == table.to_dict()


def test_a_form_with_several_tables_is_one_transaction(database: Place) -> None:
    release = sf.publish(fill(database), policy=ANATOMIZED)
    written = release.write(database.address("shown"))
    assert [table.table.name for table in written.tables] == ["shown_quasi", "shown_sensitive", "shown_release"]
    assert sf.audit(database.address("shown"), ANATOMIZED, written.manifest).holds
    other = sf.publish(database.address("people"), policy=POLICY)
    assert other.write(database.address("shown"), force=True).audit.holds
    for gone in ("shown_quasi", "shown_sensitive"):
        with pytest.raises(sf.TableError, match="no table"):
            sf.audit(database.address(gone), POLICY)


def test_what_exists_is_replaced_by_force_alone_and_only_if_sfumato_wrote_it(database: Place, made: sf.Release) -> None:
    made.write(database.address("shown"))
    before = database.rows("SELECT * FROM shown")
    with pytest.raises(InputError, match="--force"):
        made.write(database.address("shown"))
    assert made.write(database.address("shown"), force=True).audit.holds
    database.run("UPDATE shown SET disease = 'gout'")
    for target in ("shown", "people"):
        with pytest.raises(InputError, match=r"not as sfumato wrote it|is what the release is made from"):
            made.write(database.address(target), force=True)
    assert len(database.rows("SELECT * FROM shown")) == len(before)
    assert len(database.rows("SELECT * FROM people")) == len(PEOPLE)


def test_who_may_read_a_release_may_read_the_next_one(database: Place, made: sf.Release) -> None:
    """A view stands for what rests on a table: it is emptied and filled, not dropped."""
    made.write(database.address("shown"))
    database.run("CREATE VIEW beside AS SELECT disease FROM shown")
    made.write(database.address("shown"), force=True)
    assert len(database.rows("SELECT * FROM beside")) == len(PEOPLE)


def less(columns: Columns) -> Columns:
    return Columns(columns.frame[1:], columns.types)


def otherwise(columns: Columns) -> Columns:
    return Columns(columns.frame.with_columns(disease=columns.frame["disease"].reverse()), columns.types)


@MOSTLY_SQLITE
@pytest.mark.parametrize("plant", [less, otherwise])
def test_what_is_not_what_was_to_be_written_is_never_seen(
    database: Place, made: sf.Release, monkeypatch: pytest.MonkeyPatch, plant: Callable[[Columns], Columns]
) -> None:
    made.write(database.address("shown"))
    before = sorted(database.rows("SELECT * FROM shown"), key=str), database.rows("SELECT * FROM shown_release")
    manifest = next(Path().glob("*.internal.json")).read_bytes()

    def planted(session: Any, table: Any, columns: Columns, same: bool) -> None:
        put(session, table, plant(columns) if table.name == "shown" else columns, same)

    monkeypatch.setattr("sfumato.release.database_target.put", planted)
    with pytest.raises(AuditFailed, match="cells are not those"):
        made.write(database.address("shown"), force=True)
    assert before == (
        sorted(database.rows("SELECT * FROM shown"), key=str),
        database.rows("SELECT * FROM shown_release"),
    )
    assert next(Path().glob("*.internal.json")).read_bytes() == manifest
    assert not list(Path().glob(".*"))


BREAKS = {
    "a cell": "UPDATE shown SET disease = 'gout' WHERE age = (SELECT min(age) FROM shown)",
    "a row": "DELETE FROM shown WHERE age = (SELECT min(age) FROM shown)",
    "a row more": "INSERT INTO shown SELECT * FROM shown",
    "a column": "ALTER TABLE shown ADD COLUMN more text",
    "the document": "UPDATE shown_release SET document = document || ' '",
}


@MOSTLY_SQLITE
@pytest.mark.parametrize("how", BREAKS)
def test_a_release_broken_by_hand_is_caught(database: Place, made: sf.Release, how: str) -> None:
    manifest = made.write(database.address("shown")).manifest
    database.run(BREAKS[how])
    broken = sf.audit(database.address("shown"), POLICY, manifest)
    assert not broken.holds and broken.problems


def test_remarks_beside_cells_are_found(database: Place, made: sf.Release) -> None:
    made.write(database.address("shown"))
    if database.kind == "postgresql":
        database.run("COMMENT ON COLUMN shown.zip IS 'Ann lives in 14850'")
    else:
        database.run(
            "ALTER TABLE shown RENAME TO before",
            'CREATE TABLE "shown" ("age" TEXT, "zip" TEXT, "disease" TEXT /* Ann lives in 14850 */)',
            "INSERT INTO shown SELECT * FROM before",
            "DROP TABLE before",
        )
    problems = sf.audit(database.address("shown"), POLICY).problems
    assert any("remark" in each or "hidden" in each for each in problems)
    assert "Ann" not in str(problems)


def test_rows_in_any_order_are_the_same_release_and_persons_are_still_told_apart(database: Place) -> None:
    """A manifest tells whose rows are by their places, which a database does not keep."""
    people = [(f"p{i // 2}", 20 + i % 4, ("flu", "gout")[i % 2]) for i in range(16)]
    address = fill(database, "visits", "person text, age integer, disease text", people)
    policy = {
        "columns": {
            "person": {"role": "individual"},
            "age": {"role": "quasi"},
            "disease": {"role": "sensitive"},
        },
        "privacy": [{"model": "distinct-l", "l": 2}],
        "partition": {"method": "anatomy"},
        "form": {"publish": "permuted"},
        "suppression": {"limit": 1},
    }
    written = sf.publish(address, policy=policy).write(database.address("shown"))
    database.run("CREATE TABLE kept AS SELECT * FROM shown", "DELETE FROM shown")
    database.run("INSERT INTO shown SELECT * FROM kept ORDER BY 1 DESC, 2, 3")
    again = sf.audit(database.address("shown"), policy, written.manifest)
    assert not again.problems
    assert next(each for each in again.criteria if each.model == "rows-per-person").verdict == "holds"


@MOSTLY_SQLITE
def test_a_bare_table_is_judged_by_what_it_shows(database: Place) -> None:
    address = fill(
        database, "bare", "zip text, disease text", [("1", "flu"), ("1", "gout"), ("2", "flu"), ("2", "flu")]
    )
    policy = {
        "columns": {"zip": {"role": "quasi"}, "disease": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 2}, {"model": "distinct-l", "l": 2}],
    }
    assert [each.verdict for each in sf.audit(address, policy).criteria] == ["holds", "fails"]


def test_a_name_that_cannot_be_is_refused(database: Place, made: sf.Release) -> None:
    with pytest.raises(InputError, match="leave the format out"):
        made.write(database.address("shown"), kind="csv")
    with pytest.raises(InputError, match="must not hold"):
        made.write(database.address("a/b"))
    if database.kind == "postgresql":
        with pytest.raises(InputError, match="63 bytes at most"):
            made.write(database.address("x" * 60))


@MOSTLY_SQLITE
def test_a_release_is_what_was_published_before(database: Place, made: sf.Release) -> None:
    """`before` finds the manifest of a release in a database, and a release the same again exposes nobody."""
    made.write(database.address("shown"))
    again = sf.publish(database.address("people"), policy=POLICY, before=[database.address("shown")])
    assert len(again.before) == 1 and again.before[0].people == len(PEOPLE)
