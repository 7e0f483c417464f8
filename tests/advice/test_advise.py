"""Advice: the ranges are those of the definitions, and what it calls possible is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato import datasets
from sfumato.models.psi import psi
from sfumato.partition.apart.apart import most_groups
from tests.support.command import Cli
from tests.support.examples import examples, thorough
from tests.support.golden import golden

GOLDEN: dict[str, Any] = golden("strength")
Real = Callable[[Callable[[], Any]], Any]
PROMISES = [
    sf.SimpleL(2),
    sf.SimpleL("5/2"),
    sf.PairwiseL(2),
    sf.RecursiveCL(1, 2),
    sf.RecursiveCL(2, 3),
    sf.AlphaK("1/2", 3),
    sf.TauL("1/2", 2),
    sf.TauL("1/2", 3),
    sf.TauL("2/5", 4),
    sf.UniqueDistinctL(2),
]


def advised(secrets: list[str], *promises: sf.Promise) -> sf.Advice:
    frame = pl.DataFrame({"q": ["x"] * len(secrets), "s": secrets})
    document: dict[str, Any] = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [promise.as_dict() for promise in promises],
        "form": {"publish": "generalized", "group_id": True},
    }
    return sf.advise(frame, document)


def test_ranges_of_a_small_table() -> None:
    """Counts 3, 2, 1: at most 3 values, r1/n = 1/2; recursive l=2 needs c > 3/3, l=3 needs c > 3/1."""
    advice = advised(list("aaabbc"), sf.DistinctL(2))
    (column,) = advice.columns
    assert (advice.rows, column.values, column.top, column.best_l) == (6, 3, 3, 2)
    assert sf.DistinctL(3, "s") in column.strongest
    assert sf.SimpleL(2, "s") in column.strongest
    assert column.recursive == {2: pytest.approx(1), 3: pytest.approx(3)}
    assert advice.table.possible
    assert (advice.table.reason, advice.table.nearest, advice.table.excess) == ("", None, None)


def test_why_a_promise_is_impossible() -> None:
    """Four of six rows share a value: without two of them it is 2 of 4."""
    advice = advised(list("aaaabc"), sf.SimpleL(2))
    assert advice.table.possible is False
    assert advice.table.excess == 2
    assert advice.table.nearest is not None
    assert "4 of 6" in advice.table.reason
    assert "aaaa" not in advice.summary()
    assert "leave out 2 rows of the most frequent value" in advice.summary()


def test_too_few_values_cannot_be_mended_by_leaving_rows_out() -> None:
    advice = advised(list("aabb"), sf.DistinctL(3))
    assert advice.table.possible is False
    assert advice.table.excess is None


@settings(max_examples=examples(200))
@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.integers(1, 5))
def test_the_most_rows_that_can_be_kept_are_found(codes: list[int], size: int) -> None:
    counts = list(Counter(codes).values())
    best = 0
    for height in range(1, max(counts) + 1):
        kept = sum(min(count, height) for count in counts)
        if height * size <= kept:
            best = max(best, kept)
    height = most_groups(np.array(counts), size)
    assert sum(min(count, height) for count in counts) == best


@pytest.mark.thorough
@settings(max_examples=examples(40))
@given(st.lists(st.sampled_from("abcd"), min_size=2, max_size=14))
def test_the_strongest_can_be_promised_and_nothing_stronger(secrets: list[str]) -> None:
    (column,) = advised(secrets, sf.KAnonymity(1)).columns
    for promise in column.strongest:
        assert advised(secrets, promise).table.possible
        l = promise.as_dict()["l"]
        step = 1 if promise.name == "distinct-l" else Fraction(1, 100)
        stronger = {**promise.as_dict(), "l": str(Fraction(str(l)) + step)}
        assert not sf.advise(
            pl.DataFrame({"q": ["x"] * len(secrets), "s": secrets}),
            {"columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}}, "privacy": [stronger]},
        ).table.possible


@pytest.mark.data
@pytest.mark.parametrize("name", GOLDEN["largest_l"])
def test_the_largest_l_of_the_paper(name: str, real: Real) -> None:
    """Table 1 of the paper on (τ,ℓ)-diversity."""
    load, column = name.split("/")
    facts = GOLDEN["largest_l"][name]
    frame = real(getattr(datasets, load))
    advice = on_real_data(frame, column, {"model": "simple-l", "l": facts["l"]})
    (told,) = advice.columns
    assert (advice.rows, told.top, told.best_l) == (facts["rows"], facts["top"], facts["l"])
    assert advice.table.possible
    assert on_real_data(frame, column, {"model": "simple-l", "l": facts["l"] + 1}).table.possible is False


@pytest.mark.data
def test_the_least_c_of_the_paper(real: Real) -> None:
    people = real(datasets.adult_complete)
    least = GOLDEN["adult_income_least_whole_c_at_l_2"]
    for c, possible in ((least, True), (least - 1, False)):
        advice = on_real_data(people, "income", {"model": "recursive-cl", "c": c, "l": 2})
        assert advice.table.possible is possible
    assert advice.columns[0].recursive[2] == pytest.approx(34014 / 11208)


def on_real_data(frame: pl.DataFrame, column: str, promise: dict[str, Any]) -> sf.Advice:
    other = frame.columns[1]
    policy: dict[str, Any] = {
        "columns": {other: {"role": "quasi"}, column: {"role": "sensitive"}},
        "privacy": [promise],
        "partition": {"method": "auto" if thorough() else "mondrian"},  # which groups are found is no matter here
    }
    return sf.advise(frame.select(other, column).cast(pl.String), policy)


@settings(max_examples=examples(40))
@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.sampled_from(PROMISES))
def test_no_fewer_rows_are_enough(counts: list[int], promise: sf.Promise) -> None:
    """Against every way to leave rows out; what the advice leaves is possible, and less is not."""
    secrets = [value for value, count in zip("abcd", counts, strict=False) for _ in range(count)]
    advice = advised(secrets, promise)
    ways = product(*(range(count + 1) for count in counts))
    enough = [sum(counts) - sum(kept) for kept in ways if sum(kept) and keeps(kept, promise)]
    if advice.table.possible:
        assert min(enough) == 0
    else:
        assert advice.table.excess == min(enough, default=None)


def keeps(kept: tuple[int, ...], promise: sf.Promise) -> bool:
    """By the definitions; pairwise where groups of different values can be made."""
    ranked, total = sorted((count for count in kept if count), reverse=True), sum(kept)
    if isinstance(promise, sf.TauL):
        return all(Fraction(sum(ranked[:k]), total) <= psi(promise, k) for k in range(1, promise.l))
    if isinstance(promise, sf.RecursiveCL):
        return bool(ranked[0] < promise.c * sum(ranked[promise.l - 1 :]))
    if isinstance(promise, sf.AlphaK):
        return bool(total >= promise.k and ranked[0] <= promise.alpha * total)
    if isinstance(promise, sf.UniqueDistinctL):
        return total % promise.l == 0 and bool(ranked[0] * promise.l <= total)
    assert isinstance(promise, (sf.SimpleL, sf.PairwiseL))
    return bool(ranked[0] * promise.l <= total)


def test_ranges_of_tau() -> None:
    """Counts 3, 2, 1: F = 1/2, 5/6; l=3 needs tau from 1/2 for one value and 2·5/6 - 1 = 2/3 for two."""
    (column,) = advised(list("aaabbc"), sf.KAnonymity(1)).columns
    assert column.tau == {2: Fraction(1, 2), 3: Fraction(2, 3)}
    assert advised(list("aaabbc"), sf.TauL("2/3", 3)).table.possible
    assert advised(list("aaabbc"), sf.TauL("0.66", 3)).table.possible is False


def test_neighbours_of_a_promise() -> None:
    (relation,) = advised(list("aaabbc"), sf.TauL("2/3", 3)).relations
    assert (sf.SimpleL("12/5"), False) in relation.implied_by
    assert sf.SimpleL("3/2") in relation.implies
    (relation,) = advised(list("aabbc"), sf.SimpleL("2.5")).relations
    assert relation.implies == (sf.TauL("0.6", 3),)
    (relation,) = advised(list("aabbc"), sf.RecursiveCL(3, 3)).relations
    assert relation.implied_by == ()
    assert advised(list("aabbc"), sf.EntropyL(2)).relations == ()


@pytest.mark.parametrize("method", ["mondrian", "hilbert", "lattice"])
def test_the_weakest_by_search(method: str) -> None:
    frame = pl.DataFrame({"q": list("xxxxyyyyyy") * 4, "s": list("aabbabcdcd") * 4})
    document: dict[str, Any] = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "tau-l", "tau": "0.45", "l": 3}],
        "partition": {"method": method},
    }
    stages: list[tuple[str, int, int]] = []
    advice = sf.advise(frame, document, search=True, progress=lambda *told: stages.append(told))
    (relation,) = advice.relations
    assert relation.found is not None
    simple = [found for found in relation.found if isinstance(found.promise, sf.SimpleL)]
    assert len(simple) == 1
    for found in relation.found:
        assert found.classes >= 1
        assert found.protection >= 0
    assert {stage for stage, _, _ in stages} == {"search"}
    assert stages[-1][1] == stages[-1][2] == 40
    assert [done for _, done, _ in stages] == sorted(done for _, done, _ in stages)
    assert "was kept here when the algorithm was asked for" in advice.summary()
    if method == "lattice":  # its release shows its groups: this l keeps the promise, the one before does not
        promise, l = sf.TauL("0.45", 3), simple[0].promise.as_dict()["l"]
        for requirement, enough in ((sf.SimpleL(l), True), (sf.SimpleL(2), False)):
            table = sf.publish(frame, requirement, policy=document, seed=1).table
            shown = table.group_by("q", "s").len().group_by("q").agg("len")["len"].to_list()
            assert all(keeps(tuple(counts), promise) for counts in shown) is enough
    assert json.dumps(advice.as_dict())


def test_a_search_that_finds_nothing_says_so() -> None:
    """Three of four rows share a value: the promise cannot be kept, so no requirement is found with which it is."""
    frame = pl.DataFrame({"q": list("xxyy"), "s": list("aaab")})
    document: dict[str, Any] = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "tau-l", "tau": "0.5", "l": 2}],
    }
    assert sf.advise(frame, document).relations[0].found is None
    advice = sf.advise(frame, document, search=True)
    assert advice.relations[0].found == ()
    assert "nothing found" in advice.summary()


def test_slack_is_part_of_what_must_be_possible() -> None:
    """Three values serve l = 3, not l = 4; with slack 1 the promise left is l = 2."""
    frame = pl.DataFrame({"q": ["x"] * 6, "s": list("aabbcc")})
    document: dict[str, Any] = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "distinct-l", "l": 3}],
        "partition": {"method": "mondrian", "slack": 1},
    }
    advice = sf.advise(frame, document)
    assert advice.table.possible is True
    assert (advice.policy.outcome, advice.policy.exit_code) == ("none found", 5)
    assert advice.policy.instead == {"partition": {"method": "mondrian"}}
    assert advice.searched == sf.AllOf((sf.DistinctL(4),))
    assert advice.policy.nearest == sf.AllOf((sf.DistinctL(2),))
    assert "partition.slack" in advice.summary()
    with pytest.raises(sf.NoneFound, match=r"partition.slack 1 raises every l") as caught:
        sf.publish(frame, policy=document, seed=1)
    assert caught.value.nearest == sf.AllOf((sf.DistinctL(2),))


def test_a_promise_is_named_once() -> None:
    advice = advised(list("aab"), sf.DistinctL(3))
    assert advice.summary().count("distinct-l (l=3)") == 2  # what is asked, and that all rows break it
    with pytest.raises(sf.Infeasible) as caught:
        sf.publish(
            pl.DataFrame({"q": ["x"] * 3, "s": list("aab")}),
            sf.DistinctL(3),
            policy={
                "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
                "privacy": [{"model": "distinct-l", "l": 3}],
            },
            seed=1,
        )
    assert str(caught.value).count("distinct-l (l=3)") == 1


def test_what_the_policy_allows_to_leave_out_is_told() -> None:
    frame = pl.DataFrame({"q": ["x"] * 6, "s": list("aaaabc")})
    document: dict[str, Any] = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "tau-l", "tau": "0.5", "l": 2}],
        "partition": {"method": "mondrian"},
        "suppression": {"limit": "1/3"},
    }
    advice = sf.advise(frame, document)
    assert (advice.table.possible, advice.table.excess, advice.table.frequent, advice.allowed) == (True, 2, 1, 2)
    assert advice.policy.outcome == "none found"  # Mondrian leaves no row out
    assert advice.policy.instead == {"partition": {"method": "anatomy"}}
    assert "suppression.limit allows 2" in advice.summary()


@pytest.mark.parametrize(
    ("form", "outcome"),
    [("generalized", "kept"), ("ring", "kept"), ("anatomized", "none found"), ("permuted", "none found")],
)
def test_nobody_is_to_be_left_out_where_the_form_shows_who_is_missing(form: str, outcome: str) -> None:
    frame = pl.DataFrame({"q": ["x"] * 6, "s": list("aaaabc")})
    document: dict[str, Any] = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": 2}],
        "partition": {"method": "anatomy"},
        "form": {"publish": form},
        "suppression": {"limit": "1/2"},
    }
    advice = sf.advise(frame, document)
    assert (advice.table.possible, advice.table.excess) == (True, 2)
    assert advice.policy.outcome == outcome
    assert ("this form shows who is missing" in advice.summary()) == (outcome != "kept")


def test_the_command_line(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "data.csv").write_text("q,s\nx,a\nx,a\ny,b\n", encoding="utf-8")
    policy = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": 2}],
    }
    (tmp_path / "policy.json").write_text(json.dumps(policy), encoding="utf-8")
    done = cli("advise", str(tmp_path / "data.csv"), "-p", str(tmp_path / "policy.json"), "--json")
    assert done.code == 3
    told = done.json
    assert (told["table"]["possible"], told["table"]["excess"], told["columns"][0]["best_l"]) == (False, 1, 1)
    assert (told["policy"]["outcome"], told["policy"]["exit_code"]) == ("infeasible", 3)
