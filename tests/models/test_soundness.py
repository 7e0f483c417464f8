"""Holes found in the papers' text: the counterexample is judged as the definition demands, not as the text claims."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Literal

import numpy as np
import pytest

from sfumato.models.contract import Facts, Groups
from sfumato.models.registry import bind
from sfumato.policy import promises
from tests.support.model_tables import added, block, groups_of, groups_of_rows, holds, model_of, table_of


def test_exactly_l_different_values_bound_nothing() -> None:
    """B1: five rows with two values are literally unique-distinct 2, and nearly disclose one of them."""
    group = block("a a a a b")
    assert holds(promises.UniqueDistinctLiteral(2), group) == [True]
    assert holds(promises.UniqueDistinctL(2), group) == [False]
    assert holds(promises.EntropyL(2), group) == [False]
    assert holds(promises.RecursiveCL(2, 2), group) == [False]
    assert holds(promises.SimpleL(2), group) == [False]
    assert model_of(promises.EntropyL(2), {}).level(groups_of(group))[0] == pytest.approx(1.65, abs=0.005)
    assert model_of(promises.AlphaK(1, 1), {}).level(groups_of(group)).tolist() == [0.8]


@pytest.mark.parametrize("l", range(2, 20))
def test_one_duplicate_breaks_one_in_l(l: int) -> None:
    """B3: 2/(l+1) > 1/l."""
    group = dict.fromkeys(range(l), 1)
    assert holds(promises.SimpleL(l), group) == [True]
    assert holds(promises.SimpleL(l), group | {0: 2}) == [False]
    assert holds(promises.PairwiseL(l), group | {0: 2}) == [False]


def test_the_printed_result_is_not_exactly_l() -> None:
    """B4: a class of the printed table at l = 2 has three values; pairwise is what it keeps."""
    groups = [block("a b"), block("c a b"), block("c b")]  # Cancer, Obesity, Flu
    assert holds(promises.UniqueDistinctL(2), *groups) == [True, False, True]
    assert holds(promises.UniqueDistinctLiteral(2), *groups) == [True, False, True]
    assert holds(promises.PairwiseL(2), *groups) == [True, True, True]
    assert holds(promises.SimpleL(2), *groups) == [True, True, True]


def test_groups_by_id_and_groups_by_equal_cells() -> None:
    """B6: who drops the ids merges groups that look alike; simple l survives that, unique-distinct does not."""
    by_id = [block("a b"), block("a c")]
    by_cells = added(by_id)
    assert holds(promises.UniqueDistinctL(2), *by_id) == [True, True]
    assert holds(promises.UniqueDistinctL(2), by_cells) == [False]
    assert holds(promises.PairwiseL(2), by_cells) == [False]
    assert holds(promises.SimpleL(2), *by_id, by_cells) == [True, True, True]


def test_even_counts_make_the_mean_probability_least_and_the_cap_alone_bounds_it() -> None:
    """A6: the derivatives of 003, section 3.3, find a minimum: (2, 2) has 8/16, (3, 1) has 10/16.

    For every number of rows and of values, no counts have less than the evenest. What keeps the mean from exceeding
    1/l is that no value may fill more: it is reached by l equal counts alone.
    """

    def mean(counts: tuple[int, ...]) -> Fraction:
        return sum((Fraction(count, sum(counts)) ** 2 for count in counts), Fraction(0))

    assert (mean((2, 2)), mean((3, 1))) == (Fraction(8, 16), Fraction(10, 16))
    for rows, values in product(range(2, 10), range(2, 5)):
        ways = [way for way in product(range(1, rows), repeat=values) if sum(way) == rows]
        even = [way for way in ways if max(way) - min(way) <= 1]
        assert not ways or {mean(way) for way in even} == {min(map(mean, ways))}
        for l, way in product((2, 3, 4), ways):
            if holds(promises.SimpleL(l), dict(enumerate(way))) == [True]:
                assert mean(way) <= Fraction(1, l)
                assert (mean(way) == Fraction(1, l)) == (way == (rows // l,) * l)


def test_several_columns_need_a_power_of_l_rows() -> None:
    """L3: no table of fewer than 4 rows over two columns keeps distinct 2 given the other; the square of 4 does."""
    values = [(s, v) for s in "ab" for v in "xy"]
    for size in range(1, 5):
        for rows in product(values, repeat=size):
            table = table_of(list(rows), ("S", "V"))
            model = bind(promises.MultiAttribute(promises.DistinctL(2)), Facts.of(table))
            kept = bool(model.holds(groups_of_rows(table, [0] * size, model.statistics))[0])
            assert kept == (size == 4 and len(set(rows)) == 4)


def test_recursive_is_strict() -> None:
    """L4: 2 < 2 * 1 is false, whatever is printed in passing."""
    group = block("a a b c")
    assert holds(promises.RecursiveCL(2, 3), group) == [False]
    assert holds(promises.RecursiveCL("2.0000000001", 3), group) == [True]
    assert holds(promises.RecursiveCL(2, 2), group) == [True]
    assert model_of(promises.RecursiveCL(2, 3), {}).level(groups_of(group)).tolist() == [2.0]


def test_only_disclosable_values_keep_pd() -> None:
    """L5: the printed formula would say 0 < 0."""
    group = block("h h h h h")
    for l in (1, 2, 3, 9):
        assert holds(promises.PdRecursive("0.5", l, ("h",)), group, {7: 1}) == [True, True]
        assert model_of(promises.PdRecursive(1, l, ("h",)), {}).level(groups_of(group)).tolist() == [0.0]
    assert holds(promises.PdRecursive("0.5", 3), group) == [False]
    assert holds(promises.NpdRecursive("0.5", 50, 3, ("h",), ("a",)), group) == [False]


@pytest.mark.parametrize("l", [3, 6, 7, 10])
def test_uniform_groups_at_the_boundary_of_entropy(l: int) -> None:
    """L6: the sum of p log p in floats falls short of log l."""
    shares = np.full(l, 1 / l)
    assert -sum(share * np.log(share) for share in shares) < np.log(l)
    assert holds(promises.EntropyL(l), dict.fromkeys(range(l), 1)) == [True]


def test_judgement_does_not_depend_on_the_order_of_rows() -> None:
    """L7, as far as models go: the same rows in another order give the same counts."""
    rows = [("a",), ("b",), ("a",), ("c",), ("b",), ("a",)]
    labels = [0, 0, 1, 1, 1, 0]
    answers = set()
    for order in ((0, 1, 2, 3, 4, 5), (5, 4, 3, 2, 1, 0), (2, 0, 5, 1, 4, 3)):
        table = table_of([rows[index] for index in order], ("S",))
        model = bind(promises.RecursiveCL(2, 2), Facts.of(table))
        answers.add(tuple(model.holds(groups_of_rows(table, [labels[i] for i in order], model.statistics)).tolist()))
    assert answers == {(False, True)}  # a a b: 2 < 2 * 1 fails; a b c: 1 < 2 * 2


@pytest.mark.parametrize(("distance", "t"), [("equal", Fraction(1, 3)), ("ordered", Fraction(1, 4))])
def test_the_reference_is_the_original_table(distance: Literal["equal", "ordered"], t: Fraction) -> None:
    """L8: suppressing rows moves neither the reference nor the verdict on other groups."""
    table = table_of([("a",), ("b",), ("a",), ("b",), ("c",), ("c",)], ("S",))
    column = table["S"]
    object.__setattr__(column, "ordered", True)
    model = bind(promises.TCloseness(t, distance), Facts.of(table))
    every = groups_of_rows(table, [0, 0, 0, 0, 1, 1], model.statistics)
    suppressed = groups_of_rows(table, [0, 0, 0, 0, -1, -1], model.statistics)
    assert model.holds(every)[0] and model.holds(suppressed).tolist() == [True]
    assert model.level(every)[0] == model.level(suppressed)[0] == pytest.approx(float(t))
    assert suppressed.sizes.tolist() == [4]
    delta = bind(promises.DeltaDisclosure(5), Facts.of(table))
    assert delta.holds(groups_of_rows(table, [0, 0, 0, 0, -1, -1], delta.statistics)).tolist() == [False]


def test_percent_means_percent() -> None:
    group = block("a a a b")
    assert holds(promises.NpdRecursive(9, 25, 2, (), ("b",)), group) == [True]
    assert holds(promises.NpdRecursive(9, Fraction(25) + Fraction(1, 10**12), 2, (), ("b",)), group) == [False]
    assert holds(promises.NpdRecursive(9, "0.25", 2, (), ("b",)), group) == [True]


def test_eligibility_of_the_adult_table() -> None:
    """Salary 34014 : 11208. Recursive l = 2 needs c above 3.03; simple l only up to 1.32."""
    salary = {0: 34014, 1: 11208}
    assert holds(promises.RecursiveCL(Fraction(5669, 1868), 2), salary) == [False]
    assert holds(promises.RecursiveCL("3.04", 2), salary) == [True]
    assert holds(promises.RecursiveCL(3, 2), salary) == [False]
    assert holds(promises.SimpleL(2), salary) == [False]
    assert Groups.of_counts("s", [salary]).sizes.tolist() == [45222]
