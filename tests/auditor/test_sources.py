"""What can be judged, and how it is found: folders, files and frames, with their documents or without."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sfumato.auditor.audit import audit
from sfumato.errors import InputError
from sfumato.release.documents import Manifest
from tests.support.auditing import policy_of, write_table
from tests.support.sound_release import POLICY, TABLE, edit, with_cell


def test_a_table_file_finds_its_document(release: tuple[Path, Manifest], tmp_path: Path) -> None:
    folder, manifest = release
    assert audit(folder / "table.csv", POLICY, manifest).holds
    (tmp_path / "a.csv").write_bytes((folder / "table.csv").read_bytes())
    assert audit(tmp_path / "a.csv", POLICY).suppressed is None
    (tmp_path / "a.release.json").write_bytes((folder / "release.json").read_bytes())
    assert audit(tmp_path / "a.csv", POLICY, manifest).holds
    write_table(tmp_path / "a.csv", with_cell(TABLE, 0, "s", "ache"))
    assert not audit(tmp_path / "a.csv", POLICY, manifest).holds


def test_parquet_and_frames_give_the_same_answer(tmp_path: Path) -> None:
    TABLE.write_parquet(tmp_path / "a.parquet")
    write_table(tmp_path / "a.csv", TABLE)
    answers = [audit(each, POLICY, whole=True) for each in (tmp_path / "a.parquet", tmp_path / "a.csv", TABLE)]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0].holds
    assert audit(TABLE.to_pandas(), POLICY, whole=True) == audit(TABLE.to_arrow(), POLICY, whole=True) == answers[0]


def test_a_manifest_serves_a_bare_table_too(release: tuple[Path, Manifest]) -> None:
    _, manifest = release
    assert audit(TABLE, POLICY, manifest).holds
    assert not audit(pl.concat([TABLE, TABLE]), POLICY, manifest).holds
    assert not audit(with_cell(TABLE, 0, "s", "new"), POLICY, manifest).holds


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("release.json", b"{", "not valid JSON"),
        ("release.json", b"[]", "not a document"),
        ("release.json", b"\xff\xfe", "not UTF-8"),
        ("release.json", b'{"format": "sfumato-release", "format": "x"}', "stands twice"),
        ("release.json", b'{"format": "sfumato-release", "version": 3}', "newer"),
        ("release.json", b'{"format": "sfumato-release", "version": 2}', "rows: Field required"),
        ("table.csv", b"", "empty"),
        ("table.csv", b'q,s\n"x', "table.csv"),
        ("table.csv", b"q,s\nx\n", "line 2"),
    ],
)
def test_damaged_files_are_clear_errors(
    release: tuple[Path, Manifest], name: str, content: bytes, complaint: str
) -> None:
    folder, _ = release
    (folder / name).write_bytes(content)
    with pytest.raises(InputError, match=complaint):
        audit(folder, POLICY)


def test_what_is_not_there_is_a_clear_error(release: tuple[Path, Manifest], tmp_path: Path) -> None:
    folder, _ = release
    (folder / "table.csv").unlink()
    with pytest.raises(InputError, match="no such file"):
        audit(folder, POLICY)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"has no release\.json"):
        audit(tmp_path / "empty", POLICY)
    with pytest.raises(InputError, match="no such release"):
        audit(tmp_path / "nothing", POLICY)
    with pytest.raises(InputError, match="no such manifest"):
        audit(TABLE, POLICY, tmp_path / "nothing.json")
    with pytest.raises(InputError):
        audit(7, POLICY)


def test_other_forms_and_paths_are_refused(release: tuple[Path, Manifest]) -> None:
    folder, _ = release
    edit(folder, lambda document: document["form"].update(publish="mosaic"))
    with pytest.raises(InputError, match="form generalized"):
        audit(folder, POLICY)
    edit(folder, lambda document: document["tables"][0].update(file="../table.csv"))
    with pytest.raises(InputError, match="tables"):
        audit(folder, POLICY)


def test_an_unknown_column_of_lists_is_a_clear_error() -> None:
    with pytest.raises(InputError, match="'s'"):
        audit(pl.DataFrame({"q": ["a"], "s": [["x"]]}), POLICY)


def test_claims_of_the_release_do_not_matter(release: tuple[Path, Manifest]) -> None:
    folder, _ = release
    edit(folder, lambda document: document.update(promise=[{"model": "k-anonymity", "k": 100}]))
    result = audit(folder, policy_of({"model": "k-anonymity", "k": 3}))
    assert result.holds
    assert any("another promise" in note for note in result.notes)
