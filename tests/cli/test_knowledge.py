"""`sfumato knowledge check`: counts for everybody, unknown terms only for who asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from tests.support.command import Cli

LABELS = {"flu": ["cough", "fever"], "cold": ["cough"], "gout": ["pain"]}


def files(folder: Path) -> list[str]:
    (folder / "p.csv").write_text("age,t\n1,cough;fever\n2,cough\n3,fever;private\n4,private\n", encoding="utf-8")
    (folder / "k.json").write_text(json.dumps(LABELS), encoding="utf-8")
    column = {"role": "quasi-sensitive", "separator": ";", "knowledge": {"file": "k.json"}}
    policy = {"columns": {"age": {"role": "quasi"}, "t": column}, "privacy": [{"model": "qs-cl", "c": 1, "l": 2}]}
    (folder / "p.json").write_text(json.dumps(policy), encoding="utf-8")
    return ["knowledge", "check", str(folder / "p.csv"), "-p", str(folder / "p.json")]


def test_counts(tmp_path: Path, cli: Cli) -> None:
    text = cli.well(*files(tmp_path)).out
    assert "3 of 4 rows linked, 1 unlinked" in text
    assert "1 unknown term in 2 rows" in text
    assert "labels that no row may stand for: gout" in text
    assert "private" not in text


def test_json_and_unknown_terms(tmp_path: Path, cli: Cli) -> None:
    command = files(tmp_path)
    (plain,) = cli.well(*command, "--json").json["columns"]
    facts: dict[str, Any] = {"rows": 4, "linked": 3, "certain": 2, "unknown": 1, "unreached": ["gout"]}
    assert facts.items() <= plain.items()
    assert plain["unused"] == ["pain"]
    allowed = cli.well("schema", "knowledge").json["properties"]["columns"]["items"]
    assert plain.keys() == set(allowed["required"])
    assert "unknown_terms" not in plain
    (asked,) = cli.well(*command, "--json", "--unknown").json["columns"]
    assert asked["unknown_terms"] == {"private": 2}
    assert asked.keys() == allowed["properties"].keys()
    assert "unknown: private (2)" in cli.well(*command, "--unknown").out


def test_a_policy_without_such_columns_is_refused() -> None:
    policy = {"columns": {"age": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    with pytest.raises(sf.InputError, match="no quasi-sensitive column"):
        sf.check_knowledge(pl.DataFrame({"age": ["1"]}), policy)
    with pytest.raises(sf.InputError, match="needs a policy"):
        sf.check_knowledge(pl.DataFrame({"age": ["1"]}))
