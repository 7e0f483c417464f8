"""Classification rules: which a table has, by hand and by looking at all, and which of them a release keeps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato import datasets
from sfumato.measures.uses import mining
from sfumato.measures.uses.mining import Mined, mined
from sfumato.table.read import read
from sfumato.table.tuples import Tuples
from tests.release.test_fits import POLICY, people, released
from tests.support.examples import examples

Told = dict[tuple[tuple[tuple[str, Any], ...], Any], tuple[int, int]]
"""Conditions and target of a rule, and the rows that it covers and is right of."""


def told(rules: Mined, table: Tuples, target: str) -> Told:
    """Rules in values."""
    found = {}
    for number in range(len(rules)):
        conditions = tuple(
            (name, table[name].values[code])
            for name, code in zip(rules.names, rules.values[number].tolist(), strict=True)
            if code >= 0
        )
        counts = (int(rules.covered[number]), int(rules.right[number]))
        found[conditions, table[target].values[int(rules.targets[number])]] = counts
    return found


def tuples_of(frame: pl.DataFrame, target: str) -> Tuples:
    columns = {name: {"role": "sensitive" if name == target else "quasi", "type": "text"} for name in frame.columns}
    return read(frame, {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 1}]}).encode()


def parts(conditions: tuple[tuple[str, Any], ...]) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Fewer of them, one at least."""
    return chain.from_iterable(combinations(conditions, many) for many in range(1, len(conditions)))


def slow(frame: pl.DataFrame, target: str, support: int, confidence: float, length: int, shortest: bool) -> Told:
    """All conjunctions, value by value."""
    names, rows = [name for name in frame.columns if name != target], frame.to_dicts()
    found: Told = {}
    for many in range(1, length + 1):
        for chosen in combinations(names, many):
            for values in {tuple(row[name] for name in chosen) for row in rows}:
                mine = [row[target] for row in rows if tuple(row[name] for name in chosen) == values]
                for value in set(mine):
                    if len(mine) >= support and mine.count(value) >= confidence * len(mine):
                        found[tuple(zip(chosen, values, strict=True)), value] = (len(mine), mine.count(value))
    if shortest:
        every = set(found)
        found = {
            (conditions, value): counts
            for (conditions, value), counts in found.items()
            if not any((part, value) in every for part in parts(conditions))
        }
    return found


@settings(max_examples=examples(30))
@given(st.integers(0, 10**6), st.integers(1, 3), st.sampled_from([0.5, 0.75, 1.0]), st.booleans(), st.integers(1, 6))
def test_rules_are_those_of_the_definition(
    seed: int, length: int, confidence: float, shortest: bool, support: int
) -> None:
    frame = people(seed, 30).with_columns(pl.col("age") % 3, pl.col("zip").str.slice(0, 1)).cast(pl.String)
    table = tuples_of(frame, "disease")
    rules = mined(table, ("age", "zip", "sex"), "disease", support, confidence, length, shortest)
    assert told(rules, table, "disease") == slow(frame, "disease", support, confidence, length, shortest)
    assert rules.covered.tolist() == sorted(rules.covered.tolist(), reverse=True)


def test_keys_that_do_not_fit_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = people(5, 40).cast(pl.String)
    table = tuples_of(frame, "disease")
    one = mined(table, ("age", "zip", "sex"), "disease", 2, 0.5, 3)
    monkeypatch.setattr(mining, "_LARGE", 1)
    other = mined(table, ("age", "zip", "sex"), "disease", 2, 0.5, 3)
    assert told(one, table, "disease") == told(other, table, "disease") and len(one)


def test_too_much_work_ends_with_shorter_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    table = tuples_of(people(5, 40).cast(pl.String), "disease")
    monkeypatch.setattr(mining, "_WORK", 7 * len(table) - 1)
    rules = mined(table, ("age", "zip", "sex"), "disease", 2, 0.5, 3)
    assert rules.conditions == 2 and (rules.values >= 0).sum(axis=1).max() <= 2


def ward() -> pl.DataFrame:
    """Three rules of 20 rows and 80%: the old have a, the young in zip 10 b, women in zip 20 c."""
    rows = [(70, "10", "f", "a")] * 8 + [(70, "20", "m", "a")] * 8 + [(70, "20", "m", "b")] * 4
    rows += [(30, "10", "f", "b")] * 9 + [(30, "10", "m", "b")] * 9 + [(30, "10", "m", "c")] * 2
    rows += [(30, "20", "f", "c")] * 20 + [(30, "20", "m", "a")] * 10 + [(30, "20", "m", "c")] * 10
    names = ("age", "zip", "sex", "disease")
    return pl.DataFrame({name: [row[at] for row in rows] for at, name in enumerate(names)})


def preserved(shown: pl.DataFrame, **settings: Any) -> sf.Figure:
    asked = [{"measure": "rules-preserved", "support": 20, "confidence": 0.8, **settings}]
    return sf.measure(shown, POLICY, original=ward(), only=asked)["rules-preserved"]


def test_rules_by_hand() -> None:
    table = tuples_of(ward().cast(pl.String), "disease")
    rules = told(mined(table, ("age", "zip", "sex"), "disease", 20, 0.8, 3), table, "disease")
    assert rules == {
        ((("age", "70"),), "a"): (20, 16),
        ((("age", "30"), ("zip", "10")), "b"): (20, 18),
        ((("zip", "20"), ("sex", "f")), "c"): (20, 20),
    }


def test_what_a_release_keeps_by_hand() -> None:
    """Without zips, only the rule about the old is left; with ages by halves, only that about women in zip 20."""
    frame = ward()
    whole = preserved(frame)
    assert whole.value == 1.0 and whole.details["rules of the original"] == 3
    # Of 60 young ones 30 would live in zip 10, and 9 of these have b; of 37 women 18.5 would live in zip 20.
    assert preserved(frame.with_columns(zip=pl.lit("*"))).details["rules preserved"] == 1
    # Of 80 people 40 would be old, and 13 of these have a; of 28 in zip 10 14 would be young.
    assert preserved(frame.with_columns(age=pl.lit("[30, 70]"))).details["rules preserved"] == 1
    # One row less, and the rule covers 19 of the 20 rows that it needs.
    assert preserved(frame[1:]).value == pytest.approx(2 / 3)
    # Sensitive values that are anything count by a third each: 20 rows, right of 20 / 3.
    assert preserved(frame.with_columns(disease=pl.lit("*"))).value == 0.0


def test_every_form_answers() -> None:
    for form in ("generalized", "anatomized", "sliced", "ring"):
        asked = [{"measure": "rules-preserved", "support": 5, "confidence": 0.4}]
        figure = sf.measure(released(people(5, 90), form), only=asked)["rules-preserved"]
        assert 0 <= figure.value <= 1 and figure.details["rules of the original"] > 0


def test_a_table_without_rules_says_so() -> None:
    found = sf.measure(ward(), POLICY, original=ward(), only=[{"measure": "rules-preserved", "support": 1000}])
    assert found.measurements[0].lacks.startswith("rules in the original: none covers 1000 rows")


@pytest.mark.parametrize(
    ("wrong", "named"),
    [({"support": 0}, "1 or more"), ({"conditions": 0}, "1 or more"), ({"confidence": 0}, "above 0")],
)
def test_settings_that_make_no_sense_are_named(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(sf.InputError, match=named):
        preserved(ward(), **wrong)


@pytest.mark.data
def test_rules_of_nursery() -> None:
    """000, section 5.3.2: one rule is printed. The paper counts 19; there are 35 of which no part is one."""
    frame = datasets.nursery()
    table, names = tuples_of(frame, "class"), tuple(frame.columns[:-1])
    rules = told(mined(table, names, "class", 100, 0.9, 4), table, "class")
    assert rules[(("health", "not_recom"),), "not_recom"] == (4320, 4320) and len(rules) == 35
    every = mined(table, names, "class", 100, 0.9, 4, shortest=False)
    assert [int(((every.values >= 0).sum(axis=1) == length).sum()) for length in (1, 2, 3, 4)] == [1, 25, 284, 750]


@pytest.mark.data
def test_rules_of_adult() -> None:
    """The paper counts 62, of columns that are not known; 001's seven quasi-identifiers have 53, four of them short."""
    names = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country")
    table = tuples_of(datasets.adult_complete().select(*names, "occupation").cast(pl.String), "occupation")
    assert len(mined(table, names, "occupation", 250, 0.7, 5, shortest=False)) == 53
    assert len(mined(table, names, "occupation", 250, 0.7, 5)) == 4
