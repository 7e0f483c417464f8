"""Count queries: how they are drawn, and what comes of them."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.measures.uses.answers import answered
from sfumato.measures.uses.strips import Strips
from sfumato.measures.uses.workload import Style, Workshop
from sfumato.randomness import Randomness
from sfumato.release.subject import Subject
from tests.release.test_fits import POLICY, people, released
from tests.support.inpatient import FOUR_ANONYMOUS, ORIGINAL, THREE_DIVERSE
from tests.support.inpatient import POLICY as INPATIENT

VISITS: dict[str, list[Any]] = {
    "age": [20, 21, 30, 31],
    "symptoms": ["cough|fever", "cough", "rash", "fever|rash"],
}
TERMS: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "type": "integer"},
        "symptoms": {
            "role": "quasi-sensitive",
            "separator": "|",
            "knowledge": {"labels": {"A": ["cough", "fever"], "B": ["rash", "fever"]}},
        },
    },
    "privacy": [{"model": "k-anonymity", "k": 2}],
}


def workshop(subject: Subject, style: Style, dimensions: int, selectivity: float = 0.5, seed: int = 1) -> Workshop:
    names = (*subject.quasi, *subject.sensitive)
    quasi, secrets = ([subject.domain(name) for name in part] for part in (subject.quasi, subject.sensitive))
    table = Strips.original(subject, names)
    return Workshop(table, quasi, secrets, style, dimensions, selectivity, Randomness.fixed(seed))


def test_nodes_are_nodes_and_one_is_of_the_secret() -> None:
    subject = Subject.of(released(people(3, 60), "generalized"))
    made = workshop(subject, "nodes", 3).draw(500, "test", around=False)
    assert ((made.low >= 0).sum(axis=1) == 3).all() and (made.low[:, -1] >= 0).all()
    for place, name in enumerate(made.names):
        there = made.low[:, place] >= 0
        runs = {*zip(made.low[there, place].tolist(), made.high[there, place].tolist(), strict=True)}
        tree = subject.domain(name).taxonomy
        every = {(code, code) for code in range(subject.domain(name).size)}
        if tree is not None:
            every = {*zip(tree.first[:-1].tolist(), tree.last[:-1].tolist(), strict=True)}
        assert runs <= every and len(runs) > len(every) / 2


@pytest.mark.parametrize(("dimensions", "listed"), [(1, 3), (2, 5), (3, 7)])
def test_ranges_list_as_many_values_as_the_selectivity_says(dimensions: int, listed: int) -> None:
    """⌈10 · 0.25⌉, ⌈10 · 0.25^(1/2)⌉, ⌈10 · 0.25^(1/3)⌉ = ⌈6.3⌉."""
    frame = pl.DataFrame({"age": [*range(10)], "zip": ["1"] * 10, "sex": ["f"] * 10, "disease": [*"abcdefghij"]})
    made = workshop(Subject.of(frame, POLICY, original=frame), "ranges", dimensions, 0.25)
    queries = made.draw(200, "test", around=False)
    lengths = (queries.high - queries.low + 1)[:, [0, 3]]
    assert {*lengths[queries.low[:, [0, 3]] >= 0].tolist()} == {listed}
    assert queries.low.min() == -1 and queries.high.max() == 9
    assert {*queries.low[:, 3].tolist()} == {*range(11 - listed)}


@pytest.mark.parametrize("style", ["nodes", "ranges"])
def test_queries_around_rows_are_answered_by_some(style: Style) -> None:
    subject = Subject.of(released(people(3, 60), "generalized"))
    made = workshop(subject, style, 4, 0.001)
    queries = made.draw(300, "test", around=True)
    assert answered(made.table, queries).min() >= 1
    assert answered(made.table, made.draw(300, "test", around=False)).min() == 0


def test_a_query_that_no_row_answers_is_drawn_again() -> None:
    subject = Subject.of(released(people(3, 60), "generalized"))
    made = workshop(subject, "nodes", 4).workload(200, lambda stage, done, total: None)
    assert len(made.queries) == len(made.actual) == 200 and made.actual.min() >= 1
    assert made.empty == made.drawn - 200 > 0
    assert made.actual == pytest.approx(answered(workshop(subject, "nodes", 4).table, made.queries))


def test_the_error_by_hand() -> None:
    """The secret alone is published as it is: no error. Two rows lost: exactly as many as queries would count."""
    frame, one = pl.DataFrame(ORIGINAL), {"measure": "count-queries", "dimensions": 1, "queries": 400}
    for shown in (FOUR_ANONYMOUS, THREE_DIVERSE):
        found = sf.measure(pl.DataFrame(shown), INPATIENT, original=frame, only=[one])
        assert found["count-queries"].value == 0.0
    figure = sf.measure(pl.DataFrame(ORIGINAL)[:10], INPATIENT, original=frame, only=[one])["count-queries"]
    # Heart, viral and cancer are 3, 4 and 5 of 12; without the last two rows cancer is 3.
    asked = figure.value / (2 / 5)
    assert 0.2 < asked < 0.5 and figure.details["median"] == 0.0


def test_coarser_is_worse() -> None:
    """By two predicates, 001's 3-diverse table answers worse than the table itself and better than stars."""
    frame, values = pl.DataFrame(ORIGINAL), []
    stars = {**ORIGINAL, **{name: ["*"] * 12 for name in ("zip", "age", "nationality")}}
    for shown in (ORIGINAL, THREE_DIVERSE, stars):
        measured = sf.measure(pl.DataFrame(shown), INPATIENT, original=frame, only=["count-queries"], seed=2)
        values.append(measured["count-queries"].value)
    assert values[0] == 0.0 < values[1] < values[2]


def test_terms_left_out_are_missed() -> None:
    """One predicate on terms: ⌈3 · 0.3⌉ = 1 term. cough, fever and rash are in two rows each; a fever is left out."""
    frame = pl.DataFrame(VISITS)
    symptoms = pl.Series(["cough|*", "cough", "rash", "fever|rash"])
    shown = frame.with_columns(pl.col("age").cast(pl.String), symptoms=symptoms)
    asked = {"measure": "count-queries", "dimensions": 1, "selectivity": 0.3, "queries": 600}
    figure = sf.measure(shown, TERMS, original=frame, only=[asked])["count-queries"]
    assert figure.value == pytest.approx((1 / 2) / 3, abs=0.03) and figure.details["predicates"] == 1
    whole = sf.measure(frame, TERMS, original=frame, only=[{**asked, "dimensions": 2}])["count-queries"]
    assert whole.value == 0.0 and whole.details["predicates"] == 2


def test_the_same_seed_asks_the_same() -> None:
    release = released(people(5, 80), "anatomized")
    one, again, other = (sf.measure(release, only=["count-queries"], seed=seed)["count-queries"] for seed in (1, 1, 2))
    assert one == again and one.value != other.value


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    sf.measure(released(people(5, 80), "generalized"), only=["count-queries"], progress=lambda *each: told.append(each))
    stages = {stage for stage, _, _ in told}
    assert {"queries of the original", "queries of the release"} <= stages
    assert all(0 <= done <= total for _, done, total in told)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [({"style": "both"}, "nodes or ranges"), ({"dimensions": 0}, "1 or more"), ({"selectivity": 0}, "above 0")],
)
def test_settings_that_make_no_sense_are_named(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(sf.InputError, match=named):
        sf.measure(released(people(5, 30), "generalized"), only=[{"measure": "count-queries", **wrong}])


def test_what_is_not_there_is_named() -> None:
    frame = pl.DataFrame({"age": [1, 2]})
    policy = {"columns": {"age": {"role": "quasi", "type": "integer"}}, "privacy": [{"model": "k-anonymity", "k": 1}]}
    asked = [{"measure": "count-queries"}, {"measure": "count-queries", "style": "nodes"}]
    found = sf.measure(frame, policy, original=frame, only=asked)
    lacking = [each.lacks for each in found.measurements]
    assert lacking == ["a sensitive or quasi-sensitive column", "a sensitive column"]
