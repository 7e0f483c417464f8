"""The arithmetic underneath: signs of logarithms, exact comparisons, reductions over runs."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.models.compare import compare, integers
from sfumato.models.contract import Groups, Histogram
from sfumato.models.logs import sign_of_logs
from sfumato.models.runs import descending, distinct, largest, maxima, minima, owners, reduced, spread
from sfumato.policy import promises
from tests.support.model_tables import groups_of, histograms, large, model_of, small, table_of


@given(st.dictionaries(st.integers(1, 60), st.integers(-6, 6), max_size=6))
def test_sign_of_logs_is_that_of_the_product(powers: dict[int, int]) -> None:
    product = prod((Fraction(base) ** power for base, power in powers.items()), start=Fraction(1))
    assert sign_of_logs(powers) == (product > 1) - (product < 1)


def test_sign_of_logs_at_its_hardest() -> None:
    assert sign_of_logs({}) == 0
    assert sign_of_logs({}, constant=3) == 1
    assert sign_of_logs({}, constant=-3) == -1
    assert sign_of_logs({1: 5}) == 0
    assert sign_of_logs({6: 10**9, 2: -(10**9), 3: -(10**9)}) == 0
    assert sign_of_logs({12: 4, 18: 4, 36: -3, 6: -6, 7: 0}) == 0  # 12 * 18 = 6^3
    big = 10**60
    assert sign_of_logs({big + 1: 1, big: -1}) == 1  # apart by 10^-60
    assert sign_of_logs({big - 1: 1, big: -1}) == -1
    assert sign_of_logs({big * (big + 2): 1, big + 1: -2}) == -1  # apart by 10^-120
    e = Fraction("2.718281828459045235360287471352662497757247093699959574966967627724076630353547594571382178525")
    above = e + Fraction(1, 10**92)
    assert sign_of_logs({e.numerator: 1, e.denominator: -1}, constant=-1) == -1
    assert sign_of_logs({above.numerator: 1, above.denominator: -1}, constant=-1) == 1
    assert sign_of_logs({e.numerator: -7, e.denominator: 7}, constant=7) == 1


numbers = st.one_of(st.integers(0, 20), st.integers(2**53 - 2, 2**53 + 2), st.integers(2**62 - 2, 2**62 + 2))
ratios = st.one_of(
    st.fractions(min_value=0, max_value=5, max_denominator=20),
    st.fractions(min_value=0, max_value=5),
    st.sampled_from(
        [Fraction(10**18 + 1, 10**18), Fraction(10**18 - 1, 10**18), Fraction(1, 10**300), Fraction(10**300)]
    ),
)


@given(st.lists(st.tuples(numbers, numbers), max_size=6), ratios)
def test_compare_is_exact(pairs: list[tuple[int, int]], ratio: Fraction) -> None:
    left, right = np.array([x for x, _ in pairs], dtype=np.int64), np.array([y for _, y in pairs], dtype=np.int64)
    expected = [(x > ratio * y) - (x < ratio * y) for x, y in pairs]
    assert compare(left, ratio, right).tolist() == expected
    assert compare(left.astype(object), ratio, right.astype(object)).tolist() == expected


@pytest.mark.parametrize("low", [1, 3, 2**31, 10**9])
def test_compare_at_equality_beyond_int64(low: int) -> None:
    ratio = Fraction(2**62 - 1, low)
    left, right = np.array([2**62 - 2, 2**62 - 1, 2**62]), np.array([low, low, low])
    assert compare(left, ratio, right).tolist() == [-1, 0, 1]


def test_compare_where_a_product_is_the_first_that_does_not_fit() -> None:
    top = np.array([2**62])
    assert compare(top, Fraction(1, 2), top).tolist() == [1]
    assert compare(top, Fraction(2), top).tolist() == [-1]
    assert compare(np.array([0]), Fraction(2), top).tolist() == [-1]


@given(st.lists(st.tuples(st.integers(0, 2**70), st.integers(0, 2**70)), min_size=1, max_size=4), ratios)
def test_compare_takes_integers_of_any_size(pairs: list[tuple[int, int]], ratio: Fraction) -> None:
    left, right = np.array([x for x, _ in pairs], dtype=object), np.array([y for _, y in pairs], dtype=object)
    assert compare(left, ratio, right).tolist() == [(x > ratio * y) - (x < ratio * y) for x, y in pairs]
    assert compare(left, Fraction(0), right).tolist() == [int(x > 0) for x, _ in pairs]
    assert compare(left, Fraction(1, 2**80), left).tolist() == [int(x > 0) for x, _ in pairs]


def test_integers_fit() -> None:
    assert integers(2**62 - 1) is np.int64
    assert integers(2**62) is object


@given(st.lists(st.one_of(st.just({}), histograms(small), histograms(large)), max_size=6), st.integers(0, 6))
def test_reductions(groups: list[dict[int, int]], number: int) -> None:
    histogram = Histogram.of_counts(groups)
    ranked = [sorted(group.values(), reverse=True) for group in groups]
    assert distinct(histogram).tolist() == [len(group) for group in groups]
    assert maxima(histogram).tolist() == [max(group.values(), default=0) for group in groups]
    assert minima(histogram).tolist() == [min(group.values(), default=0) for group in groups]
    assert reduced(np.add, histogram, histogram.counts).tolist() == [sum(group.values()) for group in groups]
    assert descending(histogram).tolist() == [count for counts in ranked for count in counts]
    assert largest(histogram, descending(histogram), number).tolist() == [sum(counts[:number]) for counts in ranked]
    assert owners(histogram).tolist() == [index for index, group in enumerate(groups) for _ in group]
    assert spread(histogram, np.arange(len(groups)) * 7).tolist() == [7 * each for each in owners(histogram)]


def test_descending_when_one_key_does_not_fit() -> None:
    groups = [{0: 1, 1: 2**61, 2: 5}, {0: 3, 1: 2**62, 2: 2**62}, {4: 7}, {1: 1, 2: 2}]
    assert descending(Histogram.of_counts(groups)).tolist() == [2**61, 5, 1, 2**62, 2**62, 3, 7, 2, 1]


def test_groups_are_counted_from_rows() -> None:
    table = table_of([("a", "x"), ("b", "x"), ("a", "y"), ("a", "x"), ("c", "y")], ("S", "V"))
    groups = Groups.of(table, np.array([1, 1, 0, 1, -1]), (("S",), ("S", "V")))
    assert groups.sizes.tolist() == [1, 3]
    assert [each.tolist() for each in groups[("S",)].row(1)] == [[0, 1], [2, 1]]
    assert [each.tolist() for each in groups[("S",)].row(0)] == [[0], [1]]
    assert groups[("S",)].groups == 2
    only = groups.only(1)
    assert only.sizes.tolist() == [3]
    assert [each.tolist() for each in only[("S",)].row(0)] == [[0, 1], [2, 1]]
    assert only[("S",)].groups == 1
    whole = Groups.whole(table, (("S",),))
    assert whole.sizes.tolist() == [5] and whole[("S",)].counts.tolist() == [3, 1, 1]
    nothing = Groups.whole(table_of([], ("S",)), (("S",),))
    assert nothing.sizes.tolist() == [0] and nothing[("S",)].groups == 1


def test_labels_of_a_narrow_type_are_counted() -> None:
    labels, codes = np.array([40000, 0], dtype=np.int32), np.array([1, 70000], dtype=np.int32)
    ones = np.ones(2, dtype=np.int64)
    histogram = Histogram.of(labels.astype(np.int64), codes, ones, 40001)
    narrow = Histogram.of(labels, codes, ones, 40001)  # type: ignore[arg-type]
    assert narrow.values.tolist() == histogram.values.tolist() == [70000, 1]
    assert narrow.starts.tolist() == histogram.starts.tolist()


def quick(promise: promises.Promise, *groups: dict[int, int]) -> list[bool]:
    """Judged without multiplying powers out: N^N for a million rows would take many seconds."""
    model, counts = model_of(promise, {}), groups_of(*groups)
    start = perf_counter()
    verdict = model.holds(counts)
    assert perf_counter() - start < 1
    return [bool(each) for each in verdict]


def test_a_million_rows_are_judged_at_once() -> None:
    for l in (2, 3, 10, 50, 1000):
        count = 10**6 // l
        even = dict.fromkeys(range(l), count)
        uneven = even | {0: count + 1, 1: count - 1}
        assert quick(promises.EntropyL(l), even, uneven) == [True, False]
        assert quick(promises.EntropyL(l - Fraction(1, 10**3)), even, uneven) == [True, True]
    for count in (10**9, 10**15):  # floats cannot tell these from uniform
        uneven = {0: count + 1, 1: count - 1, 2: count}
        assert quick(promises.EntropyL(3), uneven) == [False]
        # 3 exp(-x) for x about 1 / (3 count^2)
        assert quick(promises.EntropyL(3 - Fraction(11, 10 * count**2)), uneven) == [True]
        assert quick(promises.EntropyL(3 - Fraction(9, 10 * count**2)), uneven) == [False]


def test_a_million_rows_with_exactly_log_l_though_not_even() -> None:
    group = {0: 500_000} | dict.fromkeys(range(1, 5), 125_000)
    assert quick(promises.EntropyL(4), group) == [True]
    assert quick(promises.EntropyL(4 + Fraction(1, 10**25)), group) == [False]
    assert quick(promises.EntropyL(4), group | {0: 500_001}) == [False]
    assert quick(promises.EntropyL(4), group | {0: 499_999}) == [True]


def test_many_groups_at_the_boundary_are_judged_at_once() -> None:
    """The level of (2, 1, 1) is 2 sqrt 2, which no float tells from this l; 50 000 groups have the same shape."""
    below, above = Fraction("2.8284271247461900976"), Fraction("2.8284271247461900977")
    group = {0: 2, 1: 1, 2: 1}
    assert set(quick(promises.EntropyL(below), *[group] * 50_000)) == {True}
    assert set(quick(promises.EntropyL(above), *[group] * 50_000)) == {False}


def test_delta_at_a_boundary_that_floats_cannot_see() -> None:
    """The ratio is 2: log 2 = 0.69314718055994530941..."""
    for delta, kept in (("0.69314718055994530941", False), ("0.69314718055994530942", True)):
        model = model_of(promises.DeltaDisclosure(delta), {0: 1, 1: 2})
        assert model.holds(groups_of({0: 2, 1: 1}, {0: 1, 1: 2}, {0: 4, 1: 2})).tolist() == [kept, True, kept]
        model = model_of(promises.DeltaDisclosure(delta), {0: 1, 1: 3})
        assert model.holds(groups_of({0: 2, 1: 2})).tolist() == [kept]
        assert model.holds(groups_of({0: 1, 1: 7})).tolist() == [kept]  # the other way: 1/8 of 1/4
