"""The level that a group reaches is the parameter at which the verdict changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.policy import promises
from sfumato.policy.promises import Promise
from sfumato.taxonomy.tree import Node
from tests.support.definitions import keeps
from tests.support.examples import examples
from tests.support.model_tables import NAMES, added, block, groups_of, histograms, model_of, moderate, small

Counts = dict[int, int]
TREE = Node("*", (Node("x", (Node("a"), Node("b"))), Node("y", (Node("c"), Node("d"), Node("e")))))
CLOSE = Fraction(1, 10**9)

LEVELS: list[tuple[Any, str]] = [
    (promises.EntropyL(1), "l"),
    (promises.SimpleL(1), "l"),
    (promises.RecursiveCL(1, 2), "c"),
    (promises.RecursiveCL(1, 3), "c"),
    (promises.PdRecursive(1, 2, ("a",)), "c"),
    (promises.PdRecursive(1, 3, ("a",)), "c"),
    (promises.PdRecursive(1, 4, ("a", "b")), "c"),
    (promises.NpdRecursive(1, 0, 3, ("a",)), "c1"),
    (promises.AlphaK(1, 1), "alpha"),
    (promises.TCloseness(1), "t"),
    (promises.TCloseness(1, "ordered"), "t"),
    (promises.TCloseness(1, "hierarchical"), "t"),
    (promises.DeltaDisclosure(1), "delta"),
    (promises.TauL("1/2", 2), "tau"),
    (promises.TauL("1/2", 3), "tau"),
]
RANGES: dict[str, Callable[[Fraction], bool]] = {
    "l": lambda x: x >= 1,
    "c": lambda x: x > 0,
    "c1": lambda x: x > 0,
    "alpha": lambda x: 0 < x <= 1,
    "t": lambda x: 0 <= x <= 1,
    "delta": lambda x: x > 0,
    "tau": lambda x: Fraction(1, 2) <= x < 1,
}


@pytest.mark.parametrize(("promise", "parameter"), LEVELS, ids=str)
@given(histograms(st.one_of(small, moderate)), histograms(small))
@settings(max_examples=examples(50))
def test_the_verdict_changes_at_the_level(promise: Any, parameter: str, group: Counts, rest: Counts) -> None:
    whole = added([group, rest])
    model = model_of(promise, whole, tree=TREE)
    level = float(model.level(groups_of(group))[0])

    def kept(at: Fraction) -> bool:
        return keeps(replace(promise, **{parameter: at}), group, whole, NAMES, TREE)

    if level == np.inf:
        assert not kept(Fraction(10**6))
        return
    above, below = Fraction(level) * (1 + CLOSE) + CLOSE**2, Fraction(level) * (1 - CLOSE) - CLOSE**2
    if RANGES[parameter](above):
        assert kept(above) != model.higher_is_better
    if RANGES[parameter](below):
        assert kept(below) == model.higher_is_better


@given(histograms(small))
def test_levels_that_count(group: Counts) -> None:
    rows, values = sum(group.values()), len(group)

    def level(promise: Promise) -> list[float]:
        found: list[float] = model_of(promise, {}).level(groups_of(group)).tolist()
        return found

    assert level(promises.KAnonymity(1)) == [rows]
    assert level(promises.DistinctL(1)) == [values]
    assert level(promises.UniqueDistinctLiteral(1)) == [values]
    different = values if rows == values else 0
    assert level(promises.PairwiseL(1)) == [different]
    assert level(promises.UniqueDistinctL(1)) == [different]


def test_levels_by_hand() -> None:
    groups = groups_of(block("a a a b b c"), block("a a"), block("b b c"))

    def level(promise: Promise) -> list[float]:
        found: list[float] = model_of(promise, {0: 1, 1: 1, 2: 1}).level(groups).tolist()
        return found

    inf = np.inf
    assert level(promises.RecursiveCL(9, 1)) == [0, 0, 0]
    assert level(promises.RecursiveCL(9, 2)) == [1, inf, 2]
    assert level(promises.RecursiveCL(9, 3)) == [3, inf, inf]
    assert level(promises.PdRecursive(9, 1, ("a",))) == [0, 0, 0]
    assert level(promises.PdRecursive(9, 2, ("a",))) == [0.5, 0, 2]
    assert level(promises.PdRecursive(9, 3, ("a",))) == [2, 0, inf]
    assert level(promises.PdRecursive(9, 3, ("b",))) == [3, inf, inf]
    assert level(promises.NpdRecursive(9, 50, 3, ("a",), ("c",))) == [2, 0, inf]
    assert level(promises.SimpleL(1)) == [2, 1, 1.5]
    assert level(promises.AlphaK(1, 9)) == [0.5, 1, pytest.approx(2 / 3)]
    assert level(promises.TCloseness(1)) == pytest.approx([1 / 6, 2 / 3, 1 / 3])
    assert level(promises.TCloseness(1, "ordered")) == pytest.approx([1 / 6, 1 / 2, 1 / 6])
    assert level(promises.DeltaDisclosure(1)) == [pytest.approx(np.log(2)), inf, inf]
    assert level(promises.KAnonymity(3) & promises.DistinctL(2)) == [1, 0, 1]


def test_which_way_is_better() -> None:
    lower = {"recursive-cl", "pd-recursive", "npd-recursive", "alpha-k", "t-closeness", "delta-disclosure", "tau-l"}
    for promise, _ in LEVELS:
        assert model_of(promise, {}, tree=TREE).higher_is_better == (promise.name not in lower)
    for promise in (promises.KAnonymity(1), promises.DistinctL(1), promises.PairwiseL(1)):
        assert model_of(promise, {}).higher_is_better
