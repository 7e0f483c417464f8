"""The judge can fail a release: honest ones pass, and each thing that is broken by hand is found."""

from __future__ import annotations

import csv
import json
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf

from .beliefs import Terms, keeps_about_terms, linked
from .case import Case
from .definitions import Reference, carried, keeps, tree_of
from .honest import HONEST, KINDS, honest
from .judge import judge
from .posterior import by_counts, by_shares
from .reading import folded
from .tables import LABELS


def counts(text: str) -> dict[str, Fraction]:
    return {letter: Fraction(text.count(letter)) for letter in text}


def held(text: str, whole: str = "", **promise: Any) -> bool:
    """Whether a group whose values are these letters keeps the promise."""
    return keeps(promise, counts(text), Reference(counts(whole or text), order=sorted(set(whole or text))))


@pytest.mark.parametrize(
    ("group", "promise", "kept"),
    [
        ("aab", {"model": "k-anonymity", "k": 3}, True),
        ("aab", {"model": "k-anonymity", "k": 4}, False),
        ("aaab", {"model": "distinct-l", "l": 2}, True),
        ("abc", {"model": "entropy-l", "l": "3"}, True),
        ("abcdefg", {"model": "entropy-l", "l": "7"}, True),
        ("aabc", {"model": "entropy-l", "l": "3"}, False),
        ("aabc", {"model": "recursive-cl", "c": "2", "l": 3}, False),
        ("aabc", {"model": "recursive-cl", "c": "2.01", "l": 3}, True),
        ("y", {"model": "pd-recursive", "c": "1", "l": 2, "disclosable": ["y"]}, True),
        ("yaa", {"model": "pd-recursive", "c": "1", "l": 2, "disclosable": ["y"]}, False),
        ("yyaab", {"model": "npd-recursive", "c1": "2", "c2": "20", "l": 2, "protected": ["b"]}, True),
        ("yyaabb", {"model": "npd-recursive", "c1": "2", "c2": "34", "l": 2, "protected": ["b"]}, False),
        ("aabc", {"model": "simple-l", "l": "2"}, True),
        ("aabc", {"model": "simple-l", "l": "2.01"}, False),
        ("abcd", {"model": "pairwise-l", "l": 2}, True),
        ("aabc", {"model": "pairwise-l", "l": 2}, False),
        ("abc", {"model": "unique-distinct-l", "l": 2}, False),
        ("aaaab", {"model": "unique-distinct-literal", "l": 2}, True),
        ("aab", {"model": "alpha-k", "alpha": "2/3", "k": 3}, True),
        ("aab", {"model": "alpha-k", "alpha": "0.66", "k": 3}, False),
        ("aabc", {"model": "tau-l", "tau": "1/2", "l": 3}, True),
        ("aabb", {"model": "tau-l", "tau": "1/2", "l": 3}, False),
    ],
)
def test_definitions(group: str, promise: dict[str, Any], kept: bool) -> None:
    assert held(group, **promise) is kept


def test_promises_about_the_whole_table() -> None:
    whole = "aaabbbccc"
    assert held("ab", whole, model="t-closeness", t="1/3")
    assert not held("ab", whole, model="t-closeness", t="0.33")
    assert held("aac", whole, model="t-closeness", t="1/3", distance="ordered")
    assert not held("aaa", whole, model="t-closeness", t="0.49", distance="ordered")
    assert held("aabc", whole, model="delta-disclosure", delta="0.41")
    assert not held("aabc", whole, model="delta-disclosure", delta="0.4")
    assert not held("ab", whole, model="delta-disclosure", delta="9")
    tree = tree_of({"x": ["a", "b"], "y": ["c", "d"]})
    assert carried(tree, {"a": Fraction(1, 2), "b": Fraction(-1, 2)}) == Fraction(1, 4)
    assert carried(tree, {"a": Fraction(1, 2), "c": Fraction(-1, 2)}) == Fraction(1, 2)


def test_general_values_stand_for_what_is_below_them() -> None:
    tree = tree_of({"x": ["a", "b"], "y": ["c", "d"]})
    promise = {"model": "tau-l", "tau": "1/2", "l": 3}
    given = Reference({key: Fraction(1) for key in "abcd"}, tree=tree)
    assert keeps(promise, {"x": Fraction(2), "c": Fraction(1), "d": Fraction(1)}, given)
    assert not keeps({**promise, "tau": "1/3"}, {"x": Fraction(2), "a": Fraction(2)}, given)


def test_beliefs_about_labels() -> None:
    column = {"knowledge": {"labels": LABELS}}
    assert linked(column, Terms(frozenset(["fever"]))) == {"flu": Fraction(1, 2), "mumps": Fraction(1, 2)}
    assert linked(column, Terms(frozenset(["itch"]))) == {}
    assert len(linked(column, Terms(frozenset()))) == 4
    known = {**column, "lengths": "known"}
    assert set(linked(known, Terms(frozenset(["ache"]), 2))) == {"flu"}
    sure = [Terms(frozenset(["cough", "fever"]))]
    assert not keeps_about_terms({"model": "qs-cl", "c": 1, "l": 2}, column, sure, sure)
    assert keeps_about_terms({"model": "qs-cl", "c": 1, "l": 2}, column, [Terms(frozenset(["fever"]))], sure)
    assert keeps_about_terms({"model": "qs-t", "t": "0"}, column, sure, sure)
    assert not keeps_about_terms({"model": "qs-t", "t": "0.4"}, column, [Terms(frozenset(["fever"]))], sure)


def test_posteriors_are_those_of_bayes() -> None:
    half = Fraction(1, 2)
    assert by_shares("ab", "aa", half) == [{"a": Fraction(3, 4), "b": Fraction(1, 4)}] * 2
    assert by_counts("ab", "ab", half) == [
        {"a": Fraction(9, 10), "b": Fraction(1, 10)},
        {"a": Fraction(1, 10), "b": Fraction(9, 10)},
    ]
    assert by_counts("ab", "aa", half) == [{"a": half, "b": half}] * 2


def test_spellings_are_folded() -> None:
    assert {folded(text) for text in ("flu", "Flu", " flu", "flu\u00a0", "f\u200blu", "\ufeffFLU ")} == {"flu"}


def written(case: Case, place: Path) -> tuple[Path, Path]:
    place.mkdir()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        release = sf.publish(case.write_csv(place / "data.csv"), policy=case.policy, seed=1)
        made = release.write(place / "out", kind=case.kind)
    return place / "out", made.manifest


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", HONEST)
def test_honest_releases_pass(name: str, kind: str, tmp_path: Path) -> None:
    case = honest(name, kind)
    assert judge(case, *written(case, tmp_path / "made")) == []


Rows = list[dict[str, str]]


def changed(folder: Path, file: str, change: Callable[[Rows], Rows | None]) -> None:
    """Rewrite a CSV table of a release."""
    with (folder / file).open(encoding="utf-8", newline="") as source:
        rows = list(csv.DictReader(source))
    names = list(rows[0])
    rows = change(rows) or rows
    with (folder / file).open("w", encoding="utf-8", newline="") as goal:
        writer = csv.DictWriter(goal, names)
        writer.writeheader()
        writer.writerows(rows)


def one_value(rows: Rows) -> None:
    """All of one group have one value."""
    first = rows[0]
    key = "group" if "group" in first else "town"
    for row in rows:
        if row[key] == first[key] and (key == "group" or row["age"] == first["age"]):
            row["ill"] = first["ill"]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("generalized", "table.csv"),
        ("grouped", "table.csv"),
        ("permuted", "table.csv"),
        ("sliced", "table.csv"),
        ("anatomized", "sensitive.csv"),
    ],
)
def test_a_group_of_one_value_is_found(name: str, file: str, tmp_path: Path) -> None:
    case = honest(name)
    folder, manifest = written(case, tmp_path / "made")
    changed(folder, file, one_value)
    assert "promise" in {finding.kind for finding in judge(case, folder, manifest)}


def test_a_ring_of_equal_neighbours_is_found(tmp_path: Path) -> None:
    case = honest("ring")
    folder, manifest = written(case, tmp_path / "made")
    ring = json.loads(manifest.read_text(encoding="utf-8"))["sealed"]["rings"][0]["rows"]

    def equal(rows: Rows) -> None:
        for place in ring:
            rows[place]["ill"] = "flu"

    changed(folder, "table.csv", equal)
    assert "promise" in {finding.kind for finding in judge(case, folder, manifest)}


def test_too_much_that_is_kept_is_found(tmp_path: Path) -> None:
    case = honest("randomized")
    folder, manifest = written(case, tmp_path / "made")
    document = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    document["shown"]["retention"] = "99/100"
    (folder / "release.json").write_text(json.dumps(document), encoding="utf-8")
    assert {finding.kind for finding in judge(case, folder, manifest)} == {"promise"}


def test_missing_people_of_one_value_are_found(tmp_path: Path) -> None:
    case = honest("permuted")
    folder, manifest = written(case, tmp_path / "made")
    gone = [row["age"] for row in case.rows if row["ill"] == "flu"]
    changed(folder, "table.csv", lambda rows: [row for row in rows if row["age"] not in gone])
    assert {"accounts", "left out ()"} <= {finding.kind for finding in judge(case, folder, manifest)}


def test_two_rows_of_one_person_are_found(tmp_path: Path) -> None:
    case = honest("grouped")
    columns = {**case.columns, "person": {"role": "individual"}, "tag": {"role": "insensitive", "unique": "accepted"}}
    rows = [{**row, "person": f"P{at % 6}", "tag": f"t{at}"} for at, row in enumerate(case.rows)]
    case = Case(1, rows, {**case.policy, "columns": columns})
    folder, manifest = written(case, tmp_path / "made")
    assert judge(case, folder, manifest) == []

    def together(table: Rows) -> None:
        mine = [row for row in table if row["tag"] in ("t0", "t6")]
        mine[1]["group"] = mine[0]["group"]

    changed(folder, "table.csv", together)
    assert "persons" in {finding.kind for finding in judge(case, folder, manifest)}


def test_a_bound_of_somebody_left_out_is_found(tmp_path: Path) -> None:
    case = honest("generalized")
    tag = {"role": "insensitive", "unique": "accepted"}
    columns = {**case.columns, "age": {"role": "quasi", "type": "integer"}, "tag": tag}
    rows = [{**row, "tag": f"t{at}"} for at, row in enumerate(case.rows)]
    case = Case(1, rows, {**case.policy, "columns": columns})
    folder, manifest = written(case, tmp_path / "made")
    assert judge(case, folder, manifest) == []
    hidden = {row["tag"] for row in rows if row["age"] == "64"}

    def shown(table: Rows) -> Rows:
        left = [row for row in table if row["tag"] not in hidden]
        left[0]["age"] = "[23, 64]"
        return left

    changed(folder, "table.csv", shown)
    assert "label" in {finding.kind for finding in judge(case, folder, manifest)}


def test_spellings_of_one_value_are_found(tmp_path: Path) -> None:
    case = honest("grouped")
    spelt = {"flu": "flu", "gout": "Flu", "mumps": "flu ", "ulcer": "fl\u200bu"}
    folder, manifest = written(case, tmp_path / "made")
    rows = [{**row, "ill": spelt[row["ill"] or ""]} for row in case.rows]

    def respelt(table: Rows) -> None:
        for row in table:
            row["ill"] = spelt[row["ill"]]

    changed(folder, "table.csv", respelt)
    assert {finding.kind for finding in judge(Case(1, rows, case.policy), folder, manifest)} == {"spelling"}
