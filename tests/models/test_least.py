"""How many rows a group needs at least: a declaration that lets a search stop early, and must never be too large."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.policy import promises
from sfumato.policy.promises import Promise
from sfumato.taxonomy.tree import Node
from tests.support.examples import examples
from tests.support.model_tables import added, groups_of, groups_of_rows, histograms, model_of, small, table_of

TREE = Node("*", (Node("x", (Node("a"), Node("b"))), Node("y", (Node("c"), Node("d"), Node("e")))))

PROMISES: list[tuple[Promise, int]] = [
    (promises.KAnonymity(7), 7),
    (promises.DistinctL(3), 3),
    (promises.EntropyL("2.1"), 3),
    (promises.RecursiveCL(2, 3), 3),
    (promises.PdRecursive(2, 3, ("a",)), 1),
    (promises.NpdRecursive(2, 20, 2, ("a",), ("b", "c")), 2),
    (promises.SimpleL("2.1"), 3),
    (promises.PairwiseL(3), 3),
    (promises.UniqueDistinctL(3), 3),
    (promises.AlphaK("0.3", 3), 4),
    (promises.AlphaK("0.6", 5), 5),
    (promises.TCloseness("0.2"), 1),
    (promises.KAnonymity(4) & promises.DistinctL(2), 4),
    (promises.KAnonymity(2) & promises.DistinctL(3), 3),
]


@pytest.mark.parametrize(("promise", "expected"), PROMISES, ids=lambda each: str(each))
@given(groups=st.lists(histograms(small), min_size=1, max_size=6))
@settings(max_examples=examples(60))
def test_groups_that_keep_a_promise_have_as_many_rows(
    promise: Promise, expected: int, groups: list[dict[int, int]]
) -> None:
    model = model_of(promise, added(groups), tree=TREE)
    assert model.least_rows() == expected
    for group, kept in zip(groups, model.holds(groups_of(*groups)), strict=True):
        assert not kept or sum(group.values()) >= expected


def test_several_columns_multiply() -> None:
    """Every group over two columns of two values that keeps distinct 2 given the other has four rows."""
    values = [(s, v) for s in "ab" for v in "xy"]
    table = table_of(values, ("S", "V"))
    model = bind(promises.MultiAttribute(promises.DistinctL(2)), Facts.of(table))
    assert model.least_rows() == 4
    assert bind(promises.MultiAttribute(promises.KAnonymity(3)), Facts.of(table)).least_rows() == 3
    for size in range(1, 4):
        for rows in product(range(4), repeat=size):
            chosen = [0 if row in rows else -1 for row in range(4)]
            assert not model.holds(groups_of_rows(table, chosen, model.statistics))[0]
