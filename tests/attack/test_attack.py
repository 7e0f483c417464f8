"""A seeded sample of the attack, and the smallest tables that once got through."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.examples import examples, some

from .case import OPINIONS, Case, Row
from .policies import make_case
from .worker import run_case

ROOT = Path(__file__).resolve().parents[2]
CASES = examples(170, fewest=34)  # about a third of them end with a release


def certain(case: Case) -> list[str]:
    """What is wrong with the release of a case, if there is one, and not a matter of opinion."""
    found = [each for each in run_case(case).findings if each.kind not in OPINIONS]
    return [f"{each.kind}: {each.about}: {each.detail}" for each in found]


@pytest.mark.parametrize("part", range(examples(4, fewest=2)))
def test_a_sample_of_releases_keeps_its_promises(part: int) -> None:
    wrong: dict[int, list[str]] = {}
    ends = []
    for seed in range(part, CASES, 4):
        outcome = run_case(make_case(seed))
        ends.append(outcome.end)
        if found := [each for each in outcome.findings if each.kind not in OPINIONS]:
            wrong[seed] = [f"{each.kind}: {each.about}: {each.detail}" for each in found]
    assert ends.count("released") * 5 >= len(ends)
    assert wrong == {}


def table(text: str, columns: dict[str, Any], **policy: Any) -> Case:
    """A case of rows like ``A,x A,y``, an empty cell missing."""
    rows: list[Row] = [
        {name: cell or None for name, cell in zip(columns, row.split(","), strict=True)} for row in text.split()
    ]
    usual = {"version": 1, "suppression": {"limit": "0.5"}, "partition": {}, "form": {"publish": "generalized"}}
    return Case(1, rows, {**usual, "columns": columns, **policy})


TOWN = {"role": "quasi"}
SICK = {"role": "sensitive"}
LATTICE = {"method": "lattice"}
SYMPTOMS = {
    "role": "quasi-sensitive",
    "separator": "|",
    "knowledge": {"labels": {"flu": ["x"], "gout": ["y"]}},
}
EXACT = ("permuted", "anatomized", "sliced")


@pytest.mark.parametrize("form", EXACT)
@pytest.mark.parametrize("promise", [{"model": "qs-cl", "c": 1, "l": 2}, {"model": "qs-t", "t": "0.4"}])
def test_the_missing_do_not_tell_their_labels(form: str, promise: dict[str, Any]) -> None:
    columns = {"town": TOWN, "sym": SYMPTOMS}
    text = "A,x A,y A,x A,y B,x B,x"
    assert certain(table(text, columns, privacy=[promise], partition=LATTICE, form={"publish": form})) == []


@pytest.mark.parametrize("form", EXACT)
def test_the_missing_do_not_tell_one_column_by_another(form: str) -> None:
    columns = {"town": TOWN, "s": SICK, "t": SICK}
    privacy = [{"model": "multi-attribute", "of": {"model": "simple-l", "l": 2}}]
    text = "A,a,c A,a,d A,b,c A,b,d B,a,c B,a,c"
    assert certain(table(text, columns, privacy=privacy, partition=LATTICE, form={"publish": form})) == []


@pytest.mark.parametrize("form", EXACT)
def test_rows_that_are_dropped_are_missing_too(form: str) -> None:
    age = {"role": "quasi", "type": "integer", "missing": "drop"}
    columns = {"town": TOWN, "age": age, "sym": SICK}
    privacy = [{"model": "simple-l", "l": 2}]
    text = "A,1,x A,2,y A,3,x A,4,y B,,x B,,x"
    assert certain(table(text, columns, privacy=privacy, form={"publish": form})) == []


@pytest.mark.parametrize("income", [{"difference": 10}, {"bins": {"width": 10}}])
def test_bins_do_not_name_what_was_left_out(income: dict[str, Any]) -> None:
    columns = {
        "town": TOWN,
        "pay": {"role": "sensitive", "type": "integer", **income},
        "tag": {"role": "insensitive", "unique": "accepted"},
    }
    privacy = [{"model": "distinct-l", "l": 2}]
    text = "A,1000,t1 A,2000,t2 A,1003,t3 A,2003,t4 B,1007,t5"
    assert certain(table(text, columns, privacy=privacy, partition=LATTICE)) == []


@pytest.mark.parametrize("hidden", ["937 941 951 967", "27 28 31 33"])
def test_hierarchies_made_from_the_data_do_not_name_what_was_left_out(hidden: str) -> None:
    columns = {
        "town": TOWN,
        "age": {"role": "quasi", "type": "integer", "hierarchy": {"balanced": {}}},
        "sick": SICK,
        "tag": {"role": "insensitive", "unique": "accepted"},
    }
    privacy = [{"model": "distinct-l", "l": 2}]
    low, ages = "A,21,x,t1 A,22,y,t2 A,25,x,t3 A,26,y,t4", hidden.split()
    text = " ".join([low, *(f"A,{age},x,t{place}" for place, age in enumerate(ages, start=5))])
    height = {"metric": "height"}  # which makes it dearer to blur everybody than to leave some out
    assert certain(table(text, columns, privacy=privacy, partition=LATTICE, loss=height)) == []


@pytest.mark.parametrize("other", ["Flu", "flu\u00a0", "fl\u200bu", "\ufeffflu"])
def test_spellings_of_one_value_are_not_diverse(other: str) -> None:
    columns = {"town": TOWN, "sick": SICK}
    privacy = [{"model": "distinct-l", "l": 2}]
    case = table("A,flu A,OTHER A,flu A,OTHER", columns, privacy=privacy)
    rows = [{**row, "sick": other if row["sick"] == "OTHER" else row["sick"]} for row in case.rows]
    assert certain(Case(1, rows, case.policy)) == []


@pytest.mark.parametrize("seed", some([15, 4, 5]))
def test_polish_ends_as_it_should_by_every_loss(seed: int, tmp_path: Path) -> None:
    """In a process of its own: a loop that writes out of bounds may take it down."""
    columns = {"q": {"role": "quasi", "type": "integer"}, "s": SICK}
    text = " ".join(map(",".join, zip("3413532625", "aabcaaabaa", strict=True)))
    case = table(
        text,
        columns,
        privacy=[{"model": "t-closeness", "t": "0.3"}],
        partition={"method": "mondrian", "polish": True},
        loss={"metric": "non-uniform-entropy"},
    )
    replace(case, seed=seed).save(tmp_path / "case.json")
    command = [sys.executable, "-m", "tests.attack.run", "--replay", str(tmp_path / "case.json")]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout


def test_a_saved_case_is_the_same_case(tmp_path: Path) -> None:
    case = make_case(7)
    case.save(tmp_path / "case.json", findings=[])
    assert Case.load(tmp_path / "case.json") == Case(case.seed, list(case.rows), case.policy, case.kind)
