"""Releases on disk: what lies where, what replaces what, and that what is broken by hand is caught."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.table.formats import FORMATS
from tests.support.people import POLICY


def test_a_folder_holds_what_is_public_and_the_manifest_lies_beside_it(made: sf.Release, tmp_path: Path) -> None:
    written = made.write(tmp_path / "out")
    assert sorted(path.name for path in tmp_path.rglob("*")) == [
        "out",
        "out.internal.json",
        "release.json",
        "table.parquet",
    ]
    assert written.audit.holds
    assert sf.audit(tmp_path / "out", POLICY, tmp_path / "out.internal.json").holds
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "out.internal.json").stat().st_mode) == 0o600
        mask = os.umask(0)
        os.umask(mask)
        assert stat.S_IMODE((tmp_path / "out" / "release.json").stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("name", ["release.csv", "release.parquet", "veröffentlichung ünï.csv"])
def test_one_file_has_its_documents_beside_it(made: sf.Release, tmp_path: Path, name: str) -> None:
    written = made.write(tmp_path / name)
    stem = Path(name).stem
    assert {path.name for path in tmp_path.iterdir()} == {name, f"{stem}.release.json", f"{stem}.internal.json"}
    assert sf.audit(tmp_path / name, POLICY, written.manifest).holds
    outsider = sf.audit(tmp_path / name, POLICY)
    assert [criterion.verdict for criterion in outsider.criteria] == ["holds", "holds", "undecidable"]
    assert not outsider.holds, "undecidable is never a pass"


def test_an_existing_release_is_replaced_only_by_force_and_whole(made: sf.Release, tmp_path: Path) -> None:
    made.write(tmp_path / "out")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(sf.InputError, match="--force"):
        made.write(tmp_path / "out")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    made.write(tmp_path / "out", kind="csv", force=True)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["release.json", "table.csv"]
    assert sf.audit(tmp_path / "out", POLICY, tmp_path / "out.internal.json").holds


def test_the_document_tells_a_recipient_everything_and_an_adversary_nothing(made: sf.Release, tmp_path: Path) -> None:
    made.write(tmp_path / "out", kind="csv")
    text = (tmp_path / "out" / "release.json").read_text(encoding="utf-8")
    document = json.loads(text)
    published = pl.read_csv(tmp_path / "out" / "table.csv", infer_schema=False)
    for name in ("age", "zip", "town"):
        assert set(published[name]) == set(document["dictionary"][name]["values"])
    assert document["rows"] == {"published": 60, "suppressed": 0, "kept": False, "dropped": 0}
    assert "person-" not in text
    for word in ("seed", "key", "sha256-of-input", "flu", "lupus"):
        assert word not in text.replace("sha256", "").lower()


def edit_cell(column: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        table = pl.read_csv(folder / "table.csv", infer_schema=False)
        values = table[column].to_list()
        other = next(value for value in values if value != values[0])
        table.with_columns(pl.Series(column, [other, *values[1:]])).write_csv(folder / "table.csv")

    return edit


def drop_row(folder: Path) -> None:
    lines = (folder / "table.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "table.csv").write_text("".join(lines[:-1]), encoding="utf-8")


def change_count(folder: Path) -> None:
    document = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    document["rows"]["suppressed"] += 1
    (folder / "release.json").write_text(json.dumps(document), encoding="utf-8")


BREAKS = {
    "quasi cell": edit_cell("zip"),
    "sensitive cell": edit_cell("disease"),
    "insensitive cell": edit_cell("ward"),
    "row": drop_row,
    "count": change_count,
}


@pytest.mark.parametrize("how", BREAKS)
def test_a_release_broken_by_hand_is_caught(made: sf.Release, tmp_path: Path, how: str) -> None:
    made.write(tmp_path / "out", kind="csv")
    assert sf.audit(tmp_path / "out", POLICY, tmp_path / "out.internal.json").holds
    BREAKS[how](tmp_path / "out")
    broken = sf.audit(tmp_path / "out", POLICY, tmp_path / "out.internal.json")
    assert not broken.holds
    assert broken.problems
    with pytest.raises(sf.AuditFailed):
        broken.raise_for_failure()


@pytest.mark.parametrize("how", ["quasi cell", "sensitive cell", "row"])
def test_a_bare_table_broken_by_hand_shows_in_its_groups(tmp_path: Path, how: str) -> None:
    """Without any document the break itself must violate the promise: a tight table, one cell or row off."""
    table = pl.DataFrame({"zip": ["1"] * 3 + ["2"] * 3, "disease": ["flu", "cold", "gout"] * 2})
    policy = {
        "columns": {"zip": {"role": "quasi"}, "disease": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "distinct-l", "l": 3}],
    }
    assert sf.audit(table, policy).holds
    table.write_csv(tmp_path / "table.csv")
    BREAKS[how](tmp_path)
    assert not sf.audit(tmp_path / "table.csv", policy).holds


def test_a_failed_audit_publishes_nothing(made: sf.Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made.write(tmp_path / "out", kind="csv")
    before = (tmp_path / "out" / "table.csv").read_bytes()
    sink = FORMATS["csv"].into
    monkeypatch.setitem(FORMATS.homes, "csv", replace(FORMATS["csv"], into=lambda frame, file: sink(frame[1:], file)))
    with pytest.raises(sf.AuditFailed):
        made.write(tmp_path / "out", kind="csv", force=True)
    assert (tmp_path / "out" / "table.csv").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.internal.json"]


def test_a_killed_disk_leaves_the_old_release(
    made: sf.Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every write in turn fails as on a full disk; the old release stays as it was and nothing else remains."""
    made.write(tmp_path / "out", kind="csv")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    failures = 0
    for fatal in range(1, 40):
        calls = 0

        def full(*args: Any, limit: int = fatal, real: Any = os.fsync) -> None:
            nonlocal calls
            calls += 1
            if calls == limit:
                raise OSError(28, "No space left on device")
            real(*args)

        monkeypatch.setattr(os, "fsync", full)
        try:
            made.write(tmp_path / "out", kind="csv", force=True)
        except OSError:
            failures += 1
            assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
        else:
            break
        finally:
            monkeypatch.undo()
    assert failures >= 4


@pytest.mark.skipif(os.geteuid() != 0 if hasattr(os, "geteuid") else True, reason="mounting a small disk needs root")
def test_a_really_full_disk_leaves_the_old_release(made: sf.Release, tmp_path: Path) -> None:
    import subprocess

    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48k", "tmpfs", str(disk)], capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    try:
        made.write(disk / "out", kind="csv")
        before = {path: path.read_bytes() for path in disk.rglob("*") if path.is_file()}
        filler = disk / "filler"
        refused = 0
        for free in range(0, 40, 4):
            filler.write_bytes(b"")
            room = shutil.disk_usage(disk).free - free * 1024
            filler.write_bytes(b"x" * max(room, 0))
            try:
                made.write(disk / "out", kind="csv", force=True)
            except OSError:
                refused += 1
                assert {path: path.read_bytes() for path in before} == before
                assert {path.name for path in disk.iterdir()} == {"out", "out.internal.json", "filler"}
            else:
                assert sf.audit(disk / "out", POLICY, disk / "out.internal.json").holds
                before = {path: path.read_bytes() for path in before}
        assert refused >= 2
    finally:
        subprocess.run(["umount", str(disk)], check=True)
