"""001's Theorem 3.1 against every world; disclosures and breaches by hand; Theorem 5.1 by a counterexample."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sfumato as sf
from tests.support.bayes import after, before

POLICY: dict[str, Any] = {
    "columns": {"q": {"role": "quasi", "hierarchy": {"mask": "right"}}, "s": {"role": "sensitive"}},
    "privacy": [{"model": "k-anonymity", "k": 1}],
}


def frame_of(population: dict[tuple[str, str], int]) -> pl.DataFrame:
    rows = [(q, s, count) for (q, s), count in population.items()]
    return pl.DataFrame(rows, schema=["q", "s", "count"], orient="row")


def attacked(people: list[tuple[str, str]], blocks: list[str], population: object, **settings: Any) -> sf.Exposure:
    original = pl.DataFrame(people, schema=["q", "s"], orient="row")
    published = original.with_columns(pl.Series("q", blocks))
    only = [{"adversary": "bayes", **settings}]
    found = sf.attack(published, POLICY, original=original, only=only, population=population)["bayes"]
    assert not found.lacks
    [exposure] = found.exposures
    return exposure


@given(st.integers(0, 10**6))
@example(294)  # two values that nobody in the table has are two
def test_against_every_world(seed: int) -> None:
    """Two blocks, a* and b*, and a population with quasi-identifiers that nobody in the table has."""
    draw = random.Random(seed)
    every = list(product(["a1", "a2", "a3", "b1", "b2"], "xyz"))
    population = {pair: count for pair in every if (count := draw.randrange(4))}
    people = draw.choices(every[:6] + every[9:], k=draw.randrange(2, 9))  # nobody is a3
    blocks = {kind: [s for q, s in people if q[0] == kind] for kind in "ab"}
    delta, epsilon, rho1, rho2 = (Fraction(draw.randrange(1, 10), 20) for _ in range(4))
    positive = negative = breaches = 0
    moved, believed = [Fraction(0)], [Fraction(0)]
    for q, own in people:
        prior = before(population, q) if any((q, s) in population for s in "xyz") else {}
        posterior = after(population, q, {f"{q[0]}{n}" for n in "123"}, blocks[q[0]]) if prior else None
        if posterior is None:
            continue
        pairs = [(s, alpha, posterior.get(s, Fraction(0))) for s, alpha in prior.items() if alpha]
        positive += posterior.get(own, Fraction(0)) > 1 - delta
        negative += any(beta < epsilon <= alpha and s != own for s, alpha, beta in pairs)
        rose = any(alpha < rho1 and beta > rho2 for _, alpha, beta in pairs)
        breaches += rose or any(alpha > 1 - rho1 and beta < 1 - rho2 for _, alpha, beta in pairs)
        moved += [abs(alpha - beta) for _, alpha, beta in pairs]
        believed += posterior.values()
    settings = {"delta": float(delta), "epsilon": float(epsilon), "rho1": float(rho1), "rho2": float(rho2)}
    found = attacked(people, [f"{q[0]}*" for q, _ in people], frame_of(population), **settings)
    assert (found.people, found.exposed) == (len(people), positive)
    assert found.details["negative disclosures, people"] == negative
    assert found.details["breaches, people"] == breaches
    assert found.details["largest change of belief"] == pytest.approx(float(max(moved)))
    assert found.surest == pytest.approx(float(max(believed)))


CORRELATED = {("a1", "x"): 9, ("a1", "y"): 1, ("a2", "x"): 1, ("a2", "y"): 9}
"""Nearly everybody with a1 has x, and with a2 y."""
MIXED = [("a1", "x"), ("a1", "y"), ("a2", "x"), ("a2", "y")]


def test_bayes_optimal_privacy_does_not_survive_merging() -> None:
    """001, Theorem 5.1: each block by itself tells 1/2; merged, what the population knows tells them apart.

    Half of a block of a1 has x, and nothing else can be said of anybody there. In a block of both, x goes with a1:
    9/10, which is more than 1 - delta for delta = 0.2.
    """
    apart = attacked(MIXED, ["a1", "a1", "a2", "a2"], frame_of(CORRELATED), delta=0.2)
    merged = attacked(MIXED, ["a*"] * 4, frame_of(CORRELATED), delta=0.2)
    assert (apart.exposed, apart.surest) == (0, 0.5) and merged.exposed == 2
    assert merged.surest == pytest.approx(0.9)
    worst = []
    for x, y in product(range(1, 10), repeat=2):  # the same by the theorem alone, over small populations
        population = {("a1", "x"): x, ("a1", "y"): 10 - x, ("a2", "x"): y, ("a2", "y"): 10 - y}
        single = max(max((after(population, q, {q}, "xy") or {}).values()) for q in ("a1", "a2"))
        both = max(max((after(population, q, {"a1", "a2"}, "xyxy") or {}).values()) for q in ("a1", "a2"))
        worst += [(x, y)] if single <= Fraction(4, 5) < both else []
    assert (9, 1) in worst and (5, 5) not in worst


def test_a_frame_of_people_and_a_table_of_counts_say_the_same() -> None:
    people = [(q, s) for (q, s), count in CORRELATED.items() for _ in range(count)]
    rows = attacked(MIXED, ["a*"] * 4, pl.DataFrame(people, schema=["q", "s"], orient="row"))
    assert rows == attacked(MIXED, ["a*"] * 4, frame_of(CORRELATED))
    assert rows.details["guesses right by the population alone"] == 0.5


def test_in_a_group_with_exact_quasi_identifiers() -> None:
    """a1 and a2 in one group of x and y: 81/82 by both worlds, 9/10 by the first step towards them."""
    frame = pl.DataFrame({"q": ["a1", "a2"], "s": ["x", "y"]})
    policy = {**POLICY, "privacy": [{"model": "simple-l", "l": 2}], "partition": {"method": "anatomy"}}
    release = sf.publish(frame, policy={**policy, "form": {"publish": "anatomized"}}, seed=1)
    [found] = sf.attack(release, only=["bayes"], population=frame_of(CORRELATED))["bayes"].exposures
    assert found.surest == pytest.approx(0.9) and found.right == 1.0


def test_who_is_not_in_the_population_is_not_judged() -> None:
    population = {("a1", "x"): 1, ("a1", "y"): 1, ("b1", "x"): 1}
    found = attacked([("a1", "x"), ("a2", "y"), ("b1", "y")], ["a*", "a*", "b*"], frame_of(population))
    assert found.details["people whom nobody of the population is like"] == 1
    assert found.details["people whose class the population contradicts"] == 1  # nobody of b1 has y
    assert found.surest == 0.5


def test_written_hierarchies_say_alone_what_labels_mean() -> None:
    tree = {"tree": {"low": ["1", "2"], "high": ["3"]}}
    policy = {**POLICY, "columns": {**POLICY["columns"], "q": {"role": "quasi", "hierarchy": tree}}}
    original = pl.DataFrame({"q": ["1", "2"], "s": ["x", "y"]})
    population = pl.DataFrame({"q": ["1", "1", "2", "2", "7"], "s": ["x", "y", "x", "y", "x"]})
    published = original.with_columns(q=pl.lit("low"))
    found = sf.attack(published, policy, original=original, only=["bayes"], population=population)["bayes"]
    assert found.exposures[0].details["share of the population left out"] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("population", "message"),
    [
        (pl.DataFrame({"q": ["a1"]}), "must have at least one of the published quasi-identifiers"),
        (pl.DataFrame({"q": ["a1"], "s": ["x"], "count": [-1]}), "column 'count' must hold numbers of 0 or more"),
        (pl.DataFrame({"q": ["a1"], "s": ["x"], "count": ["many"]}), "column 'count' must hold numbers of 0 or more"),
        ("nobody.csv", "population: nobody.csv"),
    ],
)
def test_populations_that_say_nothing_are_refused(population: object, message: str) -> None:
    with pytest.raises(sf.InputError, match=message):
        attacked(MIXED, ["a*"] * 4, population)


def test_without_a_population_it_is_not_tried() -> None:
    frame = pl.DataFrame(MIXED, schema=["q", "s"], orient="row")
    found = sf.attack(frame, POLICY, original=frame, only=["bayes"])["bayes"]
    assert "population=" in found.lacks
    with pytest.raises(sf.InputError, match="rho1 must be from 0 to 1"):
        sf.attack(frame, POLICY, original=frame, only=[{"adversary": "bayes", "rho1": 2}])
