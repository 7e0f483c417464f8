"""Attackers on random tables, against looking at every person and every row."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.release.subject import Subject
from sfumato.risk.assess import assess
from sfumato.risk.attackers import Attacker
from sfumato.risk.report import Side
from tests.risk.reference import POLICY, QUASI, fits, people, released, rows_for, summary, texts_of
from tests.support.inpatient import FOUR_ANONYMOUS, ORIGINAL
from tests.support.inpatient import POLICY as INPATIENT

THRESHOLDS = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 9))


def told(found: Attacker | None) -> list[float]:
    """The largest, the mean, and how many are above each threshold."""
    assert found is not None
    return [found.largest, found.mean, *(each.people for each in found.above)]


def same(found: Attacker | None, risks: list[Fraction]) -> None:
    largest, mean, above = summary(risks, THRESHOLDS)
    assert told(found) == [pytest.approx(largest), pytest.approx(mean), *above]


def ordered(side: Side) -> None:
    """Prosecutor ≥ journalist ≥ marketer, of the surest link and on average, and by every threshold."""
    assert side.journalist is not None
    assert side.prosecutor.largest >= side.journalist.largest - 1e-12
    assert side.journalist.largest >= side.marketer - 1e-12
    assert side.prosecutor.mean >= side.journalist.mean - 1e-12
    pairs = zip(side.prosecutor.above, side.journalist.above, strict=True)
    assert all(first.people >= second.people for first, second in pairs)


def subject_of(seed: int, rows: int, form: str = "generalized") -> tuple[pl.DataFrame, Subject]:
    frame = people(seed, rows)
    return frame, Subject.of(released(frame, form))


@given(st.integers(0, 10**6), st.integers(8, 50))
def test_prosecutor(seed: int, rows: int) -> None:
    """Before: one over the rows alike. After: one over the rows that cover somebody, of whichever classes."""
    frame, subject = subject_of(seed, rows)
    found = assess(subject, thresholds=THRESHOLDS)
    assert found.before is not None and found.after is not None
    persons = texts_of(frame)
    alike = Counter(map(str, persons))
    same(found.before.prosecutor, [Fraction(1, alike[str(each)]) for each in persons])
    same(found.after.prosecutor, [Fraction(1, len(rows_for(subject, each))) for each in persons])
    for side in (found.before, found.after):
        assert side.journalist is None and side.marketer == side.prosecutor.mean
    sizes = Counter(alike.values())
    assert [(each.size, each.classes, each.rows) for each in found.before.sizes.by_size] == [
        (size, many, size * many) for size, many in sorted(sizes.items())
    ]
    groups = Counter(Counter(map(str, texts_of(subject.seen.table))).values())
    assert [(each.size, each.classes) for each in found.after.sizes.by_size] == sorted(groups.items())
    assert found.before.unique.rows == sizes[1] and found.after.unique.rows == groups[1]


@given(st.integers(0, 10**6), st.integers(8, 40), st.integers(0, 60))
@example(42, 21, 21)  # a mask stands for values that the table lacks
def test_journalist(seed: int, rows: int, more: int) -> None:
    """The table is some of the population, which has values that the table lacks, and stands in any order."""
    frame, subject = subject_of(seed, rows)
    everybody = [*texts_of(frame), *texts_of(people(seed + 1, more).with_columns(pl.col("age") + 3))]
    random.Random(seed).shuffle(everybody)
    register = pl.DataFrame(everybody, schema=dict.fromkeys(QUASI, pl.String))
    found = assess(subject, register.select("sex", "zip", "age").with_columns(name=pl.lit("x")), THRESHOLDS)
    assert found.before is not None and found.after is not None and found.population == rows + more
    persons = texts_of(frame)
    alike = Counter(map(str, everybody))
    same(found.before.journalist, [Fraction(1, alike[str(each)]) for each in persons])
    after = []
    for person in persons:
        mine = rows_for(subject, person)
        least = min(sum(fits(subject, row, {name: each[name] for name in QUASI}) for each in everybody) for row in mine)
        after.append(Fraction(1, max(least, len(mine))))
    same(found.after.journalist, after)
    assert found.before.population_uniques == sum(alike[str(each)] == 1 for each in persons)
    for side in (found.before, found.after):
        ordered(side)
        assert side.journalist is not None and side.marketer == side.journalist.mean


@pytest.mark.parametrize("form", ["anatomized", "permuted", "sliced", "ring", "randomized"])
@given(st.integers(0, 10**6), st.integers(8, 40))
def test_every_form(form: str, seed: int, rows: int) -> None:
    """Where quasi-identifiers are exact, identity is as before, and it is said; order holds in all forms."""
    partition = {"method": "mondrian", **({"slack": 1} if form == "randomized" else {})}
    subject = Subject.of(released(frame := people(seed, rows), form, partition=partition))
    found = assess(subject, frame.drop("disease"), THRESHOLDS)
    assert found.before is not None and found.after is not None
    ordered(found.before)
    ordered(found.after)
    if form in ("anatomized", "permuted", "randomized"):
        assert told(found.after.prosecutor) == pytest.approx(told(found.before.prosecutor))
        assert told(found.after.journalist) == pytest.approx(told(found.before.journalist))
    assert any("as they are" in note for note in found.notes) == (form != "ring")


@given(st.integers(0, 10**6), st.integers(8, 50))
def test_without_the_original(seed: int, rows: int) -> None:
    """By classes of the release: never less than what the holder finds, who sees that some fit several."""
    frame, holder = subject_of(seed, rows)
    table = holder.seen.table.cast(pl.String)
    found = assess(Subject.of(table, POLICY), thresholds=THRESHOLDS)
    assert found.before is None and found.lacks == "the original table" and found.after is not None
    groups = Counter(map(str, texts_of(table)))
    same(found.after.prosecutor, [Fraction(1, groups[str(each)]) for each in texts_of(table)])
    whole = assess(holder, thresholds=THRESHOLDS).after
    assert whole is not None and whole.prosecutor.largest <= found.after.prosecutor.largest
    register = frame.drop("disease")
    by = assess(Subject.of(table, POLICY), register, THRESHOLDS).after
    assert by is not None
    ordered(by)
    shown = [sum(fits(holder, row, each) for each in texts_of(register)) for row in texts_of(table)]
    sizes = [groups[str(each)] for each in texts_of(table)]
    same(by.journalist, [Fraction(1, max(each)) for each in zip(shown, sizes, strict=True)])


def test_inpatients() -> None:
    """001, Figure 2: of twelve people, all different, three classes of four."""
    found = assess(Subject.of(pl.DataFrame(FOUR_ANONYMOUS), INPATIENT, original=pl.DataFrame(ORIGINAL)), None, "<=1/4")
    assert found.before is not None and found.after is not None
    assert told(found.before.prosecutor) == [1, 1, 12] and told(found.after.prosecutor) == [0.25, 0.25, 0]
    assert found.after.prosecutor.above[0].k == 4
    strict = assess(Subject.of(pl.DataFrame(FOUR_ANONYMOUS), INPATIENT), None, "1/4").after
    assert strict is not None and [(each.k, each.people) for each in strict.prosecutor.above] == [(5, 12)]


def test_somebody_fits_two_classes() -> None:
    """002, Theorem 3: who is 30 fits [20, 30] with two rows and [30, 40] with three; who is 20 or 40 fits one."""
    columns = {"age": {"role": "quasi", "type": "integer"}, "disease": {"role": "sensitive"}}
    policy = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]}
    original = pl.DataFrame({"age": [20, 30, 30, 40, 40], "disease": list("aabbc")})
    table = pl.DataFrame({"age": ["[20, 30]"] * 2 + ["[30, 40]"] * 3, "disease": list("ab") + list("abc")})
    found = assess(Subject.of(table, policy, original=original), thresholds="1/4").after
    assert found is not None
    assert told(found.prosecutor) == [0.5, pytest.approx((1 / 2 + 2 / 5 + 2 / 3) / 5), 3]


def test_who_fits_nowhere_cannot_be_found() -> None:
    columns = {"age": {"role": "quasi", "type": "integer"}, "disease": {"role": "sensitive"}}
    policy = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]}
    original = pl.DataFrame({"age": [20, 21, 50], "disease": list("abc")})
    table = pl.DataFrame({"age": ["[20, 21]"] * 2, "disease": list("ab")})
    found = assess(Subject.of(table, policy, original=original), original.drop("disease"), thresholds="1/2")
    assert found.after is not None and found.after.prosecutor.nowhere == 1
    assert told(found.after.prosecutor) == told(found.after.journalist) == [0.5, pytest.approx(1 / 3), 2]
    assert any("1 people are not in the release" in note for note in found.notes)


def test_a_register_that_lacks_columns_or_people() -> None:
    frame, subject = subject_of(1, 30)
    found = assess(subject, frame.select("sex").head(20), "1/2")
    assert found.before is not None
    sexes = Counter(frame["sex"].to_list()), Counter(frame["sex"].head(20).to_list())
    alike = Counter(map(str, texts_of(frame)))
    risks = [Fraction(1, max(sexes[1][each["sex"]], alike[str(each)])) for each in texts_of(frame)]
    assert found.before.journalist is not None and found.before.journalist.mean == pytest.approx(float(sum(risks) / 30))
    assert any("does not have age, zip" in note for note in found.notes)
    short = assess(subject, frame.head(20), "1/2")
    assert any("lacks people" in note for note in short.notes)
    with pytest.raises(sf.InputError, match="none of the quasi-identifiers"):
        assess(subject, pl.DataFrame({"name": ["x"]}))
