"""Releases in storages: published, read again, replaced and refused; by a rename, and by a document that comes last."""

from __future__ import annotations

import hashlib
import json
import stat
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.errors import AuditFailed, InputError
from sfumato.release.staged import Staged
from sfumato.stores.budget import Budget
from sfumato.table.storages.stored import StoredFolder
from tests.support.command import Cli
from tests.support.storages import KEYS, OTHER, POLICY, BucketStorage, StoragePlace, left_here, people_file


@pytest.fixture
def made(storage: StoragePlace) -> sf.Release:
    return sf.publish(people_file(), policy=POLICY)


def test_a_release_is_published_and_read_again(storage: StoragePlace, made: sf.Release) -> None:
    written = made.write(storage.uri)
    assert written.audit.holds
    assert written.files == ()
    assert written.public == tuple(storage.uri + name for name in sorted(storage.files(), reverse=True))
    assert left_here() == []
    assert "manifest" not in json.dumps([*storage.files()])
    assert stat.S_IMODE(written.manifest.stat().st_mode) == 0o600
    assert written.manifest.parent == Path()
    audit = sf.audit(storage.uri, POLICY, written.manifest)
    assert audit.holds
    assert audit.problems == ()
    assert sf.measure(storage.uri, POLICY, original="people.csv").to_dict()["measures"]


def test_files_have_the_bytes_of_a_folder_and_say_so_in_their_names(storage: StoragePlace, made: sf.Release) -> None:
    made.write(storage.uri)
    made.write("out/")
    table = Path("out/table.csv").read_bytes()
    digest = hashlib.sha256(table).hexdigest()
    called = "table.csv" if storage.kind == "file" else f"table-{digest[:16]}.csv"
    assert storage.files().keys() == {called, "release.json"}
    assert storage.files()[called] == table
    told = json.loads(storage.files()["release.json"])["tables"][0]
    assert (told["file"], told["sha256"]) == (called, digest)


def test_what_was_fetched_by_another_program_is_a_release(storage: StoragePlace, made: sf.Release) -> None:
    made.write(storage.uri)
    Path("fetched").mkdir()
    for name, data in storage.files().items():
        (Path("fetched") / name).write_bytes(data)
    assert sf.audit("fetched/", POLICY).holds


def test_a_table_is_delivered_in_parts(storage: StoragePlace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Budget, "rows_in_part", property(lambda self: 16))
    delivered = sf.deliver(people_file(), storage.uri, policy=POLICY, memory="1GB")
    assert delivered.audit.holds
    assert len(delivered.public) == len(storage.files()) > 2
    assert repr(delivered).startswith(f"<Delivered: 48 rows in {len(delivered.public) - 1} parts")
    sf.deliver("people.csv", "out/", policy=POLICY, memory="1GB")
    parts = sorted(Path("out").glob("table-*.csv"))
    assert [data for name, data in sorted(storage.files().items()) if name != "release.json"] == [
        part.read_bytes() for part in parts
    ]
    audit = sf.audit(storage.uri, POLICY, delivered.manifest)
    assert audit.holds
    assert audit.problems == ()


def test_what_stands_there_is_replaced_only_if_that_is_asked_for(storage: StoragePlace, made: sf.Release) -> None:
    made.write(storage.uri)
    before = storage.files()
    other = sf.publish("people.csv", policy=OTHER)
    with pytest.raises(InputError, match="exists; nothing was changed"):
        other.write(storage.uri)
    with pytest.raises(InputError, match="exists; nothing was changed"):
        sf.Target.of(storage.uri)
    assert storage.files() == before
    written = other.write(storage.uri, force=True)
    assert sf.audit(storage.uri, OTHER, written.manifest).holds
    after = storage.files()
    assert len(after) == 2, "nothing of the old one"
    assert after["release.json"] != before["release.json"]
    assert left_here() == []
    other.write(storage.uri, force=True)
    assert storage.files() == after


def test_what_sfumato_did_not_write_is_left_alone(storage: StoragePlace, made: sf.Release) -> None:
    made.write(storage.uri)
    table = next(name for name in storage.files() if name.startswith("table"))
    for name, data in ((table, b"age,zip\n1,2\n"), ("notes.txt", b"mine"), ("release.json", b"{}")):
        before = storage.files()
        storage.write(name, data)
        changed = storage.files()
        with pytest.raises(InputError, match="not just a release"):
            made.write(storage.uri, force=True)
        assert storage.files() == changed
        if name in before:
            storage.write(name, before[name])
        elif isinstance(storage, BucketStorage):
            storage.client.delete_file(f"{storage.bucket}/open/shown/{name}")
        else:
            (storage.folder / "open" / "shown" / name).unlink()
    assert made.write(storage.uri, force=True).audit.holds


def test_files_that_came_while_a_run_was_at_work_are_seen(storage: StoragePlace, made: sf.Release) -> None:
    made.write(storage.uri)
    target = sf.Target.of(storage.uri, force=True)
    storage.write("notes.txt", b"mine")
    with pytest.raises(InputError, match="not just a release"):
        made.write(target)
    assert "notes.txt" in storage.files()
    assert sf.audit(storage.uri, POLICY).problems, "and an audit tells of them"


def test_an_audit_finds_what_is_wrong_there(storage: StoragePlace, made: sf.Release) -> None:
    made.write(storage.uri)
    table = next(name for name in storage.files() if name.startswith("table"))
    whole = storage.files()[table]
    storage.write("beside.csv", b"age\n1\n")
    problems = sf.audit(storage.uri, POLICY).problems
    assert any("1 thing that release.json does not name" in problem for problem in problems)
    storage.write(table, whole.replace(b"flu", b"gout", 1))
    assert any("SHA-256 differs" in problem for problem in sf.audit(storage.uri, POLICY).problems)
    storage.write("release.json", b"{}")
    with pytest.raises(InputError, match=r"release\.json"):
        sf.audit(storage.uri, POLICY)


def test_no_release_there_is_said(storage: StoragePlace) -> None:
    with pytest.raises(InputError, match=r"has no release\.json"):
        sf.audit(storage.uri, POLICY)


def test_what_does_not_keep_the_promise_never_leaves(
    storage: StoragePlace, made: sf.Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    made.write(storage.uri)
    before, manifest = storage.files(), sf.Target.of(storage.uri, force=True).manifest.read_bytes()
    whole = Staged.whole

    def planted(self: Staged, table: str, frame: pl.DataFrame, labels: Any) -> Any:
        return whole(self, table, frame.head(47), labels)

    monkeypatch.setattr(Staged, "whole", planted)
    monkeypatch.setattr(StoredFolder, "bring", lambda *_: pytest.fail("something was brought there"))
    with pytest.raises(AuditFailed):
        sf.publish("people.csv", policy=OTHER).write(storage.uri, force=True)
    assert storage.files() == before
    assert sf.Target.of(storage.uri, force=True).manifest.read_bytes() == manifest
    assert left_here() == []


def test_bytes_that_are_changed_on_their_way_are_never_published(
    storage: StoragePlace, made: sf.Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    made.write(storage.uri)
    before = storage.files()
    bring = StoredFolder.bring

    def damaged(self: StoredFolder, source: Path, name: str, beat: Any) -> None:
        bring(self, source, name, beat)
        with self.files.open_output_stream(self.path(name), compression=None) as stream:
            stream.write(source.read_bytes().replace(b"gout", b"gouT", 1))

    monkeypatch.setattr(StoredFolder, "bring", damaged)
    with pytest.raises(InputError, match="is not what was written"):
        sf.publish("people.csv", policy=OTHER).write(storage.uri, force=True)
    assert storage.files() == before
    assert left_here() == []


@pytest.mark.parametrize("storage", ["s3"], indirect=True)
@pytest.mark.parametrize("first", [False, True])
def test_a_document_that_is_damaged_on_its_way_is_taken_back(
    storage: StoragePlace, made: sf.Release, monkeypatch: pytest.MonkeyPatch, first: bool
) -> None:
    if not first:
        made.write(storage.uri)
    before, write = storage.files(), StoredFolder.write
    damaged: list[str] = []

    def once(self: StoredFolder, name: str, data: bytes) -> None:
        if name == "release.json" and not damaged:
            damaged.append(name)
            data = data[:-9]
        write(self, name, data)

    monkeypatch.setattr(StoredFolder, "write", once)
    with pytest.raises(InputError, match="was damaged on its way, and what stood there was put back"):
        sf.publish("people.csv", policy=OTHER).write(storage.uri, force=True)
    assert storage.files() == before
    assert left_here() == []


def test_the_command_line(storage: StoragePlace, cli: Cli, made: sf.Release) -> None:
    Path("policy.json").write_text(json.dumps(POLICY), encoding="utf-8")
    told = cli.well("anonymize", "people.csv", "-p", "policy.json", "-o", storage.uri, "--format", "parquet", "--json")
    facts = told.json
    assert facts["files"][-1] == f"{storage.uri}release.json"
    assert facts["files"][0].endswith(".parquet")
    cli.well("audit", storage.uri, "-p", "policy.json", "--manifest", facts["manifest"])
    refused = cli("anonymize", "people.csv", "-p", "policy.json", "-o", storage.uri)
    assert refused.code == 2
    assert "exists" in refused.err
    parts = ("-o", storage.uri, "--force", "--memory", "1GB")
    told = cli.well("anonymize", "people.csv", "-p", "policy.json", *parts)
    assert f"wrote {storage.uri}table-00000" in told.out
    cli.well("audit", storage.uri, "-p", "policy.json", "--quiet")
    said = json.dumps([told.out, told.err, refused.err, facts, *map(str, storage.files().values())])
    assert not any(secret in said for secret in (KEYS["AWS_ACCESS_KEY_ID"], KEYS["AWS_SECRET_ACCESS_KEY"]))


def test_an_earlier_release_may_stand_there(storage: StoragePlace, made: sf.Release) -> None:
    made.write(storage.uri)
    again = sf.publish("people.csv", policy=POLICY, before=[storage.uri])
    assert again.facts()


def test_a_manifest_of_another_release_is_left_alone(storage: StoragePlace, made: sf.Release) -> None:
    written = made.write(storage.uri)
    sf.publish("people.csv", policy=OTHER).write("out/")
    Path("out.internal.json").replace(written.manifest)
    with pytest.raises(InputError, match="is not the manifest of what stands there"):
        made.write(storage.uri, force=True)


def test_a_place_that_was_looked_at_is_not_read_twice(
    storage: StoragePlace, made: sf.Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    made.write(storage.uri)
    table = next(name for name in storage.files() if name.startswith("table"))
    read: list[str] = []
    digest = StoredFolder.digest

    def counted(self: StoredFolder, name: str, *beat: Any) -> str:
        read.append(name)
        return digest(self, name, *beat)

    monkeypatch.setattr(StoredFolder, "digest", counted)
    target = sf.Target.of(storage.uri, force=True)
    assert read == [table]
    sf.publish("people.csv", policy=OTHER).write(target)
    assert len(read) > 1
    assert table not in read[1:]


def test_a_reader_begins_anew_if_the_release_is_replaced_meanwhile(
    storage: StoragePlace, made: sf.Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    made.write(storage.uri)
    other, fetch = sf.publish("people.csv", policy=OTHER), StoredFolder.fetch
    replaced: list[sf.Written] = []

    def meanwhile(self: StoredFolder, name: str, goal: Any) -> None:
        if name != "release.json" and not replaced:
            replaced.append(other.write(storage.uri, force=True))
        fetch(self, name, goal)

    monkeypatch.setattr(StoredFolder, "fetch", meanwhile)
    audit = sf.audit(storage.uri, OTHER)
    assert replaced
    assert audit.holds
    assert audit.problems == ()


def test_a_long_run_is_heard_of(storage: StoragePlace, made: sf.Release, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    write = StoredFolder.write

    def heard(self: StoredFolder, name: str, data: bytes) -> None:
        said.append(name)
        write(self, name, data)

    monkeypatch.setattr(StoredFolder, "write", heard)
    monkeypatch.setattr("sfumato.release.claims._BEAT", -1.0)
    made.write(storage.uri)
    assert sum("sfumato" in name for name in said) > 3
    assert len(storage.files()) == 2, "and its notes are gone"
