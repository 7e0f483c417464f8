"""The same release gets the same answer, to the letter; and only groups that break a promise are counted."""

from __future__ import annotations

from pathlib import Path

from sfumato.auditor.audit import audit
from tests.support.auditing import blocks, policy_of, write_release


def test_ties_are_broken_the_same_way_every_time() -> None:
    """Two groups share the worst level and differ in size: the first of them is shown."""
    policy = policy_of({"model": "simple-l", "l": 3}, {"model": "recursive-cl", "c": 2, "l": 1})
    frame = blocks("a a b b", "a b", "c d", "c d c d e e")
    answers = [audit(frame, policy) for _ in range(40)]
    assert len({answer.to_json() for answer in answers}) == 1
    assert [criterion.worst and criterion.worst.size for criterion in answers[0].criteria] == [4, 4]


def test_a_value_that_the_original_never_had_breaks_its_own_group_only(tmp_path: Path) -> None:
    policy = policy_of({"model": "delta-disclosure", "delta": 1})
    manifest = write_release(tmp_path, blocks("a b", "a b"), policy)
    (criterion,) = audit(blocks("a b", "a z"), policy, manifest).criteria
    assert (criterion.verdict, criterion.violating_groups, criterion.violating_rows) == ("fails", 1, 2)
