"""The comparisons under the rules: at the boundary, beyond machine integers, and fast on large classes."""

from __future__ import annotations

import time
from collections import Counter
from fractions import Fraction
from math import isqrt, prod

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.auditor.exactly import below_exp, largest_ratio, log_sum_sign, smallest_ratio, times
from sfumato.auditor.rules.closeness import equal
from sfumato.auditor.rules.entropy import reaches
from sfumato.auditor.rules.hierarchical import hierarchical
from sfumato.auditor.rules.ordered import ordered
from sfumato.release.classes import Classes
from sfumato.release.codes import Codes
from sfumato.taxonomy.tree import Node, Taxonomy
from tests.support.auditing import classes_of, judged
from tests.support.examples import examples


def class_of(*counts: int) -> Classes:
    """One class with those counts, without its rows."""
    ordered_counts = np.array(sorted(counts, reverse=True), dtype=np.int64)
    return Classes(np.array([0, len(counts)]), np.arange(len(counts)), ordered_counts, np.ones(1, dtype=np.int64))


@settings(max_examples=examples(200))
@given(st.dictionaries(st.integers(1, 60), st.integers(-40, 40), max_size=6))
def test_sign_of_a_sum_of_logarithms(powers: dict[int, int]) -> None:
    above = prod(x**e for x, e in powers.items() if e > 0)
    below = prod(x**-e for x, e in powers.items() if e < 0)
    assert log_sum_sign(powers) == (above > below) - (above < below)


def test_equal_sides_are_recognised_however_large() -> None:
    million = 10**6
    assert log_sum_sign({6: million, 2: -million, 3: -million}) == 0
    assert log_sum_sign({6: million, 2: -million, 3: 1 - million}) == 1
    assert log_sum_sign({2**60: 61, 2**61: -60}) == 0
    assert log_sum_sign({10**40: 1, 10**40 + 1: -1}) == -1
    assert log_sum_sign({10**90: 1, 10**90 + 1: -1}) == -1


def test_e_to_a_rational_is_never_reached() -> None:
    digits = "2.71828182845904523536028747135266249775724709369995"
    assert below_exp(Fraction(digits), Fraction(1))
    assert not below_exp(Fraction(digits) + Fraction(1, 10**49), Fraction(1))
    assert not below_exp(Fraction(1), Fraction(0))


@settings(max_examples=examples(100))
@given(st.lists(st.tuples(st.integers(-(10**18), 10**18), st.integers(1, 10**18)), min_size=1, max_size=20))
def test_extreme_ratios(pairs: list[tuple[int, int]]) -> None:
    above, below = (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True))
    ratios = [Fraction(*pair) for pair in pairs]
    best, at = largest_ratio(above, below)
    assert best == max(ratios)
    assert ratios[at] == best
    assert smallest_ratio(above, below)[0] == min(ratios)


def test_products_leave_machine_integers_when_they_must() -> None:
    large = np.array([2**61, -(2**61)], dtype=np.int64)
    assert times(large, 8).tolist() == [2**64, -(2**64)]
    assert times(np.array([], dtype=np.int64), 8).tolist() == []


def test_entropy_next_to_the_boundary() -> None:
    """Counts 2, 1, 1 have entropy ln(2·√2): the square of a rational is never 8, but comes as close as one likes."""
    below, above = Fraction(2828427124746190, 10**15), Fraction(2828427124746191, 10**15)
    assert below**2 < 8 < above**2
    assert reaches(class_of(2, 1, 1), below).all()
    assert not reaches(class_of(2, 1, 1), above).any()
    assert reaches(class_of(2 * 10**9, 10**9, 10**9), below).all()
    root = Fraction(isqrt(8 * 10**146), 10**73)
    assert root**2 < 8 < (root + Fraction(1, 10**73)) ** 2
    assert reaches(class_of(2, 1, 1), root).all()
    assert not reaches(class_of(2, 1, 1), root + Fraction(1, 10**73)).any()


def test_entropy_equal_at_unequal_counts() -> None:
    """Shares 1/2 and four times 1/8 have entropy ln 4 exactly: 2^(1/2)·8^(1/2) = 4."""
    assert reaches(class_of(4, 1, 1, 1, 1), Fraction(4)).all()
    assert not reaches(class_of(4, 1, 1, 1, 1), Fraction(4) + Fraction(1, 10**30)).any()
    assert reaches(class_of(*(10**6 * count for count in (4, 1, 1, 1, 1))), Fraction(4)).all()
    assert not reaches(class_of(4 * 10**6 + 1, 10**6, 10**6, 10**6, 10**6), Fraction(4)).any()


@settings(max_examples=examples(60))
@given(st.lists(st.integers(1, 12), min_size=1, max_size=6), st.integers(1, 10**9))
def test_entropy_does_not_depend_on_scale(counts: list[int], factor: int) -> None:
    rows, l = sum(counts), Fraction(len(counts) + 1, 2)
    kept = (l.denominator * rows) ** rows >= l.numerator**rows * prod(count**count for count in counts)
    assert bool(reaches(class_of(*(factor * count for count in counts)), l)[0]) == kept


def test_distances_beyond_machine_integers() -> None:
    """The same shares give the same distances, whether or not the products fit 63 bits."""
    tree = Taxonomy.of(Node("*", (Node("x", (Node("0"), Node("1"))), Node("y", (Node("2"), Node("3"))))))
    leaves = np.arange(4)
    small = [equal(class_of(3, 1), np.array([5, 2, 2, 1]))]
    small += [ordered(class_of(3, 1), np.array([5, 2, 2, 1]), leaves)]
    small += [hierarchical(class_of(3, 1), np.array([5, 2, 2, 1]), leaves, tree)]
    big = 10**14
    huge, original = class_of(3 * big, big), big * np.array([5, 2, 2, 1])
    large = [equal(huge, original), ordered(huge, original, leaves), hierarchical(huge, original, leaves, tree)]
    for (above, below), (far_above, far_below) in zip(small, large, strict=True):
        assert Fraction(int(above[0]), int(below[0])) == Fraction(int(far_above[0]), int(far_below[0]))


def test_rows_are_counted_by_class_and_value() -> None:
    classes = classes_of([Codes(np.array([0, 0, 0, 1]), 2)], Codes(np.array([7, 9, 9, 7]), 10))
    assert (classes.values.tolist(), classes.counts.tolist()) == ([9, 7, 7], [2, 1, 1])
    assert (classes.sizes.tolist(), classes.distinct.tolist(), classes.top.tolist()) == ([3, 1], [2, 1], [2, 1])
    assert (classes.tail(1).tolist(), classes.tail(5).tolist()) == ([1, 0], [0, 0])


@pytest.mark.parametrize(
    "promise",
    [
        {"model": "entropy-l", "l": 50},
        {"model": "entropy-l", "l": "49.9999"},
        {"model": "delta-disclosure", "delta": "0.0001"},
        {"model": "t-closeness", "t": 0},
        {"model": "recursive-cl", "c": "0.1", "l": 3},
    ],
)
def test_a_class_of_a_million_rows_is_judged_at_once(promise: dict[str, object]) -> None:
    from sfumato.auditor.rules import RULES, Case, Ruling
    from sfumato.auditor.secrets import Secrets, reader_of
    from sfumato.policy.columns import Column
    from sfumato.policy.document import Input
    from sfumato.policy.promises import read_promise

    counts = [20_000] * 49 + [19_999]
    column = Column(role="sensitive")
    secrets = Secrets("s", column, reader_of(column, Input(), ()), (), Codes(np.zeros(0, dtype=np.int64), 0))
    case = Case(class_of(*counts), secrets, np.array(counts))
    made = read_promise(promise)
    start = time.perf_counter()
    ruling = RULES[made.name].judge(made, case)
    spent = time.perf_counter() - start
    assert isinstance(ruling, Ruling)
    assert bool(ruling.kept[0]) == (promise.get("l") != 50)
    assert spent < 0.5  # milliseconds; the margin is for a busy machine


def test_many_classes_at_the_boundary_share_their_proof() -> None:
    """A hundred thousand classes exactly at l = 4, none of them uniform."""
    rows = 8 * 20_000
    index = np.arange(rows)
    values = np.array([0, 0, 0, 0, 1, 2, 3, 4])[index % 8]
    frame = pl.DataFrame({"q": (index // 8).astype(str), "s": values.astype(str)})
    start = time.perf_counter()
    criterion = judged(frame, {"model": "entropy-l", "l": 4})
    assert criterion.holds
    assert criterion.level == 4
    assert time.perf_counter() - start < 20
    assert Counter(values.tolist())[0] == rows // 2
