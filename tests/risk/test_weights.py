"""Sampling weights and persons with several rows, against every row by itself."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.release.subject import Subject
from sfumato.risk.assess import assess
from sfumato.risk.estimates import mean_share
from tests.risk.reference import POLICY, fits, people, rows_for, texts_of

WEIGHED = {**POLICY, "columns": {**POLICY["columns"], "weight": {"role": "weight"}}}
VISITS = {**POLICY, "columns": {**POLICY["columns"], "patient": {"role": "individual"}}}


def expected(rows: int, weights: float) -> float:
    """Of a class; `test_estimates` has the sums that it stands for."""
    return float(mean_share(np.array([rows]), np.array([weights]))[0])


@pytest.mark.parametrize("form", ["generalized", "anatomized"])
@given(st.integers(0, 10**6), st.integers(8, 40))
def test_weights_estimate_the_population(form: str, seed: int, rows: int) -> None:
    draw = random.Random(seed)
    weights = [draw.choice([1, 2.5, 40]) for _ in range(rows)]
    frame = people(seed, rows).with_columns(weight=pl.Series(weights, dtype=pl.Float64))
    release = sf.publish(frame, policy={**WEIGHED, "form": {"publish": form}}, seed=1)
    subject = Subject.of(release)
    found = assess(subject)
    assert found.before is not None and found.after is not None and found.before.journalist is not None
    assert found.register == "weights" and found.population == pytest.approx(sum(weights))
    persons = texts_of(frame)
    alike: dict[str, list[float]] = defaultdict(list)
    for person, weight in zip(persons, weights, strict=True):
        alike[str(person)].append(weight)
    risks = [expected(len(alike[str(each)]), sum(alike[str(each)])) for each in persons]
    assert found.before.journalist.mean == pytest.approx(sum(risks) / rows)
    assert found.before.journalist.largest == pytest.approx(max(risks))
    uniques = [each[0] for each in alike.values() if len(each) == 1]
    assert found.before.population_uniques == pytest.approx(sum(1 / max(each, 1) for each in uniques))
    pairs = sum(max(sum(each) - 2, 0) for each in alike.values() if len(each) == 2)
    right = found.before.right_if_unique
    assert right == (pytest.approx(len(uniques) / (len(uniques) + pairs)) if uniques else None)
    after = risks
    if form == "generalized":
        after = []
        for person in persons:
            mine = rows_for(subject, person)
            inside = [
                [weight for other, weight in zip(persons, weights, strict=True) if fits(subject, row, other)]
                for row in mine
            ]
            after.append(min(1 / len(mine), max(expected(len(each), sum(each)) for each in inside)))
    assert found.after.journalist is not None
    assert found.after.journalist.mean == pytest.approx(sum(after) / rows)
    for side in (found.before, found.after):
        assert side.journalist is not None
        assert side.prosecutor.largest >= side.journalist.largest - 1e-12 >= side.marketer - 2e-12


def test_a_population_counts_more_than_weights() -> None:
    frame = people(2, 20).with_columns(weight=pl.lit(3.0))
    release = sf.publish(frame, policy=WEIGHED, seed=1)
    found = assess(Subject.of(release), frame.drop("weight", "disease"))
    assert found.register == "population" and found.population == 20


def test_weights_that_sum_to_the_rows_are_told() -> None:
    release = sf.publish(people(2, 20).with_columns(weight=pl.lit(1.0)), policy=WEIGHED, seed=1)
    found = assess(Subject.of(release))
    assert found.before is not None and found.before.journalist is not None
    assert found.before.journalist.mean == pytest.approx(found.before.prosecutor.mean)
    assert any("sum to no more than the rows" in note for note in found.notes)


@given(st.integers(0, 10**6), st.integers(8, 30))
def test_somebody_with_several_rows_is_found_more_easily(seed: int, rows: int) -> None:
    """By a combination of which m of n rows are theirs: m/n; counted once for every combination that they have."""
    draw = random.Random(seed)
    frame = people(seed, rows).with_columns(patient=pl.Series([str(draw.randrange(rows // 2)) for _ in range(rows)]))
    table = frame.drop("patient")
    with_rows = Subject.of(table, VISITS, original=frame)
    found = assess(with_rows)
    assert found.before is not None and found.after is not None
    pairs = [*zip(map(str, texts_of(frame)), frame["patient"].to_list(), strict=True)]
    alike = Counter(combination for combination, _ in pairs)
    risks = [Fraction(mine, alike[combination]) for (combination, _), mine in Counter(pairs).items()]
    for side in (found.before, found.after):  # the release shows everything
        assert side.prosecutor.people == len(risks) and side.prosecutor.largest == float(max(risks))
        assert side.prosecutor.mean == pytest.approx(float(sum(risks) / len(risks)))
        for each in side.prosecutor.above:
            assert each.people == sum(risk >= Fraction(each.threshold) for risk in risks)
    persons = Counter(combination for combination, _ in set(pairs))
    assert found.before.unique.rows == sum(many == 1 for many in persons.values())
