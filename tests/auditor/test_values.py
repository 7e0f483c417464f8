"""What counts as one sensitive value: notation, bins, missing values, labels of groups."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.auditor.audit import audit
from tests.support.auditing import blocks, judged, policy_of, verdicts, write_release

DISTINCT = {"model": "distinct-l", "l": 2}


def distinct(values: list[Any], spec: Mapping[str, Any], **more: Any) -> int:
    """How many different secrets the auditor sees in one class."""
    frame = pl.DataFrame({"q": ["g"] * len(values), "s": values})
    result = audit(frame, policy_of({"model": "k-anonymity", "k": 1}, sensitive={"s": spec}, **more))
    assert result.problems == ()
    return result.reached.columns["s"].distinct_l


@pytest.mark.parametrize(
    ("values", "spec", "secrets"),
    [
        (["1000", "1000.0", "1e3", " 1000"], {"type": "number"}, 1),
        (["0", "0.0", "-0"], {"type": "number"}, 1),
        (["1000", "1000.0"], {"type": "text"}, 2),
        (["02000", "2000"], {"type": "text"}, 2),
        (["1000.01", "1000.02"], {"type": "number"}, 2),
        (["2024-03-05", "2024-03-05 00:00:00"], {"type": "date"}, 1),
        (["[0, 5)", "[0,5]", "( 0, 5.0 )"], {"type": "number", "bins": {"width": 5}}, 1),
        (["", None], {"type": "text"}, 1),
        ([0.1, 0.5, None], {"type": "number"}, 3),
        ([1, 2, 2], {"type": "integer"}, 2),
        ([True, False], {}, 2),
    ],
)
def test_texts_that_denote_one_value_are_one(values: list[Any], spec: dict[str, Any], secrets: int) -> None:
    assert distinct(values, spec) == secrets


def test_a_bare_table_is_read_as_the_policy_says() -> None:
    assert distinct(["1,5", "1,50"], {"type": "number"}, input={"decimal": ","}) == 1
    assert distinct(["5.3.2024", "05.03.2024"], {"type": "date"}, input={"date": "%d.%m.%Y"}) == 1
    assert distinct(["NA", None, "x"], {}, input={"missing_values": ["NA"]}) == 2


def test_numbers_of_any_kind_fit_the_manifest(tmp_path: Path) -> None:
    policy = policy_of({"model": "t-closeness", "t": 0}, sensitive={"s": {"type": "number"}})
    texts = pl.DataFrame({"q": ["g"] * 3, "s": ["0.5", "1", "1"]})
    manifest = write_release(tmp_path, texts, policy)
    for column in ([0.5, 1.0, 1.0], ["0.50", "1.0", "1"]):
        assert audit(pl.DataFrame({"q": ["g"] * 3, "s": column}), policy, manifest).holds


TREES: list[tuple[dict[str, Any], str, str]] = [
    ({"hierarchy": {"tree": {"*": {"lung": ["flu", "cough"], "skin": ["rash"]}}}}, "flu rash", "lung"),
    ({"hierarchy": {"tree": {"*": {"lung": ["flu", "cough"], "skin": ["rash"]}}}}, "flu rash", "*"),
    ({"hierarchy": {"mask": "right"}}, "123 456", "12*"),
    ({"hierarchy": {"balanced": {}}}, "flu rash", "B–R"),
    ({"hierarchy": "flat"}, "flu rash", "*"),
    ({"type": "integer", "hierarchy": {"intervals": [5]}}, "7 12", "[5, 10)"),
    ({"type": "integer"}, "7 12", "[5, 10)"),
    ({}, "flu rash", "*"),
]


@pytest.mark.parametrize(("spec", "sound", "label"), TREES)
def test_values_at_different_heights_are_not_different(spec: dict[str, Any], sound: str, label: str) -> None:
    policy = policy_of(
        {"model": "k-anonymity", "k": 2}, DISTINCT, {"model": "entropy-l", "l": 1}, sensitive={"s": spec}
    )
    assert audit(blocks(sound), policy).holds
    assert audit(blocks(sound), policy, whole=True).holds
    first, *_ = sound.split()
    frame = pl.DataFrame({"q": ["g", "g"], "s": [first, label]})
    for whole in (False, True):
        result = audit(frame, policy, whole=whole)
        assert verdicts(result) == ["holds", "fails", "fails"]
        assert any("generalized" in problem and "1 row;" in problem for problem in result.problems)
        assert "s" not in result.reached.columns


def test_multi_attribute_fails_on_a_generalized_other_column() -> None:
    rows = [(s, v) for s in "ab" for v in ("x", "*")]
    frame = pl.DataFrame({"q": ["q"] * 4, "S": [s for s, _ in rows], "V": [v for _, v in rows]})
    policy = policy_of({"model": "multi-attribute", "of": DISTINCT}, sensitive={"S": {}, "V": {}})
    assert verdicts(audit(frame, policy)) == ["fails", "fails"]


@pytest.mark.parametrize(
    ("spec", "group", "problem"),
    [
        ({"bins": {"width": 1000}}, ["[0, 1000)", "[1000, 2000)"], ""),
        ({"bins": {"width": 1000}}, ["[0, 1000)", "1500"], "generalized"),
        ({"bins": {"width": 1000}}, ["[0, 1000)", "[1000, 1500)"], "generalized"),
        ({"bins": {"width": 1000}}, ["[0, 1000)", "[500, 1500)"], "generalized"),
        ({"bins": {"width": "1/3"}}, ["[0, 1/3)", "[1/3, 2/3)"], ""),
        ({"bins": [0, 10, 50]}, ["[0, 10)", "[10, 50)"], ""),
        ({"bins": [0, 10, 50]}, ["[0, 10)", "[0, 50)"], "generalized"),
        ({"difference": 5}, ["[1, 3]", "[9, 9]"], ""),
        ({"difference": 5}, ["[1, 3]", "[8, 8]"], "no further apart"),
        ({"difference": 5}, ["[1, 3]", "9"], "generalized"),
    ],
)
def test_bins_are_those_of_the_policy(spec: dict[str, Any], group: list[str], problem: str) -> None:
    frame = pl.DataFrame({"q": ["g", "g"], "s": group})
    result = audit(frame, policy_of(DISTINCT, sensitive={"s": {"type": "number", **spec}}))
    assert result.holds == (not problem)
    assert all(problem in found for found in result.problems)


def test_bins_are_ordered_by_their_bounds() -> None:
    """Of four bins the class has the first two: cumulated gaps 1/4, 1/2, 1/4 over 3."""
    frame = pl.DataFrame({"q": list("aabb"), "s": ["[0, 5)", "[5, 10)", "[10, 15)", "[15, 20)"]})
    spec = {"s": {"type": "number", "bins": {"width": 5}}}
    promise = {"model": "t-closeness", "t": "1/3", "distance": "ordered"}
    assert judged(frame, promise, sensitive=spec).level == Fraction(1, 3)


def test_dates_are_ordered(tmp_path: Path) -> None:
    frame = pl.DataFrame({"q": list("aabb"), "s": ["2024-12-31", "2024-01-01", "2025-01-01", "2025-02-01"]})
    promise = {"model": "t-closeness", "t": "1/3", "distance": "ordered"}
    assert judged(frame, promise, sensitive={"s": {"type": "date"}}).level == Fraction(1, 3)


@pytest.mark.parametrize("distance", ["ordered", "hierarchical"])
@pytest.mark.parametrize("odd", ["odd", "High", "high ", "high\u200b"])
def test_a_value_that_order_or_hierarchy_do_not_know_is_no_secret_of_its_own(distance: str, odd: str) -> None:
    known = {"order": ["low", "high"]} if distance == "ordered" else {"hierarchy": {"tree": {"*": ["low", "high"]}}}
    frame = pl.DataFrame({"q": list("aabbb"), "s": ["low", "high", "low", "high", odd]})
    for promise in ({"model": "t-closeness", "t": 1, "distance": distance}, {"model": "distinct-l", "l": 2}):
        policy = policy_of(promise, sensitive={"s": known})
        assert audit(frame[:4], policy, whole=True).holds
        result = audit(frame, policy, whole=True)
        assert result.criteria[0].verdict == "fails"
        assert "1 row" in result.problems[0]


def test_a_missing_value_hangs_under_the_root() -> None:
    """Height 2; a, b under x, missing under the root. Of a a, 1/4 goes to b at cost 1/2 and 1/2 to missing at 1."""
    spec = {"s": {"hierarchy": {"tree": {"*": {"x": ["a", "b"], "y": ["c"]}}}}}
    promise = {"model": "t-closeness", "t": 1, "distance": "hierarchical"}
    frame = blocks("a a", "b b - - - -")
    assert judged(frame, promise, sensitive=spec).level == Fraction(5, 8)


def test_trees_made_from_the_original_values(tmp_path: Path) -> None:
    """Masks of one digit: 11, 12 under 1*, 21, 22 under 2*. The class 11, 12 has 1/2 to move across the root."""
    policy = policy_of(
        {"model": "t-closeness", "t": "1/2", "distance": "hierarchical"},
        sensitive={"s": {"hierarchy": {"mask": "right"}}},
    )
    frame = blocks("11 12", "21 22")
    manifest = write_release(tmp_path, frame, policy)
    result = audit(tmp_path, policy, manifest)
    assert result.holds
    assert result.criteria[0].level == Fraction(1, 2)
    assert audit(tmp_path, policy).criteria[0].verdict == "undecidable"


def test_values_that_look_alike_are_noted() -> None:
    result = audit(blocks("flu Flu"), policy_of(DISTINCT, sensitive={"s": {"same": "none"}}))
    assert result.holds
    assert any("differ from another only in case" in note for note in result.notes)


def test_times_of_day_are_judged_to_the_last_digit() -> None:
    moments = pl.Series("q", [1, 2, 3], dtype=pl.Int64).cast(pl.Time)
    result = audit(pl.DataFrame({"q": moments, "s": ["a", "b", "c"]}), policy_of({"model": "k-anonymity", "k": 3}))
    assert result.reached.k == 1


def test_intervals_turned_round_are_no_bins() -> None:
    policy = policy_of({"model": "distinct-l", "l": 3}, sensitive={"s": {"type": "number", "difference": 10}})
    frame = pl.DataFrame({"q": ["a"] * 3, "s": ["[5, -100]", "[6, -100]", "[7, -100]"]})
    assert audit(frame, policy).criteria[0].verdict == "fails"
    assert audit(frame.with_columns(s=pl.Series(["[5, 6]", "[20, 20]", "[40, 45]"])), policy).holds


def test_a_missing_value_has_no_name() -> None:
    promise = {"model": "pd-recursive", "c": 1, "l": 2, "disclosable": [""]}
    frame = pl.DataFrame({"q": ["a"] * 4, "s": [None, None, None, "flu"]})
    assert audit(frame, policy_of(promise)).criteria[0].verdict == "fails"
