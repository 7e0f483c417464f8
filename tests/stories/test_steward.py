"""A hospital's data steward: from the raw file to an audited release, deciding only what is theirs to decide.

The table has 42 columns, several rows per person, ages in bands, codes of unequal length, and `?` for what is missing.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter

import polars as pl
import pytest

from tests.support.desk import Desk, as_setting, grammatical
from tests.support.visits import DRUGS, HEAD, write_visits

ABSENT = {
    *("weight", "admission_type_id", "discharge_disposition_id", "admission_source_id", "diag_3"),
    *("num_lab_procedures", "number_outpatient", "max_glu_serum"),
}
COLUMNS = [name for name in HEAD if name not in ABSENT]
ROWS = 500

POLICY = """\
columns:
  patient_nbr: {role: individual, rows: one}
  race: {role: quasi}
  gender: {role: quasi}
  age: {role: quasi, hierarchy: {intervals: [20, 40]}}
  diag_1: {role: sensitive, missing: drop}
others: {role: drop}
privacy:
  - {model: distinct-l, l: 3}
partition: {method: mondrian}
input: {missing_values: ["", "?"]}
"""


@pytest.fixture
def desk(desk: Desk) -> Desk:
    write_visits(desk.place / "visits.csv", ROWS, columns=COLUMNS)
    desk.write("p.yaml", POLICY)
    return desk


def test_from_the_raw_file_to_an_audited_release(desk: Desk) -> None:
    assert len(COLUMNS) == 42
    begun = desk.process("init", "visits.csv")
    assert begun.code == 0 and len(begun.out.splitlines()) < 24, "no more than a screen"
    assert "agent0 ... readmitted, 26 columns" in begun.out, "what is said of many is said once"
    undecided = begun.out.splitlines()[-1]
    assert undecided.startswith(f"{undecided.count(',') + 1} undecided: ")

    refused = desk("advise", "visits.csv", "-p", "visits.yaml")
    assert refused.code == 2 and "others" in refused.err, "no role is given silently"
    desk.edit(
        "visits.yaml",
        {
            "  # readmitted: {role: decide, type: text}": "  readmitted: {role: insensitive}",
            "  # time_in_hospital: {role: decide, type: integer}": "  time_in_hospital: {role: quasi, type: integer}",
            "others: {role: decide}": "others: {role: drop}",
            "  diag_1: {role: sensitive": "  diag_1: {missing: drop, role: sensitive",
            "  diag_2: {role: sensitive": "  diag_2: {missing: drop, role: sensitive",
        },
    )
    advised = desk("advise", "visits.csv", "-p", "visits.yaml")
    assert advised.code == 0 and "this policy, with its method and form: kept" in advised.out
    assert len(advised.out.splitlines()) < 24, "no more than a screen"

    done = desk("anonymize", "visits.csv", "-p", "visits.yaml", "-o", "out")
    assert done.code == 0, done.err
    assert grammatical(begun.out + advised.out + done.out + done.err)
    assert desk.process("audit", "out", "-p", "visits.yaml", "--manifest", "out.internal.json").code == 0
    stranger = desk("audit", "out", "-p", "visits.yaml")
    assert stranger.code == 4 and "nothing fails, but 1 of " in stranger.out
    assert (
        "undecidable rows-per-person on patient_nbr: needs to know whose rows are: the internal manifest"
        in stranger.out
    )


def test_what_was_lost_is_read_off_the_summary(desk: Desk) -> None:
    """Rows, persons and missing values are counted as a hand count has them."""
    raw = pl.read_csv(desk.place / "visits.csv", infer_schema=False)
    told = raw.filter(pl.col("diag_1") != "?")
    persons, told_persons = raw["patient_nbr"].n_unique(), told["patient_nbr"].n_unique()
    done = desk("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out", "--json")
    assert done.code == 0
    release, notes = done.json["release"], "\n".join(done.json["release"]["notes"])
    assert release["rows"] == told_persons and release["dropped"] == persons - told_persons > 0
    untold = ROWS - told.height - release["dropped"]
    assert f"{ROWS - persons} rows of {ROWS} left out, among them {untold} with a missing value; nobody is" in notes
    assert release["repeated"] + release["dropped"] + release["rows"] == ROWS
    shown = pl.read_csv(desk.place / "out" / "table.csv", infer_schema=False)
    assert shown.height == release["rows"]
    missing = re.search(r"column 'race': (\d+) missing values counted as a category", notes)
    assert missing is not None
    plainly = shown["race"].is_null().sum()
    assert plainly <= int(missing[1]) < (raw["race"] == "?").sum(), "of the rows that stay, not of all that were read"
    assert Counter(shown["diag_1"]).keys() <= set(told["diag_1"]), "diagnoses are true"
    assert release["loss"]["metric"] == "ncp" and 0 < release["loss"]["value"] < 1
    for name, blank in release["blank_cells"].items():
        assert blank == (shown[name] == "*").sum(), name


def test_prefixes_of_diagnoses_as_a_quasi_identifier(desk: Desk) -> None:
    """Codes of unequal length, by how they begin; those of the classification have chapters."""
    prefix = "{role: quasi, hierarchy: {prefix: [3, 1]}}"
    desk.edit("p.yaml", {"  diag_1:": f"  diag_2: {prefix}\n  diag_1:"})
    done = desk("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out")
    assert done.code == 0, done.err
    assert desk("audit", "out", "-p", "p.yaml", "--manifest", "out.internal.json").code == 0
    labels = set(pl.read_csv(desk.place / "out" / "table.csv", infer_schema=False)["diag_2"].drop_nulls())
    assert labels and all(re.fullmatch(r"\*|[V\d]\*|(\d{3}|V\d\d)\*|\d{3}(\.\d\d)?|V\d\d", label) for label in labels)
    desk.edit("p.yaml", {"prefix: [3, 1]": "ready: icd9"})
    assert desk("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out", "--force").code == 0
    meanings = json.loads(desk.read("out/release.json"))["dictionary"]["diag_2"]["values"]
    assert all(words for words in meanings.values())


def test_a_value_outside_its_hierarchy(desk: Desk) -> None:
    desk.write("race.csv", "Caucasian;known;*\nAsian;known;*\n")
    desk.edit("p.yaml", {"race: {role: quasi}": "race: {role: quasi, hierarchy: {file: race.csv, header: false}}"})
    refused = desk("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out")
    assert refused.code == 2 and "AfricanAmerican" not in refused.err
    assert "column 'race': 1 of 3 distinct values" in refused.err
    assert "is not in its hierarchy race.csv; add it to the hierarchy, or correct the data" in refused.err
    found = desk(
        "hierarchy", "check", "race.csv", "--data", "visits.csv", "-c", "race", "--missing", "?", "--no-header"
    )
    assert found.code == 2 and "column 'race'" in found.err
    desk.write("race.csv", desk.read("race.csv") + "AfricanAmerican;known;*\n")
    checked = desk(
        "hierarchy", "check", "race.csv", "--data", "visits.csv", "-c", "race", "--missing", "?", "--no-header"
    )
    assert checked.code == 0, checked.err
    assert desk("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out").code == 0


def test_a_column_that_nobody_mentioned(desk: Desk) -> None:
    desk.edit("p.yaml", {"others: {role: drop}\n": ""})
    refused = desk("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out")
    assert refused.code == 2 and "37 columns of the data are not in the policy: 'encounter_id', " in refused.err
    remedy = "others: {role: drop}"
    assert remedy in refused.err and not (desk.place / "out").exists()
    desk.edit("p.yaml", {"privacy:": f"{remedy}\nprivacy:"})
    assert desk("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out").code == 0


def test_spellings_of_a_diagnosis(desk: Desk) -> None:
    names = ["Flu", "flu", "flu ", "Gout", "gout", "asthma", "ulcer"]
    draw = random.Random(3)
    rows = [f"{draw.randint(1, 90)},{draw.choice(names)}" for _ in range(80)]
    desk.write("spelt.csv", "\n".join(["age,disease", *rows]) + "\n")
    desk.write(
        "s.yaml",
        "columns:\n  age: {role: quasi, type: integer}\n  disease: {role: sensitive}\n"
        "privacy: [{model: distinct-l, l: 3}]\n",
    )
    refused = desk("anonymize", "spelt.csv", "-p", "s.yaml", "-o", "out")
    assert refused.code == 2 and "column 'disease'" in refused.err
    assert not {"flu", "gout"} & set(re.findall(r"\w+", refused.err.lower())), "no value of the data"
    remedy = re.search(r"same: \[case, space\]", refused.err)
    assert remedy is not None, refused.err
    desk.edit("s.yaml", {"role: sensitive": f"role: sensitive, {remedy[0]}"})
    assert desk("anonymize", "spelt.csv", "-p", "s.yaml", "-o", "out").code == 0
    assert desk("audit", "out", "-p", "s.yaml", "--manifest", "out.internal.json").code == 0
    shown = set(pl.read_csv(desk.place / "out" / "table.csv", infer_schema=False)["disease"])
    assert {each.lower() for each in shown} == {"flu", "gout", "asthma", "ulcer"} and len(shown) == 4


@pytest.mark.parametrize(
    "asked", ["{model: simple-l, l: 90}", "{model: distinct-l, l: 400}", "{model: k-anonymity, k: 499}"]
)
def test_an_infeasible_promise_names_one_that_works(desk: Desk, asked: str) -> None:
    desk.edit("p.yaml", {"{model: distinct-l, l: 3}": asked})
    refused = desk("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out")
    assert refused.code == 3 and not (desk.place / "out").exists()
    assert desk("advise", "visits.csv", "-p", "p.yaml").code == 3
    named = re.search(r"nearest promise that .+: (.+)", refused.err)
    assert named is not None, refused.err
    desk.edit("p.yaml", {asked: as_setting(named[1])})
    assert desk("advise", "visits.csv", "-p", "p.yaml").code == 0
    assert desk("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out").code == 0
    assert desk("audit", "out", "-p", "p.yaml", "--manifest", "out.internal.json").code == 0


def test_a_method_that_finds_none_names_one_that_does(desk: Desk) -> None:
    """Counts 5, 5 and 2 have the entropy of 2.66 equal values, but no groups of three different ones."""
    rows = [f"{30 + place},{value}" for place, value in enumerate("aaaaabbbbbcc")]
    desk.write("few.csv", "\n".join(["age,disease", *rows]) + "\n")
    desk.write(
        "f.yaml",
        "columns:\n  age: {role: quasi, type: integer}\n  disease: {role: sensitive}\n"
        "privacy: [{model: entropy-l, l: 2.5}]\npartition: {method: hilbert}\n",
    )
    refused = desk("anonymize", "few.csv", "-p", "f.yaml", "-o", "out")
    assert refused.code == 5 and not (desk.place / "out").exists()
    assert desk("advise", "few.csv", "-p", "f.yaml").code == 5
    named = re.search(r"keeps it with (partition: \{.+\})", refused.err)
    assert named is not None, refused.err
    desk.edit("f.yaml", {"partition: {method: hilbert}": named[1]})
    assert desk("anonymize", "few.csv", "-p", "f.yaml", "-o", "out").code == 0
    assert desk("audit", "out", "-p", "f.yaml", "--manifest", "out.internal.json").code == 0


def test_drugs_by_a_wildcard(desk: Desk) -> None:
    desk.edit("p.yaml", {"others:": "  agent*: {role: insensitive}\nothers:"})
    done = desk("anonymize", "visits.csv", "-p", "p.yaml", "-o", "out")
    assert done.code == 0 and len((done.out + done.err).splitlines()) < 24, "no more than a screen"
    assert "warning: insensitive columns together: 289 of 289 rows" in done.err, "who may be harmless one by one"
    assert set(DRUGS) < set(pl.read_csv(desk.place / "out" / "table.csv", infer_schema=False).columns)
