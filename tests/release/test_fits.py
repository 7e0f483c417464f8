"""Who fits which classes, against looking at every person and every row; and what follows for their secrets."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.release.cells import covers
from sfumato.release.fits import Fits, Known
from sfumato.release.subject import Lacking, Subject

POLICY: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "type": "integer"},
        "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
        "sex": {"role": "quasi"},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "simple-l", "l": 2}],
    "partition": {"method": "mondrian"},
}


def people(seed: int, rows: int) -> pl.DataFrame:
    """Rows of a small hospital, of which no disease fills more than half."""
    draw = random.Random(seed)
    diseases = [f"d{place % 5}" for place in range(rows)]
    draw.shuffle(diseases)
    return pl.DataFrame(
        {
            "age": [draw.randrange(20, 60) for _ in range(rows)],
            "zip": [f"{draw.randrange(4)}{draw.randrange(10)}" for _ in range(rows)],
            "sex": [draw.choice(["female", "male", "other"]) for _ in range(rows)],
            "disease": diseases,
        }
    )


def released(frame: pl.DataFrame, form: str, **changes: Any) -> sf.Release:
    return sf.publish(frame, policy={**POLICY, "form": {"publish": form}, **changes}, seed=1)


def fitted(subject: Subject) -> tuple[Known, Fits, Any]:
    numbered = subject.numbered("disease")
    known = Known.of(subject.tuples, subject.quasi)
    return known, Fits.of(subject, known, numbered), numbered


@given(st.integers(0, 10**6), st.integers(8, 60))
def test_a_person_fits_the_rows_that_cover_them(seed: int, rows: int) -> None:
    """Generalized: the chance of a value is its share of the rows that cover somebody."""
    frame = people(seed, rows)
    subject = Subject.of(released(frame, "generalized"))
    known, fits, numbered = fitted(subject)
    chances = fits.chances(numbered.shares)
    table, columns = subject.seen.table.cast(pl.String), subject.policy.columns
    names = {name: subject.domain(name).values.cast(pl.String).to_list() for name in (*known.names, "disease")}
    for person, codes in enumerate(known.codes.tolist()):
        texts = {name: names[name][code] for name, code in zip(known.names, codes, strict=True)}
        trees = {name: subject.domain(name).taxonomy for name in texts}
        mine = [
            row["disease"]
            for row in table.to_dicts()
            if all(covers(row[name], texts[name], columns[name], trees[name]) for name in texts)
        ]
        assert fits.rows[person] == len(mine) > 0
        entries = slice(chances.starts[person], chances.starts[person + 1])
        told = dict(zip(chances.values[entries].tolist(), chances.chances[entries].tolist(), strict=True))
        wanted = {names["disease"].index(value): count / len(mine) for value, count in Counter(mine).items()}
        assert told == pytest.approx(wanted)


@pytest.mark.parametrize("form", ["anatomized", "permuted"])
@given(st.integers(0, 10**6), st.integers(8, 60))
def test_exact_quasi_identifiers_lead_to_a_group(form: str, seed: int, rows: int) -> None:
    subject = Subject.of(released(people(seed, rows), form))
    known, fits, numbered = fitted(subject)
    ids = str(subject.received.evidence.group_id)
    shown = subject.people[0].cast(pl.String).to_dicts()
    secrets = subject.seen.table.cast(pl.String).to_dicts()
    held = {
        group: Counter(row["disease"] for row in secrets if row[ids] == group) for group in {r[ids] for r in secrets}
    }
    names = {name: subject.domain(name).values.cast(pl.String).to_list() for name in (*known.names, "disease")}
    chances = fits.chances(numbered.shares)
    for person, codes in enumerate(known.codes.tolist()):
        texts = [names[name][code] for name, code in zip(known.names, codes, strict=True)]
        mine = [row[ids] for row in shown if [row[name] for name in known.names] == texts]
        assert len(mine) == known.counts[person] == fits.rows[person]
        for code, value in enumerate(names["disease"]):
            wanted = sum(Fraction(held[group][value], sum(held[group].values())) for group in mine) / len(mine)
            found = chances.of(np.array([person]), np.array([code]))[0]
            assert found == pytest.approx(float(wanted))


def test_slices_are_met_as_often_as_chance_has_it() -> None:
    """Two slices of one bucket of four: a person who is one of two by either is there as one row would be."""
    frame = pl.DataFrame(
        {"age": [1, 1, 2, 2], "zip": ["10", "20", "10", "20"], "sex": ["f"] * 4, "disease": ["a", "b", "c", "d"]}
    )
    policy = {**POLICY, "form": {"publish": "sliced", "slices": [["age"], ["zip"], ["sex"]]}}
    release = sf.publish(frame, policy={**policy, "privacy": [{"model": "simple-l", "l": 4}]}, seed=1)
    _, fits, numbered = fitted(Subject.of(release))
    assert fits.rows.tolist() == [1.0] * 4
    assert fits.chances(numbered.shares).chances.tolist() == [0.25] * 16


def test_somebody_elses_value_is_no_surer_than_it_was_kept() -> None:
    frame = people(3, 60)
    release = released(frame, "randomized", partition={"method": "mondrian", "slack": 1})
    subject = Subject.of(release)
    _, fits, numbered = fitted(subject)
    assert subject.seen.retention is not None
    total = max(frame["disease"].value_counts(normalize=True)["proportion"])
    kept = float(subject.seen.retention)
    assert fits.chances(numbered.shares).best()[1].max() <= kept + (1 - kept) * (total + 0.2)
    assert np.add.reduceat(numbered.shares.shares, numbered.shares.starts[:-1]) == pytest.approx(1)


def test_too_many_pairs_leave_some_people_out() -> None:
    subject = Subject.of(released(people(5, 60), "generalized"))
    known, fits, numbered = fitted(subject)
    some = Fits.of(subject, known, numbered, most=10)
    assert some.looked > 1 and some.known.counts.sum() < known.counts.sum()
    assert some.rows.tolist() == fits.rows[:: some.looked].tolist()


def test_without_the_original_there_is_no_domain() -> None:
    release = released(people(7, 30), "generalized")
    subject = Subject.of(release.table, POLICY)
    with pytest.raises(Lacking, match="the original table"):
        subject.numbered("disease")
    assert subject.rows == 30 and subject.classes[2].sum() == 30
