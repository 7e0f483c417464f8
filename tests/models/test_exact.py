"""Every model against the slow reference, at and around the boundary of every parameter."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from sfumato.policy import promises
from sfumato.policy.promises import Promise
from sfumato.taxonomy.tree import Node
from tests.support.definitions import emd, keeps
from tests.support.examples import examples
from tests.support.model_tables import NAMES, added, groups_of, histograms, holds, large, model_of, moderate, small

Counts = dict[int, int]

tiny = st.sampled_from(
    [Fraction(0), *(sign * Fraction(1, size) for sign in (-1, 1) for size in (7, 10**6, 10**17, 10**30))]
)
several = st.lists(histograms(st.one_of(small, moderate)), min_size=1, max_size=5)
wide = st.lists(histograms(large), min_size=1, max_size=5)
l_of = st.integers(1, 6)
subsets = st.lists(st.sampled_from(NAMES[:5]), unique=True, max_size=4)


def agree(promise: Promise, groups: list[Counts], whole: Counts | None = None) -> None:
    """Model and reference say the same of every group, all judged in one call."""
    everything = added(groups) if whole is None else whole
    expected = [keeps(promise, group, everything, NAMES) for group in groups]
    assert holds(promise, *groups, whole=everything) == expected


def ranked(group: Counts) -> list[int]:
    return sorted(group.values(), reverse=True)


@given(st.one_of(several, wide), l_of)
def test_counting_models(groups: list[Counts], l: int) -> None:
    for number in (l, sum(groups[0].values()), sum(groups[0].values()) + 1, len(groups[0]), len(groups[0]) + 1):
        agree(promises.KAnonymity(number), groups)
        agree(promises.DistinctL(number), groups)
        agree(promises.PairwiseL(number), groups)
        agree(promises.UniqueDistinctL(number), groups)
        agree(promises.UniqueDistinctLiteral(number), groups)


@given(st.lists(histograms(st.just(1)), min_size=1, max_size=4), st.integers(1, 6))
def test_groups_of_different_values(groups: list[Counts], l: int) -> None:
    for promise in (promises.PairwiseL(l), promises.UniqueDistinctL(l), promises.UniqueDistinctLiteral(l)):
        agree(promise, groups)


@given(st.one_of(several, wide), tiny)
def test_simple(groups: list[Counts], nudge: Fraction) -> None:
    group = groups[0]
    agree(promises.SimpleL(max(Fraction(1), Fraction(sum(group.values()), ranked(group)[0]) + nudge)), groups)


@given(st.one_of(several, wide), tiny, st.integers(-1, 1))
def test_alpha_k(groups: list[Counts], nudge: Fraction, more: int) -> None:
    rows = sum(groups[0].values())
    alpha = Fraction(ranked(groups[0])[0], rows) + nudge
    assume(0 < alpha <= 1)
    agree(promises.AlphaK(alpha, max(1, rows + more)), groups)
    agree(promises.AlphaK(alpha, 1), groups)


@given(st.one_of(several, wide), l_of, tiny)
def test_recursive(groups: list[Counts], l: int, nudge: Fraction) -> None:
    counts = ranked(groups[0])
    c = Fraction(counts[0], sum(counts[l - 1 :]) or 1) + nudge
    assume(c > 0)
    agree(promises.RecursiveCL(c, l), groups)


@given(st.one_of(several, wide), l_of, subsets, st.integers(0, 4), tiny)
def test_pd_recursive(groups: list[Counts], l: int, disclosable: list[str], first: int, nudge: Fraction) -> None:
    counts = ranked(groups[0])
    left = sum(counts[: first % len(counts)] + counts[first % len(counts) + 1 :][max(l - 2, 0) :])
    c = Fraction(counts[first % len(counts)], left or 1) + nudge
    assume(c > 0)
    agree(promises.PdRecursive(c, l, tuple(disclosable)), groups)


@given(st.one_of(several, wide), l_of, subsets, subsets, st.sampled_from([Fraction(1, 2), Fraction(3, 2), 50]), tiny)
def test_npd_recursive(
    groups: list[Counts], l: int, disclosable: list[str], protected: list[str], c1: Fraction, nudge: Fraction
) -> None:
    c2 = Fraction(100 * ranked(groups[0])[-1], sum(groups[0].values())) + nudge
    assume(0 <= c2 <= 100)
    agree(promises.NpdRecursive(c1, c2, l, tuple(disclosable), tuple(protected)), groups)


@given(several, st.data())
@settings(max_examples=examples(200))
@example([{0: 4, 1: 1, 2: 1, 3: 1, 4: 1}], None)  # entropy exactly log 4, though not uniform
def test_entropy(groups: list[Counts], data: st.DataObject | None) -> None:
    level = float(model_of(promises.EntropyL(1), {}).level(groups_of(groups[0]))[0])
    near = Fraction(level).limit_denominator(data.draw(st.sampled_from([1, 10, 1000, 10**7, 10**15])) if data else 1)
    nudge = data.draw(tiny) if data else Fraction(0)
    agree(promises.EntropyL(max(Fraction(1), near + nudge)), groups)


@given(histograms(small), st.integers(1, 10**13), st.sampled_from([0, 1, -1]), st.sampled_from([1, 3, 10**16]))
def test_entropy_does_not_depend_on_scale(group: Counts, scale: int, nudge: int, digits: int) -> None:
    level = float(model_of(promises.EntropyL(1), {}).level(groups_of(group))[0])
    l = max(Fraction(1), Fraction(level).limit_denominator(digits) + Fraction(nudge, 10**16))
    expected = keeps(promises.EntropyL(l), group)
    assert holds(promises.EntropyL(l), {value: count * scale for value, count in group.items()}) == [expected]


TREES = (
    Node("*", tuple(Node(name) for name in "abcde")),
    Node("*", (Node("x", (Node("a"), Node("b"))), Node("y", (Node("c"), Node("d"), Node("e"))))),
    Node("*", (Node("x", (Node("p", (Node("a"), Node("b"))), Node("c"))), Node("d"), Node("e"))),
    Node("*", (Node("a"), Node("x", (Node("y", (Node("z", (Node("b"), Node("c"))),)), Node("d"))), Node("e"))),
)


@given(
    st.one_of(several, wide),
    st.dictionaries(st.integers(0, 4), st.one_of(small, large), max_size=3),
    st.sampled_from(["equal", "ordered", "hierarchical"]),
    st.sampled_from(TREES),
    tiny,
)
@settings(max_examples=examples(400))
def test_t_closeness(
    groups: list[Counts],
    rest: Counts,
    distance: Literal["equal", "ordered", "hierarchical"],
    tree: Node,
    nudge: Fraction,
) -> None:
    whole = added([*groups, rest])
    exact = [emd(group, whole, distance, tree) for group in groups]
    t = exact[0] + nudge
    assume(0 <= t <= 1)
    promise = promises.TCloseness(t, distance)
    model = model_of(promise, whole, tree=tree)
    assert model.holds(groups_of(*groups)).tolist() == [each <= t for each in exact]
    assert model.level(groups_of(*groups)) == pytest.approx([float(each) for each in exact], rel=1e-12, abs=1e-15)


@given(
    st.one_of(several, wide),
    st.dictionaries(st.integers(0, 4), st.one_of(small, large), max_size=3),
    st.sampled_from([Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(11, 10), Fraction(5, 2)]),
    st.sampled_from([2, 10**3, 10**9, 10**20]),
    tiny,
)
def test_delta_disclosure(groups: list[Counts], rest: Counts, delta: Fraction, digits: int, nudge: Fraction) -> None:
    whole = added([*groups, rest])
    agree(promises.DeltaDisclosure(delta), groups, whole)
    level = float(model_of(promises.DeltaDisclosure(1), whole).level(groups_of(groups[0]))[0])
    if 0 < level < np.inf:
        near = Fraction(level).limit_denominator(digits) + nudge
        if near > 0:
            agree(promises.DeltaDisclosure(near), groups, whole)


@pytest.mark.parametrize(
    "promise",
    [
        promises.KAnonymity(1),
        promises.DistinctL(1),
        promises.EntropyL(1),
        promises.RecursiveCL(5, 1),
        promises.RecursiveCL(5, 2),
        promises.PdRecursive(5, 1),
        promises.PdRecursive(5, 3, ("a",)),
        promises.NpdRecursive(5, 0, 2),
        promises.NpdRecursive(5, 10, 2, (), ("a",)),
        promises.SimpleL(1),
        promises.PairwiseL(1),
        promises.UniqueDistinctL(1),
        promises.UniqueDistinctLiteral(1),
        promises.AlphaK(1, 1),
        promises.TCloseness(1),
        promises.TCloseness(1, "ordered"),
        promises.TCloseness(1, "hierarchical"),
        promises.DeltaDisclosure(5),
        promises.KAnonymity(1) & promises.DistinctL(1),
    ],
    ids=str,
)
def test_empty_groups_keep_nothing_and_disturb_nobody(promise: Promise) -> None:
    groups: list[Counts] = [{}, {0: 1, 1: 1}, {}, {}, {0: 2, 1: 1, 2: 2}, {}]
    model = model_of(promise, added(groups), tree=TREES[1])
    alone = [model.holds(groups_of(group)).tolist()[0] for group in groups]
    assert model.holds(groups_of(*groups)).tolist() == alone
    assert not any(alone[index] for index in (0, 2, 3, 5))
    worst = 0.0 if model.higher_is_better else np.inf
    levels = model.level(groups_of(*groups))
    assert [levels[index] for index in (0, 2, 3, 5)] == [worst] * 4
    assert [levels[index] for index in (1, 4)] == [model.level(groups_of(groups[index]))[0] for index in (1, 4)]
    assert model.holds(groups_of()).tolist() == []
    assert not model.attainable(groups_of({}))[0]
    assert model.nearest(groups_of({})) is None


def test_parameters_beyond_every_integer_type() -> None:
    group, huge = {0: 3, 1: 2, 2: 1}, 10**400
    for hard in (
        promises.KAnonymity(huge),
        promises.DistinctL(huge),
        promises.EntropyL(huge),
        promises.SimpleL(huge),
        promises.PairwiseL(huge),
        promises.UniqueDistinctL(huge),
        promises.UniqueDistinctLiteral(huge),
        promises.RecursiveCL(1, huge),
        promises.RecursiveCL(Fraction(1, huge), 2),
        promises.PdRecursive(1, huge),
        promises.AlphaK(Fraction(1, huge), 1),
        promises.DeltaDisclosure(Fraction(1, huge)),
    ):
        assert holds(hard, group, whole={0: 1, 1: 1, 2: 1}) == [False]
        assert not model_of(hard, {0: 1, 1: 1, 2: 1}).attainable(groups_of(group))[0]
    for easy in (
        promises.RecursiveCL(huge, 3),
        promises.DeltaDisclosure(huge),
        promises.EntropyL(1 + Fraction(1, huge)),
        promises.SimpleL(1 + Fraction(1, huge)),
        promises.TCloseness(1 - Fraction(1, huge)),
    ):
        assert holds(easy, group, whole={0: 1, 1: 1, 2: 1}) == [True]
