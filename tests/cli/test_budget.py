"""`--budget` and `--time`: how much auto tries, for one run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command import Cli
from tests.support.people import POLICY, people

PLAIN = {name: value for name, value in POLICY.items() if name != "partition"}


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    people().write_csv(tmp_path / "people.csv")
    (tmp_path / "policy.json").write_text(json.dumps(PLAIN), encoding="utf-8")
    return ["anonymize", str(tmp_path / "people.csv"), "-p", str(tmp_path / "policy.json"), "-o", str(tmp_path / "out")]


def test_a_budget_is_that_of_the_command(cli: Cli, given: list[str]) -> None:
    notes = [cli(*given, "--json", "--force", *more).json["release"]["notes"] for more in ([], ["--budget", "quick"])]
    assert "budget normal" in " ".join(notes[0]) and "ran 3 methods" in " ".join(notes[0])
    assert any(note.startswith("auto ran mondrian with polish (60 different rows, budget quick)") for note in notes[1])


def test_a_time_is_that_of_the_command(cli: Cli, given: list[str]) -> None:
    done = cli(*given, "--json", "--time", "1s")
    assert done.code == 0
    assert any("the time of 1s decided" in note for note in done.json["release"]["notes"])


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--budget", "lavish"], "--budget: 1 mistake\n  budget: input should be 'quick', 'normal' or 'thorough'"),
        (["--time", "soon"], "--time: 1 mistake\n  time: must be a time above 0, such as 10s, 2m or 1h"),
    ],
)
def test_what_is_no_budget_or_time_is_told(
    cli: Cli, given: list[str], flags: list[str], says: str, tmp_path: Path
) -> None:
    done = cli(*given, *flags)
    assert done.code == 2 and says in done.err and not (tmp_path / "out").exists()


def test_another_method_has_neither(cli: Cli, given: list[str], tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text(json.dumps(POLICY), encoding="utf-8")
    for flags, words in (
        (["--budget", "quick"], "--budget says"),
        (["--time", "2s", "--budget", "quick"], "--time say"),
    ):
        done = cli(*given, *flags)
        assert done.code == 2 and words in done.err
        assert "the policy names mondrian" in done.err and "write partition: {method: auto}" in done.err
        assert not (tmp_path / "out").exists()
