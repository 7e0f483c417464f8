"""Costs of terms that a policy may choose: held against their definitions, and searched to the optimum."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.errors import SfumatoWarning
from sfumato.partition.steps.terms.balance import Balance
from sfumato.partition.steps.terms.costs import (
    HARMONIC,
    Cost,
    InverseCost,
    Pricing,
    RarityCost,
    ShareCost,
    WeightedInverseCost,
)
from sfumato.partition.steps.terms.tree import suppress_as_in_the_paper
from tests.partition.steps.test_terms_optimum import Case, case, keeps, kept_rows, searched, sets_of
from tests.support import terms as slow
from tests.support.command import Cli
from tests.support.examples import examples

Rows = Sequence[frozenset[str]]
LABELS = {"A": ["a", "x"], "B": ["b", "x"], "C": ["c", "x"], "AB": ["a", "b", "x"]}


def weight(term: str, known: Sequence[str]) -> Fraction:
    """What terms weigh here; those that the knowledge does not have, 1."""
    return Fraction(1 + ord(term) % 4, 2) if term in known else Fraction(1)


def harmonic(row: frozenset[str], lost: frozenset[str], known: Sequence[str]) -> Fraction:
    """Each its weight over the terms of the row; beside, what T for that many exceeds that of as many first ones by."""
    many = sum((Fraction(1, len(row) - place) for place in range(len(lost))), Fraction(0))
    each = sum((weight(term, known) / len(row) for term in lost), Fraction(0))
    return each + many - Fraction(len(lost), len(row)) if row else Fraction(0)


def share(row: frozenset[str], lost: frozenset[str], known: Sequence[str]) -> Fraction:
    gone, whole = (sum((weight(term, known) for term in terms), Fraction(0)) for terms in (lost, row))
    return gone / whole if row else Fraction(0)


def rarity(row: frozenset[str], lost: frozenset[str], known: Sequence[str]) -> Fraction:
    """In billionths; the n-th term of the knowledge is in n rows."""
    rows = [known.index(term) + 1 if term in known else 1 for term in lost]
    prices = [10**9 * weight(term, known) / seen for term, seen in zip(lost, rows, strict=True)]
    return Fraction(sum(max(round(price), 1) for price in prices), 10**9)


def normal(price: Any, known: Sequence[str], rows: Rows, kept: Rows) -> Fraction:
    whole = sum((price(row, row, known) for row in rows), Fraction(0))
    paid = sum((price(row, row - keep, known) for row, keep in zip(rows, kept, strict=True)), Fraction(0))
    return paid / whole if whole else Fraction(0)


def costs_of(given: Case) -> list[tuple[Cost, slow.Priced]]:
    known = given.knowledge.terms
    weights = {code: weight(term, known) for code, term in enumerate(known)}
    seen = {code: 1 + code for code in range(len(known))}
    return [
        (WeightedInverseCost(weights), partial(normal, harmonic, known)),
        (ShareCost(weights), partial(normal, share, known)),
        (RarityCost(weights, seen), partial(normal, rarity, known)),
    ]


@pytest.mark.parametrize("part", range(examples(10, fewest=2)))
def test_the_optimum_is_what_trying_everything_finds(part: int) -> None:
    outcomes = set()
    for seed in range(60 * part, 60 * part + 60):
        given = case(seed)
        lengths = given.lengths or [0] * len(given.rows)

        def links(at: int, terms: frozenset[str], given: Case = given, lengths: list[int] = lengths) -> frozenset[str]:
            return slow.linked(given.pairs, terms, given.unknown, lengths[at])

        def good(combo: Sequence[tuple[frozenset[str], frozenset[str]]], given: Case = given) -> bool:
            return keeps(given.promise, slow.masses([labels for _, labels in combo]), given.knowledge.labels)

        cost, reference = costs_of(given)[seed // 4 % 3]
        found = searched(given, cost)
        outcomes.add(found.outcome)
        assert found.cost == slow.cheapest(given.rows, links, good, reference), seed
        assert found.proven, seed
        if found.cost is not None:
            assert reference(given.rows, kept_rows(given, found)) == found.cost == found.lower
    assert outcomes == {"kept", "optimal", "infeasible"}


@pytest.mark.parametrize("adaptive", [True, False])
def test_the_papers_search_finds_the_same(adaptive: bool) -> None:
    for seed in range(examples(150)):
        given = case(seed)
        lengths = None if given.lengths is None else np.array(given.lengths)
        cost = costs_of(given)[seed % 3][0]
        sets = sets_of(given)
        found = suppress_as_in_the_paper(
            given.knowledge, sets, given.promise, cost, adaptive=adaptive, unknown=given.unknown, lengths=lengths
        )
        assert found.cost == searched(given, cost).cost, seed


def test_with_weights_of_one_it_is_the_papers() -> None:
    terms = [[0, 1, 2], [3], []]
    plain, weighed = (cost.priced([3, 1, 0], terms) for cost in (InverseCost(), WeightedInverseCost()))
    for lost in ([], [0], [1, 2], [0, 1, 2]):
        one = Fraction(plain.units(0, lost), plain.scale)
        assert one == Fraction(weighed.units(0, lost), weighed.scale)
    assert Fraction(plain.whole, plain.scale) == Fraction(weighed.whole, weighed.scale) == 1 + Fraction(11, 6)


def published(frame: pl.DataFrame, policy: Mapping[str, Any]) -> sf.Release:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SfumatoWarning)
        return sf.publish(frame, policy=policy, seed=1)


def policy(**terms: Any) -> dict[str, Any]:
    column = {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": LABELS}}
    return {
        "columns": {"q": {"role": "quasi", "type": "integer"}, "t": column},
        "privacy": [{"model": "k-anonymity", "k": 2}, {"model": "qs-cl", "c": 1, "l": 3}],
        "partition": {"method": "mondrian", "terms": terms},
    }


FRAME = pl.DataFrame({"q": [1, 1], "t": ["a|x", "a|b"]})


def test_what_is_dear_stays() -> None:
    """Both rows of a|b fit one label; without a or without b they fit two. In q = 9, two rows more have a."""
    frame = pl.DataFrame({"q": [1, 1, 9, 9], "t": ["a|b", "a|b", "a", "a"]})

    def stays(**terms: Any) -> list[str]:
        given = policy(**terms)
        given["privacy"] = [{"model": "k-anonymity", "k": 2}, {"model": "qs-cl", "c": 1, "l": 2}]
        shown = published(frame, given).table
        return sorted(cell or "" for cell, q in shown.select("t", "q").rows() if "9" not in str(q))

    for cost in ("harmonic", "count", "share"):
        assert stays(cost=cost, weights={"t": {"a": 2}}) == ["a", "a"]
        assert stays(cost=cost, weights={"t": {"b": 2}}) == ["b", "b"]
        assert stays(cost=cost, weights={"t": {"a": "1/2"}}) == ["b", "b"]
    assert stays(cost="rarity") == ["b", "b"]  # two rows have it, four have a
    assert stays(cost="rarity", weights={"t": {"a": 3}}) == ["a", "a"]


def test_shares_of_rows_count_rows_alike() -> None:
    """A term of a row of two is half of it, one of a row of four a quarter."""
    prices = ShareCost().priced([2, 4], [[0, 1], [0, 1, 2, 3]])
    assert (prices.share([0, 0]), prices.normal(prices.units(0, [0])), prices.normal(prices.units(1, [0]))) == (
        Fraction(0),
        Fraction(1, 4),
        Fraction(1, 8),
    )


@pytest.mark.parametrize("phases", ["one", "two"])
@pytest.mark.parametrize("cost", ["harmonic", "count", "share", "rarity"])
def test_releases_keep_their_promises_under_every_cost(cost: str, phases: str) -> None:
    for seed in range(examples(10)):
        rng = np.random.default_rng(seed)
        cells = ["|".join(rng.permutation(list("abcx"))[: rng.integers(0, 4)].tolist()) for _ in range(24)]
        frame = pl.DataFrame({"q": rng.integers(0, 5, 24), "t": cells})
        weights = {"t": {"x": 5, "a": "1/2"}} if seed % 2 else {}
        release = published(frame, policy(cost=cost, phases=phases, weights=weights))
        assert release.judged().holds


def test_the_balance_prices_terms_as_the_search_does() -> None:
    """In one phase, the loss of terms is the share of what losing all of them would cost, under the same prices."""
    column = published(FRAME, policy()).source.encode().sets[0]
    codes, lost = np.array([0, 1], np.int32), np.array([True, False, True, True])
    for pricing in (HARMONIC, Pricing("count"), Pricing("share"), Pricing("rarity"), Pricing("harmonic", {"t": {}})):
        balance, cost = Balance(0.5, pricing), pricing.of(column)
        rows = [column.terms[code].tolist() for code in (0, 1)]
        prices = cost.priced([2, 2], rows)
        expected = [prices.units(0, [0]) / prices.scale, prices.units(1, [0, 1]) / prices.scale]
        assert balance.price(column, codes, lost) == pytest.approx(expected)
        assert balance.price(column, codes).sum() == pytest.approx(prices.whole / prices.scale)
    weighed = Balance(0.5, Pricing("count", {"t": {"a": Fraction(7)}}))
    assert sorted(weighed.price(column, codes).tolist()) == [8.0, 8.0]


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"weights": {"q": {"a": 1}}}, "must name a quasi-sensitive column: t"),
        ({"weights": {"t": {"a": 0}}}, "weights"),
        ({"cost": "dear"}, "cost"),
    ],
)
def test_settings_are_checked(terms: dict[str, Any], message: str) -> None:
    with pytest.raises(sf.PolicyError, match=message):
        sf.read_policy(policy(**terms))
    steps = policy()
    steps["partition"] = {"steps": [{"step": "suppress-terms", **terms}]}
    with pytest.raises(sf.PolicyError, match=message):
        sf.read_policy(steps)


def test_a_term_that_nobody_knows_has_no_weight_and_is_not_named() -> None:
    with pytest.raises(sf.InputError, match="1 of 2 weights") as told:
        published(FRAME, policy(weights={"t": {"a": 2, "secret illness": 3}}))
    assert "secret illness" not in str(told.value)


def test_a_policy_without_weights_is_hashed_as_ever() -> None:
    plain, empty = sf.read_policy(policy()), sf.read_policy(policy(weights={}))
    assert plain.digest == empty.digest != sf.read_policy(policy(weights={"t": {"a": 2}})).digest
    told = sf.read_policy(policy(weights={"t": {"a": "1/3"}}))
    assert sf.read_policy(told.as_dict()) == told


def test_from_the_command_line(tmp_path: Path, cli: Cli) -> None:
    FRAME.write_csv(tmp_path / "people.csv")
    (tmp_path / "p.yaml").write_text(
        "version: 1\ncolumns:\n  q: {role: quasi, type: integer}\n"
        '  t: {role: quasi-sensitive, separator: "|", knowledge: {labels: {A: [a, x], B: [b, x], C: [c, x]}}}\n'
        "privacy:\n  - {model: k-anonymity, k: 2}\n  - {model: qs-cl, c: 1, l: 3}\n"
        "partition: {method: mondrian, steps: [{step: suppress-terms, cost: rarity, weights: {t: {x: 3}}}]}\n",
        encoding="utf-8",
    )
    data, given = str(tmp_path / "people.csv"), str(tmp_path / "p.yaml")
    cli.well("anonymize", data, "-p", given, "-o", str(tmp_path / "out"))
    cli.well("audit", str(tmp_path / "out"), "-p", given)
