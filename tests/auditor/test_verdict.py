"""What an audit says and does not say: the schema of its JSON, no value of the data, undecided promises."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import extension
from sfumato.auditor.audit import audit
from sfumato.auditor.rules.contract import Case, Rule, Ruling
from sfumato.auditor.verdict import Audit, Criterion, audit_schema
from sfumato.errors import AuditFailed, SfumatoError
from sfumato.policy.promises import MultiAttribute, Promise, all_of, read_promise
from sfumato.release.document_bytes import read_release_document
from sfumato.release.documents import InMemory
from tests.support.auditing import blocks, policy_of, verdicts, write_release
from tests.support.examples import examples

MARK = "SECRET"
EVERY: list[dict[str, Any]] = [
    {"model": "k-anonymity", "k": 3},
    {"model": "distinct-l", "l": 2},
    {"model": "entropy-l", "l": "1.5"},
    {"model": "recursive-cl", "c": 2, "l": 2},
    {"model": "pd-recursive", "c": 2, "l": 2, "disclosable": [f"{MARK}1"]},
    {"model": "npd-recursive", "c1": 2, "c2": 10, "l": 2, "disclosable": [f"{MARK}1"], "protected": [f"{MARK}2"]},
    {"model": "simple-l", "l": 2},
    {"model": "pairwise-l", "l": 2},
    {"model": "unique-distinct-l", "l": 2},
    {"model": "unique-distinct-literal", "l": 2},
    {"model": "alpha-k", "alpha": "0.5", "k": 2},
    {"model": "t-closeness", "t": "0.2"},
    {"model": "delta-disclosure", "delta": 1},
]


def conforms(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    """A small validator: just what such schemas use."""
    if "$ref" in schema:
        return conforms(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root)
    if "anyOf" in schema:
        return any(conforms(value, each, root) for each in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return value in schema.get("enum", [schema.get("const")])
    kind = schema.get("type")
    if kind == "object":
        known, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        return (
            isinstance(value, dict)
            and set(schema.get("required", ())) <= set(value)
            and all(
                conforms(each, known[key], root)
                if key in known
                else rest is True or (rest and conforms(each, rest, root))
                for key, each in value.items()
            )
        )
    if kind == "array":
        return isinstance(value, list) and all(conforms(each, schema.get("items", {}), root) for each in value)
    types: dict[str, Any] = {"string": str, "integer": int, "boolean": bool, "null": type(None), "number": (int, float)}
    if kind is None:
        return True
    return isinstance(value, types[kind]) and (kind == "boolean" or not isinstance(value, bool))


def samples(tmp_path: Path) -> list[Audit]:
    policy = policy_of(*EVERY, form={"group_id": True})
    frame = blocks(f"{MARK}1 {MARK}2 {MARK}3", f"{MARK}1 {MARK}1 -").with_columns(group=pl.col("q"))
    manifest = write_release(tmp_path, frame, policy, group_id="group")
    bare = frame.drop("group")
    broken = pl.DataFrame({"q": ["x", "y"], "s": ["*", f"{MARK}9"], "extra": ["1", "2"]})
    return [
        audit(tmp_path, policy, manifest),
        audit(tmp_path, policy),
        audit(bare, policy, whole=True),
        audit(broken, policy, manifest),
        audit(bare.clear(), policy),
    ]


def test_json_follows_its_schema(tmp_path: Path) -> None:
    schema = audit_schema()
    json.dumps(schema)
    for result in samples(tmp_path):
        plain = json.loads(result.to_json())
        assert plain == result.to_dict()
        assert conforms(plain, schema, schema)
        assert plain["holds"] is result.holds
        assert [each["holds"] for each in plain["criteria"]] == [each.holds for each in result.criteria]
        assert not conforms({**plain, "rows": "many"}, schema, schema)
        assert not conforms({key: value for key, value in plain.items() if key != "rows"}, schema, schema)


def test_no_value_of_the_data_is_ever_said(tmp_path: Path) -> None:
    for result in samples(tmp_path):
        texts = [result.summary(), result.to_json(), repr(result), str(result)]
        if not result.holds:
            with pytest.raises(AuditFailed) as failure:
                result.raise_for_failure()
            texts.append(str(failure.value))
        assert not any(MARK in text for text in texts)


@settings(max_examples=examples(40))
@given(
    st.lists(st.tuples(st.sampled_from("ab*"), st.integers(0, 4)), max_size=12),
    st.sampled_from([{}, {"type": "number"}, {"type": "date"}, {"hierarchy": {"mask": "left"}}]),
    st.booleans(),
)
def test_no_value_is_said_of_random_tables(rows: list[tuple[str, int]], spec: dict[str, Any], whole: bool) -> None:
    frame = pl.DataFrame(
        {"q": [f"{MARK}{q}" for q, _ in rows], "s": [f"{MARK}{s}" if s else None for _, s in rows]},
        schema={"q": pl.String, "s": pl.String},
    )
    policy = policy_of(*EVERY, sensitive={"s": spec}, form={"group_id": True})
    try:
        result = audit(frame, policy, whole=whole)
    except SfumatoError as error:
        assert MARK not in str(error)
    else:
        assert MARK not in result.summary() + result.to_json() + repr(result)


def test_damaged_tables_do_not_leak_cells(tmp_path: Path) -> None:
    policy = policy_of(EVERY[0])
    path = tmp_path / "a.csv"
    contents = (f'q,s\n{MARK},"{MARK}\n', f"q,s\n{MARK}\n", f'q,s\n"{MARK}"{MARK},x\n', f"\xff{MARK}\n")
    for content in contents:
        path.write_bytes(content.encode("latin-1"))
        with pytest.raises(SfumatoError) as failure:
            audit(path, policy)
        assert MARK not in str(failure.value)


def test_a_criterion_names_its_promise() -> None:
    result = audit(blocks("a b", "a a"), policy_of({"model": "recursive-cl", "c": "1.5", "l": 2}))
    (criterion,) = result.criteria
    assert criterion.promise == "recursive-cl (c=1.5, l=2)"
    assert (criterion.model, criterion.on, criterion.parameters) == ("recursive-cl", "s", {"c": "1.5", "l": 2})
    assert (criterion.violating_groups, criterion.violating_rows, criterion.level) == (1, 2, None)
    assert "fails" in result.summary()
    assert "criterion" in result.summary().splitlines()[0]
    assert "anonymous" not in result.summary()


def test_an_audit_without_criteria_never_holds() -> None:
    result = audit(blocks("a b"), policy_of({"model": "k-anonymity", "k": 1}))
    assert result.holds
    assert not result.model_copy(update={"criteria": ()}).holds
    assert not result.model_copy(update={"problems": ("x",)}).holds
    undecided = Criterion(model="x", parameters={}, on=None, verdict="undecidable", needs="more")
    assert not result.model_copy(update={"criteria": (undecided,)}).holds


@dataclass(frozen=True)
class Even(Promise):
    """A third party's promise: an even number of rows."""

    name: ClassVar[str] = "even"


def judge_even(promise: Even, case: Case) -> Ruling:
    return Ruling(case.classes.sizes % 2 == 0, None, 0, "an even number of rows")


def install(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    def entry_points(*, group: str, name: str) -> list[EntryPoint]:
        assert group == "sfumato.rules"
        return [EntryPoint(name, value, group)] if name == "even" else []

    monkeypatch.setattr(extension, "entry_points", entry_points)


EVEN_RULE = Rule(judge_even, values=False)
SHORT_RULE = Rule(lambda promise, case: Ruling(np.ones(99, dtype=np.bool_), None, 0, ""), values=False)
NO_RULE = "nothing of the kind"


def with_even(frame: pl.DataFrame) -> Audit:
    policy = policy_of({"model": "k-anonymity", "k": 1})
    return audit(frame, policy.model_copy(update={"privacy": (Even(),)}))


def test_a_promise_without_a_rule_is_undecidable() -> None:
    result = with_even(blocks("a b"))
    assert verdicts(result) == ["undecidable"]
    assert "an audit rule for even" in result.criteria[0].needs
    assert not result.holds


def test_a_third_party_registers_its_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, f"{__name__}:EVEN_RULE")
    assert with_even(blocks("a b", "a a a a")).holds
    assert verdicts(with_even(blocks("a b", "a a a"))) == ["fails"]


@pytest.mark.parametrize("value", ["SHORT_RULE", "NO_RULE"])
def test_a_broken_rule_is_no_pass(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    install(monkeypatch, f"{__name__}:{value}")
    assert verdicts(with_even(blocks("a b"))) == ["undecidable"]


def test_several_promises_inside_a_multi_attribute_one() -> None:
    both = all_of(read_promise({"model": "distinct-l", "l": 1}), read_promise({"model": "k-anonymity", "k": 9}))
    frame = pl.DataFrame({"q": ["q"], "S": ["a"], "V": ["x"]})
    policy = policy_of({"model": "k-anonymity", "k": 1}, sensitive={"S": {}, "V": {}})
    result = audit(frame, policy.model_copy(update={"privacy": (MultiAttribute(of=both),)}))
    assert verdicts(result) == ["holds", "holds", "fails", "fails"]


def test_what_is_in_memory_can_be_judged_with_its_document(tmp_path: Path) -> None:
    policy = policy_of({"model": "pairwise-l", "l": 2}, form={"group_id": True})
    frame = blocks("a b", "a c").with_columns(group=pl.col("q"))
    manifest = write_release(tmp_path, frame, policy, group_id="group")
    document, _ = read_release_document(tmp_path / "release.json")
    assert audit(InMemory(document, {"table": frame}), policy, manifest).holds
    assert not audit(InMemory(document, {"table": frame[:3]}), policy, manifest).holds
    with pytest.raises(SfumatoError, match="no table"):
        audit(InMemory(document, {}), policy)


def test_the_auditor_imports_nothing_that_it_judges(tmp_path: Path) -> None:
    policy = policy_of(*EVERY, form={"group_id": True})
    frame = blocks(f"{MARK}1 {MARK}2 {MARK}3").with_columns(group=pl.col("q"))
    write_release(tmp_path, frame, policy, group_id="group")
    (tmp_path / "policy.json").write_text(json.dumps(policy.as_dict()), "utf-8")
    script = """
import sys
from sfumato.auditor.audit import audit
audit(sys.argv[1], sys.argv[1] + "/policy.json").summary()
judged = ("models", "partition", "publish", "kernels", "engine")
print([name for name in sys.modules if name.split(".")[:2] in [["sfumato", each] for each in judged]])
"""
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"
