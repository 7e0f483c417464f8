"""A line break or control character in a column name does not break lines of output."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import Cli

TOWN, ILL = "to\nwn", "il\x1b[31m\nl"
ROWS = [("a", "flu"), ("a", "gout"), ("b", "flu"), ("b", "gout")]


@pytest.fixture
def data(here: Path) -> Path:
    lines = [f'"{TOWN}","{ILL}",age', *(f"{town},{ill},{20 + at}" for at, (town, ill) in enumerate(ROWS))]
    (here / "d.csv").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return here / "d.csv"


def policy(promise: str = "{model: distinct-l, l: 2}", role: str = "sensitive") -> str:
    return (
        'version: 1\ncolumns:\n  "to\\nwn": {role: quasi, hierarchy: {tree: {all: [a, b]}}}\n'
        f'  "il\\x1b[31m\\nl": {{role: {role}}}\n  age: {{role: quasi, type: integer}}\n'
        f"privacy:\n  - {promise}\npartition: {{method: lattice}}\n"
    )


@pytest.fixture
def lines(cli: Cli) -> Callable[..., list[str]]:
    def call(*arguments: str, code: int) -> list[str]:
        done = cli(*arguments)
        output = done.out + done.err
        assert done.code == code, output
        assert "\x1b" not in output
        return output.splitlines()

    return call


def whole(found: list[str]) -> None:
    """No line begins in the middle of a name."""
    assert found and not any(line.startswith(("wn", "l:", "l,", "l ", "l'")) for line in found)


def test_a_release_and_its_audit(data: Path, lines: Callable[..., list[str]]) -> None:
    Path("p.yaml").write_text(policy(), encoding="utf-8")
    found = lines("anonymize", "d.csv", "-p", "p.yaml", "-o", "out", code=0)
    whole(found)
    assert any("to\\nwn" in line for line in found) and any("on il\\x1b[31m\\nl" in line for line in found)
    whole(lines("audit", "out", "-p", "p.yaml", code=0))
    whole(lines("audit", "d.csv", "-p", "p.yaml", code=4))
    whole(lines("advise", "d.csv", "-p", "p.yaml", code=0))


def test_mistakes_of_a_policy(data: Path, lines: Callable[..., list[str]]) -> None:
    Path("p.yaml").write_text(policy("{model: distinct-l, l: 2, on: nobody}"), encoding="utf-8")
    found = lines("anonymize", "d.csv", "-p", "p.yaml", "-o", "out", code=2)
    whole(found)
    assert any("il\\x1b[31m\\nl" in line for line in found)
    Path("p.yaml").write_text(policy(role="sensitve"), encoding="utf-8")
    whole(lines("anonymize", "d.csv", "-p", "p.yaml", "-o", "out", code=2))


def test_suggestions(data: Path, lines: Callable[..., list[str]]) -> None:
    whole(lines("init", "d.csv", code=0))
