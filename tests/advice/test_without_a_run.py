"""What a table allows, without a run of the policy: the same answers by counts, and what the plan alone refuses."""

from __future__ import annotations

import polars as pl
import pytest

import sfumato as sf

COLUMNS = {"age": {"role": "quasi", "type": "integer"}, "disease": {"role": "sensitive"}}
PEOPLE = pl.DataFrame({"age": [31, 33, 52, 58, 60], "disease": ["flu", "gout", "gout", "flu", "cold"]})


def policy(*privacy: dict[str, object], **more: object) -> dict[str, object]:
    return {"columns": COLUMNS, "privacy": list(privacy), "partition": {"method": "mondrian"}, **more}


@pytest.mark.parametrize("l", [2, 3, 4])
def test_answers_by_counts_are_the_same(l: int) -> None:
    """Three diseases allow l up to 3, whether or not anything is run."""
    asked = policy({"model": "distinct-l", "l": l})
    quick, whole = sf.advise(PEOPLE, asked, run=False), sf.advise(PEOPLE, asked, seed=1)
    assert quick.policy.outcome == "not run" and quick.policy.exit_code == 0
    assert quick.columns == whole.columns
    assert quick.table.possible is (l <= 3)
    assert quick.table.nearest == whole.table.nearest


def test_nothing_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato.engine.job import Job

    def searched(*_: object) -> None:
        raise AssertionError("searched")

    monkeypatch.setattr(Job, "made", searched)
    assert sf.advise(PEOPLE, policy({"model": "k-anonymity", "k": 2}), run=False).policy.outcome == "not run"
    with pytest.raises(AssertionError, match="searched"):
        sf.advise(PEOPLE, policy({"model": "k-anonymity", "k": 2}))


def test_what_does_not_go_together_is_refused_by_the_plan() -> None:
    named = {"publish": "generalized", "group_id": True}
    advice = sf.advise(PEOPLE, policy({"model": "unique-distinct-l", "l": 2}, form=named), run=False)
    assert advice.policy.outcome == "refused" and advice.policy.exit_code == 2
