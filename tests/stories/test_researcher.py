"""A researcher: one seed, one table; many methods and forms of it; documents that are as their schemas say."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.support.desk import Desk, grammatical
from tests.support.json_schema import faults

DISEASES = ["flu", "measles", "gout", "asthma", "ulcer", "cancer"]
SYMPTOMS = ["cough", "fever", "rash", "headache", "nausea", "sneezing"]
KNOWLEDGE = """\
label,term
flu,cough
flu,fever
flu,headache
measles,cough
measles,fever
measles,rash
cold,cough
cold,sneezing
cold,headache
migraine,headache
migraine,nausea
ulcer,nausea
ulcer,fever
allergy,rash
allergy,sneezing
"""
TREE = "hierarchy: {tree: {infectious: [flu, measles], chronic: [gout, asthma, ulcer, cancer]}}"


def policy(promise: str, method: str = "mondrian", form: str = "generalized", disease: str = "role: sensitive") -> str:
    return (
        "columns:\n"
        "  age: {role: quasi, type: integer}\n"
        "  zip: {role: quasi, hierarchy: {mask: right}}\n"
        "  sex: {role: quasi}\n"
        f"  disease: {{{disease}}}\n"
        "  symptoms: {role: drop}\n"
        f"privacy: [{promise}]\npartition: {{method: {method}}}\nform: {{publish: {form}}}\n"
    )


@pytest.fixture
def desk(desk: Desk) -> Desk:
    draw = random.Random(9)
    rows = [
        f"{draw.randint(18, 80)},{draw.choice(['1305', '1306', '1485'])}{draw.randint(0, 9)},{draw.choice('FM')},"
        f"{draw.choice(DISEASES)},{'|'.join(sorted(draw.sample(SYMPTOMS, draw.randint(1, 3))))}"
        for _ in range(160)
    ]
    desk.write("people.csv", "\n".join(["age,zip,sex,disease,symptoms", *rows]) + "\n")
    desk.write("diseases.csv", KNOWLEDGE)
    return desk


def audited(desk: Desk, name: str) -> Any:
    """The release of this policy, by a public seed, audited by its holder."""
    done = desk("anonymize", "people.csv", "-p", f"{name}.yaml", "-o", name, "--seed", "3", "--json", "--force")
    assert done.code == 0, done.out
    judged = desk("audit", name, "-p", f"{name}.yaml", "--manifest", f"{name}.internal.json")
    assert judged.code == 0 and grammatical(judged.out), judged.out
    return done.json


def test_the_same_seed_gives_the_same_table(desk: Desk) -> None:
    desk.write("p.yaml", policy("{model: distinct-l, l: 3}", "bsgi-free"))
    audited(desk, "p")
    first = desk.files("p", "p.internal.json")
    again = desk.process("anonymize", "people.csv", "-p", "p.yaml", "-o", "p", "--seed", "3", "--force", "-q")
    assert again.code == 0 and "--seed" in again.err, "a seed is for papers, and is warned of"
    assert desk.files("p", "p.internal.json") == first
    assert desk("anonymize", "people.csv", "-p", "p.yaml", "-o", "p", "--seed", "4", "--force", "-q").code == 0
    assert desk.files("p") != {name: each for name, each in first.items() if not name.endswith("internal.json")}


def test_methods_of_one_table_side_by_side(desk: Desk) -> None:
    """Every method of the printed list serves the promise that the list says it serves."""
    listed = desk("methods", "--json")
    assert listed.code == 0
    methods = ["mondrian", "lattice", "incognito", "hilbert", "bsgi", "bsgi-free", "arp", "anatomy"]
    assert all(f'"{method}"' in listed.out for method in methods)
    losses = {}
    for method in methods:
        desk.write("m.yaml", policy("{model: simple-l, l: 2}", method))
        losses[method] = audited(desk, "m")["release"]["loss"]["value"]
    assert losses["lattice"] == losses["incognito"], "both find the least loss of a full-domain recoding"
    assert losses["bsgi-free"] < losses["hilbert"] < losses["anatomy"], "nearer rows, less lost"
    assert all(0 < loss <= 1 for loss in losses.values())


@pytest.mark.parametrize(
    ("form", "method", "tables"),
    [
        ("anatomized", "anatomy", ["quasi", "sensitive"]),
        ("permuted", "mondrian", ["table"]),
        ("sliced", "bsgi-free", ["table"]),
        ("ring", "bsgi-free", ["table"]),
        ("randomized", "mondrian, slack: 1", ["table"]),
    ],
)
def test_forms_of_one_table(desk: Desk, form: str, method: str, tables: list[str]) -> None:
    desk.write("f.yaml", policy("{model: simple-l, l: 2}", method, form))
    told = audited(desk, "f")
    assert [Path(file).stem for file in told["files"]] == [*tables, "release"]
    raw = pl.read_csv(desk.place / "people.csv", infer_schema=False)
    shown = {name: pl.read_csv(desk.place / "f" / f"{name}.csv", infer_schema=False) for name in tables}
    first = shown[tables[0]]
    assert first.height == raw.height
    if form != "ring":
        assert sorted(first["age"]) == sorted(raw["age"]), "quasi-identifiers as they are"
    if form == "anatomized":
        counted = shown["sensitive"].group_by("disease").agg(pl.col("count").cast(int).sum())
        assert dict(counted.iter_rows()) == dict(raw["disease"].value_counts().iter_rows())
    elif form != "randomized":
        assert sorted(first["disease"]) == sorted(raw["disease"])
    outsider = desk("audit", "f", "-p", "f.yaml", "--json")
    verdicts = {each["model"]: each["verdict"] for each in outsider.json["criteria"]}
    drawn = form in ("ring", "randomized")
    assert verdicts == {"simple-l": "undecidable" if drawn else "holds"} and outsider.code == (4 if drawn else 0)
    assert all(each["worst"] is None or each["worst"]["size"] <= 160 for each in told["audit"]["criteria"])


def test_sensitive_values_are_generalized(desk: Desk) -> None:
    """(tau,l) by SWEEP: labels of the tree stand beside values, and every group keeps the promise by hand."""
    promise = "{model: tau-l, tau: 0.4, l: 4}"
    desk.write("t.yaml", policy(promise, "sweep, balance: 1", disease=f"role: sensitive, {TREE}"))
    told = audited(desk, "t")
    assert any("sensitive values were generalized" in note for note in told["release"]["notes"])
    shown = pl.read_csv(desk.place / "t" / "table.csv", infer_schema=False)
    assert set(shown["disease"]) > {"infectious", "chronic"} and set(shown["disease"]) <= {
        *DISEASES,
        "infectious",
        "chronic",
        "*",
    }
    below = {"infectious": DISEASES[:2], "chronic": DISEASES[2:], "*": DISEASES}
    for _, group in shown.group_by("age", "zip", "sex"):
        shares = dict.fromkeys(DISEASES, 0.0)
        for cell in group["disease"]:
            for value in below.get(cell, [cell]):
                shares[value] += 1 / len(below.get(cell, [cell])) / group.height
        assert max(shares.values()) <= 0.4 + 1e-9


@pytest.mark.parametrize("terms", ["", ", terms: true"])
def test_symptoms_with_a_file_of_knowledge(desk: Desk, terms: str) -> None:
    text = policy(
        "{model: k-anonymity, k: 2}, {model: qs-cl, c: 1, l: 2, on: symptoms}", f"mondrian{terms}", disease="role: drop"
    )
    roles = 'symptoms: {role: quasi-sensitive, separator: "|", knowledge: {file: diseases.csv}}'
    desk.write("q.yaml", text.replace("symptoms: {role: drop}", roles))
    checked = desk("knowledge", "check", "people.csv", "-p", "q.yaml", "--json")
    assert checked.code == 0
    audited(desk, "q")
    worst = desk("audit", "q", "-p", "q.yaml", "--groups", "3")
    assert worst.code == 0 and "posterior" in worst.out
    shown = pl.read_csv(desk.place / "q" / "table.csv", infer_schema=False)["symptoms"]
    raw = pl.read_csv(desk.place / "people.csv", infer_schema=False)["symptoms"]
    assert (sorted(shown) == sorted(raw)) == (not terms), "terms are lost only where that was asked for"


def test_documents_are_as_their_schemas_say(desk: Desk) -> None:
    desk.write("p.yaml", policy("{model: simple-l, l: 2}"))
    desk.write("q.yaml", policy("{model: simple-l, l: 100}"))
    written = audited(desk, "p")
    documents: dict[str, list[Any]] = {
        "anonymize": [written],
        "audit": [desk("audit", "p", "-p", "p.yaml", "--json").json, written["audit"]],
        "release": [json.loads(desk.read("p/release.json"))],
        "advise": [desk("advise", "people.csv", "-p", name, "--json").json for name in ("p.yaml", "q.yaml")],
        "init": [desk("init", "people.csv", "-o", "made.yaml", "--json").json],
        "methods": [desk("methods", "--json").json, desk("methods", "--persons", "--json").json],
        "error": [
            desk("anonymize", "people.csv", "-p", "q.yaml", "-o", "q", "--json").json,
            desk("anonymize", "nowhere.csv", "-p", "q.yaml", "-o", "q", "--json").json,
        ],
    }
    for which, made in documents.items():
        schema = desk("schema", which).json
        for document in made:
            assert list(faults(document, schema, schema)) == [], which
        broken = {key: value for key, value in made[0].items() if key not in schema.get("required", ())}
        assert not schema.get("required") or list(faults(broken, schema, schema)), (
            "a schema that everything fits says nothing"
        )
