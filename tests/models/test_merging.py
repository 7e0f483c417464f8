"""What models declare to steer a search: survival of merging, uniform groups, relaxations, fewest values."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.models.registry import MODELS
from sfumato.policy import promises
from sfumato.policy.promises import Promise
from sfumato.taxonomy.tree import Node
from tests.support.definitions import keeps
from tests.support.examples import examples
from tests.support.model_tables import NAMES, added, block, groups_of, histograms, holds, model_of, small

Counts = dict[int, int]
TREE = Node("*", (Node("x", (Node("a"), Node("b"))), Node("y", (Node("c"), Node("d"), Node("e")))))

SURVIVORS: list[Promise] = [
    promises.KAnonymity(3),
    promises.DistinctL(2),
    promises.EntropyL("1.9"),
    promises.RecursiveCL("1.5", 2),
    promises.RecursiveCL(3, 3),
    promises.PdRecursive(1, 2, ("a",)),
    promises.PdRecursive(2, 3, ("a", "b")),
    promises.NpdRecursive(2, 20, 2, ("a",), ("b",)),
    promises.SimpleL("3/2"),
    promises.AlphaK("0.6", 3),
    promises.Proximity("1/2", "3/2"),
    promises.TCloseness("0.4"),
    promises.TCloseness("0.3", "ordered"),
    promises.TCloseness("0.3", "hierarchical"),
    promises.DeltaDisclosure("0.9"),
    promises.TauL("0.6", 3),
    promises.KAnonymity(2) & promises.SimpleL(2),
]


@pytest.mark.parametrize("promise", SURVIVORS, ids=str)
@given(st.lists(histograms(small), min_size=2, max_size=6), histograms(small))
@settings(max_examples=examples(150))
def test_groups_that_keep_a_promise_keep_it_merged(promise: Promise, groups: list[Counts], rest: Counts) -> None:
    model = model_of(promise, added([*groups, rest]), tree=TREE)
    assert model.survives_merging
    assert model.relaxed() is None
    good = [group for group, kept in zip(groups, model.holds(groups_of(*groups)), strict=True) if kept]
    for first, second in combinations(good, 2):
        assert model.holds(groups_of(added([first, second]))).tolist() == [True]


@pytest.mark.parametrize(
    ("promise", "first", "second"),
    [
        (promises.PairwiseL(2), "b c", "b c"),
        (promises.UniqueDistinctL(2), "b c", "b c"),
        (promises.UniqueDistinctLiteral(2), "b c", "a c"),
        (promises.KAnonymity(2) & promises.PairwiseL(2), "b c", "b c"),
    ],
    ids=str,
)
def test_models_that_merging_breaks_say_so(promise: Promise, first: str, second: str) -> None:
    model = model_of(promise, {})
    assert not model.survives_merging
    both = block(first), block(second)
    assert model.holds(groups_of(*both)).tolist() == [True, True]
    assert model.holds(groups_of(added(both))).tolist() == [False]
    relaxed = model.relaxed()
    assert relaxed is not None
    weaker = model_of(relaxed, {})
    assert weaker.survives_merging
    assert weaker.holds(groups_of(*both, added(both))).tolist() == [True, True, True]


@given(histograms(st.integers(1, 2)), st.integers(1, 5))
def test_relaxed_is_implied(group: Counts, l: int) -> None:
    for promise in (
        promises.PairwiseL(l, "s"),
        promises.UniqueDistinctL(l, "s"),
        promises.UniqueDistinctLiteral(l, "s"),
    ):
        relaxed = model_of(promise, {}).relaxed()
        assert relaxed is not None and relaxed.as_dict()["on"] == "s"
        if holds(promise, group)[0]:
            assert holds(relaxed, group) == [True]


def test_relaxed_names_the_model() -> None:
    assert model_of(promises.PairwiseL(3), {}).relaxed() == promises.SimpleL(3)
    assert model_of(promises.UniqueDistinctL(3), {}).relaxed() == promises.SimpleL(3)
    assert model_of(promises.UniqueDistinctLiteral(3), {}).relaxed() == promises.DistinctL(3)
    both = promises.KAnonymity(5) & promises.PairwiseL(3)
    assert model_of(both, {}).relaxed() == promises.KAnonymity(5) & promises.SimpleL(3)


def test_every_model_is_tried_here() -> None:
    tried = {promise.name for promise in SURVIVORS} | {"pairwise-l", "unique-distinct-l", "unique-distinct-literal"}
    elsewhere = {"multi-attribute", "qs-cl", "qs-t"}  # which need tables of their own
    assert tried == set(MODELS) - elsewhere
    assert all(MODELS[promise.name].survives_merging for promise in SURVIVORS if promise.name != "all-of")


def least_uniform(promise: Promise, limit: int = 12) -> int | None:
    """The least L such that every choice of L different values, of 12, keeps the promise."""
    for size in range(1, limit + 1):
        # which of the values are a or b (special to pd) is all that matters
        choices = [set(range(size)), set(range(2, 2 + size)), set(range(1, 1 + size))]
        if all(keeps(promise, dict.fromkeys(choice, 1), names=NAMES) for choice in choices):
            return size
    return None


RATIOS = [Fraction(x) for x in ("1/4", "0.3", "1/3", "0.34", "1/2", "0.51", "1", "1.01", "2", "7/3", "5")]


@pytest.mark.parametrize(
    "promise",
    [
        *(promises.KAnonymity(k) for k in (1, 2, 5)),
        *(promises.DistinctL(l) for l in (1, 2, 5)),
        *(promises.EntropyL(l) for l in RATIOS if l >= 1),
        *(promises.SimpleL(l) for l in RATIOS if l >= 1),
        *(promises.RecursiveCL(c, l) for c, l in product(RATIOS, (1, 2, 3, 4))),
        *(promises.PdRecursive(c, l, y) for c, l, y in product(RATIOS, (1, 2, 3, 4), ((), ("a",), ("a", "b")))),
        *(promises.AlphaK(alpha, k) for alpha, k in product(RATIOS, (1, 3)) if alpha <= 1),
        *(promises.PairwiseL(l) for l in (1, 2, 5)),
        *(promises.UniqueDistinctL(l) for l in (1, 2, 5)),
        *(promises.UniqueDistinctLiteral(l) for l in (1, 2, 5)),
    ],
    ids=str,
)
def test_uniform_l_by_brute_force(promise: Promise) -> None:
    expected = least_uniform(promise)
    assert expected is not None
    model = model_of(promise, {})
    assert model.uniform_l() == expected
    assert model.holds(groups_of(dict.fromkeys(range(2, 2 + expected), 1))).tolist() == [True]
    if expected > 1:
        assert model.holds(groups_of(dict.fromkeys(range(2, 1 + expected), 1))).tolist() == [False]


@pytest.mark.parametrize(
    "promise",
    [promises.TCloseness("0.2"), promises.DeltaDisclosure(1), promises.NpdRecursive(1, 0, 2)],
    ids=str,
)
def test_models_without_a_uniform_group(promise: Promise) -> None:
    assert model_of(promise, {0: 1}).uniform_l() is None
    assert model_of(promises.KAnonymity(2) & promise, {0: 1}).uniform_l() is None


def test_uniform_l_of_a_conjunction_is_the_largest() -> None:
    assert model_of(promises.KAnonymity(5) & promises.EntropyL("2.5"), {}).uniform_l() == 5
    assert model_of(promises.KAnonymity(2) & promises.EntropyL("2.5"), {}).uniform_l() == 3
    assert model_of(promises.KAnonymity(3) & promises.UniqueDistinctL(3), {}).uniform_l() == 3
    assert model_of(promises.KAnonymity(4) & promises.UniqueDistinctL(3), {}).uniform_l() is None  # 4 is not exactly 3
    assert model_of(promises.KAnonymity(4) & promises.UniqueDistinctLiteral(3), {}).uniform_l() is None


@given(st.lists(histograms(small), min_size=1, max_size=6), st.sampled_from(SURVIVORS))
@settings(max_examples=examples(300))
def test_groups_that_keep_a_promise_have_as_many_values_as_it_says(groups: list[Counts], promise: Promise) -> None:
    model = model_of(promise, added(groups), tree=TREE)
    for group, kept in zip(groups, model.holds(groups_of(*groups)), strict=True):
        if kept:
            assert len(group) >= model.distinct_l()


def test_fewest_values() -> None:
    cases: list[tuple[Promise, int]] = [
        (promises.KAnonymity(9), 1),
        (promises.DistinctL(3), 3),
        (promises.EntropyL("2.1"), 3),
        (promises.RecursiveCL(1, 4), 4),
        (promises.PdRecursive(1, 4), 1),
        (promises.NpdRecursive(1, 1, 4, (), ("a", "b")), 2),
        (promises.NpdRecursive(1, 0, 4, (), ("a", "b")), 1),
        (promises.NpdRecursive(1, 1, 4), 1),
        (promises.SimpleL("2.1"), 3),
        (promises.PairwiseL(3), 3),
        (promises.UniqueDistinctL(3), 3),
        (promises.UniqueDistinctLiteral(3), 3),
        (promises.AlphaK("0.3", 9), 4),
        (promises.TCloseness("0.1"), 1),
        (promises.DeltaDisclosure(1), 2),
        (promises.TauL("0.9", 3), 3),
        (promises.DistinctL(3) & promises.SimpleL(4), 4),
    ]
    for promise, expected in cases:
        assert model_of(promise, {0: 5, 3: 1}).distinct_l() == expected, promise


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.lists(st.integers(1, 5), min_size=1, max_size=4))
def test_histograms_add_up(first: list[int], second: list[int]) -> None:
    """Counts of a merged group are the sums of the counts: what makes a model serve every engine."""
    one, two = dict(enumerate(first)), dict(enumerate(second))
    merged = groups_of(added([one, two]))
    assert Counter(dict(zip(*map(list, merged[("s",)].row(0)), strict=True))) == Counter(one) + Counter(two)
