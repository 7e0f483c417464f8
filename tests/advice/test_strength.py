"""Which requirements imply which: against every count vector up to a size, and the paper's own examples."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import ceil
from typing import Any

import pytest

from sfumato import TauL
from sfumato.models.psi import psi
from sfumato.models.strength import (
    implied_c,
    sufficient_c,
    sufficient_l,
    tau_of_recursive,
    tau_of_simple,
    weakest_c,
    weakest_simple,
)
from tests.support.golden import golden

GOLDEN: dict[str, Any] = golden("strength")
Counts = tuple[int, ...]

CASES = [
    (m, u, tau)
    for m in range(2, 6)
    for u in range(2, m + 1)
    for tau in sorted({Fraction(1, u), Fraction(1, 2), Fraction(3, 5), Fraction(9, 10)})
    if tau * u >= 1
]


def vectors(rows: int, values: int, top: int) -> Iterator[Counts]:
    """Every way to write a number of rows as descending counts."""
    if values == 1:
        if rows <= top:
            yield (rows,)
        return
    for first in range(min(rows, top), -1, -1):
        if first * values < rows:
            return
        yield from ((first, *rest) for rest in vectors(rows - first, values - 1, first))


@cache
def up_to(rows: int, values: int) -> tuple[Counts, ...]:
    return tuple(each for n in range(1, rows + 1) for each in vectors(n, values, n))


def tau_holds(counts: Counts, promise: TauL) -> bool:
    total = sum(counts)
    return all(Fraction(sum(counts[:k]), total) <= psi(promise, k) for k in range(1, promise.l))


def recursive_holds(counts: Counts, c: Fraction, l: int) -> bool:
    return counts[0] < c * sum(counts[l - 1 :])


def simple_holds(counts: Counts, l: Fraction) -> bool:
    return Fraction(counts[0], sum(counts)) <= 1 / l


@pytest.mark.parametrize(("m", "u", "tau"), CASES)
def test_what_suffices_does_for_every_count_vector(m: int, u: int, tau: Fraction) -> None:
    promise = TauL(tau, u)
    broken = [counts for counts in up_to(11, m) if not tau_holds(counts, promise)]
    assert not [counts for counts in broken if simple_holds(counts, weakest_simple(promise))]
    for l in range(2, m + 1):
        for c in (sufficient_c(u, l, m), weakest_c(promise, l, m)):
            assert c is None or not [counts for counts in broken if recursive_holds(counts, c, l)]


@pytest.mark.parametrize(("m", "u", "tau"), [case for case in CASES if case[0] <= 3])
def test_nothing_weaker_suffices(m: int, u: int, tau: Fraction) -> None:
    """A fifth more, and a group of 150 rows keeps it while it breaks the promise."""
    promise = TauL(tau, u)
    groups = list(vectors(150, m, 150))
    weaker = weakest_simple(promise) * Fraction(9, 10)
    assert [counts for counts in groups if simple_holds(counts, weaker) and not tau_holds(counts, promise)]
    for l in range(2, m + 1):
        c = (weakest_c(promise, l, m) or Fraction(1, m - l + 1)) * Fraction(6, 5)
        assert [counts for counts in groups if recursive_holds(counts, c, l) and not tau_holds(counts, promise)]


@pytest.mark.parametrize(("m", "u", "tau"), CASES)
def test_the_theorem_is_sharp_for_the_least_tau_and_never_too_weak(m: int, u: int, tau: Fraction) -> None:
    for l in range(2, m + 1):
        c, theorem = weakest_c(TauL(tau, u), l, m), sufficient_c(u, l, m)
        if theorem * (m - l + 1) > 1:  # else no group keeps (c,l) at all
            assert c is not None
            assert c == theorem if tau == Fraction(1, u) else c >= theorem


@pytest.mark.parametrize(("m", "u", "tau"), CASES)
def test_what_a_promise_implies_holds_for_every_count_vector(m: int, u: int, tau: Fraction) -> None:
    promise = TauL(tau, u)
    kept = [counts for counts in up_to(11, m) if tau_holds(counts, promise)]
    assert all(simple_holds(counts, 1 / tau) for counts in kept)
    for l in range(2, u + 1):
        bound = implied_c(promise, l)
        assert bound is not None
        assert all(recursive_holds(counts, bound + Fraction(1, 1000), l) for counts in kept)
    assert implied_c(promise, u + 1) is None


@pytest.mark.parametrize("l", [Fraction(2), Fraction(5, 2), Fraction(3), Fraction(10, 3), Fraction(4)])
def test_what_simple_implies(l: Fraction) -> None:
    for u in range(2, ceil(l) + 1):
        implied = tau_of_simple(l, u)
        assert implied is not None
        assert weakest_simple(implied) <= l
        assert all(tau_holds(counts, implied) for counts in up_to(11, 5) if simple_holds(counts, l))
    assert tau_of_simple(l, ceil(l) + 1) is None


@pytest.mark.parametrize("c", [Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(3)])
@pytest.mark.parametrize("m", [3, 4, 5])
def test_what_recursive_implies_is_sound_and_the_strongest(c: Fraction, m: int) -> None:
    for l in range(2, m + 1):
        kept = [counts for counts in up_to(11, m) if recursive_holds(counts, c, l)]
        for u in range(2, m + 1):
            implied = tau_of_recursive(c, l, u, m)
            if implied is None:
                continue
            assert all(tau_holds(counts, implied) for counts in kept)
            back = weakest_c(implied, l, m)
            assert back is not None
            assert back >= c
            if implied.tau > Fraction(1, u) + Fraction(1, 50):
                stronger = weakest_c(TauL(implied.tau - Fraction(1, 50), u), l, m)
                assert stronger is None or stronger < c


def test_a_simple_requirement_is_a_tau_l_one() -> None:
    for l in range(2, 9):
        assert tau_of_simple(Fraction(l)) == TauL(Fraction(1, l), l)
        assert weakest_simple(TauL(Fraction(1, l), l)) == l


@pytest.mark.parametrize("case", GOLDEN["sufficient_c"])
def test_the_bounds_of_the_theorem(case: dict[str, Any]) -> None:
    m, u, l, c = case["m"], case["u"], case["l"], Fraction(case["c"])
    assert sufficient_c(u, l, m) == c
    assert sufficient_l(u, c, m) == l


@pytest.mark.parametrize("case", GOLDEN["counterexamples"])
def test_the_data_sets_of_the_paper(case: dict[str, Any]) -> None:
    """They keep (c,l) and break (tau,u): so no condition may call that c enough."""
    counts, promise = tuple(case["counts"]), TauL(case["tau"], case["l"])
    assert tau_holds(counts, promise) == case["keeps_tau"]
    for text, l in case["recursive"]:
        c = Fraction(text)
        assert recursive_holds(counts, c, l)
        enough = weakest_c(promise, l, len(counts))
        assert enough is None or enough < c
        assert sufficient_c(promise.l, l, len(counts)) < c


def test_the_theorem_is_not_claimed_to_be_necessary() -> None:
    """(3,3) on three values implies f1 < 3/5, hence (0.9,2), though c is above the theorem's."""
    case = GOLDEN["not_necessary"]
    c, l, m = Fraction(case["c"]), case["l"], case["m"]
    promise = TauL(case["tau"], case["u"])
    assert c > sufficient_c(promise.l, l, m)
    kept = [counts for counts in up_to(40, m) if recursive_holds(counts, c, l)]
    assert all(Fraction(counts[0], sum(counts)) < Fraction(case["top_below"]) for counts in kept)
    assert all(tau_holds(counts, promise) for counts in kept)
    enough = weakest_c(promise, l, m)
    assert enough is not None
    assert enough >= c
    implied = tau_of_recursive(c, l, promise.l, m)
    assert implied == TauL(case["top_below"], promise.l)


def test_a_real_simple_l_between_two_whole_ones() -> None:
    case = GOLDEN["real_simple"]
    assert weakest_simple(TauL(case["tau"], case["u"])) == Fraction(case["l"])


def test_bounds_of_ones_own() -> None:
    promise = TauL("0.5", 3, psi=("0.5", "0.6"))
    assert weakest_simple(promise) == Fraction(10, 3)
    broken = [counts for counts in up_to(11, 4) if not tau_holds(counts, promise)]
    assert not [counts for counts in broken if simple_holds(counts, Fraction(10, 3))]
    for l in range(2, 5):
        c = weakest_c(promise, l, 4)
        assert c is not None
        assert not [counts for counts in broken if recursive_holds(counts, c, l)]


@pytest.mark.parametrize(("l", "values"), [(1, 4), (5, 4), (2, 2)])
def test_where_nothing_can_be_said(l: int, values: int) -> None:
    assert weakest_c(TauL("0.5", 3), l, values) is None
