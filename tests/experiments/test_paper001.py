"""Paper 001 on small tables: classes of a recoding, who is exposed, and the shape of Lands End."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from experiments.paper001 import data, facts, homogeneity, orders, times
from experiments.paper001.data import LANDS_END, QUASI, VARIANTS, Census, census_of, lands_end
from sfumato import datasets

ROWS = 96
_VALUES = {
    "sex": ["Male", "Female"],
    "race": ["White", "Black"],
    "marital-status": ["Divorced", "Widowed"],
    "education": ["HS-grad", "Bachelors"],
    "native-country": ["Canada", "Peru"],
    "workclass": ["Private", "State-gov"],
    "occupation": ["Sales", "Tech-support", "Craft-repair", "Adm-clerical"],
}


@pytest.fixture(scope="module")
def people() -> Census:
    chance = np.random.default_rng(6)
    columns = {name: chance.choice(values, ROWS) for name, values in _VALUES.items()}
    return census_of(pl.DataFrame({"age": chance.integers(20, 60, ROWS), **columns, "income": ["<=50K"] * ROWS}))


def test_heights_are_those_of_the_paper(people: Census) -> None:
    table = sf.read(people.select(QUASI, "occupation"), people.policy(QUASI, "occupation")).encode()
    heights = {column.name: column.taxonomy.height for column in table.quasi if column.taxonomy is not None}
    assert [heights[name] for name in QUASI] == [4, 1, 1, 2, 3, 2, 2]


def test_facts_are_counted(people: Census) -> None:
    (row,) = facts.measure(people, {"table": "Adult"})
    assert row["one_in"] == 81 and row["groups_alone"] == pytest.approx(12_000 / 81, abs=1e-3)
    assert row["aged_31_to_40"] == ((people.frame["age"] > 30) & (people.frame["age"] < 41)).sum()
    assert (row["rows"], row["sex"], row["marital_status"], row["income"], row["occupation"]) == (ROWS, 2, 2, 1, 4)


def test_classes_of_a_recoding(people: Census) -> None:
    table = sf.read(people.select(("sex",), "occupation"), people.policy(("sex",), "occupation")).encode()
    counts = homogeneity.classes_of(table, {"sex": 0}, "occupation")
    frame = people.frame.group_by("sex", "occupation").len()
    assert sorted(counts[counts > 0].tolist()) == sorted(frame["len"].to_list()) and counts.sum() == ROWS
    assert homogeneity.classes_of(table, {"sex": 1}, "occupation").shape[0] == 1


@pytest.mark.parametrize("variant", [each or "as here" for each in VARIANTS])
def test_other_hierarchies_have_the_same_heights(people: Census, variant: str) -> None:
    other = Census(people.frame, variant.removeprefix("as here"))
    table = sf.read(other.select(QUASI, "occupation"), other.policy(QUASI, "occupation")).encode()
    assert [column.taxonomy.height for column in table.quasi if column.taxonomy is not None] == [4, 1, 1, 2, 3, 2, 2]
    (row,) = homogeneity.varied(people, {"sensitive": "Salary", "hierarchies": variant})
    assert row["minimal"] == row["vulnerable"] and row["minimal"]  # all have one salary


def test_a_column_of_one_value_exposes_everybody(people: Census) -> None:
    rows = homogeneity.minimal(people, {"sensitive": "Salary"})
    assert rows and all(row["exposed"] == ROWS and row["homogeneous"] == row["classes"] for row in rows)
    assert all(row["entropy_l"] == 1.0 and row["least_c"] is None for row in rows)
    told = homogeneity.minimal(people, {"sensitive": "Occupation"})
    assert all((row["least_c"] is None) == bool(row["homogeneous"]) for row in told)
    sizes = [row["size"] for row in homogeneity.coarse(people, {"k": 4})]
    assert sizes and all(isinstance(size, float) and size >= 4 for size in sizes)


def test_heights_and_samples(people: Census, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "SHARE", 0.5)
    for model in ("k-anonymity", "entropy l", "recursive (3,l)"):
        (row,) = homogeneity.heights(people, {"model": model, "k": 2})
        height, sample, size = row["height"], row["sample"], row["size"]
        assert isinstance(height, int) and 0 <= height <= 8 and isinstance(size, float) and size >= 2
        assert isinstance(sample, int) and 30 <= sample <= 66


def test_orders_have_the_printed_domains(people: Census) -> None:
    frame = lands_end(20_000)
    for name, (size, _) in LANDS_END.items():
        assert frame[name].max() < size and (size > 400 or frame[name].n_unique() == size)  # type: ignore[operator]
    rows = orders.minimal({2_000: frame.head(2_000)}, {"rows": 2_000})
    assert rows and all(row["homogeneous"] == 0 or float(row["exposed"] or 0) >= 3 for row in rows)
    assert all(float(row["classes"] or 0) <= 2_000 / 3 and float(row["entropy_l"] or 0) >= 1 for row in rows)
    (row,) = times.on_orders(frame.head(2_000), {"model": "6-anonymity", "size": 3})
    assert row["minimal"] and row["seconds"] is not None
    (row,) = times.on_adult(people, {"model": "6-anonymity", "size": 3})
    assert row["minimal"]


@pytest.mark.data
def test_ages_are_as_many_as_printed() -> None:
    ages = datasets.adult_complete()["age"]
    assert (
        ages.n_unique() == 74
        and ((ages > 80) & (ages <= 90)).sum() == 114
        and ((ages > 30) & (ages <= 40)).sum() == 12_291
    )
