"""Whose secret is whose: GLP, mean probability and reconstruction error, by the paper's figures and by loops."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.release.cells import covers
from tests.support.examples import examples
from tests.support.golden import golden

ARP = golden("arp")
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "type": "integer"},
    "sex": {"role": "quasi"},
    "ill": {"role": "sensitive"},
    "pay": {"role": "sensitive"},
}


def people(seed: int, rows: int, secrets: int = 1) -> pl.DataFrame:
    """Few quasi-identifiers, so that people are alike."""
    draw = random.Random(seed)
    ill = [f"d{place % 5}" for place in range(rows)]
    draw.shuffle(ill)
    table = {
        "age": [draw.randrange(20, 24) for _ in range(rows)],
        "sex": [draw.choice("fm") for _ in range(rows)],
        "ill": ill,
        "pay": [f"p{draw.randrange(3)}" for _ in range(rows)],
    }
    return pl.DataFrame(table).select([*COLUMNS][: 2 + secrets])


def policy(table: pl.DataFrame, form: str, **more: Any) -> dict[str, Any]:
    columns = {name: COLUMNS[name] for name in table.columns}
    promises = [{"model": "simple-l", "l": 2, "on": "ill"}]
    promises += [{"model": "distinct-l", "l": 1, "on": "pay"}] if "pay" in columns else []
    slices = {"slices": [["age"], ["sex"]]} if form == "sliced" else {}
    made = {"columns": columns, "privacy": promises, "form": {"publish": form, **slices}}
    return {**made, "partition": {"method": "mondrian"}, **more}


def released(table: pl.DataFrame, form: str, seed: int = 1, **more: Any) -> sf.Release:
    return sf.publish(table, policy=policy(table, form, **more), seed=seed)


@pytest.mark.parametrize("form", ["anatomized", "permuted", "ring", "randomized", "sliced"])
@settings(max_examples=examples(60))
@given(st.integers(0, 10**6), st.integers(8, 40))
def test_glp_is_the_correspondence_that_a_release_lost(form: str, seed: int, rows: int) -> None:
    slack = {"partition": {"method": "mondrian", "slack": 1}} if form == "randomized" else {}
    release = released(people(seed, rows), form, seed, **slack)
    assert release.lost is not None
    found = sf.measure(release, only=["glp"])["glp"]
    assert found.value == pytest.approx(release.lost.correspondence, abs=1e-12)
    assert ("by what a reader knows" in found.details) == (form in ("ring", "randomized", "sliced"))


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("form", ["anatomized", "permuted"])
@settings(max_examples=examples(40))
@given(st.integers(0, 10**6), st.integers(8, 40))
def test_glp_with_suppressed_rows(form: str, keep: bool, seed: int, rows: int) -> None:
    """Who was left out is no part of it, but what they have goes with people alike."""
    less = {"partition": {"method": "lattice"}, "suppression": {"limit": "1/2", "keep": keep}}
    try:
        release = released(people(seed, rows), form, seed, **less)
    except sf.NoneFound:
        return
    assert release.lost is not None
    assert sf.measure(release, only=["glp"])["glp"].value == pytest.approx(release.lost.correspondence, abs=1e-12)


@pytest.mark.parametrize("form", ["anatomized", "permuted"])
@settings(max_examples=examples(40))
@given(st.integers(0, 10**6), st.integers(8, 40))
def test_several_secrets_are_one(form: str, seed: int, rows: int) -> None:
    release = released(people(seed, rows, secrets=2), form, seed)
    assert release.lost is not None
    found = sf.measure(release, only=["glp"])["glp"]
    assert found.value == pytest.approx(release.lost.correspondence, abs=1e-12)
    assert max(found.columns.values()) <= found.value + 1e-12, "the more is asked, the more is lost"


def test_secrets_that_stand_apart_are_two() -> None:
    table = people(3, 40, secrets=2)
    form = {"publish": "permuted", "together": False}
    release = sf.publish(table, policy={**policy(table, "permuted"), "form": form}, seed=1)
    found = sf.measure(release, only=["glp"])["glp"]
    assert found.value == pytest.approx(sum(found.columns.values()) / 2)


def slow_glp(release: sf.Release, table: pl.DataFrame) -> Fraction:
    """By looking at every person and every row that covers them."""
    names, columns = ["age", "sex"], release.source.policy.columns
    domains = {name: release.source.encode()[name] for name in names}
    shown, total = release.table.cast(pl.String).to_dicts(), Fraction(0)
    for person in table.cast(pl.String).to_dicts():
        mine = [
            row["ill"]
            for row in shown
            if all(covers(row[name], person[name], columns[name], domains[name].taxonomy) for name in names)
        ]
        alike = {row["ill"] for row in table.cast(pl.String).to_dicts() if all(row[n] == person[n] for n in names)}
        total += Fraction(sum(ill not in alike for ill in mine), len(mine))
    return total / table.height


@settings(max_examples=examples(40))
@given(st.integers(0, 10**6), st.integers(8, 40))
def test_glp_of_generalized_tables(seed: int, rows: int) -> None:
    table = people(seed, rows)
    release = released(table, "generalized", seed)
    wanted = pytest.approx(float(slow_glp(release, table)), abs=1e-9)
    assert sf.measure(release, only=["glp"])["glp"].value == wanted
    bare = sf.measure(release.table, policy(table, "generalized"), original=table, only=["glp"])
    assert bare["glp"].value == wanted


SHOWN = {
    "columns": {"q": {"role": "quasi"}, "s": {"role": "sensitive"}},
    "privacy": [{"model": "distinct-l", "l": 1}],
}


def block(counts: list[int]) -> pl.DataFrame:
    """A class whose values have these counts."""
    values = [str(at) for at, many in enumerate(counts) for _ in range(many)]
    return pl.DataFrame({"q": ["*"] * len(values), "s": values})


@pytest.mark.parametrize("case", ARP["mean_probability"], ids=lambda case: str(case["counts"]))
def test_property_1(case: dict[str, Any]) -> None:
    shown = block(case["counts"])
    found = sf.measure(shown, SHOWN, original=shown.with_columns(q=pl.lit("x")), only=["mean-probability"])
    assert found["mean-probability"].value == pytest.approx(float(Fraction(case["p"])))


@pytest.mark.parametrize("case", [case for case in ARP["re"] if case["n"] < 100], ids=lambda case: str(case["n"]))
def test_property_8(case: dict[str, Any]) -> None:
    """Of groups of l different values and what is left over: rows minus groups."""
    n, l = case["n"], case["l"]
    table = pl.DataFrame({"q": ["x"] * n, "s": [str(row % (l + 1)) for row in range(n)]})
    made = {**SHOWN, "privacy": [{"model": "simple-l", "l": l}], "partition": {"method": "arp"}}
    release = sf.publish(table, policy={**made, "form": {"publish": "anatomized"}}, seed=1)
    found = sf.measure(release, only=["reconstruction-error", "mean-probability"])
    assert found["reconstruction-error"].value == pytest.approx(float(Fraction(case["re"])))
    assert found["reconstruction-error"].value == pytest.approx(n - release.published.sizes.size)
    assert found["mean-probability"].value == pytest.approx(release.published.sizes.size / n)


@pytest.mark.parametrize("form", ["generalized", "anatomized", "permuted", "ring"])
@settings(max_examples=examples(30))
@given(st.integers(0, 10**6), st.integers(8, 40))
def test_mean_probability_of_every_form(form: str, seed: int, rows: int) -> None:
    """Class by class, from the tables; in rings, of the neighbours that may be a person."""
    release = released(people(seed, rows), form, seed)
    if form == "ring":
        wanted = _of_rings(release)
    else:
        classes: dict[Any, list[str]] = {}
        shown = release.tables["sensitive" if form == "anatomized" else "table"].to_dicts()
        for row in shown:
            key = (row["age"], row["sex"]) if form == "generalized" else row["group"]
            classes.setdefault(key, []).extend([row["ill"]] * int(row.get("count", 1)))
        each = [Fraction(many**2, len(mine)) for mine in classes.values() for many in Counter(mine).values()]
        wanted = sum(each, Fraction(0)) / rows
    found = sf.measure(release, only=["mean-probability"])["mean-probability"]
    assert found.value == pytest.approx(float(wanted))


def _of_rings(release: sf.Release) -> Fraction:
    ill, total, people = release.tables["table"]["ill"].to_list(), Fraction(0), 0
    for ring in release.published.sealed.rings:  # type: ignore[attr-defined]
        wide = min(ring.width, len(ring.rows))
        for place in range(len(ring.rows)):
            mine = Counter(ill[ring.rows[(place + step) % len(ring.rows)]] for step in range(wide))
            total += sum(Fraction(many, wide) ** 2 for many in mine.values())
            people += 1
    return total / people


def test_suppressed_rows_are_believed_to_be_like_all() -> None:
    """Of a a b c the last is left out: it has c with probability 0; had b been left out, with that of b in a a c."""
    original = pl.DataFrame({"q": ["x", "x", "y", "z"], "s": ["a", "a", "b", "b"]})
    shown = pl.DataFrame({"q": ["x", "x", "y"], "s": ["a", "a", "b"]})
    found = sf.measure(shown, SHOWN, original=original, only=["mean-probability", "reconstruction-error", "glp"])
    assert found["mean-probability"].value == pytest.approx((2 + 1 + 1 / 3) / 4)
    assert found["reconstruction-error"].value == pytest.approx(2 / 3)
    assert found["glp"].value == 0 and found["glp"].details["suppressed rows by the totals"] == pytest.approx(2 / 3 / 4)


def test_what_they_need() -> None:
    table = pl.DataFrame({"q": ["x", "y"]})
    only = ["glp", "mean-probability", "reconstruction-error"]
    columns = {"columns": {"q": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 1}]}
    found = sf.measure(table, columns, original=table, only=only)
    assert {each.lacks for each in found.measurements} == {"a sensitive column"}
    found = sf.measure(block([1, 1]), SHOWN, only=only)
    assert {each.lacks for each in found.measurements} == {"the original table"}
