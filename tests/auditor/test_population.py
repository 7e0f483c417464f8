"""The audit before who knows the population: Theorem 3.1 exactly, by every world; verdicts, words, refusals."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.exact import as_text
from tests.support.bayes import after, before
from tests.support.command import Cli

POLICY: dict[str, Any] = {
    "columns": {"q": {"role": "quasi", "hierarchy": {"mask": "right"}}, "s": {"role": "sensitive"}},
    "privacy": [{"model": "k-anonymity", "k": 1}],
}
CORRELATED = {("a1", "x"): 9, ("a1", "y"): 1, ("a2", "x"): 1, ("a2", "y"): 9}


def frame_of(population: Mapping[tuple[str, str], int]) -> pl.DataFrame:
    rows = [(q, s, count) for (q, s), count in population.items()]
    return pl.DataFrame(rows, schema=["q", "s", "count"], orient="row")


def published(*rows: tuple[str, str]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=["q", "s"], orient="row")


@given(st.integers(0, 10**6))
def test_against_every_world(seed: int) -> None:
    draw = random.Random(seed)
    every = list(product(["a1", "a2", "b1", "b2"], "xyz"))
    population = {pair: count for pair in every if (count := draw.randrange(4))} or {every[0]: 1}
    rows = [(draw.choice("ab") + "*", draw.choice("xyz")) for _ in range(draw.randrange(1, 8))]
    delta, epsilon, rho1, rho2 = (Fraction(draw.randrange(1, 10), 20) for _ in range(4))
    positive = negative = breaches = combinations = 0
    moved, believed = [Fraction(0)], [Fraction(0)]
    for q in dict.fromkeys(q for q, _ in population):
        values = [s for shown, s in rows if shown[0] == q[0]]
        posterior = after(population, q, {"a1", "a2"} if q[0] == "a" else {"b1", "b2"}, values) if values else None
        if posterior is None:
            continue
        combinations += 1
        for s, alpha in before(population, q).items():
            if alpha:
                beta = posterior.get(s, Fraction(0))
                positive += beta > 1 - delta
                negative += beta < epsilon <= alpha
                breaches += (alpha < rho1 and beta > rho2) or (alpha > 1 - rho1 and beta < 1 - rho2)
                moved.append(abs(alpha - beta))
                believed.append(beta)
    bounds = {"delta": delta, "epsilon": epsilon, "rho1": rho1, "rho2": rho2}
    [found] = sf.audit(published(*rows), POLICY, population=frame_of(population), bayes=bounds).population
    assert (found.combinations, found.posterior, found.change) == (combinations, max(believed), max(moved))
    assert (found.positive, found.negative, found.breaches) == (positive, negative, breaches)
    assert found.verdict == ("fails" if positive + negative + breaches else "holds" if combinations else "undecidable")
    assert found.parameters == {name: as_text(bound) for name, bound in bounds.items()}


def test_merging_breaks_what_blocks_keep() -> None:
    """001, Theorem 5.1: 1/2 in each of two blocks, 9/10 in both together."""
    apart = published(("a1", "x"), ("a1", "y"), ("a2", "x"), ("a2", "y"))
    asked = {"delta": "0.2"}
    kept = sf.audit(apart, POLICY, population=frame_of(CORRELATED), bayes=asked)
    assert kept.holds and kept.population[0].posterior == Fraction(1, 2)
    assert (
        "  holds       population (delta=0.2) on s: largest belief 0.5, largest change 0.4; positive" in kept.summary()
    )
    broken = sf.audit(apart.with_columns(q=pl.lit("a*")), POLICY, population=frame_of(CORRELATED), bayes=asked)
    assert broken.criteria[0].holds and not broken.holds and broken.outcome == "not every criterion is met"
    assert broken.population[0].posterior == Fraction(9, 10) and broken.population[0].positive == 2
    with pytest.raises(sf.AuditFailed):
        broken.raise_for_failure()


def test_without_bounds_it_is_told_and_nothing_is_judged() -> None:
    found = sf.audit(published(("a*", "x"), ("b*", "y")), POLICY, population=frame_of(CORRELATED))
    assert found.holds and found.population[0].verdict == "told" and found.population[0].strange == 1
    assert found.population[0].positive is None
    assert "groups that cover nobody of the population: 1 (2 combinations of quasi-identifiers)" in found.summary()
    assert found.to_dict()["population"][0]["posterior"] == 1
    assert sf.audit(published(("a*", "x")), POLICY).population == ()


def test_somebody_may_fit_several_groups() -> None:
    """a1 by itself holds x, a* holds x and y: of people with a1 and x, 1 + 1 · 9/10 rows are expected; with y, 1/10."""
    rows = published(("a1", "x"), ("a*", "x"), ("a*", "y"))
    [found] = sf.audit(rows, POLICY, population=frame_of(CORRELATED)).population
    assert found.posterior == Fraction(19, 10) / (Fraction(19, 10) + Fraction(1, 10))


def test_numbers_are_read_as_the_policy_says() -> None:
    columns = {"q": {"role": "quasi", "type": "number"}, "s": {"role": "sensitive"}}
    policy = {**POLICY, "columns": columns, "input": {"decimal": ","}}
    rows = published(("[1, 2]", "x"), ("[1, 2]", "y"))
    people = pl.DataFrame({"q": ["1,5", "1,5", "7"], "s": ["x", "y", "x"]})
    [found] = sf.audit(rows, policy, population=people).population
    assert (found.combinations, found.posterior) == (1, Fraction(1, 2))


def test_forms_that_cannot_be_judged_say_so() -> None:
    frame = pl.DataFrame({"q": ["a1", "a2", "b1", "b2"], "s": ["x", "y", "x", "y"]})
    policy = {**POLICY, "privacy": [{"model": "simple-l", "l": 2}], "partition": {"method": "anatomy"}}
    release = sf.publish(frame, policy={**policy, "form": {"publish": "anatomized"}}, seed=1)
    public, manifest = release.held
    found = sf.audit(public, release.source.policy, manifest, population=frame_of(CORRELATED), bayes={"delta": 0.1})
    assert found.population[0].verdict == "undecidable" and not found.holds
    assert "cannot be decided" in found.outcome and "a form whose rows show generalized" in found.summary()


@pytest.mark.parametrize(
    ("population", "bayes", "message"),
    [
        (None, {"delta": 0.1}, "need the population"),
        (frame_of(CORRELATED), {"gamma": 0.1}, "no such bound: 'gamma'; there are delta, epsilon, rho1, rho2"),
        (frame_of(CORRELATED), {"rho1": 0.1}, "rho1 and rho2 go together"),
        (frame_of(CORRELATED), {"delta": 2}, "delta must be from 0 to 1"),
        (frame_of(CORRELATED), {"delta": "much"}, "a bound must be a number"),
        (frame_of(CORRELATED).drop("s"), None, "has no column 's'"),
        (frame_of(CORRELATED).with_columns(count=pl.lit(-1)), None, "'count' must hold numbers of 0 or more"),
        ("nobody.csv", None, "population: nobody.csv"),
    ],
)
def test_what_cannot_be_asked_is_refused(population: object, bayes: Any, message: str) -> None:
    with pytest.raises(sf.InputError, match=message):
        sf.audit(published(("a*", "x")), POLICY, population=population, bayes=bayes)


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    monkeypatch.chdir(tmp_path)
    published(("a*", "x"), ("a*", "y")).write_csv("table.csv")
    frame_of(CORRELATED).write_csv("people.csv")
    Path("policy.yaml").write_text(
        "columns: {q: {role: quasi, hierarchy: {mask: right}}, s: {role: sensitive}}\n"
        "privacy: [{model: k-anonymity, k: 1}]\n",
        encoding="utf-8",
    )
    done = cli("audit", "table.csv", "-p", "policy.yaml", "--population", "people.csv", "--bayes", "delta=1/5")
    assert done.code == 4 and "fails       population (delta=0.2) on s: largest belief 0.9" in done.out
    assert cli("audit", "table.csv", "-p", "policy.yaml", "--population", "people.csv").code == 0
    assert cli("audit", "table.csv", "-p", "policy.yaml", "--bayes", "delta").code == 2
