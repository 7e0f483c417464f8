"""Groups by id and by published values: both must keep the promise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sfumato.auditor.audit import audit
from sfumato.auditor.verdict import Audit
from tests.support.auditing import policy_of, verdicts, write_release

BY_ID = ("pairwise-l", "unique-distinct-l", "unique-distinct-literal")


def released(tmp_path: Path, groups: list[str], quasi: list[str], *promises: dict[str, Any]) -> Audit:
    """Groups of space-separated values with ids 1, 2, ... and one published quasi value each."""
    rows = [
        (shown, value, str(index))
        for index, (group, shown) in enumerate(zip(groups, quasi, strict=True), 1)
        for value in group.split()
    ]
    frame = pl.DataFrame(rows, schema=["q", "s", "group"], orient="row")
    policy = policy_of(*promises, form={"group_id": True})
    manifest = write_release(tmp_path, frame, policy, group_id="group")
    return audit(tmp_path, policy, manifest)


def test_equal_values_hide_what_ids_show(tmp_path: Path) -> None:
    """By id two pairs of different values; by values a, b, a, c: simple 2 survives, uniqueness does not."""
    promises = [{"model": "unique-distinct-l", "l": 2}, {"model": "pairwise-l", "l": 2}, {"model": "simple-l", "l": 2}]
    result = released(tmp_path, ["a b", "a c"], ["*", "*"], *promises)
    assert result.holds, result.summary()
    assert result.groups == 2
    assert [criterion.view for criterion in result.criteria] == ["group id"] * 3
    assert result.reached.k == 2


def test_the_worse_view_counts(tmp_path: Path) -> None:
    promises = [{"model": "k-anonymity", "k": 3}, {"model": "distinct-l", "l": 2}]
    result = released(tmp_path, ["a a", "b b"], ["*", "*"], *promises)
    assert verdicts(result) == ["fails", "fails"]
    assert [criterion.view for criterion in result.criteria] == ["group id"] * 2
    assert result.criteria[0].level == 2


@pytest.mark.parametrize(
    ("group", "kept"),
    [
        ("a b", (True, True, True)),
        ("a a a a b", (False, False, True)),
        ("flu cancer obesity", (True, False, False)),
        ("a", (False, False, False)),
        ("a a", (False, False, False)),
    ],
)
def test_three_readings_of_uniqueness(tmp_path: Path, group: str, kept: tuple[bool, bool, bool]) -> None:
    """Five rows with two values satisfy the letter only; three different values are more than exactly two."""
    result = released(tmp_path, [group, "x y"], ["g", "h"], *({"model": model, "l": 2} for model in BY_ID))
    assert tuple(criterion.holds for criterion in result.criteria) == kept
    for criterion in result.criteria:
        if not criterion.holds:
            assert criterion.worst is not None
            assert criterion.worst.size == len(group.split())


def test_the_letter_bounds_nothing(tmp_path: Path) -> None:
    promises = [{"model": "unique-distinct-literal", "l": 2}, {"model": "simple-l", "l": 2}]
    promises += [{"model": "entropy-l", "l": 2}, {"model": "recursive-cl", "c": 2, "l": 2}]
    result = released(tmp_path, ["a a a a b"], ["g"], *promises)
    assert verdicts(result) == ["holds", "fails", "fails", "fails"]


def test_without_an_id_uniqueness_is_undecidable(tmp_path: Path) -> None:
    frame = pl.DataFrame({"q": ["g", "g"], "s": ["a", "b"]})
    policy = policy_of(*({"model": model, "l": 2} for model in BY_ID), form={"group_id": True})
    manifest = write_release(tmp_path, frame, policy)
    for result in (audit(tmp_path, policy, manifest), audit(frame, policy, whole=True)):
        assert verdicts(result) == ["undecidable"] * 3
        assert {criterion.needs for criterion in result.criteria} == {"a published group id"}
        assert not result.holds


def test_an_id_must_not_join_different_values(tmp_path: Path) -> None:
    frame = pl.DataFrame({"q": ["g", "h"], "s": ["a", "b"], "group": ["1", "1"]})
    policy = policy_of({"model": "k-anonymity", "k": 1}, form={"group_id": True})
    manifest = write_release(tmp_path, frame, policy, group_id="group")
    result = audit(tmp_path, policy, manifest)
    assert any("1 group ids, but 2 combinations" in problem for problem in result.problems)
    assert not result.holds


def test_multi_attribute_by_id_as_well(tmp_path: Path) -> None:
    frame = pl.DataFrame({"q": ["*"] * 4, "S": list("abab"), "V": list("xxxx"), "group": list("1122")})
    policy = policy_of(
        {"model": "multi-attribute", "of": {"model": "distinct-l", "l": 2}},
        sensitive={"S": {}, "V": {}},
        form={"group_id": True},
    )
    manifest = write_release(tmp_path, frame, policy, group_id="group")
    assert verdicts(audit(tmp_path, policy, manifest)) == ["holds", "fails"]
