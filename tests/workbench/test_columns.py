"""What can be decided of columns: roles, types, ways to grow vaguer, weights; persons, terms, a policy again."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.policy.yaml import parse_yaml
from tests.support.workbench import Served, Visitor

VISITS = "\n".join(
    ["patient,zip,age,disease"]
    + [f"p{at // 2},0{2000 + at % 5},{20 + at % 40},{'abcd'[(at * 7 + at // 3) % 4]}" for at in range(120)]
)
TERMS = {"flu": ["cough", "fever"], "cold": ["cough", "sneeze"], "gout": ["pain", "fever"], "tired": ["pain", "sneeze"]}
CELLS = ["|".join(terms) for terms in TERMS.values()]
SYMPTOMS = "\n".join(["age,zip,symptoms", *(f"{20 + at % 30},0{2000 + at % 4},{CELLS[at % 4]}" for at in range(80))])
KNOWLEDGE = "\n".join(["disease,symptom", *(f"{label},{term}" for label, terms in TERMS.items() for term in terms)])
PROMISE = {"k": "3", "limit": "0", "missing": "category", "method": "mondrian", "form": "generalized"}


def opened(visitor: Visitor, name: str, table: str) -> None:
    visitor.send("/open", name, table.encode() + b"\n")
    visitor.until("/data", "What is each column?")


def policy(visitor: Visitor) -> dict[str, Any]:
    """The policy as it is exported."""
    found = parse_yaml(visitor.get("/policy.yaml").html, "policy.yaml")
    assert isinstance(found, dict)
    return found


def columns(visitor: Visitor) -> dict[str, dict[str, Any]]:
    return dict(policy(visitor)["columns"])


def privacy(visitor: Visitor) -> list[dict[str, Any]]:
    return [*policy(visitor)["privacy"]]


def test_several_rows_of_a_person(visitor: Visitor) -> None:
    opened(visitor, "visits.csv", VISITS)
    visitor.post("/columns", {"column": "0", "role": "individual"})
    assert "Publish one row of every person" in visitor.get("/column/0").text
    visitor.post("/promise", {**PROMISE, "kind-0": "distinct-l", "l-0-distinct-l": "2"})
    assert columns(visitor)["patient"] == {"role": "individual", "rows": "one"}
    visitor.post("/run")
    page = visitor.until("/release", "Criterion met")
    assert "60 published" in page.text  # of 120 rows of 60 people
    visitor.post("/column/0", {"rows": "all"})
    assert columns(visitor)["patient"] == {"role": "individual"}
    assert "do not go together" in visitor.settled("/promise").text  # mondrian does not keep persons apart
    visitor.post("/promise", {**PROMISE, "kind-0": "distinct-l", "l-0-distinct-l": "2", "method": "auto"})
    visitor.post("/run")
    page = visitor.until("/release", "120 published")
    assert "no group holds two rows of a person" in page.text


def test_symptoms_with_knowledge(visitor: Visitor, tmp_path: Path) -> None:
    opened(visitor, "symptoms.csv", SYMPTOMS)
    visitor.post("/columns", {"column": "2", "role": "quasi-sensitive"})
    visitor.post("/column/2", {"separator": "|"})
    page = visitor.settled("/columns")
    assert "Say which terms betray what" in page.text
    assert visitor.get("/promise").goes_to == "/columns"
    visitor.send("/column/2/knowledge", "../knowledge.csv", KNOWLEDGE.encode())
    page = visitor.settled("/column/2")
    assert "4 labels, 4 terms. 80 of 80 rows may stand for some label" in page.text
    visitor.post("/promise", {**PROMISE, "kind-0": "qs-cl", "c-0-qs-cl": "1", "l-0-qs-cl": "2"})
    assert {"model": "qs-cl", "c": 1, "l": 2, "on": "symptoms"} in privacy(visitor)
    visitor.post("/run")
    page = visitor.until("/release", "Criterion met")
    assert "The terms in “symptoms” betray no label too surely" in page.text
    files = [visitor.get(each) for each in page.links("/get/")]
    policies = [each for each in files if each.headers.get("content-disposition", "").endswith('policy.zip"')]
    with zipfile.ZipFile(io.BytesIO(policies[0].body)) as archive:
        archive.extractall(tmp_path)
    made = sf.read_policy(tmp_path / "policy.yaml")  # with the knowledge that it names
    assert made.sets == ("symptoms",)
    opened(visitor, "again.csv", SYMPTOMS)
    assert visitor.send("/policy", "policy.zip", policies[0].body).goes_to == "/columns"
    assert "80 of 80 rows may stand for some label" in visitor.settled("/column/2").text
    assert sf.read_policy(policy(visitor), base=tmp_path).digest == made.digest


def packed(files: dict[str, str]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return held.getvalue()


def test_only_what_a_policy_names_is_unpacked(visitor: Visitor, bench: Served) -> None:
    opened(visitor, "visits.csv", VISITS)
    before = {each.name for each in bench.kept()}
    roles = {"patient": "identifier", "zip": "quasi", "age": "quasi", "disease": "sensitive"}
    columns = ", ".join(f"{name}: {{role: {role}}}" for name, role in roles.items())
    text = f"columns: {{{columns}}}\nprivacy: [{{model: k-anonymity, k: 2}}]\n"
    given = packed({"policy.yaml": text, "../evil.csv": "x", "evil.csv": "x", "terms-01234567.csv": "x"})
    assert visitor.send("/policy", "policy.zip", given).goes_to == "/columns"
    assert {each.name for each in bench.kept()} == before
    assert not [*bench.temporary.parent.rglob("*evil*")]
    for wrong, says in ((b"no zip", "no zip file"), (packed({"other.yaml": "x"}), "no policy.yaml")):
        assert says in visitor.send("/policy", "policy.zip", wrong).text


def test_settings_of_a_column_stand_in_the_policy(visitor: Visitor) -> None:
    opened(visitor, "visits.csv", VISITS)
    visitor.post("/columns", {"column": "0", "role": "identifier"})
    visitor.post("/column/0", {"here": "yes", "pseudonym": "yes"})
    age = {"type": "integer", "shape": "intervals", "shape-intervals": "2, 10; 20", "missing": "drop"}
    visitor.post("/column/2", {**age, "weight": "2,5", "limit": "40"})
    made, document = columns(visitor), policy(visitor)
    assert made["patient"] == {"role": "identifier", "pseudonym": True}
    hierarchy = {"intervals": [2, 10, 20]}
    assert made["age"] == {"role": "quasi", "type": "integer", "hierarchy": hierarchy, "missing": "drop"}
    assert str(document["loss"]["weights"]["age"]) == "2.5"
    assert str(document["suppression"]["columns"]["age"]) == "0.4"
    page = visitor.settled("/column/2")
    assert "All 40 values have a place." in page.text and "[20, 22)" in page.text
    visitor.post("/column/2", {**age, "shape": "present", "weight": "1", "limit": "100", "missing": ""})
    made, document = columns(visitor), policy(visitor)
    assert made["age"] == {"role": "quasi", "type": "integer"}
    assert "loss" not in document and "suppression" not in document


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"shape": "intervals", "shape-intervals": "5, 7"}, "multiple"),
        ({"shape": "mask", "shape-mask": "sideways"}, "mask"),
        ({"shape": "dates", "shape-dates": "week"}, "dates"),
        ({"shape": "ready", "shape-ready": "nothing"}, "ready"),
    ],
)
def test_a_setting_that_does_not_fit_is_said(visitor: Visitor, fields: dict[str, str], says: str) -> None:
    opened(visitor, "visits.csv", VISITS)
    visitor.post("/columns", {"column": "0", "role": "identifier"})
    before = visitor.get("/policy.yaml").html
    answer = visitor.post("/column/2", {"type": "integer", **fields})
    page = answer if answer.status == 200 else visitor.settled("/column/2")
    assert says in page.text
    if answer.status == 200:
        assert visitor.get("/policy.yaml").html == before


def test_roles_take_their_promises_along(visitor: Visitor) -> None:
    opened(visitor, "visits.csv", VISITS)
    visitor.post("/columns", {"column": "0", "role": "identifier"})
    visitor.post("/columns", {"column": "1", "role": "sensitive"})
    promised = [str(each) for each in privacy(visitor)]
    assert any("'on': 'zip'" in each for each in promised) and any("'on': 'disease'" in each for each in promised)
    visitor.post("/columns", {"column": "1", "role": "drop"})
    promised = [str(each) for each in privacy(visitor)]
    assert not any("zip" in each for each in promised)


def test_a_policy_is_taken_up_again(visitor: Visitor) -> None:
    """What was exported is what is shown, and what is exported once more is the same."""
    opened(visitor, "visits.csv", VISITS)
    given = """
version: 1
columns:
  patient: {role: identifier}
  zip: {role: quasi, hierarchy: {mask: left}}
  age: {role: quasi, type: integer}
  disease: {role: sensitive}
privacy:
  - {model: k-anonymity, k: 7}
  - {model: recursive-cl, c: 3, l: 2}
  - {model: delta-disclosure, delta: 2}
partition: {method: mondrian, polish: true}
suppression: {limit: 0.05}
missing: error
"""
    assert visitor.send("/policy", "mine.yaml", given.encode()).goes_to == "/columns"
    page = visitor.settled("/promise")
    assert 'value="7" id="k-7"' in page.html or 'value="7" checked=""' in page.html
    assert "No value of “disease” becomes much likelier or rarer" in page.text
    made = sf.read_policy(policy(visitor))
    assert made.promise.parts[0].as_dict() == {"model": "k-anonymity", "k": 7}
    numbers = {"kind-0": "recursive-cl", "c-0-recursive-cl": "3", "l-0-recursive-cl": "2"}
    visitor.post("/promise", {**PROMISE, **numbers, "k": "8", "limit": "5", "missing": "error"})
    again = sf.read_policy(policy(visitor))
    models = [each.as_dict()["model"] for each in again.promise.parts]
    assert models == ["k-anonymity", "delta-disclosure", "recursive-cl"]
    assert again.partition == made.partition and again.suppression == made.suppression and again.missing == "error"


def test_a_policy_of_another_table_is_refused(visitor: Visitor) -> None:
    opened(visitor, "visits.csv", VISITS)
    for text, says in (
        ("columns: {a: {role: quasi}}\nprivacy: [{model: k-anonymity, k: 2}]", "patient"),
        ("- 1", "mapping"),
        ("columns: {", "line"),
    ):
        page = visitor.send("/policy", "other.yaml", text.encode())
        assert page.status == 200 and says in page.text
