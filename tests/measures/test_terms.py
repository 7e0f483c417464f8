"""T and belief change of releases with terms: the paper's figures, and loops over sets and fractions."""

from __future__ import annotations

import random
import warnings
from fractions import Fraction
from math import sqrt
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from tests.support.examples import examples
from tests.support.golden import golden
from tests.support.terms import beliefs, cost_t, linked

QS = golden("qs")
LABELS = dict(QS["E_cases"])
PAIRS = [(label, frozenset(terms)) for label, terms in QS["E_cases"]]
TERMS = "abcxz"
"""z is in no label."""


def policy(labels: Any = LABELS, **column: Any) -> dict[str, Any]:
    terms = {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": labels}, **column}
    return {
        "columns": {"q": {"role": "quasi"}, "t": terms},
        "privacy": [{"model": "qs-cl", "c": 2, "l": 2}],
        "partition": {"method": "mondrian", "terms": True},
    }


def table(groups: list[list[list[str]]]) -> pl.DataFrame:
    rows = [(str(at), "|".join(terms)) for at, group in enumerate(groups) for terms in group]
    return pl.DataFrame(rows, ["q", "t"], orient="row")


@pytest.mark.parametrize("case", QS["cost_T"], ids=lambda case: f"{case['w']} {case['v']}")
def test_what_terms_cost(case: dict[str, Any]) -> None:
    labels = {"A": [f"t{at}" for at in range(9)]}
    rows = [[f"t{at}" for at in range(many)] for many in case["w"]]
    shown = [row[gone:] for row, gone in zip(rows, case["v"], strict=True)]
    found = sf.measure(table([shown]), policy(labels), original=table([rows]), only=["suppressed-terms"])
    assert found["suppressed-terms"].value == pytest.approx(float(Fraction(case["T"])))
    assert found["suppressed-terms"].details["terms that are not shown"] == sum(case["v"])


def test_how_far_a_group_is_from_the_prior() -> None:
    """The groups of the example, as they are."""
    prior = QS["prior"]
    rows = table(prior["groups"])
    found = sf.measure(rows, policy(), original=rows, only=["belief-change"])["belief-change"]
    distances = [sqrt(Fraction(each)) for each in prior["dist2"]]
    assert found.details["largest"] == pytest.approx(max(distances))
    assert found.value == pytest.approx(sum(distances) / 2) == pytest.approx(found.details["mean of classes"])


def slow_change(groups: list[list[frozenset[str]]], original: list[frozenset[str]], rows: int) -> float:
    """By sets and fractions."""
    links = [each for each in (linked(PAIRS, terms) for terms in original) if each]
    prior, total = beliefs(links), 0.0
    for group in groups:
        mine = [each for each in (linked(PAIRS, terms) for terms in group) if each]
        after = beliefs(mine) if mine else prior
        square = sum((after.get(label, Fraction(0)) - prior.get(label, Fraction(0))) ** 2 for label, _ in PAIRS)
        total += len(group) * sqrt(square)
    return total / rows


Sets = st.lists(st.lists(st.sets(st.sampled_from(TERMS), max_size=4), min_size=1, max_size=4), min_size=1, max_size=5)


@settings(max_examples=examples(100))
@given(Sets, st.randoms(use_true_random=False), st.booleans())
def test_tables_against_loops(groups: list[list[set[str]]], draw: random.Random, left_out: bool) -> None:
    """Some terms are gone, and perhaps the last row."""
    whole = [[sorted(row) for row in group] for group in groups]
    shown = [[[term for term in row if draw.random() < 0.7] for row in group] for group in whole]
    rows = [frozenset(row) for group in whole for row in group]
    if not any(linked(PAIRS, row) for row in rows):
        return
    if left_out and len(rows) > 1:
        shown[-1].pop()
    kept = [frozenset(row) for group in shown for row in group]
    found = sf.measure(table(shown), policy(), original=table(whole), only=["suppressed-terms", "belief-change"])
    told = [*kept, *[frozenset[str]()] * (len(rows) - len(kept))]
    assert found["suppressed-terms"].value == pytest.approx(float(cost_t(rows, told)))
    each = [[frozenset(row) for row in group] for group in shown if group]
    assert found["belief-change"].value == pytest.approx(slow_change(each, rows, len(rows)))


@pytest.mark.parametrize("form", ["generalized", "anatomized", "permuted"])
@pytest.mark.parametrize("lengths", ["known", "hidden"])
def test_releases_of_any_form(form: str, lengths: str) -> None:
    """The same T as from what the release says of itself, whatever shows the groups."""
    draw = random.Random(3)
    rows = [[sorted(draw.sample("abcx", draw.randrange(1, 4)))] for _ in range(30)]
    given = {**policy(lengths=lengths), "form": {"publish": form}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sf.SfumatoWarning)
        release = sf.publish(table(rows), policy=given, seed=1)
    found = sf.measure(release, only=["suppressed-terms", "belief-change"])
    cost = found["suppressed-terms"].columns["t"]
    assert release.term_costs == pytest.approx({"t": cost}) and release.facts()["loss"]["terms"] == release.term_costs
    assert f"at a cost (T) of {cost:.4f} of 1" in release.summary()
    assert found["suppressed-terms"].details["terms that are not shown"] == release.suppressed_terms["t"] > 0
    assert 0 < found["belief-change"].value <= found["belief-change"].details["largest"] < sqrt(2)


@settings(max_examples=examples(30))
@given(Sets, st.booleans())
def test_a_release_comes_with_its_cost(groups: list[list[set[str]]], keep: bool) -> None:
    """Rows that are left out lose all their terms, those that stay as `*` none but suppressed ones."""
    whole = table([[sorted(row) for row in group] for group in groups])
    less = {"partition": {"method": "lattice", "terms": True}, "suppression": {"limit": "1/2", "keep": keep}}
    given = {**policy(), **less, "privacy": [{"model": "k-anonymity", "k": 2}, {"model": "qs-cl", "c": 2, "l": 2}]}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sf.SfumatoWarning)
            release = sf.publish(whole, policy=given, seed=1)
    except sf.NoneFound:
        return
    rows = [frozenset(filter(None, (cell or "").split("|"))) for cell in whole["t"]]
    told = [frozenset(filter(None, (cell or "").split("|"))) for cell in release.table["t"]]
    worth, all_worth = (sum((harmonic(len(row)) for row in each), Fraction(0)) for each in (told, rows))
    assert release.term_costs["t"] == pytest.approx(float(1 - worth / all_worth) if all_worth else 0, abs=1e-12)
    assert sf.measure(release, only=["suppressed-terms"])["suppressed-terms"].value == pytest.approx(
        release.term_costs["t"], abs=1e-12
    )


def harmonic(terms: int) -> Fraction:
    return sum((Fraction(1, each) for each in range(1, terms + 1)), Fraction(0))


def test_what_they_need() -> None:
    plain = {"columns": {"q": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 1}]}
    rows = pl.DataFrame({"q": ["a"]})
    found = sf.measure(rows, plain, original=rows, only=["suppressed-terms", "belief-change"])
    assert {each.lacks for each in found.measurements} == {"a quasi-sensitive column"}
    asked = {"measure": "belief-change", "prior": "knowledge"}
    sets = table([[["a"], ["b"]]])
    assert sf.measure(sets, policy(), original=sets, only=[asked]).measurements[0].lacks.startswith("priors of labels")
    with pytest.raises(sf.InputError, match="table or knowledge"):
        sf.measure(sets, policy(), original=sets, only=[{"measure": "belief-change", "prior": "mine"}])
    priors = dict.fromkeys(LABELS, 1)
    knowing = policy(knowledge={"labels": LABELS, "priors": priors})
    found = sf.measure(sets, knowing, original=sets, only=[asked])
    assert found["belief-change"].value == pytest.approx(sqrt(1 / 8)), "A 1/4, B 1/4, AB 1/2, from 1/4 each"
