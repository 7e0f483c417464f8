"""What may be replaced: what sfumato wrote, as it wrote it, and nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sfumato.errors import InputError
from sfumato.release.file_target import FileTarget
from tests.support.killed import KINDS, put, shown


def refused(place: Path, name: str, match: str) -> None:
    """Even by force, and nothing is changed."""
    before = shown(place)
    with pytest.raises(InputError, match=match):
        FileTarget.at(place / name, force=True)
    with pytest.raises(InputError, match=match):
        put(FileTarget(place / name, None, force=True), "new")
    assert shown(place) == before
    assert not list(place.glob(".*"))


@pytest.mark.parametrize("name", KINDS)
def test_a_release_is_replaced_by_force_alone(tmp_path: Path, name: str) -> None:
    put(FileTarget.at(tmp_path / name), "old")
    with pytest.raises(InputError, match=r"exists; nothing was changed\. Use --force"):
        FileTarget.at(tmp_path / name)
    put(FileTarget.at(tmp_path / name, force=True), "new")


def test_an_empty_folder_is_replaced_by_force(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    put(FileTarget.at(tmp_path / "out", force=True), "new")


def test_a_folder_that_is_no_release_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("years of work", encoding="utf-8")
    refused(tmp_path, "out", "not just a release: 1 things in it")


@pytest.mark.parametrize(
    "document",
    [
        {"tables": [{"file": "thesis.txt"}, {"file": "photo.jpg"}]},
        {"format": "sfumato-release", "version": 1, "tables": [{"file": "thesis.txt"}, {"file": "photo.jpg"}]},
        [],
    ],
)
def test_a_document_that_is_not_valid_names_nothing_that_may_go(tmp_path: Path, document: object) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    for name in ("thesis.txt", "photo.jpg"):
        (folder / name).write_text("years of work", encoding="utf-8")
    (folder / "release.json").write_text(json.dumps(document), encoding="utf-8")
    refused(tmp_path, "out", "3 things in it are not as sfumato wrote them")


def test_a_valid_document_names_only_the_bytes_that_it_describes(tmp_path: Path) -> None:
    put(FileTarget.at(tmp_path / "out"), "old")
    (tmp_path / "out" / "table.csv").write_text("my own", encoding="utf-8")
    refused(tmp_path, "out", "1 things")
    (tmp_path / "out" / "notes.txt").touch()
    refused(tmp_path, "out", "2 things")


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX systems")
def test_a_link_in_a_release_is_not_part_of_it(tmp_path: Path) -> None:
    put(FileTarget.at(tmp_path / "out"), "old")
    (tmp_path / "table.csv").write_bytes((tmp_path / "out" / "table.csv").read_bytes())
    (tmp_path / "out" / "table.csv").unlink()
    (tmp_path / "out" / "table.csv").symlink_to(tmp_path / "table.csv")
    refused(tmp_path, "out", "1 things")


def test_a_table_of_ones_own_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("my own", encoding="utf-8")
    refused(tmp_path, "out.csv", "no out.release.json beside it describes these bytes")


def test_a_table_that_was_edited_is_never_replaced(tmp_path: Path) -> None:
    put(FileTarget.at(tmp_path / "out.csv"), "old")
    (tmp_path / "out.csv").write_text("edited for hours", encoding="utf-8")
    refused(tmp_path, "out.csv", "no out.release.json beside it describes these bytes")


@pytest.mark.parametrize(("name", "beside"), [("out", "internal"), ("out.csv", "internal"), ("out.csv", "release")])
def test_documents_of_ones_own_are_never_replaced(tmp_path: Path, name: str, beside: str) -> None:
    (tmp_path / f"out.{beside}.json").write_text('{"mine": true}', encoding="utf-8")
    refused(tmp_path, name, f"out.{beside}.json is not as sfumato wrote it")


@pytest.mark.parametrize("name", KINDS)
def test_the_manifest_of_another_release_is_not_replaced(tmp_path: Path, name: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    put(FileTarget.at(tmp_path / "elsewhere" / name), "other")
    put(FileTarget.at(tmp_path / name), "old")
    (tmp_path / "elsewhere" / "out.internal.json").replace(tmp_path / "out.internal.json")
    refused(tmp_path, name, r"out.internal.json is not as sfumato wrote it")


@pytest.mark.parametrize("name", KINDS)
def test_what_is_left_of_a_release_is_replaced(tmp_path: Path, name: str) -> None:
    """Its holder has moved the table away: the documents are still sfumato's."""
    put(FileTarget.at(tmp_path / name), "old")
    table = tmp_path / name if name == "out.csv" else tmp_path / name / "table.csv"
    table.unlink()
    put(FileTarget.at(tmp_path / name, force=True), "new")
