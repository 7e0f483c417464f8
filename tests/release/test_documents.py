"""The two documents of a release: strict, and silent about what they hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sfumato.errors import InputError
from sfumato.release.document_bytes import read_manifest, read_release_document, to_bytes
from tests.support.auditing import blocks, policy_of, write_release

POLICY = policy_of({"model": "k-anonymity", "k": 1})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    manifest = write_release(tmp_path, blocks("SECRET1 SECRET2"), POLICY)
    (tmp_path / "internal.json").write_bytes(to_bytes(manifest))
    return tmp_path


def test_documents_read_back_as_written(folder: Path) -> None:
    document, sha256 = read_release_document(folder / "release.json")
    assert to_bytes(document) == (folder / "release.json").read_bytes()
    manifest = read_manifest(folder / "internal.json")
    assert manifest.release_sha256 == sha256
    assert to_bytes(manifest) == (folder / "internal.json").read_bytes()
    assert read_manifest(manifest.model_dump(mode="json")) == manifest == read_manifest(manifest)


def test_left_out_rows_are_suppressed_ones_that_were_not_kept(folder: Path) -> None:
    rows = read_release_document(folder / "release.json")[0].rows
    assert rows.model_copy(update={"suppressed": 3}).left_out == 3
    assert rows.model_copy(update={"suppressed": 3, "kept": True}).left_out == 0


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("unknown", 1),
        ("release_sha256", "short"),
        ("input", {"rows": -1, "sha256": "0"}),
        ("input", {"rows": 1.5, "sha256": "0"}),
        ("sensitive", {"s": {"values": ["SECRET1"], "counts": [1, 2]}}),
        ("sensitive", {"s": {"values": ["SECRET1", "SECRET1"], "counts": [1, 2]}}),
        ("sensitive", {"s": {"values": ["SECRET1"], "counts": ["SECRET"]}}),
        ("sensitive", {"s": {"values": [["SECRET1"]], "counts": [1]}}),
        ("version", "1.5"),
        ("version", 0),
        ("format", "sfumato-release"),
    ],
)
def test_a_wrong_manifest_is_named_without_its_values(folder: Path, path: str, value: Any) -> None:
    plain = json.loads((folder / "internal.json").read_text("utf-8"))
    with pytest.raises(InputError) as failure:
        read_manifest({**plain, path: value})
    assert "SECRET" not in str(failure.value)
    assert path in str(failure.value) or path == "format"


@pytest.mark.parametrize("file", ["../table.csv", "a/b.csv", "a\\b.csv", "c:x.csv", ""])
def test_a_table_is_a_plain_file_name(folder: Path, file: str) -> None:
    plain = json.loads((folder / "release.json").read_text("utf-8"))
    plain["tables"][0]["file"] = file
    (folder / "release.json").write_text(json.dumps(plain), "utf-8")
    with pytest.raises(InputError, match=r"tables\.0"):
        read_release_document(folder / "release.json")


def test_a_folder_is_no_document(folder: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_release_document(folder)
