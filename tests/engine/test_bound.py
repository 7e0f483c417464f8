"""The bound of a table, of a release by any method, and on the command line."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.policy.methods import METHODS
from tests.support.desk import Desk

TREE = {"tree": {"ab": ["a", "b"], "cd": ["c", "d"]}}


def policy_of(*promises: sf.Promise, **more: Any) -> dict[str, Any]:
    return {
        "columns": {
            "age": {"role": "quasi", "type": "integer", "hierarchy": {"intervals": [5, 20]}},
            "town": {"role": "quasi", "hierarchy": TREE},
            "disease": {"role": "sensitive"},
        },
        "privacy": [promise.as_dict() for promise in promises],
        **more,
    }


def frame(rows: int = 60) -> pl.DataFrame:
    rng = np.random.default_rng(4)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 60, rows),
            "town": rng.choice(list("abcd"), rows),
            "disease": rng.choice(["flu", "gout", "cold", "mumps"], rows),
        }
    )


@pytest.mark.parametrize("method", METHODS)
def test_no_method_loses_less(method: str) -> None:
    policy = policy_of(sf.SimpleL(2), partition={"method": method}, suppression={"limit": "0.2"})
    release = sf.publish(frame(), policy=policy, form={"publish": "generalized", "group_id": True}, seed=1)
    bound = release.bound
    assert bound.value is not None and 0 < bound.value <= release.loss + 1e-9
    assert bound is release.bound and bound == sf.bound(release) == sf.bound(frame(), policy=policy)


def test_slack_of_a_method_has_no_part_in_it() -> None:
    """A method may ask for more than is promised; others need not."""
    plain = sf.bound(frame(), policy=policy_of(sf.KAnonymity(3)))
    assert sf.bound(frame(), sf.KAnonymity(3), policy=policy_of(sf.KAnonymity(9))) == plain
    more = sf.bound(frame(), policy=policy_of(sf.KAnonymity(9)))
    assert plain.value is not None and more.value is not None and plain.value < more.value


def test_forms_that_show_something_else_have_none() -> None:
    for form in ("anatomized", "ring", "permuted"):
        found = sf.bound(frame(), policy=policy_of(sf.DistinctL(2)), form={"publish": form})
        assert found.value is None and form in found.reason


def test_a_release_has_its_policy() -> None:
    release = sf.publish(frame(), policy=policy_of(sf.KAnonymity(2)), seed=1)
    with pytest.raises(sf.InputError, match="has its policy"):
        sf.bound(release, sf.KAnonymity(5))
    with pytest.raises(sf.InputError, match="needs a policy"):
        sf.bound(frame())


def test_sensitive_values_that_a_loss_counts_may_be_told() -> None:
    """Information utility counts all columns; of what it weighs, sensitive ones may lose nothing."""
    policy = policy_of(sf.KAnonymity(3), loss={"metric": "information-utility"})
    release = sf.publish(frame(), policy=policy, seed=1)
    assert release.bound.value is not None and 0 < release.bound.value <= release.loss
    heavy = policy_of(sf.KAnonymity(3), loss={"metric": "information-utility", "weights": {"disease": 2}})
    other = sf.bound(frame(), policy=heavy).value
    assert other == pytest.approx(release.bound.value * 3 / 4)


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    sf.bound(frame(), policy=policy_of(sf.KAnonymity(2)), progress=lambda *said: told.append(said))
    mine = [said for said in told if said[0] == "bound"]
    assert mine == [("bound", 0, 60), ("bound", 60, 60)]


def test_the_command_line_says_how_far_it_is(desk: Desk) -> None:
    frame().write_csv("people.csv")
    desk.write("policy.json", json.dumps(policy_of(sf.KAnonymity(3))))
    call = ["anonymize", "people.csv", "-p", "policy.json", "-o", "out", "--force", "--seed", "1"]
    said = desk(*call, "--bound").out
    release = sf.publish(frame(), policy=policy_of(sf.KAnonymity(3)), seed=1)
    assert release.bound.compared(release.loss) in said and "of the least loss that any local recoding" in said
    assert "least loss" not in desk(*call).out
    facts = desk(*call, "--bound", "--json").json["release"]["bound"]
    assert facts == {**release.bound.as_dict(), "beyond": release.bound.beyond(release.loss)}
    assert "bound" not in desk(*call, "--json").json["release"]
