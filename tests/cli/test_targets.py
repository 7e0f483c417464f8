"""Where a release may go: targets that cannot be, links, and what lies beside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.command import Cli, files


@pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX systems")
def test_what_lies_beside_the_target_is_left_alone(place: Path, cli: Cli) -> None:
    (place / "dangling").symlink_to("nowhere")
    (place / "loop").symlink_to("loop")
    os.mkfifo(place / "pipe")
    assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "out", "-q").code == 0
    assert cli("audit", "out", "-p", "policy.yaml", "-q").code == 0


@pytest.mark.parametrize("name", [".", "./", "", "-", "out.csv.gz", "out.xls", "out.json", "data.csv/out", "x" * 300])
def test_a_target_that_cannot_be_is_refused_by_name(place: Path, cli: Cli, name: str) -> None:
    before = files(place)
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", name, "--force")
    assert done.code == 2
    assert "Traceback" not in done.err
    assert files(place) == before


@pytest.mark.parametrize(("blocker", "target"), [("out.internal.json", "out"), ("out.release.json", "out.csv")])
def test_a_folder_in_the_place_of_a_file_is_refused_before_anything_moves(
    place: Path, cli: Cli, blocker: str, target: str
) -> None:
    (place / blocker).mkdir()
    assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", target, "--force").code == 2
    assert not (place / target).exists()


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX systems")
def test_a_link_is_not_replaced(place: Path, cli: Cli) -> None:
    assert cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "v1", "-q").code == 0
    (place / "current").symlink_to("v1")
    done = cli("anonymize", "data.csv", "-p", "policy.yaml", "-o", "current", "--force")
    assert done.code == 2
    assert "link" in done.err
    assert (place / "current").is_symlink()


@pytest.mark.parametrize(
    "arguments",
    [
        ("anonymize", "data.csv", "-p", "policy.yaml", "-o", "data.csv", "--force"),
        ("init", "data.csv", "-o", "data.csv", "--force"),
        ("hierarchy", "build", "data.csv", "-c", "age", "--flat", "-o", "data.csv", "--force"),
    ],
)
def test_nothing_is_written_over_what_is_read(place: Path, cli: Cli, arguments: tuple[str, ...]) -> None:
    before = files(place)
    done = cli(*arguments)
    assert done.code == 2
    assert "choose another name" in done.err
    assert files(place) == before
