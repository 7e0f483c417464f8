"""A register beside a release: unique matches, right and wrong claims, general cells; against every pair of rows."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.adversaries.register import Matches, Register
from sfumato.release.cells import covered
from sfumato.release.subject import Subject
from tests.support.attacks import POLICY, hospital, released
from tests.support.inpatient import FOUR_ANONYMOUS, ORIGINAL
from tests.support.inpatient import POLICY as INPATIENT


def linked(release: object, register: object = None, **original: object) -> sf.Exposure:
    found = sf.attack(release, **original, only=["linking"], register=register)  # type: ignore[arg-type]
    [exposure] = found["linking"].exposures
    return exposure


def test_without_a_register_everybody_is_known() -> None:
    """Three classes of four: one in four rows is theirs; the table as it is gives everybody away."""
    original = pl.DataFrame(ORIGINAL)
    found = linked(pl.DataFrame(FOUR_ANONYMOUS), policy=INPATIENT, original=original)
    assert (found.people, found.exposed, found.surest, found.right, found.baseline) == (12, 0, 0.25, 0.25, 1 / 12)
    bare = linked(original, policy=INPATIENT, original=original)
    assert (bare.exposed, bare.right) == (12, 1.0)
    assert bare.details["unique claims that are right"] == 1.0
    assert bare.details["rows that one person alone may claim"] == 12


def test_who_is_not_in_the_table_makes_a_wrong_claim() -> None:
    """Of the table as it is: two of three people aged 21 are not in it, a fourth is of an age that nobody has."""
    original = pl.DataFrame(ORIGINAL)
    register = pl.DataFrame({"who": [1, 2, 3, 4], "age": [21, 21, 21, 99], "zip": ["13068", "13068", "13068", None]})
    found = linked(original, register, policy=INPATIENT, original=original)
    assert (found.people, found.exposed) == (4, 3)
    assert found.details["unique claims that are right"] == pytest.approx(1 / 3)
    assert found.right == pytest.approx((1 / 3 * 3) / 3)  # the fourth says nothing of the town, and is not scored
    assert found.details["people with general values, not scored"] == 1
    assert found.details["no candidate"] == 1 and found.details["rows that one person alone may claim"] == 0


def test_a_register_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "voters.csv"
    path.write_text("name,zip,age\nUmeko,13068,21\nBob,1305*,3*\n", encoding="utf-8")
    found = linked(pl.DataFrame(FOUR_ANONYMOUS), path, policy=INPATIENT, original=pl.DataFrame(ORIGINAL))
    assert (found.people, found.exposed, found.surest) == (2, 0, 0.25)
    with pytest.raises(sf.InputError, match="none of the published quasi-identifiers: zip, age, nationality"):
        linked(
            pl.DataFrame(FOUR_ANONYMOUS),
            pl.DataFrame({"name": ["x"]}),
            policy=INPATIENT,
            original=pl.DataFrame(ORIGINAL),
        )


def general(draw: random.Random, row: dict[str, str]) -> dict[str, str]:
    """A row of a register, some cells exact, some not."""
    low = int(row["age"]) - draw.randrange(8)
    ages = [row["age"], f"[{low}, {low + 9}]", "*", f"{{{row['age']}, {draw.randrange(20, 60)}}}"]
    zips, sexes = [row["zip"], row["zip"][0] + "*", "*"], [row["sex"], "{female, male}", "*"]
    return {"age": draw.choice(ages), "zip": draw.choice(zips), "sex": draw.choice(sexes)}


@given(st.integers(0, 10**6), st.integers(8, 40), st.sampled_from(["generalized", "anatomized"]))
def test_against_every_pair_of_rows(seed: int, rows: int, form: str) -> None:
    frame, draw = hospital(seed, rows), random.Random(seed)
    release = released(frame, form)
    people = [general(draw, row) for row in hospital(seed + 1, 12).cast(pl.String).to_dicts()]
    subject = Subject.of(release)
    shown = subject.people[0].cast(pl.String).to_dicts()
    columns, values = sf.read_policy(POLICY).columns, {name: set(frame[name].cast(pl.String)) for name in people[0]}

    def meet(one: str, other: str, name: str) -> bool:
        sets = [{*covered(cell, values[name], columns[name])} for cell in (one, other)]
        return bool(sets[0] & sets[1])

    fits = [[all(meet(person[name], row[name], name) for name in person) for row in shown] for person in people]
    found = linked(release, pl.DataFrame(people))
    counts = [sum(each) for each in fits]
    assert found.people == 12 and found.exposed == counts.count(1)
    assert found.details["no candidate"] == counts.count(0)
    assert found.details["mean chance"] == pytest.approx(sum(1 / n for n in counts if n) / 12)
    claimed = [sum(each[place] for each in fits) for place in range(len(shown))]
    assert found.details["rows that one person alone may claim"] == claimed.count(1)


def test_too_many_pairs_leave_some_people_out() -> None:
    subject = Subject.of(released(hospital(5, 60)))
    whole = Register.of(subject, None)
    found = Matches.of(subject, whole, most=10)
    every = Matches.of(subject, whole)
    assert found.looked > 1 and found.candidates.tolist() == every.candidates[:: found.looked].tolist()


def test_slices_say_nothing_of_rows() -> None:
    policy = {"form": {"publish": "sliced", "slices": [["age"], ["zip", "sex"]]}}
    release = sf.publish(hospital(3, 30), policy={**POLICY, **policy}, seed=1)
    found = sf.attack(release, only=["linking"])["linking"]
    assert "side by side" in found.lacks and not found.exposures
