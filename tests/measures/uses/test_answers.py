"""What a release answers count queries, against the papers' definitions by hand and row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.measures.uses.answers import Queries, answered
from sfumato.measures.uses.strips import Strip, Strips
from sfumato.release.cells import covers
from sfumato.release.spans import CellSpans
from sfumato.release.subject import Subject
from tests.release.test_fits import POLICY, people
from tests.support.examples import examples
from tests.support.inpatient import FOUR_ANONYMOUS, ORIGINAL, THREE_DIVERSE
from tests.support.inpatient import POLICY as INPATIENT

Wanted = dict[str, tuple[int, int]]
"""Per column the least and the largest code that a query asks for."""


def asked(subject: Subject, wanted: Sequence[Wanted]) -> Queries:
    names = (*subject.quasi, *subject.sensitive)
    low, high = (np.array([[query.get(name, (-1, -1))[end] for name in names] for query in wanted]) for end in (0, 1))
    return Queries.of(names, low, high)


def code(subject: Subject, name: str, value: object) -> int:
    return subject.domain(name).values.to_list().index(value)


def answers(subject: Subject, wanted: Sequence[Wanted]) -> list[float]:
    queries = asked(subject, wanted)
    found: list[float] = answered(Strips.published(subject, queries.names), queries, subject.sensitive).tolist()
    return found


def test_answers_by_hand() -> None:
    """001, Figures 1 to 3. Of the four zip codes 130** covers two, 1305* one; nobody is told apart by nationality."""
    four = Subject.of(pl.DataFrame(FOUR_ANONYMOUS), INPATIENT, original=pl.DataFrame(ORIGINAL))
    three = Subject.of(pl.DataFrame(THREE_DIVERSE), INPATIENT, original=pl.DataFrame(ORIGINAL))
    cancer, heart = (code(four, "condition", each) for each in ("Cancer", "Heart Disease"))
    zips = (code(four, "zip", "13053"),) * 2
    tree = four.domain("age").taxonomy
    assert tree is not None
    young = tree.labels.index("<30")
    below = (int(tree.first[young]), int(tree.last[young]))
    american = (code(four, "nationality", "American"),) * 2
    wanted: list[Wanted] = [
        {"condition": (cancer, cancer), "zip": zips},
        {"condition": (cancer, cancer), "zip": zips, "nationality": american},
        {"condition": (heart, heart), "age": below},
        {"age": below},
    ]
    original = answered(Strips.original(four, asked(four, wanted).names), asked(four, wanted))
    assert original.tolist() == [2, 1, 2, 4]
    # Five rows have cancer: four by 130** count a half each, one by 1485* not at all.
    assert answers(four, wanted) == pytest.approx([2, 2 / 4, 2, 4])
    # 1305*: two have cancer; age <=40 covers eight values, four of them below 30.
    assert answers(three, wanted) == pytest.approx([2, 2 / 4, 2 / 2, 8 / 2])


def share(subject: Subject, name: str, cell: Any, low: int, high: int) -> float:
    """|cell ∩ predicate| / |cell|, value by value."""
    domain, column = subject.domain(name), subject.policy.columns[name]
    texts = domain.values.cast(pl.String).to_list()
    held = [at for at, text in enumerate(texts) if covers(cell, text, column, domain.taxonomy)]
    return sum(low <= at <= high for at in held) / len(held)


def by_rows(subject: Subject, rows: Sequence[dict[str, Any]], query: Wanted) -> Iterator[float]:
    for row in rows:
        yield prod(share(subject, name, row[name], *ends) for name, ends in query.items() if name in row)


def released(rows: int, seed: int, form: dict[str, Any], **changes: Any) -> Subject:
    return Subject.of(sf.publish(people(seed, rows), policy={**POLICY, "form": form, **changes}, seed=1))


queries = st.lists(st.integers(0, 2**32), min_size=5, max_size=5)


def drawn(subject: Subject, numbers: Sequence[int]) -> Wanted:
    """A query: the secret, and quasi-identifiers by the bits of a number."""
    wanted: Wanted = {}
    for place, name in enumerate(("disease", "age", "zip", "sex")):
        size = subject.domain(name).size
        low = numbers[place] % size
        if place == 0 or numbers[4] >> place & 1:
            wanted[name] = (low, low + numbers[4] % (size - low))
    return wanted


@pytest.mark.parametrize("form", ["generalized", "ring"])
@settings(max_examples=examples(20))
@given(st.integers(0, 10**6), st.integers(8, 40), queries)
def test_generalized_cells_answer_by_their_share(form: str, seed: int, rows: int, numbers: list[int]) -> None:
    subject = released(rows, seed, {"publish": form})
    query = drawn(subject, numbers)
    shown = subject.seen.table.cast(pl.String).to_dicts()
    assert answers(subject, [query]) == pytest.approx([sum(by_rows(subject, shown, query))])
    kept = people(seed, rows)
    for name, (low, high) in query.items():
        values = subject.domain(name).values.to_list()[low : high + 1]
        kept = kept.filter(pl.col(name).is_in(values))
    original = answered(Strips.original(subject, ("disease", "age", "zip", "sex")), asked(subject, [query]))
    assert original.tolist() == [kept.height]


FORMS: dict[str, dict[str, Any]] = {
    "anatomized": {"publish": "anatomized"},
    "permuted": {"publish": "permuted"},
    "sliced": {"publish": "sliced", "slices": [["age", "zip"], ["sex"]]},
}


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=examples(20))
@given(st.integers(0, 10**6), st.integers(8, 40), queries)
def test_exact_forms_answer_by_group(form: str, seed: int, rows: int, numbers: list[int]) -> None:
    """Per group the rows, times the share that answers by each table, or by each slice."""
    subject = released(rows, seed, FORMS[form])
    query = drawn(subject, numbers)
    ids = str(subject.received.evidence.group_id)
    parts = [frame.cast(pl.String).to_dicts() for frame in subject.people]
    parts.append(subject.seen.table.select("disease", ids).cast(pl.String).to_dicts())
    expected = 0.0
    for group in {row[ids] for row in parts[0]}:
        mine = [[row for row in part if row[ids] == group] for part in parts]
        size = len(mine[0])
        expected += size * prod(sum(by_rows(subject, part, query)) / size for part in mine)
    assert answers(subject, [query]) == pytest.approx([expected])


@settings(max_examples=examples(20))
@given(st.integers(0, 10**6), st.integers(20, 40), queries)
def test_what_chance_brings_is_taken_off(seed: int, rows: int, numbers: list[int]) -> None:
    """Randomized: shown = p · true + (1 − p) · drawn evenly from the group's values."""
    try:
        subject = released(rows, seed, {"publish": "randomized"}, partition={"method": "mondrian", "slack": 1})
    except sf.Infeasible:
        return
    query = drawn(subject, numbers)
    ids, kept = str(subject.received.evidence.group_id), float(subject.seen.retention or 0)
    shown = subject.seen.table.cast(pl.String).to_dicts()
    groups: dict[str, list[dict[str, Any]]] = {row[ids]: [] for row in shown}
    for row in shown:
        groups[row[ids]].append(row)
    found, chance = sum(by_rows(subject, shown, query)), 0.0
    others = {name: ends for name, ends in query.items() if name != "disease"}
    for mine in groups.values():
        values = {row["disease"] for row in mine}
        right = sum(share(subject, "disease", value, *query["disease"]) for value in values) / len(values)
        chance += right * sum(by_rows(subject, mine, others))
    expected = max(found - (1 - kept) * chance, 0) / kept
    assert answers(subject, [query, others]) == pytest.approx([expected, sum(by_rows(subject, shown, others))])


def test_what_stands_together_is_met_together_and_the_rest_by_chance() -> None:
    """Four rows of one bucket: age and disease in one slice, zip in another."""
    spans = {name: themselves(3) for name in ("age", "disease", "zip")}
    ages, diseases, zips = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 2]), np.array([0, 0, 0, 1])
    bucket = np.zeros(4, dtype=np.int64)
    one = Strip.of({"age": (ages, spans["age"]), "disease": (diseases, spans["disease"])}, bucket, 1)
    table = Strips((one, Strip.of({"zip": (zips, spans["zip"])}, bucket, 1)), spans)
    wanted = np.array([[0, 1, -1], [1, 1, -1], [-1, 0, 0]])
    asked_for = Queries.of(("age", "disease", "zip"), wanted, wanted)
    assert answered(table, asked_for).tolist() == [1, 0, 4 * (2 / 4) * (3 / 4)]


def themselves(size: int) -> CellSpans:
    codes = np.arange(size)
    return CellSpans(codes, codes, np.ones_like(codes), np.zeros(size + 1, np.int64), np.zeros(0, np.int64))


def test_suppressed_rows_answer_nothing_and_stars_a_share() -> None:
    frame = pl.DataFrame({"age": [1, 1, 2], "zip": ["10", "10", "20"], "sex": ["f"] * 3, "disease": ["a", "b", "a"]})
    left = pl.DataFrame({"age": ["1", "1"], "zip": ["10"] * 2, "sex": ["f"] * 2, "disease": ["a", "b"]})
    star = pl.concat([left, pl.DataFrame({"age": ["*"], "zip": ["*"], "sex": ["*"], "disease": ["a"]})])
    wanted: list[Wanted] = [{"disease": (0, 0)}, {"disease": (0, 0), "age": (1, 1)}]
    assert answers(Subject.of(left, POLICY, original=frame), wanted) == [1, 0]
    assert answers(Subject.of(star, POLICY, original=frame), wanted) == [2, 0.5]


def test_every_query_is_answered_by_itself() -> None:
    """Many at a time, in the order in which they come."""
    subject = released(40, 7, {"publish": "generalized"})
    wanted = [drawn(subject, [seed * 7919 + place * 104729 for place in range(5)]) for seed in range(50)]
    assert answers(subject, wanted) == pytest.approx([answers(subject, [each])[0] for each in wanted])
    assert Counter(len(each) for each in wanted).keys() >= {1, 2, 3}
