"""What a run says that ends without a release is true: that none exists, and what would be kept instead."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.extend import NATIVE, Fit, Model, Partition, Task
from sfumato.partition.registry import PARTITIONERS
from sfumato.policy.methods import METHODS
from tests.support.every_partition import a_partition_keeps_it, drawn, tried
from tests.support.examples import some

pytestmark = pytest.mark.filterwarnings("ignore::sfumato.errors.SfumatoWarning")


@pytest.mark.parametrize("seeds", some(range(at, 300, 10) for at in range(10)), ids=str)
def test_what_is_called_infeasible_no_partition_keeps(seeds: range) -> None:
    ends = Counter[str]()
    for seed in seeds:
        rng = Random(seed)
        frame, policy = drawn(rng, 6)
        error = tried(frame, policy)
        ends[type(error).__name__] += 1
        if type(error) is not sf.Infeasible:
            continue
        assert error.exit_code == 3
        assert not a_partition_keeps_it(frame, policy), (seed, policy)
        for method, form in product(({"method": name} for name in METHODS), ({"publish": "generalized"},)):
            assert tried(frame, {**policy, "partition": method, "form": form}) is not None, (seed, method)
    assert min(ends[end] for end in ("Infeasible", "NoneFound", "NoneType")) > 1, ends


@pytest.mark.parametrize("seeds", some(range(at, at + 75) for at in range(1000, 1300, 75)), ids=str)
def test_what_is_named_is_kept(seeds: range) -> None:
    """The nearest promise by the policy as it stands, the promise as it is by what is named instead."""
    ends = Counter[str]()
    for seed in seeds:
        frame, policy = drawn(Random(seed), 16)
        error = tried(frame, policy)
        if not isinstance(error, sf.NoneFound):
            continue
        ends[type(error).__name__] += 1
        if error.nearest is not None:
            ends["nearest"] += 1
            assert tried(frame, policy, error.nearest) is None, (seed, policy, str(error))
            assert str(error.nearest) in str(error)
        if error.instead:
            ends["instead"] += 1
            assert tried(frame, {**policy, **error.instead}) is None, (seed, policy, str(error))
            assert type(error) is sf.NoneFound and error.exit_code == 5
    assert min(ends[end] for end in ("Infeasible", "NoneFound", "nearest", "instead")) > 1, ends


@pytest.mark.parametrize("method", ["anatomy", "hilbert", "bsgi", "bsgi-free"])
def test_a_method_that_finds_none_names_one_that_does(method: str) -> None:
    """Counts 5, 5, 2 have the entropy of 2.66 equal values, but no groups of three different ones."""
    frame = pl.DataFrame({"q": [str(row) for row in range(12)], "s": list("aaaaabbbbbcc")})
    policy: dict[str, Any] = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "entropy-l", "l": "2.5"}],
    }
    assert tried(frame, policy) is None
    error = tried(frame, {**policy, "partition": {"method": method}})
    assert type(error) is sf.NoneFound and error.exit_code == 5
    assert error.instead == {"partition": {"method": "mondrian"}}
    assert "keeps it with partition: {method: mondrian}" in str(error)
    assert error.nearest == sf.AllOf((sf.EntropyL(2),))


def test_a_value_that_fills_a_randomized_group_has_no_nearest() -> None:
    """Eight of eleven: 1.375 is what a generalized release keeps; a randomized one would need less than half."""
    frame = pl.DataFrame({"q": [str(row) for row in range(11)], "s": list("aaaaaaaabbb")})
    policy: dict[str, Any] = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": 2}],
    }
    for form, nearest in (("generalized", sf.AllOf((sf.SimpleL("1.375"),))), ("randomized", None)):
        error = tried(frame, {**policy, "form": {"publish": form}})
        assert type(error) is sf.Infeasible and error.nearest == nearest


def test_what_may_be_left_out_is_part_of_what_is_shown() -> None:
    """Four of six: two must go. Mondrian leaves none out, Anatomy does."""
    frame = pl.DataFrame({"q": [str(row) for row in range(6)], "s": list("aaaabc")})
    policy: dict[str, Any] = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": 2}],
        "partition": {"method": "mondrian"},
    }
    error = tried(frame, {**policy, "suppression": {"limit": "1/6"}})
    assert type(error) is sf.Infeasible and "at least 2 of 6 rows would have to be left out" in str(error)
    close = {**policy, "privacy": [*policy["privacy"], {"model": "t-closeness", "t": "1/2"}]}
    error = tried(frame, {**close, "suppression": {"limit": "1/6"}})  # a part of it is enough
    assert type(error) is sf.Infeasible
    error = tried(frame, {**policy, "suppression": {"limit": "1/3"}})
    assert type(error) is sf.NoneFound and error.instead
    error = tried(frame, {**policy, "suppression": {"limit": "1/3", "keep": True}})
    assert type(error) is sf.Infeasible


def test_values_that_could_be_generalized_are_not_shown_to_be_too_frequent() -> None:
    frame = pl.DataFrame({"q": list("xxyyzz"), "s": list("aaaabc")})
    tree = {"hierarchy": {"tree": {"ab": ["a", "b"], "cs": ["c"]}}}
    policy: dict[str, Any] = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive", **tree}},
        "privacy": [{"model": "tau-l", "tau": "1/2", "l": 2}],
        "partition": {"method": "mondrian"},
    }
    error = tried(frame, policy)
    assert type(error) is sf.NoneFound and error.instead == {"partition": {"method": "sweep"}}
    assert tried(frame, {**policy, "partition": {"method": "sweep"}}) is None
    plain = {**policy, "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}}}
    assert type(tried(frame, plain)) is sf.Infeasible
    four = {**policy, "privacy": [{"model": "tau-l", "tau": "1/2", "l": 4}]}
    assert type(tried(frame, four)) is sf.Infeasible


def test_somebody_with_more_rows_than_groups() -> None:
    frame = pl.DataFrame({"who": list("pppqrs"), "q": list("xxyyzz"), "s": list("abcabc")})
    policy: dict[str, Any] = {
        "columns": {"who": {"role": "individual"}, "q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "distinct-l", "l": 3}],
        "partition": {"method": "anatomy"},
        "form": {"publish": "generalized", "group_id": True},
    }
    error = tried(frame, policy)
    assert type(error) is sf.Infeasible and "somebody has 3 of 6 rows" in str(error)
    alike = frame.with_columns(q=pl.lit("x"), s=pl.Series(list("aaabbc")))  # three rows of one person that are equal
    error = tried(alike, {**policy, "privacy": [{"model": "distinct-l", "l": 3}]})
    assert type(error) is sf.Infeasible and "somebody has 3 of 6 rows" in str(error)


@dataclass(frozen=True)
class GivesUp:
    """An algorithm that calls everything infeasible."""

    options: sf.Mondrian

    def fit(self, model: Model) -> Fit:
        return NATIVE

    def partition(self, task: Task) -> Partition:
        raise sf.Infeasible("too hard", sf.SimpleL(4))


def test_what_an_algorithm_claims_is_judged_apart_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PARTITIONERS.homes, "mondrian", GivesUp)
    frame = pl.DataFrame({"q": list("xxyy"), "s": list("abab")})
    policy: dict[str, Any] = {
        "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": 2}],
        "partition": {"method": "mondrian"},
    }
    error = tried(frame, policy)
    assert type(error) is sf.NoneFound and error.instead == {"partition": {"method": "boxes"}}
    assert error.nearest is None
