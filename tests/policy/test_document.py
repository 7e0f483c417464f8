"""The policy document: what is read, and that every mistake is reported at once."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.errors import PolicyError
from sfumato.policy.load import read_policy
from sfumato.policy.promises import PROMISES, EntropyL, KAnonymity, read_promise
from sfumato.policy.upgrade import upgraded

GOOD: dict[str, Any] = {
    "version": 1,
    "columns": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi", "type": "integer", "hierarchy": {"intervals": [5, 10, 20]}},
        "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 5}, {"model": "entropy-l", "l": 3, "on": "disease"}],
    "suppression": {"limit": Decimal("0.02")},
}

YAML = """
version: 1
columns:
  name:    {role: identifier}
  age:     {role: quasi, type: integer, hierarchy: {intervals: [5, 10, 20]}}
  zip:     {role: quasi, hierarchy: {mask: right}}
  disease: {role: sensitive}
privacy:
  - {model: k-anonymity, k: 5}
  - {model: entropy-l, l: 3, on: disease}   # a key that older YAML rules read as a boolean
suppression: {limit: 0.02}
"""

TOML = """
version = 1
privacy = [{model = "k-anonymity", k = 5}, {model = "entropy-l", l = 3, on = "disease"}]
[columns]
name = {role = "identifier"}
age = {role = "quasi", type = "integer", hierarchy = {intervals = [5, 10, 20]}}
zip = {role = "quasi", hierarchy = {mask = "right"}}
disease = {role = "sensitive"}
[suppression]
limit = 0.02
"""


def paths(error: PolicyError) -> set[str]:
    return {problem.path for problem in error.problems}


def with_change(**changes: Any) -> dict[str, Any]:
    return {**GOOD, **changes}


def mistakes(document: dict[str, Any]) -> PolicyError:
    with pytest.raises(PolicyError) as caught:
        read_policy(document)
    return caught.value


def test_yaml_toml_json_and_mapping_are_the_same_policy(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(YAML, encoding="utf-8")
    (tmp_path / "a.toml").write_text(TOML, encoding="utf-8")
    (tmp_path / "a.json").write_text(json.dumps({**GOOD, "suppression": {"limit": 0.02}}), encoding="utf-8")
    digests = {read_policy(tmp_path / name).digest for name in ("a.yaml", "a.toml", "a.json")}
    assert digests == {read_policy(GOOD).digest}


def test_numbers_are_the_decimals_as_written() -> None:
    assert read_policy(GOOD).suppression.limit == Fraction(1, 50)
    assert EntropyL(2.8).l == Fraction(14, 5)
    assert EntropyL("7/3").l == Fraction(7, 3)


def test_a_policy_survives_the_way_through_its_plain_form() -> None:
    policy = read_policy(GOOD)
    assert read_policy(json.loads(json.dumps(policy.as_dict()))) == policy


def test_hierarchy_files_are_looked_up_beside_the_policy(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(YAML, encoding="utf-8")
    assert read_policy(tmp_path / "p.yaml").base == tmp_path


def test_every_mistake_is_reported_at_once() -> None:
    error = mistakes(
        {
            "columns": {
                "a": {"role": "quas"},
                "b": {"role": "wait"},
                "c": {"role": "sensitive", "type": "intger", "colour": 1},
                "d": {"role": "quasi", "pseudonym": True},
            },
            "privacy": [{"model": "k-anonymity", "k": 0}, {"model": "nope"}, {"model": "entropy-l", "l": 3, "on": "x"}],
            "los": 1,
            "loss": {"weights": {"z": 2}},
        }
    )
    assert paths(error) == {
        "columns.a.role",
        "columns.b.role",
        "columns.c.type",
        "columns.c.colour",
        "columns.d.pseudonym",
        "privacy[0].k",
        "privacy[1]",
        "privacy[2].on",
        "los",
        "loss.weights.z",
    }
    assert "got 'quas'" in str(error)
    assert "'quasi'" in str(error)


def test_only_roles_that_can_be_honoured_are_offered() -> None:
    columns = {**GOOD["columns"], "extra": {"role": "stratum"}}
    (problem,) = mistakes(with_change(columns=columns)).problems
    assert (problem.path, problem.got) == ("columns.extra.role", "'stratum'")
    assert "stratum" not in problem.allowed and "'drop'" in problem.allowed


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"privacy": []}, "privacy"),
        ({"privacy": [{"model": "distinct-l"}]}, "privacy[0].l"),
        ({"privacy": [{"model": "distinct-l", "l": 2.5}]}, "privacy[0].l"),
        ({"privacy": [{"model": "entropy-l", "l": 0.9}]}, "privacy[0].l"),
        ({"privacy": [{"model": "recursive-cl", "c": 0, "l": 2}]}, "privacy[0].c"),
        ({"privacy": [{"model": "alpha-k", "alpha": 1.1, "k": 2}]}, "privacy[0].alpha"),
        ({"privacy": [{"model": "t-closeness", "t": 1.5}]}, "privacy[0].t"),
        ({"privacy": [{"model": "t-closeness", "t": 0.3, "distance": "ordered"}]}, "privacy[0].distance"),
        ({"privacy": [{"model": "t-closeness", "t": 0.3, "distance": "hierarchical"}]}, "privacy[0].distance"),
        ({"privacy": [{"model": "multi-attribute", "of": {"model": "distinct-l", "l": 2}}]}, "privacy[0]"),
        ({"privacy": [{"model": "pairwise-l", "l": 2}]}, "privacy[0]"),
        ({"privacy": [{"model": "k-anonymity", "k": True}]}, "privacy[0].k"),
        ({"privacy": [{"model": "npd-recursive", "c1": 2, "c2": 101, "l": 2}]}, "privacy[0].c2"),
        ({"suppression": {"limit": 2}}, "suppression.limit"),
        ({"suppression": {"columns": {"disease": 0.1}}}, "suppression.columns.disease"),
        ({"loss": {"metric": "beauty"}}, "loss.metric"),
        ({"loss": {"weights": {"age": -1}}}, "loss.weights.age"),
        ({"missing": "ignore"}, "missing"),
        ({"partition": {"method": "magic"}}, "partition.method"),
        ({"form": {"publish": "poster"}}, "form.publish"),
        ({"input": {"delimiter": ";;"}}, "input.delimiter"),
        ({"version": 0}, "version"),
        ({"version": True}, "version"),
        ({"input": {"date": "%d.%m.%y"}}, "input.date"),
        ({"privacy": [{"model": "entropy-l", "l": "1e999999999"}]}, "privacy[0].l"),
        ({"privacy": [{"model": "k-anonymity", "k": 10**4000}]}, "privacy[0].k"),
        ({"privacy": [{"model": "k-anon", "k": 5}]}, "privacy[0]"),
        ({"version": 2}, "version"),
    ],
)
def test_one_mistake_is_named_by_its_path(change: dict[str, Any], path: str) -> None:
    assert paths(mistakes(with_change(**change))) == {path}


@pytest.mark.parametrize(
    ("column", "path"),
    [
        ({"role": "quasi", "type": "date", "hierarchy": {"intervals": [5]}}, "columns.x.hierarchy"),
        ({"role": "quasi", "rows": "one"}, "columns.x.rows"),
        ({"role": "quasi", "hierarchy": {"dates": ["month"]}}, "columns.x.hierarchy"),
        ({"role": "insensitive", "hierarchy": "flat"}, "columns.x.hierarchy"),
        ({"role": "quasi", "hierarchy": {"wheel": 1}}, "columns.x.hierarchy"),
        ({"role": "quasi", "order": ["a"], "type": "integer"}, "columns.x.order"),
        ({"role": "quasi", "order": ["a"], "hierarchy": "flat"}, "columns.x.order"),
        ({"role": "quasi", "type": "integer", "bins": [1, 2]}, "columns.x.bins"),
        ({"role": "quasi", "difference": 2}, "columns.x.difference"),
        ({"role": "quasi", "order": ["a", "b", "a"]}, "columns.x.order"),
        ({"role": "sensitive", "type": "number", "bins": [1, 3, 2]}, "columns.x.bins"),
        ({"role": "quasi", "type": "integer", "hierarchy": {"intervals": [5, 7]}}, "columns.x.hierarchy.intervals"),
        ({"role": "quasi", "type": "date", "hierarchy": {"dates": ["year", "month"]}}, "columns.x.hierarchy.dates"),
        ({"role": "quasi", "hierarchy": {"file": "none.csv"}}, "columns.x.hierarchy.file"),
    ],
)
def test_a_column_setting_that_does_not_fit_is_named(column: dict[str, Any], path: str) -> None:
    assert path in paths(mistakes(with_change(columns={**GOOD["columns"], "x": column})))


def test_two_sensitive_columns_need_on() -> None:
    columns = {**GOOD["columns"], "income": {"role": "sensitive"}}
    error = mistakes(with_change(columns=columns, privacy=[{"model": "distinct-l", "l": 2}]))
    assert paths(error) == {"privacy[0].on"}
    assert "disease, income" in str(error)


def test_values_of_the_data_in_a_promise_are_not_repeated_in_errors() -> None:
    for values in ({"secret-value": 1}, [["secret-value"]], 7):
        entry = {"model": "pd-recursive", "c": 1, "l": 2, "disclosable": values}
        error = mistakes(with_change(privacy=[entry]))
        assert "secret-value" not in str(error)
        assert all(problem.path.startswith("privacy[0].disclosable") for problem in error.problems)


@pytest.mark.parametrize(
    ("text", "line"),
    [("columns: {a: 1\n", "line 2"), ("columns: 1\ncolumns: 2\n", "line 2"), ("a: [1, 2\nb: 3\n", "line 2")],
)
def test_broken_yaml_is_named_by_line(tmp_path: Path, text: str, line: str) -> None:
    (tmp_path / "p.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError, match=line):
        read_policy(tmp_path / "p.yaml")


@pytest.mark.parametrize(("name", "text"), [("p.json", '{"a": 1, "a": 2}'), ("p.json", "{"), ("p.toml", "a = = 1")])
def test_broken_json_and_toml_are_errors(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError, match="is not valid"):
        read_policy(tmp_path / name)


def test_a_policy_that_is_not_there_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(sf.InputError, match="sfumato init"):
        read_policy(tmp_path / "none.yaml")


def test_yaml_keeps_codes_and_words_as_text(tmp_path: Path) -> None:
    text = YAML.replace("disease: {role: sensitive}", "disease: {role: sensitive, order: [no, 02000, 12:30, yes, on]}")
    (tmp_path / "p.yaml").write_text(text, encoding="utf-8")
    assert read_policy(tmp_path / "p.yaml").columns["disease"].order == ("no", "02000", "12:30", "yes", "on")


def test_a_column_may_be_called_anything(tmp_path: Path) -> None:
    text = YAML.replace("  name:", "  2020:").replace("  zip:", "  null:")
    (tmp_path / "p.yaml").write_text(text, encoding="utf-8")
    assert list(read_policy(tmp_path / "p.yaml").columns) == ["2020", "age", "null", "disease"]


def test_messages_speak_of_policies_not_of_libraries() -> None:
    error = str(mistakes(with_change(privacy=[{"model": "k-anon"}, {"model": "k-anonymity", "k": Decimal("2.5")}])))
    assert "(got 'k-anon')" in error
    assert "(got 2.5)" in error
    error = str(mistakes(with_change(columns={**GOOD["columns"], "x": 3}, privacy=7)))
    assert "columns.x: must be a mapping of settings (got 3)" in error
    assert "privacy: must be a list (got 7)" in error


def test_older_versions_are_brought_forward_step_by_step() -> None:
    steps = {1: lambda given: {"b": given["a"]}, 2: lambda given: {"b": given["b"] + 1}}
    assert upgraded({"a": 1}, "policy", current=3, steps=steps) == {"b": 2, "version": 3}
    assert upgraded({"b": 1, "version": 2}, "policy", current=3, steps=steps) == {"b": 2, "version": 3}
    with pytest.raises(PolicyError, match="upgrade sfumato"):
        upgraded({"version": 4}, "policy", current=3, steps=steps)


def test_promises_are_values() -> None:
    promise = KAnonymity(5) & EntropyL(3, on="disease")
    assert promise == sf.KAnonymity(k=5) & sf.EntropyL(l=Fraction(3), on="disease")
    assert len({promise, KAnonymity(5) & EntropyL(3, on="disease")}) == 1
    assert str(promise) == "k-anonymity (k=5) and entropy-l (l=3, on=disease)"
    assert [read_promise(each.as_dict()) for each in promise.promises] == list(promise.promises)
    with pytest.raises(PolicyError, match=r"k: .*greater than or equal to 1"):
        KAnonymity(0)
    with pytest.raises(AttributeError):
        promise.promises[0].k = 4  # type: ignore[attr-defined]


def test_the_schema_knows_every_promise_and_column_setting() -> None:
    schema = sf.policy_schema()
    names = [entry["properties"]["model"]["const"] for entry in schema["properties"]["privacy"]["items"]["oneOf"]]
    assert names == list(PROMISES)
    assert set(schema["$defs"]["Column"]["properties"]) >= {"role", "type", "order", "hierarchy", "missing"}
    k = schema["properties"]["privacy"]["items"]["oneOf"][0]["properties"]["k"]
    assert (k["type"], k["minimum"]) == ("integer", 1)
