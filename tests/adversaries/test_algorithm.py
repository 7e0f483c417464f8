"""Somebody who knows the algorithm: the exact chances of the register of holes, by running the product on every table
that may have been."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.knowledge.belief import LabelCL
from sfumato.knowledge.linking import TermSets
from sfumato.knowledge.read import read_knowledge
from sfumato.partition.steps.terms.cheapest import suppress
from tests.support.examples import some

PLACES = ["q1", "q1", "q2", "q2", "q2", "q2"]
ROWS = pl.DataFrame({"place": PLACES, "disease": list("aabcde")})


def policy(**more: Any) -> dict[str, Any]:
    return {
        "columns": {"place": {"role": "quasi", "hierarchy": "flat"}, "disease": {"role": "sensitive"}},
        "privacy": [{"model": "simple-l", "l": 2}],
        "partition": {"method": "mondrian"},
        **more,
    }


def attacked(release: sf.Release, *, seed: int = 0, **settings: Any) -> sf.Exposure:
    [found] = sf.attack(release, only=[{"adversary": "algorithm", **settings}], seed=seed)["algorithm"].exposures
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["mondrian", "lattice", "incognito"])
def test_the_minimality_attack(method: str) -> None:
    """L1: had the two of q1 different diseases, places would have been told apart; so both have the one that is twice
    there. The promise says 1/2, the release 1/3. All eleven tables: pairs of q1 from a a b c d e."""
    release = sf.publish(ROWS, policy=policy(partition={"method": method}), seed=1)
    found = attacked(release)
    assert (found.exposed, found.people, found.surest) == (2, 6, 1.0)
    assert found.details["surest exactly"] == "1" and found.details["surest by the release alone"] == 0.333333
    assert (found.details["tables tried"], found.details["tables that lead to it"]) == (11, 1)
    assert found.right == pytest.approx(Fraction(2 + 1, 6))


@pytest.mark.parametrize(("form", "exposed"), some([("anatomized", 0), ("permuted", 0)]))
def test_groups_of_different_values_by_chance_give_nothing_away(form: str, exposed: int) -> None:
    promise = [{"model": "pairwise-l", "l": 2}]
    given = policy(partition={"method": "anatomy"}, privacy=promise, form={"publish": form})
    release = sf.publish(ROWS, policy=given, seed=1)
    assert attacked(release, seeds=40).exposed == exposed


@pytest.mark.thorough
def test_slack_and_chance_guard_against_it() -> None:
    """The exact chances of both guards: 1/3 with slack, 3/8 where the recoding is drawn."""
    slack = sf.publish(ROWS, policy=policy(partition={"method": "lattice", "slack": 1}), seed=1)
    assert attacked(slack).details["surest exactly"] == "1/3" and attacked(slack).exposed == 0
    drawn = sf.publish(ROWS, policy=policy(partition={"method": "lattice", "choose": "random"}), seed=1)
    found = attacked(drawn, seeds=30)
    assert found.surest == pytest.approx(3 / 8, abs=0.05) and "surest exactly" not in found.details
    assert attacked(drawn).details["ways of chance"] == 16


XY = {"tree": {"x": ["a", "b"], "y": ["c", "d"]}}


def swept(first: str, second: str, tree: Any, values: str, seed: int = 0, **method: Any) -> sf.Release:
    frame = pl.DataFrame({"place": ["u1"] * len(first) + ["u2"] * len(second), "disease": [*first, *second]})
    promise = {"model": "tau-l", "tau": "1/2", "l": 3, "weights": dict.fromkeys(values, 1)}
    columns = {"place": {"role": "quasi", "hierarchy": "flat"}, "disease": {"role": "sensitive", "hierarchy": tree}}
    given = {"columns": columns, "privacy": [promise], "partition": {"method": "sweep", **method}}
    return sf.publish(frame, policy=given, seed=seed)


@pytest.mark.thorough
def test_single_generalized_values_tell_which_was_too_frequent() -> None:
    """S1: the paper's variant shows x x a c beside u2, which a a a c alone leads to: 3/4, where 1/2 is promised."""
    faithful = swept("aaac", "bbcd", XY, "abcd", faithful=True)
    assert sorted(faithful.table.rows()) == [
        *(("*", "a"), ("*", "c"), ("*", "x"), ("*", "x")),
        *(("u2", "b"), ("u2", "b"), ("u2", "c"), ("u2", "d")),
    ]
    found = attacked(faithful)
    assert (found.exposed, found.details["surest exactly"]) == (4, "3/4")
    assert found.details["surest by the release alone"] == 0.5 and found.details["tables that lead to it"] == 1
    ours = attacked(swept("aaac", "bbcd", XY, "abcd"))
    assert (ours.exposed, ours.details["surest exactly"]) == (0, "1/2")


@pytest.mark.thorough
def test_single_swept_rows_tell_which_was_too_frequent() -> None:
    """S2: a a b c stays in u1 and one row is `*`. Where ties are secret it came from a a a b c (20 ways), or with 1/2
    from a a b b c or a a b c c (30 each): 12/25. Who knows how they fell may believe 3/5, where 1/2 is promised."""
    release = swept("aaabc", "def", "flat", "abcdef", faithful=True)
    assert ("*", "*") in release.table.rows() and release.table.filter(pl.col("place") == "u1").height == 4
    found = attacked(release, seeds=40)
    assert found.surest == pytest.approx(12 / 25, abs=0.04) and found.details["tables that lead to it"] == 3
    known = {
        attacked(swept("aaabc", "def", "flat", "abcdef", seed, faithful=True), seed=seed, seeds=1).surest
        for seed in range(4)
    }
    assert max(known) == pytest.approx(3 / 5)
    ours = attacked(swept("aaabc", "def", "flat", "abcdef"), seeds=1)
    assert (ours.exposed, ours.details["surest exactly"], ours.details["tables tried"]) == (0, "1/3", 252)


DISEASES = {
    "flu": ["cough", "fever", "headache"],
    "measles": ["cough", "fever", "rash"],
    "scarlatina": ["fever", "headache", "rash"],
    "cold": ["cough", "sneezing", "headache"],
    "migraine": ["headache", "nausea"],
}


def learnt(shown: Sequence[str], lost: int) -> dict[str, Fraction]:
    """How likely each label is for the first of two people who show the same, by the search for terms alone."""
    known = read_knowledge(DISEASES)
    others = [term for term in known.terms if term not in shown]
    visits = [tuple(sorted([*shown, *more])) for many in range(lost + 1) for more in combinations(others, many)]
    labels, tables = dict.fromkeys(DISEASES, Fraction(0)), 0
    for pair in product(visits, repeat=2):
        kept = suppress(known, TermSets.of(known, pair), LabelCL(Fraction(1), 2)).keep
        left = [[term for term, stays in zip(*row, strict=True) if stays] for row in zip(pair, kept, strict=True)]
        if left == [list(shown)] * 2:
            tables += 1
            fits = [label for label, terms in DISEASES.items() if {*pair[0]} <= {*terms}]
            for label in fits:
                labels[label] += Fraction(1, len(fits))
    return {label: mass / tables for label, mass in labels.items()}


@pytest.mark.thorough
def test_the_cheapest_terms_tell_which_they_were() -> None:
    """004: fever and headache are left of two visits, which may be flu or scarlatina: 1/2. Of all visits that lose
    them by the cheapest suppression, three quarters were flu."""
    column = {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": DISEASES}}
    given = {
        "columns": {"age": {"role": "quasi", "type": "integer"}, "s": column},
        "privacy": [{"model": "k-anonymity", "k": 2}, {"model": "qs-cl", "c": 1, "l": 2}],
        "partition": {"method": "mondrian", "terms": True},
    }
    frame = pl.DataFrame({"age": [30, 31], "s": ["cough|fever|headache"] * 2})
    with pytest.warns(sf.SfumatoWarning):
        release = sf.publish(frame, policy=given, seed=1)
    assert release.table["s"].to_list() == ["fever|headache"] * 2
    found = attacked(release)
    wanted = learnt(["fever", "headache"], 2)
    assert (found.on, found.exposed, found.right) == ("s", 2, None)
    assert Fraction(found.details["surest exactly"]) == max(wanted.values()) == wanted["flu"] == Fraction(3, 4)
    assert found.details["surest by the release alone"] == 0.5


@pytest.mark.thorough
def test_drawn_tables_come_near_all_tables() -> None:
    frame = pl.DataFrame({"place": ["p"] * 3 + ["q"] * 3 + ["r"] * 2, "disease": list("aabbcdcd")})
    release = sf.publish(frame, policy=policy(partition={"method": "lattice", "slack": 1}), seed=1)
    every, drawn = attacked(release, seeds=1), attacked(release, seeds=1, most=80)
    assert "surest exactly" in every.details and every.details["tables tried"] > 80 == drawn.details["tables tried"]
    assert drawn.surest == pytest.approx(every.surest, abs=0.12) and drawn.exposed == every.exposed == 0


def test_rows_that_are_left_out_are_anybodys() -> None:
    """Both of q1 are left out, as they are where they have one disease: any of five. Of 15 pairs, 5 lead to it."""
    given = policy(partition={"method": "lattice", "maximum": {"place": 0}}, suppression={"limit": "1/2"})
    release = sf.publish(ROWS, policy=given, seed=1)
    assert release.suppressed == 2
    found = attacked(release)
    assert (found.people, found.exposed, found.details["surest exactly"]) == (6, 0, "1/4")
    assert (found.details["tables tried"], found.details["tables that lead to it"]) == (15, 5)


def test_what_is_lacking_is_said() -> None:
    release = sf.publish(ROWS, policy=policy(), seed=1)
    many = sf.publish(pl.concat([ROWS] * 5), policy=policy(), seed=1)
    assert sf.attack(many, only=["algorithm"])["algorithm"].lacks == "a table of at most 24 rows (`rows`), not 30"
    other = sf.attack(release.table, policy(partition={"method": "lattice", "slack": 1}), original=ROWS)["algorithm"]
    assert other.lacks.startswith("a release that this algorithm makes: none of 11 tables") or other.exposures
    bare = sf.attack(release.table, policy(), only=["algorithm"])["algorithm"]
    assert bare.lacks.startswith("the algorithm")


def test_it_tells_how_far_it_is_and_can_be_stopped() -> None:
    told: list[tuple[str, int, int]] = []

    def watch(stage: str, done: int, total: int) -> None:
        told.append((stage, done, total))
        if (done, total) == (3, 11):
            raise sf.Cancelled("enough")

    with pytest.raises(sf.Cancelled):
        sf.attack(sf.publish(ROWS, policy=policy(), seed=1), only=["algorithm"], progress=watch)
    assert ("attack: tables that may have been", 0, 11) in told
