"""Definition 4.5 against a slow reading of its text, and its costs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import Infeasible, Refused
from sfumato.models.contract import Facts, Groups
from sfumato.models.registry import bind
from sfumato.policy import promises
from sfumato.policy.promises import Promise
from tests.support.definitions import keeps
from tests.support.examples import examples
from tests.support.model_tables import groups_of_rows, table_of

Rows = list[tuple[str, ...]]

BASES: list[Promise] = [
    promises.KAnonymity(2),
    promises.DistinctL(2),
    promises.EntropyL("1.8"),
    promises.RecursiveCL(2, 2),
    promises.SimpleL("1.5"),
    promises.AlphaK("0.6", 2),
    promises.TCloseness("0.4"),
    promises.DeltaDisclosure(1),
    promises.PairwiseL(2),
    promises.DistinctL(2) & promises.KAnonymity(3),
]

cells = st.sampled_from(["1", "2", "3"])
two = st.lists(st.tuples(cells, cells), min_size=1, max_size=14)
three = st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=14)


def slow(base: Promise, rows: Rows, labels: list[int]) -> list[bool]:
    """For each group and column: rows that agree elsewhere keep the base on that column."""
    answers = []
    for group in range(max(labels) + 1):
        mine = [row for row, label in zip(rows, labels, strict=True) if label == group]
        good = bool(mine)
        for column in range(len(rows[0])):
            values = sorted({row[column] for row in rows})
            whole = {code: [row[column] for row in rows].count(value) for code, value in enumerate(values)}
            for others in {row[:column] + row[column + 1 :] for row in mine}:
                here = [row[column] for row in mine if row[:column] + row[column + 1 :] == others]
                counts = {values.index(value): here.count(value) for value in here}
                parts = base.promises if isinstance(base, promises.AllOf) else (base,)
                good = good and all(keeps(part, counts, whole, values) for part in parts)
        answers.append(good)
    return answers


@pytest.mark.parametrize("base", BASES, ids=str)
@given(st.one_of(two, three), st.data())
@settings(max_examples=examples(50))
def test_against_the_definition(base: Promise, rows: Rows, data: st.DataObject) -> None:
    labels = data.draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    table = table_of(rows, ("S", "V", "W")[: len(rows[0])])
    model = bind(promises.MultiAttribute(base), Facts.of(table))
    groups = groups_of_rows(table, labels, model.statistics)
    assert model.holds(groups).tolist() == slow(base, rows, labels)
    assert model.survives_merging == (base.name != "pairwise-l")


def square(size: int) -> Rows:
    return [(f"s{a}", f"v{b}") for a, b in product(range(size), repeat=2)]


def test_a_full_square_keeps_it() -> None:
    """l values of S with l values of V each: l^2 rows are the least."""
    table = table_of(square(3), ("S", "V"))
    for base, expected in ((promises.DistinctL(3), True), (promises.EntropyL(3), True), (promises.DistinctL(4), False)):
        model = bind(promises.MultiAttribute(base), Facts.of(table))
        assert model.holds(Groups.whole(table, model.statistics)).tolist() == [expected]
    model = bind(promises.MultiAttribute(promises.DistinctL(3)), Facts.of(table))
    assert model.level(Groups.whole(table, model.statistics)).tolist() == [3.0]
    assert model.distinct_l() == 3
    assert model.uniform_l() is None


def test_the_level_is_that_of_the_worst_block_of_the_worst_column() -> None:
    rows = [*square(3), ("s0", "v9"), ("s1", "v9"), ("s0", "v0"), ("s0", "v0")]
    table = table_of(rows, ("S", "V"))
    expected: dict[Promise, float | Fraction] = {
        promises.DistinctL(1): 2.0,  # two values of S for v9
        promises.KAnonymity(1): 2.0,  # rows with v9
        promises.SimpleL(1): Fraction(5, 3),  # v0 has s0 three times in five
        promises.AlphaK(1, 1): Fraction(3, 5),
        promises.RecursiveCL(1, 3): np.inf,  # no third value of S for v9
    }
    for base, level in expected.items():
        model = bind(promises.MultiAttribute(base), Facts.of(table))
        assert model.level(Groups.whole(table, model.statistics)).tolist() == [float(level)], base


def test_rows_that_each_group_needs_are_named() -> None:
    table = table_of([("s1", "v1"), ("s1", "v2"), ("s2", "v3"), ("s3", "v3")], ("S", "V"))
    model = bind(promises.MultiAttribute(promises.DistinctL(3)), Facts.of(table))
    with pytest.raises(Infeasible) as raised:
        model.require_feasible(Groups.whole(table, model.statistics))
    message = str(raised.value)
    assert "each group needs at least 9 rows" in message
    assert "3 of 3 combinations of the other columns fail: for example, column 'S' has" in message
    assert raised.value.nearest == promises.MultiAttribute(promises.DistinctL(1))
    assert "s1" not in message and "v3" not in message


@pytest.mark.parametrize("base", BASES, ids=str)
@given(st.one_of(two, three))
@settings(max_examples=examples(25))
def test_the_nearest_promise_can_be_kept(base: Promise, rows: Rows) -> None:
    table = table_of(rows, ("S", "V", "W")[: len(rows[0])])
    model = bind(promises.MultiAttribute(base), Facts.of(table))
    whole = Groups.whole(table, model.statistics)
    near = model.nearest(whole)
    if near is None:
        assert base.name == "delta-disclosure"
        return
    assert isinstance(near, promises.MultiAttribute) and near.of.name == base.name
    assert bind(near, Facts.of(table)).attainable(whole).tolist() == [True]
    if model.attainable(whole)[0]:
        assert near == model.promise


@pytest.mark.parametrize("base", [base for base in BASES if base.name != "pairwise-l"], ids=str)
@given(two, st.data())
@settings(max_examples=examples(30))
def test_survives_merging(base: Promise, rows: Rows, data: st.DataObject) -> None:
    labels = data.draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows)))
    table = table_of(rows, ("S", "V"))
    model = bind(promises.MultiAttribute(base), Facts.of(table))
    groups = groups_of_rows(table, labels, model.statistics)
    if model.holds(groups).all():
        assert model.holds(Groups.whole(table, model.statistics)).tolist() == [True]


def test_what_merging_breaks_is_relaxed_in_the_base() -> None:
    table = table_of(square(2), ("S", "V"))
    model = bind(promises.MultiAttribute(promises.PairwiseL(2)), Facts.of(table))
    assert model.relaxed() == promises.MultiAttribute(promises.SimpleL(2))
    assert bind(promises.MultiAttribute(promises.SimpleL(2)), Facts.of(table)).relaxed() is None
    doubled = table_of(square(2) * 2, ("S", "V"))
    model = bind(promises.MultiAttribute(promises.PairwiseL(2)), Facts.of(doubled))
    whole = Groups.whole(doubled, model.statistics)
    assert model.holds(whole).tolist() == [False]
    assert model.attainable(whole).tolist() == [True]  # cut in two squares


def test_refused() -> None:
    one, both = table_of([("a",)], ("S",)), table_of([("a", "b")], ("S", "V"))
    with pytest.raises(Refused, match="at least two sensitive columns; the table has 1"):
        bind(promises.MultiAttribute(promises.DistinctL(2)), Facts.of(one))
    with pytest.raises(Refused, match="leave 'on' out of its distinct-l"):
        bind(promises.MultiAttribute(promises.DistinctL(2, "S")), Facts.of(both))
    with pytest.raises(Refused, match="cannot be nested"):
        bind(promises.MultiAttribute(promises.MultiAttribute(promises.DistinctL(2))), Facts.of(both))
    with pytest.raises(Refused, match="which sensitive column"):
        bind(promises.DistinctL(2), Facts.of(both))
    with pytest.raises(Refused, match="column 'X' is not a sensitive column of this table; there are: 'S', 'V'"):
        bind(promises.DistinctL(2, "X"), Facts.of(both))


def test_beside_other_promises() -> None:
    table = table_of(square(2), ("S", "V"))
    promise = promises.all_of(
        promises.KAnonymity(4), promises.DistinctL(2, "S"), promises.MultiAttribute(promises.DistinctL(2))
    )
    model = bind(promise, Facts.of(table))
    assert model.statistics == (("S",), ("S", "V"))
    assert model.holds(groups_of_rows(table, [0, 0, 0, 0], model.statistics)).tolist() == [True]
    assert model.holds(groups_of_rows(table, [0, 0, 1, 1], model.statistics)).tolist() == [False, False]
    assert model.level(groups_of_rows(table, [0, 0, 0, 0], model.statistics)).tolist() == [1.0]
    assert model.level(groups_of_rows(table, [0, 0, 1, 1], model.statistics)).tolist() == [0.0, 0.0]


def test_empty_groups_keep_nothing() -> None:
    table = table_of(square(2), ("S", "V"))
    for base, worst in ((promises.DistinctL(2), 0.0), (promises.AlphaK("0.5", 1), np.inf)):
        model = bind(promises.MultiAttribute(base), Facts.of(table))
        groups = groups_of_rows(table, [1, 1, 1, 1], model.statistics)
        assert model.holds(groups).tolist() == [False, True]
        assert model.attainable(groups).tolist() == [False, True]
        assert model.level(groups)[0] == worst
        nothing = groups.only(0)
        assert model.holds(nothing).tolist() == [False] and model.nearest(nothing) is None


def test_only_a_base_that_asks_for_values_asks_for_rows() -> None:
    table = table_of([*square(2), ("s0", "v9")], ("S", "V"))
    model = bind(promises.MultiAttribute(promises.KAnonymity(3)), Facts.of(table))
    with pytest.raises(Infeasible) as raised:
        model.require_feasible(Groups.whole(table, model.statistics))
    assert "each group needs" not in str(raised.value)
    assert "it has 2 rows" in str(raised.value)
    assert raised.value.nearest == promises.MultiAttribute(promises.KAnonymity(1))  # v9 has one row


def test_nearest_starts_from_the_worst_combination() -> None:
    """Values of S per value of V: 3, 2, 4. Of V per value of S: 3, 3, 2, 1. One step must find 1."""
    rows = [(f"s{s}", f"v{v}") for v, values in enumerate(((0, 1, 2), (0, 1), (0, 1, 2, 3))) for s in values]
    table = table_of(rows, ("S", "V"))
    for base, near in (
        (promises.DistinctL(5), promises.DistinctL(1)),
        (promises.SimpleL(5), promises.SimpleL(1)),
        (promises.AlphaK("0.1", 1), promises.AlphaK(1, 1)),
    ):
        model = bind(promises.MultiAttribute(base), Facts.of(table))
        assert model.nearest(Groups.whole(table, model.statistics)) == promises.MultiAttribute(near)
