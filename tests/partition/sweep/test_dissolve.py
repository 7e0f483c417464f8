"""Classes that lose more than their parts are taken apart; the step that a class takes next."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.partition.contract import Partition
from sfumato.partition.sweep import whole
from sfumato.partition.sweep.information import Levels, level_vectors
from sfumato.partition.sweep.loops.classes import Filter
from sfumato.partition.sweep.steps_up import StepsUp
from sfumato.table.tuples import Tuples
from tests.partition.sweep.test_loops import holds, random_table, swept
from tests.support.examples import examples


def weighed(table: Tuples, found: Partition, dear: float) -> float:
    """What rows lose of their quasi-identifiers, and times `dear` of their sensitive values."""
    assert found.recoding is not None
    lost = 0.0
    for column in table.quasi:
        low, high = found.recoding.span(column)
        lost += float((1 - 1 / (high - low + 1))[found.labels].sum())
    for name, nodes in found.edits.items():
        tree = table[name].taxonomy
        assert tree is not None
        lost += dear * float((1 - 1 / tree.leaf_counts[nodes]).sum())
    return lost


@settings(max_examples=examples(40))
@given(
    st.integers(0, 10**6),
    st.integers(4, 80),
    st.integers(4, 7),
    st.sampled_from([("3/5", 3), ("1/2", 3), ("2/5", 4), ("7/10", 2)]),
    st.sampled_from(["1/2", 1, 3, 20, None]),
)
def test_taken_apart_loses_no_more_and_keeps_the_promise(
    seed: int, rows: int, values: int, bounds: tuple[str, int], balance: str | int | None
) -> None:
    table, promise = random_table(seed, rows, values), sf.TauL(*bounds)
    dear = len(table.quasi) if balance is None else float(Fraction(balance))
    method = sf.Sweep(balance=balance)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "dissolved", lambda closed, *_: closed)
        try:
            before = swept(table, promise, method, seed)
        except sf.Infeasible:
            before = None
    if before is None:
        with pytest.raises(sf.Infeasible):
            swept(table, promise, method, seed)
        return
    after = swept(table, promise, method, seed)
    assert holds(table, after, (promise,))
    assert weighed(table, after, dear) <= weighed(table, before, dear) + 1e-9
    alike: dict[tuple[int, ...], set[int]] = {}
    for row, label in enumerate(after.labels.tolist()):
        alike.setdefault(tuple(int(table.codes[each.name][row]) for each in table.quasi), set()).add(label)
    assert all(len(labels) == 1 for labels in alike.values()), "rows with equal quasi-identifiers stay together"


def test_classes_are_taken_apart_in_such_tables() -> None:
    table, promise = random_table(1, 400, 6), sf.TauL("2/5", 4)
    found = [swept(table, promise, sf.Sweep(balance=dear), 1) for dear in (1, 1000)]
    assert found[0].labels.max() > found[1].labels.max() and found[0].edits


@settings(max_examples=examples(60))
@given(st.integers(0, 10**6), st.sampled_from(["uniform", "leaves"]))
def test_the_column_that_climbs_next_is_that_of_the_first_vector_above(seed: int, worth: str) -> None:
    table = random_table(seed, 20, 4)
    levels = [Levels.of(column, "leaves" if worth == "leaves" else "uniform") for column in table.quasi]
    vectors = level_vectors(levels)
    steps = StepsUp.of(levels, vectors)
    order = [tuple(vector) for vector in vectors.tolist()]
    for at, vector in enumerate(order):
        higher = {
            order.index((*vector[:axis], vector[axis] - 1, *vector[axis + 1 :])): axis
            for axis in range(len(vector))
            if vector[axis]
        }
        assert steps.column[at] == (higher[min(higher)] if higher else -1)
        codes = [np.zeros(1, dtype=np.int64) for _ in levels]
        if higher:
            axis = higher[min(higher)]
            tells = levels[axis].tells
            expected = tells(vector[axis], codes[axis]) - tells(vector[axis] - 1, codes[axis])
            assert steps.spent(at, codes, codes[0]) == pytest.approx(expected)


def test_where_no_class_could_gain_nobody_looks() -> None:
    """With every value dear, generalizing one costs more than any step up."""
    levels = [Levels.of(column) for column in random_table(1, 50, 5).quasi]
    steps = StepsUp.of(levels, level_vectors(levels))
    half = (Fraction(1, 2), Fraction(3, 4))
    often, seldom, never = (len(steps.worth_a_look(half, dear)) for dear in (0.01, 4.0, 50.0))
    assert often > seldom > never == 0


def test_classes_without_hope_are_left_out_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """All classes at once, those with a chance alone, against every class one by one."""
    edited = 0
    for seed, bounds, balance in product(range(examples(20)), [("1/2", 3), ("2/5", 4)], ["1/2", 1, None]):
        table, promise, method = random_table(seed, 300, 7), sf.TauL(*bounds), sf.Sweep(balance=balance)
        mine = swept(table, promise, method, seed)
        with monkeypatch.context() as patch:
            patch.setattr(whole, "_CELLS", 0)
            patch.setattr(whole.Whole, "_hoped", lambda self, vector: Filter(1, 1, self._codes))
            plain = swept(table, promise, method, seed)
        assert (mine.labels == plain.labels).all()
        assert {name: nodes.tolist() for name, nodes in mine.edits.items()} == {
            name: nodes.tolist() for name, nodes in plain.edits.items()
        }
        edited += bool(mine.edits)
    assert edited > 2
