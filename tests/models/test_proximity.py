"""Proximity: near values are no diversity. Held against a slow reference that tries every guess that matters."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.models.contract import Facts, Groups
from sfumato.models.registry import bind
from tests.support.command import Cli
from tests.support.examples import examples

E = st.fractions(0, "9/10", max_denominator=12)
NUMBERS = st.lists(st.integers(-6, 6), min_size=1, max_size=12)


def near(x: Fraction, y: Fraction, e: Fraction, relative: bool) -> bool:
    return abs(x - y) <= (e * abs(y) if relative else e)


def most(numbers: list[Fraction], e: Fraction, relative: bool) -> int:
    """The most of these that are near one guess: moved until it would lose one, a guess is one of these."""
    guesses = [y for x in numbers for y in ((x / (1 + e), x / (1 - e)) if relative else (x - e, x + e))]
    return max(sum(near(x, y, e, relative) for x in numbers) for y in guesses)


def table(columns: Mapping[str, Any], frame: pl.DataFrame, promise: Mapping[str, Any], **more: Any) -> sf.Table:
    return sf.read(frame, {"columns": columns, "privacy": [promise], **more})


def group_of(numbers: list[Any], secret: Mapping[str, Any], promise: Mapping[str, Any]) -> tuple[bool, float]:
    """What the model says of a table as one group, and the auditor of the same rows."""
    frame = pl.DataFrame({"q": ["x"] * len(numbers), "s": numbers})
    columns = {"q": {"role": "quasi"}, "s": {"role": "sensitive", **secret}}
    tuples = table(columns, frame, promise).encode()
    model = bind(sf.read_policy({"columns": columns, "privacy": [promise]}).promise.parts[0], Facts.of(tuples))
    whole = Groups.whole(tuples, model.statistics)
    audit = sf.audit(frame, {"columns": columns, "privacy": [promise]})
    assert audit.holds == bool(model.holds(whole)[0])
    level = audit.criteria[0].level
    assert isinstance(level, Fraction) and float(level) == pytest.approx(model.level(whole)[0])
    return audit.holds, float(level)


@settings(max_examples=examples(300))
@given(NUMBERS, E, st.fractions(1, 4, max_denominator=4), st.booleans())
def test_model_and_rule_agree_with_every_guess_tried(numbers: list[int], e: Fraction, m: Fraction, share: bool) -> None:
    promise = {"model": "proximity", "e": str(e), "m": str(m), "neighbourhood": "relative" if share else "absolute"}
    expected = most([Fraction(each) for each in numbers], e, share)
    kept, level = group_of(numbers, {"type": "integer"}, promise)
    assert kept == (expected * m <= len(numbers))
    assert level == pytest.approx(len(numbers) / expected)


@settings(max_examples=examples(200))
@given(NUMBERS, NUMBERS, E, st.fractions(1, 4, max_denominator=4), st.booleans())
def test_unions_of_groups_that_keep_it_keep_it(
    one: list[int], other: list[int], e: Fraction, m: Fraction, share: bool
) -> None:
    alone = [most([Fraction(each) for each in group], e, share) * m <= len(group) for group in (one, other)]
    together = most([Fraction(each) for each in one + other], e, share) * m <= len(one + other)
    assert together or not all(alone)


def test_around_values_of_the_group_alone_it_would_not_survive_merging() -> None:
    """The paper's letter: {0, 2} and {1, 10} keep (1,2)-anonymity, and three of {0, 1, 2, 10} lie near 1."""

    def literal(numbers: list[int]) -> bool:
        return all(2 * sum(abs(x - y) <= 1 for x in numbers) <= len(numbers) for y in numbers)

    assert literal([0, 2]) and literal([1, 10]) and not literal([0, 1, 2, 10])
    promise = {"model": "proximity", "e": 1, "m": 2}
    assert not group_of([0, 2], {"type": "integer"}, promise)[0]  # both lie near 1
    assert group_of([0, 3], {"type": "integer"}, promise)[0]


def test_what_implies_what() -> None:
    """Salaries a unit apart are different values and no diversity; with e = 0 it is simple m."""
    salaries = [1000, 1001, 1002, 1003]
    assert group_of(salaries, {"type": "integer"}, {"model": "proximity", "e": 0, "m": 4})[0]
    assert not group_of(salaries, {"type": "integer"}, {"model": "proximity", "e": 2, "m": 2})[0]
    assert group_of([1000, 2000], {"type": "integer"}, {"model": "proximity", "e": 499, "m": 2})[0]
    model = bind(sf.Proximity(2, 3), facts([1, 2, 30]))
    near_by = model.neighbours(3)
    assert near_by is not None and near_by.implies == (sf.SimpleL(3),)
    assert model.promise.with_slack(1) == sf.Proximity(2, 4)


def facts(numbers: list[int]) -> Facts:
    frame = pl.DataFrame({"q": ["x"] * len(numbers), "s": numbers})
    columns = {"q": {"role": "quasi"}, "s": {"role": "sensitive", "type": "integer"}}
    return Facts.of(table(columns, frame, {"model": "k-anonymity", "k": 1}).encode())


def test_dates_are_days_apart_and_orders_places() -> None:
    days = [date(2024, 2, 28) + timedelta(days=step) for step in (0, 1, 2, 40)]
    assert group_of(days, {"type": "date"}, {"model": "proximity", "e": "1/2", "m": 2})[0]
    assert not group_of(days, {"type": "date"}, {"model": "proximity", "e": 1, "m": 2})[0]
    grades = {"order": ["low", "mid", "high", "top"]}  # low and high are two places apart, though mid does not occur
    assert group_of(["low", "high"], grades, {"model": "proximity", "e": "1/2", "m": 2})[0]
    assert not group_of(["low", "high"], grades, {"model": "proximity", "e": 1, "m": 2})[0]


@pytest.mark.filterwarnings("ignore:.*counts as one more sensitive value")
def test_a_missing_value_is_near_itself_alone() -> None:
    promise = {"model": "proximity", "e": 1000, "m": 2}
    assert group_of([1, None], {"type": "integer"}, promise)[0]
    assert not group_of([1, None, None], {"type": "integer"}, promise)[0]


@pytest.mark.thorough
def test_bins_are_near_where_a_number_in_them_is() -> None:
    """Bins next to each other touch: no guess tells them apart, however small e is."""
    promise = {"model": "proximity", "e": 0, "m": 2}
    bins = {"type": "integer", "bins": [0, 10, 20, 30]}
    published = {"type": "integer", "bins": [0, 10, 20, 30]}
    frame = pl.DataFrame({"q": ["x"] * 2, "s": ["[0, 10)", "[10, 20)"]})
    columns = {"q": {"role": "quasi"}, "s": {"role": "sensitive", **published}}
    policy = {"columns": columns, "privacy": [promise]}
    assert not sf.audit(frame, policy).holds
    assert sf.audit(frame.with_columns(s=pl.Series(["[0, 10)", "[20, 30)"])), policy).holds
    raw = pl.DataFrame({"q": ["x"] * 2, "s": [5, 15]})
    with pytest.raises(sf.Infeasible, match="2 of 2 rows lie that near"):
        sf.publish(raw, policy={"columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive", **bins}}} | policy)
    assert sf.publish(raw.with_columns(s=pl.Series([5, 25])), policy=policy, seed=1).judged().holds


def test_relative_around_zero_and_below() -> None:
    """0 is near 0 alone; -10 and -11 are a tenth apart, and 10 is on the other side."""
    promise = {"model": "proximity", "e": "1/10", "m": 2, "neighbourhood": "relative"}
    assert group_of([0, 1], {"type": "integer"}, promise)[0]
    assert not group_of([-10, -11], {"type": "integer"}, promise)[0]
    assert group_of([-10, 10], {"type": "integer"}, promise)[0]
    assert group_of([1000, 1223], {"type": "integer"}, promise)[0]  # 1000 · 1.1 / 0.9 = 1222.2…
    assert not group_of([1000, 1222], {"type": "integer"}, promise)[0]


@pytest.mark.parametrize(
    ("secret", "promise", "message"),
    [
        ({}, {"e": 1, "m": 2}, "order: list"),
        ({"type": "date"}, {"e": "1/2", "m": 2, "neighbourhood": "relative"}, "type integer or number"),
        ({"type": "integer"}, {"e": 1, "m": 2, "neighbourhood": "relative"}, "e must be below 1"),
        ({"type": "integer"}, {"e": -1, "m": 2}, "e"),
        ({"type": "integer"}, {"e": 1, "m": "1/2"}, "m"),
    ],
)
def test_what_cannot_be_asked_is_a_mistake_of_the_policy(
    secret: dict[str, Any], promise: dict[str, Any], message: str
) -> None:
    columns = {"q": {"role": "quasi"}, "s": {"role": "sensitive", **secret}}
    with pytest.raises(sf.PolicyError, match=message):
        sf.read_policy({"columns": columns, "privacy": [{"model": "proximity", **promise}]})


@pytest.mark.parametrize("method", ["mondrian", "lattice", "incognito"])
@pytest.mark.parametrize("form", ["generalized", "anatomized"])
def test_releases_keep_it_and_a_changed_salary_breaks_it(method: str, form: str) -> None:
    rng = np.random.default_rng(3)
    ages, salaries = rng.integers(20, 60, 200), rng.choice([1000, 1010, 2000, 2500, 4000], 200)
    frame = pl.DataFrame({"age": ages, "salary": salaries})
    policy: dict[str, Any] = {
        "columns": {
            "age": {"role": "quasi", "type": "integer", "hierarchy": {"intervals": [5, 10, 20]}},
            "salary": {"role": "sensitive", "type": "integer"},
        },
        "privacy": [{"model": "proximity", "e": 100, "m": 2}],
        "partition": {"method": method},
        "form": {"publish": form},
        "suppression": {"limit": 0 if form == "anatomized" else "1/5"},
    }
    release = sf.publish(frame, policy=policy, seed=1)
    assert release.judged().holds
    if form == "anatomized":
        return
    table = release.table
    for _, group in table.group_by("age"):
        numbers = [Fraction(each) for each in group["salary"].to_list()]
        assert most(numbers, Fraction(100), False) * 2 <= len(numbers)
    small = table["age"].value_counts().sort("count")["age"][0]
    broken = table.with_columns(salary=pl.when(pl.col("age") == small).then(1000).otherwise("salary"))
    found = sf.audit(broken, policy).criteria[0]
    assert (found.verdict, found.violating_groups) == ("fails", 1)


def test_advice_and_the_command_line(tmp_path: Path, cli: Cli) -> None:
    frame = pl.DataFrame({"age": [20, 21, 30, 31] * 5, "salary": [1000, 1001, 5000, 9000] * 5})
    frame.write_csv(tmp_path / "people.csv")
    text = (
        "version: 1\ncolumns:\n  age: {role: quasi, type: integer}\n  salary: {role: sensitive, type: integer}\n"
        "privacy:\n  - {model: proximity, e: 10, m: M}\n"
    )
    (tmp_path / "two.yaml").write_text(text.replace("M", "2"), encoding="utf-8")
    (tmp_path / "three.yaml").write_text(text.replace("M", "3"), encoding="utf-8")
    data = str(tmp_path / "people.csv")
    done = cli.well("anonymize", data, "-p", str(tmp_path / "two.yaml"), "-o", str(tmp_path / "out"))
    assert "proximity (e=10, m=2)" in done.out
    cli.well("audit", str(tmp_path / "out"), "-p", str(tmp_path / "two.yaml"))
    refused = cli("anonymize", data, "-p", str(tmp_path / "three.yaml"), "-o", str(tmp_path / "none"))
    assert refused.code == 3 and "10 of 20 rows" in refused.err and "proximity (e=10, m=2)" in refused.err
    assert "proximity" in cli.well("advise", data, "-p", str(tmp_path / "two.yaml")).out
