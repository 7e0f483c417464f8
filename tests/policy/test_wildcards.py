"""Columns that are meant by a wildcard or by `others:`: who wins, what is an error, and what a policy is after it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.errors import PolicyError, TableError
from sfumato.policy.naming import meant
from tests.support.examples import some

FRAME = pl.DataFrame(
    {
        "age": ["1", "1", "2", "2"],
        "lab_a": list("wxyz"),
        "lab_b": list("wxyz"),
        "diag_1": ["x", "y"] * 2,
        "rest": list("1234"),
    }
)


def policy(columns: dict[str, Any], **more: Any) -> dict[str, Any]:
    described = {name: {"role": given} if isinstance(given, str) else given for name, given in columns.items()}
    return {"columns": described, "privacy": [{"model": "k-anonymity", "k": 2}], **more}


def roles(given: dict[str, Any]) -> dict[str, str]:
    return {name: column.role for name, column in sf.read(FRAME, given).policy.columns.items()}


def test_a_name_wins_over_a_wildcard_and_that_over_others() -> None:
    found = roles(policy({"lab_*": "insensitive", "age": "quasi", "lab_b": "drop"}, others={"role": "identifier"}))
    assert list(found.items()) == [
        ("lab_a", "insensitive"),
        ("age", "quasi"),
        ("lab_b", "drop"),
        ("diag_1", "identifier"),
        ("rest", "identifier"),
    ]


def test_a_wildcard_stands_for_any_characters_and_for_none() -> None:
    found = meant({"a*z": 1, "[x]*": 2}, None, ["az", "a\nz", "abz", "abzc", "[x]", "x"])
    assert found.by_rule == {"a*z": ("az", "a\nz", "abz"), "[x]*": ("[x]",)}
    assert found.columns == {"az": 1, "a\nz": 1, "abz": 1, "[x]": 2}


def test_two_wildcards_for_one_column_are_a_mistake() -> None:
    with pytest.raises(PolicyError, match=r"'lab_\*' and '\*_a' both match column 'lab_a'"):
        sf.read(FRAME, policy({"age": "quasi", "lab_*": "drop", "*_a": "quasi"}, others={"role": "drop"}))
    named = policy({"age": "quasi", "lab_*": "drop", "*_a": "quasi", "lab_a": "quasi"}, others={"role": "drop"})
    with pytest.raises(PolicyError, match=r"columns\.\*_a: no column of the data has such a name"):
        sf.read(FRAME, named)


def test_a_column_that_is_not_meant_at_all_stays_an_error() -> None:
    with pytest.raises(TableError, match="2 columns of the data are not in the policy: 'diag_1', 'rest'"):
        sf.read(FRAME, policy({"age": "quasi", "lab_*": "drop"}))


@pytest.mark.parametrize("role", ["individual", "quasi-sensitive"])
def test_roles_of_one_column_take_no_wildcard(role: str) -> None:
    for given in (policy({"age": "quasi", "lab_*": role}), policy({"age": "quasi"}, others={"role": role})):
        with pytest.raises(PolicyError, match="is of one column: name it"):
            sf.read_policy(given)


def test_names_elsewhere_in_the_policy_may_be_meant_by_a_wildcard() -> None:
    given = policy({"age": "quasi", "lab_*": "quasi", "diag_*": "sensitive"}, others={"role": "drop"})
    given["privacy"] = [{"model": "distinct-l", "l": 2, "on": "diag_1"}]
    given["loss"] = {"weights": {"lab_a": 2}}
    assert sf.read_policy(given).columns["diag_*"].role == "sensitive"
    assert sf.read(FRAME, given).policy.sensitive == ("diag_1",)
    given["loss"] = {"weights": {"rest": 2}}
    with pytest.raises(PolicyError, match=r"loss\.weights\.rest: must name a quasi or sensitive column"):
        sf.read_policy(given)
    given["loss"] = {"weights": {"lab_z": 2}}
    with pytest.raises(PolicyError, match=r"loss\.weights\.lab_z"):
        sf.read(FRAME, given)


def test_mistakes_in_others_have_their_place() -> None:
    with pytest.raises(PolicyError) as caught:
        sf.read_policy(policy({"age": "quasi"}, others={"role": "insensitive", "hierarchy": {"file": "none.csv"}}))
    assert {problem.path for problem in caught.value.problems} == {"others.hierarchy", "others.hierarchy.file"}


def test_several_columns_meant_need_their_promise_named() -> None:
    given = policy({"age": "quasi", "lab_*": "sensitive"}, others={"role": "drop"})
    given["privacy"] = [{"model": "distinct-l", "l": 2}]
    sf.read_policy(given)
    with pytest.raises(PolicyError, match=r"which sensitive column\? one of: lab_a, lab_b"):
        sf.read(FRAME, given)


def test_the_digest_is_that_of_the_document_and_the_release_knows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SFUMATO_KEY", "a key for tests of wildcards")
    given = policy({"age": "quasi", "lab_*": "insensitive"}, others={"role": "drop"})
    table = sf.read(FRAME, given)
    assert table.policy.digest == sf.read_policy(given).digest
    assert sf.read(table, given) is table, "the same policy, once it met the data"
    for release in (sf.publish(FRAME, policy=given), sf.publish(table), sf.publish(table, policy=given)):
        written = release.write(tmp_path / "out", force=True)
        assert sf.audit(tmp_path / "out", given, written.manifest).holds
        assert sf.audit(tmp_path / "out", given).holds
        assert sf.audit(tmp_path / "out", release.source.policy, written.manifest).holds
    other = sf.publish(table, {"model": "k-anonymity", "k": 1})
    assert other.source.policy.promise.promises[0].as_dict() == {"model": "k-anonymity", "k": 1}
    assert list(other.source.policy.columns) == list(table.policy.columns)


def test_an_auditor_misses_columns_that_must_be_published() -> None:
    given = policy({"age": "quasi", "diag_*": "sensitive"}, others={"role": "drop"})
    given["privacy"] = [{"model": "distinct-l", "l": 2, "on": "diag_1"}]
    found = sf.audit(FRAME.select("age"), given)
    assert (
        not found.holds and "column 'diag_1': has the role sensitive and is missing from the release" in found.problems
    )
    bare = policy({"age": "quasi", "lab_*": "quasi"})
    found = sf.audit(FRAME.select("age"), bare)
    assert "column 'lab_*': has the role quasi and is missing from the release" in found.problems


def test_with_the_manifest_a_column_too_many_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_KEY", "a key for tests of wildcards")
    given = policy({"age": "quasi", "lab_*": "insensitive"}, others={"role": "drop"})
    written = sf.publish(FRAME, policy=given).write(tmp_path / "out")
    forged = pl.read_parquet(tmp_path / "out" / "table.parquet").with_columns(lab_new=pl.lit("1"))
    assert "column 'lab_new': is not in the policy" in sf.audit(forged, given, written.manifest).problems


def test_dropped_columns_are_left_out_of_every_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_KEY", "a key for tests of wildcards")
    frame = FRAME.with_columns(odd=pl.Series(["*", "", None, "x"]))
    given = policy({"age": "quasi", "odd": {"role": "drop", "type": "integer", "missing": "error"}, "lab_*": "drop"})
    given["columns"] |= {"diag_1": {"role": "drop"}, "rest": {"role": "drop"}}
    release = sf.publish(frame, policy=given)
    assert release.table.columns == ["age"]


def test_the_schema_knows_others() -> None:
    properties = sf.policy_schema()["properties"]
    assert "others" in properties
    roles_allowed = sf.policy_schema()["$defs"]["Column"]["properties"]["role"]["enum"]
    assert {"drop", "weight"} < set(roles_allowed)


@pytest.mark.parametrize("role", some(["insensitive", "drop", "quasi", "identifier"]))
@pytest.mark.parametrize("form", ["generalized", "permuted", "anatomized", "sliced", "ring", "randomized"])
def test_every_form_is_judged_as_under_the_names_themselves(
    role: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SFUMATO_KEY", "a key for tests of wildcards")
    rows = 60
    values = {name: [str(row * step % size) for row in range(rows)] for name, step, size in NAMED}
    age = {"role": "quasi", "type": "text"}
    given = policy({"age": age, "lab_*": "quasi", "disease": "sensitive"}, others={"role": role})
    asked = {"privacy": [{"model": "simple-l", "l": 2}], "form": {"publish": form}}
    if form == "randomized":
        asked["partition"] = {"slack": 1}
    written = sf.publish(pl.DataFrame(values), policy={**given, **asked}).write(tmp_path / "out")
    named = policy({"age": age, "lab_a": "quasi", "lab_b": "quasi", "disease": "sensitive", "rest": role})
    assert sf.audit(tmp_path / "out", {**given, **asked}, written.manifest).holds
    one, other = (sf.audit(tmp_path / "out", {**each, **asked}) for each in (given, named))
    assert (one.criteria, one.problems, one.groups) == (other.criteria, other.problems, other.groups)
    assert set(one.notes) <= set(other.notes), "who has the names knows which columns are not there"


NAMED = (("age", 7, 40), ("lab_a", 3, 2), ("lab_b", 5, 3), ("disease", 11, 5), ("rest", 1, 1))
