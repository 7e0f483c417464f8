"""From a raw file to an audited release by commands alone, editing nothing but the decisions that are a person's.

The table has the traits of a hospital's own: fifty columns, ages in bands, `?` for missing, keys of visits and of
patients who come again, diagnosis codes of unequal length, a column for every drug.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

from tests.support.command import Cli
from tests.support.visits import DRUGS, write_visits

ROWS = 600


@pytest.fixture
def place(here: Path) -> Path:
    write_visits(here / "visits.csv", ROWS)
    return here


def test_fifty_columns_and_one_decision(place: Path, cli: Cli) -> None:
    first = cli("init", "visits.csv", "--json")
    assert first.code == 0
    roles = first.json["roles"]
    assert roles["encounter_id"] == "identifier" and roles["patient_nbr"] == "individual"
    assert {roles[name] for name in ("diag_1", "diag_2", "diag_3")} == {"sensitive"}
    assert {roles[name] for name in ("race", "gender", "age")} == {"quasi"}
    assert roles["number_diagnoses"] is None, "how many diagnoses there are is no diagnosis"
    assert len(first.json["undecided"]) > 30
    policy = place / "visits.yaml"
    text = policy.read_text(encoding="utf-8")
    assert text.count("insensitive") < 3, "the list of roles stands there once"
    assert '"?"' in text, "a usual mark of a missing value is taken for one"
    refused = cli("anonymize", "visits.csv", "-p", "visits.yaml", "-o", "out")
    assert refused.code == 2 and refused.err.count("\n") == 2 and "'decide'" in refused.err
    policy.write_text(text.replace("others: {role: decide}", "others: {role: drop}"), encoding="utf-8")
    done = cli("anonymize", "visits.csv", "-p", "visits.yaml", "-o", "out")
    assert done.code == 0, done.err
    judged = cli("audit", "out", "-p", "visits.yaml", "--manifest", "out.internal.json")
    assert judged.code == 0, judged.out
    shown = pl.read_csv(place / "out" / "table.csv", infer_schema=False)
    assert set(shown.columns) == {name for name, role in roles.items() if role in ("quasi", "sensitive")}
    bands = [f"[{low}, {low + width})" for width in (20, 40) for low in range(0, 100, width)]
    assert set(shown["age"]) <= {f"[{low}-{low + 10})" for low in range(0, 100, 10)} | {*bands, "*"}
    persons = pl.read_csv(place / "visits.csv", infer_schema=False)["patient_nbr"].n_unique()
    assert shown.height == persons < ROWS


def test_wildcards_from_raw_file_to_audit(place: Path, cli: Cli) -> None:
    (place / "p.yaml").write_text(
        "columns:\n"
        "  patient_nbr: {role: individual, rows: one}\n"
        "  age: {role: quasi, hierarchy: {intervals: [20, 40]}}\n"
        "  gender: {role: quasi}\n"
        "  diag_1: {role: sensitive}\n"
        "  agent*: {role: insensitive}\n"
        "others: {role: drop}\n"
        "privacy: [{model: distinct-l, l: 3, on: diag_1}]\n"
        'input: {missing_values: ["", "?"]}\n',
        encoding="utf-8",
    )
    done = cli("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out.csv")
    assert done.code == 0, done.err
    assert "note: 23 columns by wildcard 'agent*', role insensitive: 'agent0', " in done.out
    assert "columns by others:, role drop: 'encounter_id', " in done.out
    assert pl.read_csv(place / "out.csv").columns == ["age", "gender", "diag_1", *DRUGS]
    assert cli("audit", "out.csv", "-p", "p.yaml", "--manifest", "out.internal.json").code == 0
    alone = cli("audit", "out.csv", "-p", "p.yaml", "--json")
    assert alone.json["problems"] == [], "published names are enough to know which columns are meant"
    assert [each["verdict"] for each in alone.json["criteria"]] == ["holds", "undecidable"]
    broken = place / "broken.csv"
    broken.write_text((place / "out.csv").read_text(encoding="utf-8").replace("agent0,", "race,", 1), encoding="utf-8")
    found = cli("audit", "broken.csv", "-p", "p.yaml", "--json")
    assert found.code == 4 and "column 'race': the policy drops it, and it is published" in found.json["problems"]


def test_columns_without_a_role_are_one_message(place: Path, cli: Cli) -> None:
    lines = ["columns:", "  age: {role: quasi}", "  diag_1: {role: sensitive}"]
    promise = "privacy: [{model: k-anonymity, k: 2}]\n"
    (place / "p.yaml").write_text("\n".join([*lines, promise]), encoding="utf-8")
    refused = cli("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out")
    assert refused.code == 2 and len(refused.err.splitlines()) == 3, refused.err
    assert "48 columns of the data are not in the policy: 'encounter_id', " in refused.err
    assert "others: {role: drop}" in refused.err
    undecided = [f"  {name}: {{role: decide}}" for name in DRUGS]
    (place / "p.yaml").write_text("\n".join([*lines, *undecided, promise]), encoding="utf-8")
    refused = cli("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out")
    assert refused.code == 2 and len(refused.err.splitlines()) == 2, refused.err
    assert "the role of 23 columns" in refused.err and "agent0, agent1, " in refused.err
    assert refused.err.count("'quasi-sensitive'") == 1
    assert not (place / "out").exists()


def test_ages_in_bands_are_published_without_a_hierarchy_too(place: Path, cli: Cli) -> None:
    rest = "others: {role: drop}\nprivacy: [{model: k-anonymity, k: 5}]\n"
    order = json.dumps([f"[{low}-{low + 10})" for low in range(0, 100, 10)])
    for setting in ("", f", order: {order}"):
        (place / "p.yaml").write_text(f"columns:\n  age: {{role: quasi{setting}}}\n{rest}", encoding="utf-8")
        done = cli("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out", "--force")
        assert done.code == 0, done.err
        cells = pl.read_csv(place / "out" / "table.csv", infer_schema=False)["age"].unique().to_list()
        assert all(re.fullmatch(r"\[\d+-\d+\)|\{\[\d+-\d+\)(, \[\d+-\d+\))+\}", cell) for cell in cells)


def test_a_number_forgotten_its_type_is_told(place: Path, cli: Cli) -> None:
    (place / "p.yaml").write_text(
        "columns:\n  time_in_hospital: {role: quasi, hierarchy: {intervals: [2]}}\n"
        "others: {role: drop}\nprivacy: [{model: k-anonymity, k: 5}]\n",
        encoding="utf-8",
    )
    refused = cli("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out")
    assert refused.code == 2 and "say type: integer or number" in refused.err
