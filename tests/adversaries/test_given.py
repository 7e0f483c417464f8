"""What is given besides on the command line: a register, a population and rules, from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.support.command import Cli
from tests.support.inpatient import FOUR_ANONYMOUS, ORIGINAL

POLICY = """
columns:
  zip: {role: quasi, hierarchy: {mask: right}}
  age:
    role: quasi
    hierarchy:
      tree: {"<30": ["21", "23", "28", "29"], "3*": ["31", "35", "36", "37"], ">=40": ["47", "49", "50", "55"]}
  nationality: {role: quasi}
  condition: {role: sensitive}
privacy: [{model: k-anonymity, k: 4}]
"""
RULES = """
- where: {nationality: Japanese}
  never: {condition: [Heart Disease]}
"""


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> Any:
    """An adversary on the 4-anonymous table: what it learns, as JSON."""
    monkeypatch.chdir(tmp_path)
    pl.DataFrame(FOUR_ANONYMOUS).write_csv("table.csv")
    pl.DataFrame(ORIGINAL).write_csv("original.csv")
    Path("policy.yaml").write_text(POLICY, encoding="utf-8")
    Path("rules.yaml").write_text(RULES, encoding="utf-8")
    Path("voters.csv").write_text("name,zip,age\nUmeko,13068,21\nOlga,14853,*\nNobody,99999,21\n", encoding="utf-8")

    def ask(*more: str) -> dict[str, Any]:
        done = cli.well("attack", "table.csv", "-p", "policy.yaml", "--original", "original.csv", "--json", *more)
        [attack] = done.json["attacks"]
        return dict(attack["exposures"][0])

    return ask


def test_rules(asked: Any) -> None:
    found = asked("--only", "background:eliminations=0", "--rules", "rules.yaml")
    assert (found["exposed"], found["details"]["people whom rules describe"]) == (5, 2)


def test_a_register(asked: Any) -> None:
    """Umeko has four candidates, Olga four, and of 99999 there is nobody."""
    found = asked("--only", "linking", "--register", "voters.csv")
    assert (found["people"], found["details"]["no candidate"], found["surest"]) == (3, 1, 0.25)
    assert found["details"]["people with general values, not scored"] == 1
    assert found["right"] == pytest.approx((0.25 + 0) / 2)


def test_a_population(asked: Any) -> None:
    """The table itself as its population: of everybody the one combination says what they have."""
    found = asked("--only", "bayes", "--population", "original.csv")
    assert (found["exposed"], found["right"]) == (12, 1.0)
