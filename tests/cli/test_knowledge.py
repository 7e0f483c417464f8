"""`sfumato knowledge check`: counts for everybody, unknown terms only for who asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.cli.main import run

LABELS = {"flu": ["cough", "fever"], "cold": ["cough"], "gout": ["pain"]}


def files(folder: Path) -> list[str]:
    (folder / "p.csv").write_text("age,t\n1,cough;fever\n2,cough\n3,fever;private\n4,private\n", encoding="utf-8")
    (folder / "k.json").write_text(json.dumps(LABELS), encoding="utf-8")
    column = {"role": "quasi-sensitive", "separator": ";", "knowledge": {"file": "k.json"}}
    policy = {"columns": {"age": {"role": "quasi"}, "t": column}, "privacy": [{"model": "qs-cl", "c": 1, "l": 2}]}
    (folder / "p.json").write_text(json.dumps(policy), encoding="utf-8")
    return ["knowledge", "check", str(folder / "p.csv"), "-p", str(folder / "p.json")]


def told(command: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as end:
        run(command)
    assert end.value.code == 0
    return capsys.readouterr().out


def test_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = told(files(tmp_path), capsys)
    assert "3 of 4 rows linked, 1 unlinked" in text
    assert "1 unknown term in 2 rows" in text
    assert "labels that no row may stand for: gout" in text
    assert "private" not in text


def test_json_and_unknown_terms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = files(tmp_path)
    (plain,) = json.loads(told([*command, "--json"], capsys))["columns"]
    facts: dict[str, Any] = {"rows": 4, "linked": 3, "certain": 2, "unknown": 1, "unreached": ["gout"]}
    assert facts.items() <= plain.items()
    assert plain["unused"] == ["pain"]
    allowed = json.loads(told(["schema", "knowledge"], capsys))["properties"]["columns"]["items"]
    assert plain.keys() == set(allowed["required"])
    assert "unknown_terms" not in plain
    (asked,) = json.loads(told([*command, "--json", "--unknown"], capsys))["columns"]
    assert asked["unknown_terms"] == {"private": 2}
    assert asked.keys() == allowed["properties"].keys()
    assert "unknown: private (2)" in told([*command, "--unknown"], capsys)


def test_a_policy_without_such_columns_is_refused() -> None:
    policy = {"columns": {"age": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    with pytest.raises(sf.InputError, match="no quasi-sensitive column"):
        sf.check_knowledge(pl.DataFrame({"age": ["1"]}), policy)
    with pytest.raises(sf.InputError, match="needs a policy"):
        sf.check_knowledge(pl.DataFrame({"age": ["1"]}))
