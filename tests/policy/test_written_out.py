"""A policy written as YAML is the same policy when it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from tests.support.command import POLICY


@pytest.mark.parametrize(
    "document",
    [
        {"columns": {"q": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 2}]},
        {
            "columns": {
                "on: {": {"role": "quasi", "type": "number", "hierarchy": {"intervals": ["0.1", 1]}},
                "2020": {"role": "sensitive", "order": ["yes", "no", "1"]},
            },
            "privacy": [{"model": "entropy-l", "l": "7/3", "on": "2020"}, {"model": "t-closeness", "t": "0.35"}],
            "suppression": {"limit": "0.025", "columns": {"on: {": "1/3"}},
            "input": {"delimiter": "\t", "missing_values": ["", "NA", "~"]},
        },
    ],
)
def test_written_and_read_it_is_the_same(document: dict[str, object], tmp_path: Path) -> None:
    policy = sf.read_policy(document)
    file = tmp_path / "policy.yaml"
    file.write_text(policy.to_yaml(), encoding="utf-8")
    again = sf.read_policy(file)
    assert again.digest == policy.digest
    assert again.as_dict() == policy.as_dict()


def test_it_is_written_as_people_write_it(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(POLICY, encoding="utf-8")
    lines = sf.read_policy(tmp_path / "policy.yaml").to_yaml().splitlines()
    assert lines[:2] == ["version: 1", "columns:"]
    assert "  age: {role: quasi, type: integer, hierarchy: {intervals: [5, 10, 20]}}" in lines
