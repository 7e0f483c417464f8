"""Best guesses on random tables, against looking at every person and every row."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.release.subject import Subject
from sfumato.risk.assess import assess
from sfumato.risk.believed import BestGuess
from tests.risk.reference import POLICY, QUASI, guess, people, released, rows_for, texts_of
from tests.support.inpatient import FOUR_ANONYMOUS, ORIGINAL
from tests.support.inpatient import POLICY as INPATIENT


def same(found: BestGuess | None, chances: list[Fraction]) -> None:
    """Largest, mean, counts by how sure, and tenths."""
    assert found is not None and found.people == len(chances)
    assert found.largest == pytest.approx(float(max(chances)))
    assert found.mean == pytest.approx(float(sum(chances) / len(chances)))
    for each in found.surer:
        assert each.people == sum(chance >= Fraction(each.at_least) for chance in chances)
        assert each.share == each.people / len(chances)
    tenths = Counter(int(chance * 10) for chance in chances)
    assert list(found.by_tenth) == [tenths[place] for place in range(11)]


@given(st.integers(0, 10**6), st.integers(8, 50))
def test_generalized(seed: int, rows: int) -> None:
    frame = people(seed, rows)
    subject = Subject.of(released(frame, "generalized"))
    (found,) = assess(subject, thresholds="1/3").guesses
    assert found.totals == pytest.approx(float(guess(frame["disease"].to_list())))
    assert [each.at_least for each in found.people.surer] == ["1", "0.8", "0.5", "1/3"] if found.people else False
    alike = defaultdict(list)
    for row in frame.to_dicts():
        alike[str([row[name] for name in QUASI])].append(row["disease"])
    same(found.before, [guess(values) for values in alike.values() for _ in values])
    groups = defaultdict(list)
    for row in subject.seen.table.cast(pl.String).to_dicts():
        groups[str([row[name] for name in QUASI])].append(row["disease"])
    same(found.groups, [guess(values) for values in groups.values() for _ in values])
    same(found.people, [guess([row["disease"] for row in rows_for(subject, each)]) for each in texts_of(frame)])
    outside = assess(Subject.of(subject.seen.table.cast(pl.String), POLICY)).guesses[0]
    assert outside.before is None and outside.people is None and outside.lacks == "the original table"
    same(outside.groups, [guess(values) for values in groups.values() for _ in values])


@pytest.mark.parametrize("form", ["anatomized", "permuted"])
@given(st.integers(0, 10**6), st.integers(8, 40))
def test_exact_forms_protect_the_secret(form: str, seed: int, rows: int) -> None:
    """A person's rows lead to groups; what may be theirs is the mean of these."""
    frame = people(seed, rows)
    subject = Subject.of(released(frame, form))
    (found,) = assess(subject).guesses
    ids = str(subject.received.evidence.group_id)
    held = defaultdict(list)
    for row in subject.seen.table.cast(pl.String).to_dicts():
        held[row[ids]].append(row["disease"])
    same(found.groups, [guess(values) for values in held.values() for _ in values])
    shown = subject.people[0].cast(pl.String).to_dicts()
    chances = []
    for person in texts_of(frame):
        mine = [held[row[ids]] for row in shown if all(row[name] == person[name] for name in QUASI)]
        values = {value for group in mine for value in group}
        beliefs = [sum(Fraction(group.count(value), len(group)) for group in mine) / len(mine) for value in values]
        chances.append(Fraction(max(beliefs)))
    same(found.people, chances)
    assert max(chances) <= Fraction(1, 2)  # simple-l, l = 2


def test_inpatients() -> None:
    """001, Figure 2: everybody of the third class has cancer; five of twelve have by totals."""
    subject = Subject.of(pl.DataFrame(FOUR_ANONYMOUS), INPATIENT, original=pl.DataFrame(ORIGINAL))
    (found,) = assess(subject).guesses
    assert found.totals == 5 / 12
    same(found.people, [Fraction(1, 2)] * 8 + [Fraction(1)] * 4)


def test_of_who_fits_nowhere_totals_are_believed() -> None:
    columns = {"age": {"role": "quasi", "type": "integer"}, "disease": {"role": "sensitive"}}
    policy = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]}
    original = pl.DataFrame({"age": [20, 21, 50, 50], "disease": list("abbb")})
    table = pl.DataFrame({"age": ["[20, 21]"] * 2, "disease": list("ab")})
    (found,) = assess(Subject.of(table, policy, original=original)).guesses
    same(found.people, [Fraction(1, 2)] * 2 + [Fraction(3, 4)] * 2)
