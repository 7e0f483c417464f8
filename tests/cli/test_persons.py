"""One person, several rows, on the command line: what is written, who can audit it, and what is refused."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.support.command import Cli

PERSONS = """
version: 1
columns:
  patient: {role: individual}
  age: {role: quasi, type: integer, hierarchy: {intervals: [5, 10, 20]}}
  disease: {role: sensitive}
privacy:
  - {model: distinct-l, l: 2, on: disease}
partition: {method: bsgi-free}
form: {publish: generalized, group_id: true}
"""


@pytest.fixture
def visits(here: Path) -> Path:
    """Sixty visits of forty patients, nobody twice with one disease; their folder is entered."""
    who = [row if row < 40 else row - 40 for row in range(60)]
    pl.DataFrame(
        {
            "patient": [f"patient-{number}" for number in who],
            "age": [20 + number for number in who],
            "disease": [("flu", "cold", "gout", "lupus")[(row + row // 40) % 4] for row in range(60)],
        }
    ).write_csv(here / "visits.csv")
    (here / "visits.yaml").write_text(PERSONS, encoding="utf-8")
    return here


def test_one_person_several_rows(visits: Path, cli: Cli) -> None:
    done = cli("anonymize", "visits.csv", "-p", "visits.yaml", "-o", "out")
    assert done.code == 0, done.err
    assert "column 'patient' names 40 persons in 60 rows, up to 2 rows of one" in done.out
    assert "patient" not in (visits / "out" / "table.csv").read_text()
    assert "patient" not in (visits / "out" / "release.json").read_text()
    held = cli("audit", "out", "-p", "visits.yaml", "--manifest", "out.internal.json")
    assert held.code == 0
    assert "holds       rows-per-person on patient: level 1" in held.out
    outside = cli("audit", "out", "-p", "visits.yaml")
    assert outside.code == 4
    assert "undecidable rows-per-person on patient: needs to know whose rows are: the internal manifest" in outside.out


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        (
            "bsgi-free",
            "mondrian",
            2,
            "column 'patient' names 40 persons in 60 rows, up to 2 rows of one: this algorithm",
        ),
        ("group_id: true", "group_id: false", 2, "publish the group id (form: group_id: true)"),
        ("l: 2", "l: 3", 0, "column 'patient'"),
        ("l: 2", "l: 5", 3, "distinct-l (l=5"),
    ],
)
def test_what_persons_ask_of_a_policy(visits: Path, cli: Cli, old: str, new: str, code: int, words: str) -> None:
    (visits / "visits.yaml").write_text(PERSONS.replace(old, new), encoding="utf-8")
    done = cli("anonymize", "visits.csv", "-p", "visits.yaml", "-o", "out")
    assert done.code == code, done.err
    assert words in done.out + done.err
    assert (visits / "out").exists() == (code == 0)
    assert "patient-" not in done.out + done.err


def test_an_unknown_person_is_named_by_place(visits: Path, cli: Cli) -> None:
    table = visits / "visits.csv"
    table.write_text(table.read_text().replace("patient-7,", ","), encoding="utf-8")
    done = cli("anonymize", "visits.csv", "-p", "visits.yaml", "-o", "out")
    assert done.code == 2
    assert "column 'patient': 2 missing, the first in line 9" in done.err
    assert "an unknown person can only be dropped" in done.err


def test_the_matrix_for_persons(cli: Cli) -> None:
    plain, persons = cli("methods", "--json").json, cli("methods", "--persons", "--json").json
    assert len(plain["matrix"]) == len(persons["matrix"])
    cell = {"model": "distinct-l", "method": "mondrian", "form": "permuted"}
    found = [next(each for each in made["matrix"] if cell.items() <= each.items()) for made in (plain, persons)]
    assert [each["status"] for each in found] == ["native", "adapted"]
    assert found[1]["why"] == "with refine: true"
