"""The worst groups of every promise: each judged by itself, those that break it first, and what would mend them."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.auditor.audit import audit
from sfumato.auditor.verdict import Criterion
from sfumato.policy.promises import Promise, read_promise
from tests.support.auditing import blocks, judged, policy_of, write_release
from tests.support.definitions import keeps

NAMES = ("a", "b", "c", "d")
EVEN: list[dict[str, Any]] = [
    {"model": "k-anonymity", "k": 4},
    {"model": "distinct-l", "l": 3},
    {"model": "entropy-l", "l": "2.5"},
    {"model": "recursive-cl", "c": "1.5", "l": 2},
    {"model": "recursive-cl", "c": 2, "l": 3},
    {"model": "simple-l", "l": "2.5"},
    {"model": "alpha-k", "alpha": "0.4", "k": 4},
]
"""Promises that ask for rows, different values, or even counts."""
OTHERS: list[dict[str, Any]] = [
    {"model": "t-closeness", "t": "0.3"},
    {"model": "delta-disclosure", "delta": 1},
    {"model": "pd-recursive", "c": 2, "l": 2, "disclosable": ["a"]},
    {"model": "npd-recursive", "c1": 3, "c2": 10, "l": 2, "disclosable": ["a"], "protected": ["b"]},
]

tables = st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=7), min_size=1, max_size=6)


def listed(groups: list[list[str]], promise: dict[str, Any]) -> Criterion:
    frame = blocks(*map(" ".join, groups))
    [criterion, *_] = audit(frame, policy_of(promise), whole=True, groups=100).criteria
    return criterion


def kept(promise: Promise, group: Counter[str], whole: Counter[str]) -> bool:
    codes = [{NAMES.index(value): count for value, count in each.items()} for each in (group, whole)]
    return keeps(promise, codes[0], codes[1], NAMES)


@pytest.mark.parametrize("given_promise", [*EVEN, *OTHERS], ids=lambda promise: str(promise["model"]))
@given(groups=tables)
def test_every_group_is_listed_and_judged_by_itself(given_promise: dict[str, Any], groups: list[list[str]]) -> None:
    promise, criterion = read_promise(given_promise), listed(groups, given_promise)
    told, whole = criterion.groups, Counter(itertools.chain(*groups))
    verdicts = [each.kept for each in told]
    assert verdicts == sorted(verdicts)
    assert sum(each.groups for each in told) == len(groups)
    assert sum(each.groups for each in told if not each.kept) == criterion.violating_groups
    for each in told:
        assert each.row is not None and each.size is not None
        rows = itertools.accumulate(map(len, groups), initial=0)
        mine = Counter(next(group for group, first in zip(groups, rows, strict=False) if first == each.row - 1))
        assert each.kept == kept(promise, mine, whole)
        assert each.size == mine.total()
        if each.values is not None:
            assert list(each.counts) == sorted(mine.values(), reverse=True)
    [alone] = listed([groups[0]], given_promise).groups
    assert alone.groups == 1


@pytest.mark.parametrize("given_promise", EVEN, ids=lambda promise: f"{promise['model']}-{promise.get('l')}")
@given(groups=tables)
def test_what_would_mend_a_group_does_and_nothing_less(given_promise: dict[str, Any], groups: list[list[str]]) -> None:
    promise, whole = read_promise(given_promise), Counter(itertools.chain(*groups))
    for each in (each for each in listed(groups, given_promise).groups if not each.kept):
        mine = Counter(
            next(group for group in groups if sorted(Counter(group).values(), reverse=True) == [*each.counts])
            if each.values is not None
            else groups[_at(groups, each.row or 0)]
        )
        more = [
            sum(chosen)
            for chosen in itertools.product(range(5), repeat=len(whole))
            if kept(promise, mine + Counter(dict(zip(whole, chosen, strict=True))), whole)
        ]
        least = min(more, default=None)
        if least is not None and least < 5:
            assert each.add == least
        less = [
            mine.total() - sum(left)
            for left in itertools.product(*(range(n + 1) for n in mine.values()))
            if sum(left) and kept(promise, Counter(dict(zip(mine, left, strict=True))), whole)
        ]
        assert each.leave == min(less, default=mine.total())


def _at(groups: list[list[str]], row: int) -> int:
    return [*itertools.accumulate(map(len, groups), initial=0)].index(row - 1)


def test_a_large_group_is_mended_by_as_many_rows_as_it_takes() -> None:
    """Beyond the first few numbers, by halves."""
    frame = pl.DataFrame({"q": ["g"] * 70_865, "s": ["a"] * 70_864 + ["b"]})
    [simple] = audit(frame, policy_of({"model": "simple-l", "l": 2}), whole=True, groups=1).criteria
    assert (simple.groups[0].add, simple.groups[0].leave) == (70_863, 70_863)
    [distinct] = audit(frame, policy_of({"model": "distinct-l", "l": 3}), whole=True, groups=1).criteria
    assert (distinct.groups[0].add, distinct.groups[0].leave) == (None, 70_865)


def test_none_is_listed_unless_asked_for() -> None:
    assert judged(blocks("a b", "a a"), {"model": "distinct-l", "l": 2}).groups == ()


def test_groups_of_several_sensitive_columns_and_of_a_set_that_is_known() -> None:
    frame = pl.DataFrame({"q": list("ggghhh"), "r": list("112222"), "s": list("aabbbc"), "v": list("xyxyxy")})
    policy = policy_of(
        {"model": "multi-attribute", "of": {"model": "distinct-l", "l": 2}},
        {"model": "k-anonymity", "k": 3, "of": [["r"], ["q"]]},
        quasi=("q", "r"),
        sensitive={"s": {}, "v": {}},
    )
    found = audit(frame, policy, whole=True, groups=9)
    for criterion in found.criteria:
        assert criterion.groups and criterion.verdict == "fails"
        assert sum(each.groups for each in criterion.groups if not each.kept) == criterion.violating_groups
    smallest = found.criteria[-1].groups[0]
    assert (smallest.size, smallest.row, smallest.add) == (2, 1, 1)


def test_groups_with_an_id_and_rows_of_a_person(tmp_path: Path) -> None:
    frame = pl.DataFrame({"q": ["*"] * 5, "s": list("abaab"), "group": list("11222")})
    policy = policy_of({"model": "simple-l", "l": 2}, form={"group_id": True})
    manifest = write_release(tmp_path, frame, policy, group_id="group")
    [criterion] = audit(tmp_path, policy, manifest, groups=3).criteria
    assert [(each.group, each.row, each.kept) for each in criterion.groups] == [("2", 3, False), ("1", 1, True)]


@pytest.mark.parametrize("form", ["anatomized", "permuted", "sliced", "ring", "randomized", "generalized"])
def test_forms_are_listed_without_a_value_of_the_data(form: str) -> None:
    frame = pl.DataFrame({"q": [f"quasi{at % 7}" for at in range(40)], "s": [f"secret{at % 5}" for at in range(40)]})
    policy = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": 2}],
        "form": {"publish": form},
        **({"partition": {"method": "mondrian", "slack": 1}} if form == "randomized" else {}),
    }
    shown, manifest = sf.publish(frame, policy=policy, seed=1).held
    strict = {**policy, "privacy": [{"model": "simple-l", "l": 5}]}
    found = sf.audit(shown, strict, manifest, groups=3)
    assert found.criteria[0].groups
    for text in (found.to_json(), found.summary()):
        assert "secret" not in text and "quasi0" not in text
    if form in ("anatomized", "permuted"):
        assert all(each.group is not None and each.row is None for each in found.criteria[0].groups)


def test_terms_are_listed_as_they_are_judged() -> None:
    knowledge = {"labels": {"A": ["x"], "B": ["y"], "C": ["z"]}}
    frame = pl.DataFrame({"q": list("ggghh"), "t": ["x", "x", "y", "z", "z"]})
    policy = {
        "columns": {"q": {"role": "quasi"}, "t": {"role": "quasi-sensitive", "separator": "|", "knowledge": knowledge}},
        "privacy": [{"model": "qs-cl", "c": 2, "l": 2}, {"model": "qs-t", "t": "0.1"}],
    }
    for criterion in sf.audit(frame, policy, whole=True, groups=5).criteria:
        assert criterion.beliefs is not None
        assert [each.kept for each in criterion.groups] == [each.kept for each in criterion.beliefs.groups]
        assert [each.level for each in criterion.groups] == [each.level for each in criterion.beliefs.groups]
        assert [each.size for each in criterion.groups] == [each.rows for each in criterion.beliefs.groups]
        assert criterion.groups[0].row == (4 if criterion.model == "qs-cl" else criterion.groups[0].row)


def test_rows_of_a_person_are_listed(here: Path) -> None:
    frame = pl.DataFrame({"who": list("abcdab"), "q": list("xxyyyy"), "s": list("uvuvvu")})
    columns = {"who": {"role": "individual"}, "q": {"role": "quasi"}, "s": {"role": "sensitive"}}
    policy = {
        "columns": columns,
        "privacy": [{"model": "simple-l", "l": 2}],
        "partition": {"method": "mondrian", "refine": True},
        "form": {"publish": "generalized", "group_id": True},
    }
    shown, manifest = sf.publish(frame, policy=policy, seed=1).held
    criterion = next(each for each in sf.audit(shown, policy, manifest, groups=2).criteria if each.on == "who")
    assert len(criterion.groups) == 2 and all(each.kept and each.level == 1 for each in criterion.groups)
