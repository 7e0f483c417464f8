"""Changes of a policy that are named do work, and a step less does not."""

from __future__ import annotations

import warnings
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.policy.load import read_policy
from sfumato.policy.written import block
from sfumato.policy.yaml import parse_yaml
from sfumato.reports.facts import RelaxationFact
from tests.support.examples import examples

COLUMNS = {"q": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive"}}
SEED = 3


def frame_of(values: str) -> pl.DataFrame:
    return pl.DataFrame({"q": [*range(len(values))], "s": [*values]})


def policy_of(*promises: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"columns": COLUMNS, "privacy": [*promises], "partition": {"method": "auto", "budget": "quick"}, **more}


def pasted(policy: dict[str, Any], change: RelaxationFact) -> dict[str, Any]:
    """The policy with what a person would paste into it."""
    return {**policy, **parse_yaml(block(change.policy), "pasted")}


def kept(frame: pl.DataFrame, policy: dict[str, Any]) -> bool:
    try:
        return sf.publish(frame, policy=policy, seed=SEED).judged().holds
    except sf.NoneFound:
        return False


def stricter(change: RelaxationFact, asked: dict[str, Any], rows: int) -> list[dict[str, Any]]:
    """Every change that is one step smaller."""
    if change.kind == "suppression":
        left = int(read_policy({**asked, **change.policy}).suppression.limit * rows)
        return [{"suppression": {"limit": f"{left - 1}/{rows}"}}]
    steps = []
    for at, (part, wish) in enumerate(zip(change.policy["privacy"], asked["privacy"], strict=True)):
        for name, value in part.items():
            if isinstance(value, (int, float)) and value != wish[name]:
                step = 1 if isinstance(value, int) and isinstance(wish[name], int) else 0.01
                nearer = value + step if wish[name] > value else value - step
                changed = {**part, name: round(nearer, 2)}
                steps.append(
                    {"privacy": [*change.policy["privacy"][:at], changed, *change.policy["privacy"][at + 1 :]]}
                )
    return steps


def require_least(frame: pl.DataFrame, policy: dict[str, Any]) -> list[RelaxationFact]:
    """All changes for a policy that cannot be kept: each works, and where it is called least no step less does."""
    found = sf.explain(frame, policy, seed=SEED).facts
    assert found.outcome in ("infeasible", "none found")
    for change in found.relaxations:
        assert kept(frame, pasted(policy, change)), change
        for smaller in stricter(change, policy, frame.height) if change.least else ():
            assert not kept(frame, {**policy, **smaller}), (change, smaller)
    return list(found.relaxations)


CASES: list[tuple[str, tuple[dict[str, Any], ...], dict[str, list[str]]]] = [
    ("aaabbc", ({"model": "distinct-l", "l": 5},), {"promise": ["distinct-l (l=3)"]}),
    ("aaaabc", ({"model": "simple-l", "l": 3},), {"suppression": ["0.5"], "promise": ["simple-l (l=1.5)"]}),
    ("aaabbc", ({"model": "entropy-l", "l": 3},), {"suppression": ["0.5"], "promise": ["entropy-l (l=2.74)"]}),
    (
        "aabbcc",
        ({"model": "k-anonymity", "k": 9}, {"model": "distinct-l", "l": 4}),
        {"promise": ["k-anonymity (k=6)", "distinct-l (l=3)"]},
    ),
    (
        "aaabbc",
        ({"model": "k-anonymity", "k": 2}, {"model": "recursive-cl", "c": 0.5, "l": 2}),
        {"promise": ["recursive-cl (c=1.01, l=2)"]},
    ),
]


@pytest.mark.parametrize(("values", "promises", "after"), CASES)
def test_what_is_named_works_and_a_step_less_does_not(
    values: str, promises: tuple[dict[str, Any], ...], after: dict[str, list[str]]
) -> None:
    found = require_least(frame_of(values), policy_of(*promises))
    assert {change.kind: [*change.after] for change in found} == after
    assert all(change.least and change.loss is not None for change in found)


@settings(max_examples=examples(60))
@given(
    values=st.text("aaabc", min_size=4, max_size=14),
    l=st.integers(2, 5),
    k=st.integers(1, 9),
    model=st.sampled_from(["distinct-l", "simple-l", "entropy-l"]),
)
def test_on_any_table(values: str, l: int, k: int, model: str) -> None:
    frame, policy = frame_of(values), policy_of({"model": "k-anonymity", "k": k}, {"model": model, "l": l})
    with warnings.catch_warnings():  # of groups that are nearly alike
        warnings.simplefilter("ignore", sf.SfumatoWarning)
        if not kept(frame, policy):
            require_least(frame, policy)


def test_another_method_comes_first_and_keeps_the_promise_as_it_is() -> None:
    frame = pl.DataFrame({"q": list("uvwxyz"), "s": list("abcabc")})
    policy = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "partition": {"method": "lattice"},
        "suppression": {"columns": {"q": 0}},
    }
    found = sf.explain(frame, policy, seed=SEED).facts
    assert found.outcome == "none found"
    assert [change.kind for change in found.relaxations] == ["method", "column"]
    assert all(kept(frame, pasted(policy, change)) for change in found.relaxations)
    assert found.relaxations[1].policy == {"suppression": {"columns": {"q": 1}}} and not found.relaxations[1].least


def test_what_does_not_go_together_has_another_way() -> None:
    frame, policy = frame_of("abcabc"), policy_of({"model": "k-anonymity", "k": 2}, form={"publish": "permuted"})
    said = sf.explain(frame, policy, seed=SEED)
    assert said.facts.outcome == "refused"
    [change] = said.facts.relaxations
    assert change.kind == "form" and kept(frame, pasted(policy, change))


def test_where_runs_are_few_nothing_is_called_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.advice.relaxed._RUNS", 1)
    monkeypatch.setattr("sfumato.advice.relaxed._ROWS", 0)
    monkeypatch.setattr("sfumato.advice.relaxed._FEWEST", 1)
    found = sf.explain(frame_of("aaaaaabbccdd"), policy_of({"model": "simple-l", "l": 3}), seed=SEED).facts
    assert all(not change.least or change.kind == "suppression" for change in found.relaxations)


def test_settings_of_limits_stay_as_they_are() -> None:
    """What is pasted replaces a whole section of the policy."""
    policy = policy_of({"model": "simple-l", "l": 3}, suppression={"limit": "0.1", "columns": {"q": 1}})
    changes = sf.explain(frame_of("aaaabc"), policy, seed=SEED).facts.relaxations
    [limit] = [change for change in changes if change.kind == "suppression"]
    assert limit.policy == {"suppression": {"limit": 0.5, "columns": {"q": 1}}}
