"""Excessive protection by hand, and never of a class that breaks its promise."""

from __future__ import annotations

import doctest
import random
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.measures import protection
from sfumato.measures.excess import caps_of
from sfumato.measures.protection import excess_of_class, excesses, excessive_protection
from sfumato.policy.promise import Capping
from tests.support.examples import examples
from tests.support.golden import golden

HALF = (Fraction(1, 2), Fraction(3, 4))
"""psi of (1/2, 3)."""


def test_by_hand() -> None:
    # psi: 1/2 3/4 1 1. F of 2 1 1 1: 2/5 3/5 4/5 1.
    assert excess_of_class(HALF, [1, 2, 1, 1]) == Fraction(1, 10) + Fraction(3, 20) + Fraction(1, 5)
    assert excess_of_class(HALF, [2, 1, 1]) == 0
    assert excess_of_class(HALF, [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4), 0]) == 0
    assert excess_of_class(HALF[:1], [1, 1, 1, 1]) == Fraction(1, 4) + Fraction(1, 2) + Fraction(1, 4)


def test_of_a_release_it_is_the_least() -> None:
    assert excessive_protection(HALF, [[1, 1, 1, 1], [2, 1, 1]]) == 0
    assert excessive_protection(HALF, [[1, 1, 1, 1]]) == Fraction(1, 4) + Fraction(1, 4) + Fraction(1, 4)


@pytest.mark.parametrize("classes", [[[3, 1, 1]], [[2, 1, 1], [2, 2, 1]], [[1, 1]], [[5]]], ids=str)
def test_a_violation_is_no_protection(classes: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="allowed"):
        excessive_protection(HALF, classes)


def test_no_rows() -> None:
    with pytest.raises(ValueError, match="without rows"):
        excess_of_class(HALF, [])


def test_documented_example() -> None:
    assert doctest.testmod(protection).failed == 0 and doctest.testmod(protection).attempted


@settings(max_examples=examples(100))
@given(st.lists(st.lists(st.integers(1, 6), min_size=1, max_size=6), min_size=1, max_size=5), st.integers(2, 5))
def test_many_classes_are_each_by_itself(classes: list[list[int]], l: int) -> None:
    caps = caps_of(Capping(Fraction(3, 5), l))
    owner = np.array([at for at, counts in enumerate(classes) for _ in counts])
    found, broken = excesses(
        caps, owner, np.array([each for counts in classes for each in counts]), np.array([*map(sum, classes)])
    )
    for at, counts in enumerate(classes):
        try:
            assert found[at] == pytest.approx(float(excess_of_class(caps, counts))) and not broken[at]
        except ValueError:
            assert broken[at]


def test_large_numbers_are_compared_exactly() -> None:
    """A cap that a third misses by one part in 10³⁰ is broken."""
    cap = Fraction(1, 3) - Fraction(1, 10**30)
    owner, ones = np.zeros(3, dtype=np.int64), np.ones(3, dtype=np.int64)
    assert excesses([cap, Fraction(2, 3)], owner, ones, np.array([3]))[1].tolist() == [True]
    assert excesses([Fraction(1, 3), Fraction(2, 3)], owner, ones, np.array([3]))[1].tolist() == [False]


@pytest.mark.parametrize("case", golden("tau_l")["psi_cases"], ids=lambda case: f"{case['tau']}, {case['l']}")
def test_psi(case: dict[str, Any]) -> None:
    made = caps_of(Capping(Fraction(case["tau"]), case["l"]))
    assert [str(each) for each in made] == case["psi"][: case["l"] - 1]
    assert caps_of(Capping(Fraction(1, 2), 3, HALF[::-1])) == HALF[::-1]


DISEASES = {"tree": {"any": {"x": ["a", "b"], "y": ["c", "d"]}}}
POLICY: dict[str, Any] = {
    "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive", "hierarchy": DISEASES}},
    "privacy": [{"model": "tau-l", "tau": "1/2", "l": 3}],
}
ORIGINAL = pl.DataFrame({"q": [*"1111222222"], "s": [*"aabc", *"aabcdd"]})


def figure(shown: list[str], **settings: Any) -> sf.Measured:
    table = ORIGINAL.with_columns(s=pl.Series(shown))
    return sf.measure(table, POLICY, original=ORIGINAL, only=[{"measure": "excessive-protection", **settings}])


def test_of_a_release() -> None:
    """Of 1: a a b c, 0. Of 2: F is 1/3, 2/3, 5/6, 1: 1/6 + 1/12 + 1/6."""
    found = figure([*"aabc", *"aabcdd"])["excessive-protection"]
    assert found.value == found.columns["s"] == pytest.approx(0)
    assert found.details["mean of classes"] == pytest.approx((1 / 6 + 1 / 12 + 1 / 6) / 2)
    looser = figure([*"aabc", *"aabcdd"], tau="2/3", l=3)["excessive-protection"]
    assert looser.value == pytest.approx(1 / 6 + 1 / 12), "psi is 2/3, 5/6"


def test_generalized_values_count_for_what_is_below_them() -> None:
    """x is a and b by halves: of 1, x x b c is 2 b, a, c: F 1/2, 3/4; weights of the table are four a to two b."""
    assert figure([*"xxbc", *"aabcdd"])["excessive-protection"].value == pytest.approx(0)
    by_rows = {**POLICY, "privacy": [{"model": "tau-l", "tau": "1/2", "l": 3, "weights": "table"}]}
    table = ORIGINAL.with_columns(s=pl.Series([*"xxbc", *"xxxcdd"]))
    found = sf.measure(table, by_rows, original=ORIGINAL, only=["excessive-protection"])["excessive-protection"]
    first = [Fraction(4, 3), Fraction(5, 3), Fraction(1)]
    second = [Fraction(2), Fraction(1), Fraction(1), Fraction(2)]
    assert found.value == pytest.approx(float(excessive_protection(HALF, [first, second])))


def test_a_release_that_breaks_it_has_none() -> None:
    found = figure([*"aaac", *"aabcdd"])
    assert found.measurements[0].figure is None
    assert found.measurements[0].lacks == "classes of 's' that keep the promise: 1 of 2 break it"


def test_which_promise() -> None:
    plain = {**POLICY, "privacy": [{"model": "simple-l", "l": 2}]}
    found = sf.measure(ORIGINAL, plain, original=ORIGINAL, only=["excessive-protection"])
    assert found.measurements[0].lacks.startswith("a promise that caps shares")
    asked = {"measure": "excessive-protection", "tau": "1/2", "l": 2}
    assert sf.measure(ORIGINAL, plain, original=ORIGINAL, only=[asked])["excessive-protection"].value > 0
    for tau, l in (("1/2", None), (1, 2), ("1/4", 3), ("x", 2), (".9", 2.5), (None, 2)):
        with pytest.raises(sf.InputError, match="tau"):
            figure([*"aabc", *"aabcdd"], tau=tau, l=l)
    with pytest.raises(sf.InputError, match="'q' is no sensitive column"):
        figure([*"aabc", *"aabcdd"], on="q")


@pytest.mark.parametrize("form", ["generalized", "anatomized", "permuted"])
@pytest.mark.parametrize("method", ["mondrian", "sweep"])
@settings(max_examples=examples(20))
@given(st.integers(0, 10**6), st.integers(8, 40))
def test_a_release_comes_with_it(method: str, form: str, seed: int, rows: int) -> None:
    """The same as measured, class by class as a reader sees them, by fractions."""
    draw = random.Random(seed)
    places = [str(draw.randrange(6)) for _ in range(rows)]
    frame = pl.DataFrame({"q": places, "s": ["abcd"[row % 4] for row in range(rows)]})
    given = {**POLICY, "partition": {"method": method}, "form": {"publish": form}}
    try:
        release = sf.publish(frame, policy=given, seed=seed)
    except (sf.NoneFound, sf.Refused):
        return
    weights = {"x": "ab", "y": "cd", "any": "abcd", **{value: value for value in "abcd"}}
    classes: dict[str, dict[str, Fraction]] = {}
    for row in release.tables["sensitive" if form == "anatomized" else "table"].to_dicts():
        mine = classes.setdefault(str(row["q" if form == "generalized" else "group"]), {})
        for value in weights[row["s"]]:
            mine[value] = mine.get(value, Fraction(0)) + Fraction(int(row.get("count", 1)), len(weights[row["s"]]))
    wanted = float(excessive_protection(HALF, [[*counts.values()] for counts in classes.values()]))
    assert release.protection == pytest.approx(wanted)
    kept = release.held[1].loss
    assert kept is not None and release.facts()["loss"]["protection"] == kept.protection == release.protection
    assert f"excessive protection: {release.protection:.4f}" in release.summary()
    assert sf.measure(release, only=["excessive-protection"])["excessive-protection"].value == release.protection


def test_a_release_without_such_a_promise_does_not() -> None:
    given = {**POLICY, "privacy": [{"model": "simple-l", "l": 2}], "partition": {"method": "mondrian"}}
    release = sf.publish(ORIGINAL, policy=given, seed=1)
    assert release.protection is None and release.facts()["loss"]["protection"] is None
    assert "protection" not in release.summary()
    ring = {**POLICY, "partition": {"method": "mondrian"}, "form": {"publish": "ring"}}
    rings = sf.publish(ORIGINAL, policy=ring, seed=1)
    assert rings.protection is None, "classes of rings are the holder's secret"
    assert sf.measure(rings, only=["excessive-protection"])["excessive-protection"].value >= 0
    outside = sf.measure(rings.table, POLICY, original=ORIGINAL, only=["excessive-protection"])
    assert outside.measurements[0].figure is not None, "a table of which nothing is said is taken as it stands"
