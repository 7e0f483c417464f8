"""The search finds what trying everything finds, and nothing beats it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from sfumato.knowledge.belief import LabelCL, LabelPromise, LabelT
from sfumato.knowledge.linking import TermSets, Unknown, exact_chances
from sfumato.knowledge.table import Knowledge
from sfumato.partition.steps.terms.cheapest import WORK, Cheapest, suppress
from sfumato.partition.steps.terms.costs import Cost, CountCost, InverseCost, WeightedCost
from sfumato.partition.steps.terms.tree import suppress_as_in_the_paper
from tests.support import terms as slow
from tests.support.examples import examples

Ints = NDArray[np.int64]
TERMS = "abcdefgh"
UNKNOWN = "yz"


class Case(NamedTuple):
    knowledge: Knowledge
    pairs: slow.Pairs
    rows: list[frozenset[str]]
    unknown: Unknown
    lengths: list[int] | None
    promise: LabelPromise


def case(seed: int) -> Case:
    """A small group: few terms, labels that repeat, sometimes unknown terms, sometimes known lengths."""
    chance = np.random.default_rng(seed)
    labels = [f"L{chance.integers(0, 6)}" for _ in range(chance.integers(2, 9))]
    pairs = [
        (label, frozenset(chance.choice(list(TERMS[: chance.integers(3, 9)]), chance.integers(1, 4)).tolist()))
        for label in labels
    ]
    pool = list(TERMS) + list(UNKNOWN) * int(seed % 3 == 0)
    rows = []
    for _ in range(chance.integers(1, 4)):
        source = sorted(pairs[chance.integers(len(pairs))][1]) if chance.random() < 0.8 else pool
        size = min(len(source), int(chance.integers(0, 4)))
        rows.append(frozenset(chance.choice(source, size, replace=False).tolist()))
        if seed % 3 == 0 and chance.random() < 0.3:
            rows[-1] |= {"z"}
    if chance.random() < 0.3:
        rows.append(rows[0])
    rows = rows[:3]
    knowledge = Knowledge.of(pairs)
    prior = chance.integers(1, 9, len(knowledge.labels))
    t = Fraction(int(chance.integers(1, 9)), 10)
    promise: LabelPromise
    match seed % 4:
        case 0 | 1:
            promise = LabelCL(
                Fraction(int(chance.integers(1, 7)), int(chance.integers(1, 4))), int(chance.integers(1, 5))
            )
        case 2:
            promise = LabelT(t, [Fraction(int(each), int(prior.sum())) for each in prior])
        case _:
            promise = LabelT(t, [Fraction(int(each), int(prior.sum())) for each in prior], "equal")
    unknown: Unknown = "strict" if seed % 5 == 0 else "drop"
    lengths = [int(chance.integers(0, 3)) for _ in rows] if seed % 7 == 0 else None
    return Case(knowledge, pairs, rows, unknown, lengths, promise)


def keeps(promise: LabelPromise, mass: Mapping[str, Fraction], labels: Sequence[str]) -> bool:
    if isinstance(promise, LabelCL):
        return slow.keeps_cl(mass, promise.c, promise.l)
    prior = dict(zip(labels, promise.prior, strict=True))
    if promise.distance == "equal":
        return not mass or slow.moved(mass, prior) <= promise.t
    return slow.keeps_t(mass, prior, promise.t)


def sets_of(given: Case) -> TermSets:
    return TermSets.of(given.knowledge, [sorted(row) for row in given.rows])


def searched(given: Case, cost: Cost | None = None) -> Cheapest:
    lengths = None if given.lengths is None else np.array(given.lengths)
    return suppress(given.knowledge, sets_of(given), given.promise, cost, unknown=given.unknown, lengths=lengths)


def kept_rows(given: Case, found: Cheapest) -> list[frozenset[str]]:
    return [
        frozenset(term for term, stays in zip(sorted(row), keep, strict=True) if stays)
        for row, keep in zip(given.rows, found.keep, strict=True)
    ]


def count_cost(rows: Sequence[frozenset[str]], kept: Sequence[frozenset[str]]) -> Fraction:
    whole = sum(map(len, rows))
    return Fraction(whole - sum(map(len, kept)), whole) if whole else Fraction(0)


def weights_of(knowledge: Knowledge) -> dict[str, Fraction]:
    return {term: Fraction(1 + 3 * place % 5, 2) for place, term in enumerate(knowledge.terms)}


def weighted_cost(knowledge: Knowledge, rows: Sequence[frozenset[str]], kept: Sequence[frozenset[str]]) -> Fraction:
    weights = weights_of(knowledge)
    whole = sum((weights.get(term, Fraction(1)) for row in rows for term in row), Fraction(0))
    lost = [term for row, keep in zip(rows, kept, strict=True) for term in row - keep]
    return sum((weights.get(term, Fraction(1)) for term in lost), Fraction(0)) / whole if whole else Fraction(0)


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

        weighing = WeightedCost(dict(enumerate(weights_of(given.knowledge).values())))
        costs: list[tuple[Cost, slow.Priced]] = [
            (InverseCost(), slow.cost_t),
            (CountCost(), count_cost),
            (weighing, partial(weighted_cost, given.knowledge)),
        ]
        cost, reference = costs[seed // 4 % 3]
        found = searched(given, cost)
        outcomes.add(found.outcome)
        assert found.cost == slow.cheapest(given.rows, links, good, reference), seed
        assert found.proven, seed
        if found.cost is not None:
            kept = kept_rows(given, found)
            assert good([(keep, links(at, keep)) for at, keep in enumerate(kept)]), seed
            assert reference(given.rows, kept) == found.cost == found.lower
    assert outcomes == {"kept", "optimal", "infeasible"}


@pytest.mark.parametrize("seed", range(examples(40)))
def test_unequal_chances_are_searched_exactly(seed: int) -> None:
    given = case(4 * seed + 2)
    chance = np.random.default_rng(seed)
    priors = {label: int(chance.integers(1, 9)) for label in given.knowledge.labels}
    every = {(term, label): Fraction(int(chance.integers(1, 10)), 10) for label, held in given.pairs for term in held}
    knowledge = Knowledge.of(given.pairs, priors, every if seed % 2 else None)

    def weights(terms: frozenset[str], labels: frozenset[str]) -> dict[str, Fraction]:
        found = {label: Fraction(priors[label]) for label in labels}
        for label in labels if seed % 2 else ():
            for term in terms & set(knowledge.terms):
                found[label] *= every[term, label]
        whole = sum(found.values())
        return {label: weight / whole for label, weight in found.items()}

    def good(combo: Sequence[tuple[frozenset[str], frozenset[str]]]) -> bool:
        mass: dict[str, Fraction] = {}
        for terms, labels in combo:
            for label, weight in weights(terms, labels).items():
                mass[label] = mass.get(label, Fraction(0)) + weight
        return keeps(given.promise, mass, knowledge.labels)

    def links(_: int, terms: frozenset[str]) -> frozenset[str]:
        return slow.linked(given.pairs, terms)

    found = suppress(knowledge, sets_of(given), given.promise)
    assert found.cost == slow.cheapest(given.rows, links, good, slow.cost_t)
    terms = TermSets.of(knowledge, [sorted(given.rows[0])])[0]
    labels = sorted(links(0, given.rows[0]))
    codes = np.array([knowledge.labels.index(label) for label in labels], np.int32)
    expected = weights(given.rows[0], frozenset(labels)) if labels else {}
    assert exact_chances(knowledge, terms, codes) == [expected[label] for label in labels]


@pytest.mark.parametrize("adaptive", [True, False])
def test_the_papers_search_never_beats_the_optimum(adaptive: bool) -> None:
    outcomes = set()
    for seed in range(200):
        given = case(seed)
        lengths = None if given.lengths is None else np.array(given.lengths)
        cost = (InverseCost(), CountCost(), WeightedCost({0: Fraction(3), 1: Fraction(1, 2)}))[seed % 3]
        best = searched(given, cost)

        def paper(work: int, given: Case = given, cost: Cost = cost, lengths: Ints | None = lengths) -> Cheapest:
            return suppress_as_in_the_paper(
                given.knowledge,
                sets_of(given),
                given.promise,
                cost,
                adaptive=adaptive,
                unknown=given.unknown,
                lengths=lengths,
                work=work,
            )

        whole = paper(WORK)
        assert whole.outcome == best.outcome
        assert whole.cost == best.cost, seed
        short = paper(150)
        outcomes.add(short.outcome)
        if short.cost is not None:
            assert best.cost is not None
            assert short.cost >= best.cost
            assert short.lower <= best.cost
            links = [slow.linked(given.pairs, keep, given.unknown, at) for keep, at in _kept(given, short)]
            assert keeps(given.promise, slow.masses(links), given.knowledge.labels)
    assert {"unresolved", "bounded", "optimal"} <= outcomes


def _kept(given: Case, found: Cheapest) -> list[tuple[frozenset[str], int]]:
    return list(zip(kept_rows(given, found), given.lengths or [0] * len(given.rows), strict=True))


def test_a_result_does_not_depend_on_the_order_of_rows_or_terms() -> None:
    for seed in range(40):
        given = case(seed)
        sets = TermSets.of(given.knowledge, [sorted(row, reverse=True) for row in reversed(given.rows)])
        lengths = None if given.lengths is None else np.array(given.lengths[::-1])
        turned = suppress(given.knowledge, sets, given.promise, unknown=given.unknown, lengths=lengths)
        found = searched(given)
        kept = [
            frozenset(term for term, stays in zip(sorted(row, reverse=True), keep, strict=True) if stays)
            for row, keep in zip(reversed(given.rows), turned.keep, strict=True)
        ]
        pairs = zip(given.rows, given.lengths or given.rows, kept_rows(given, found), strict=True)
        others = zip(reversed(given.rows), reversed(given.lengths or given.rows), kept, strict=True)
        assert sorted(map(_key, pairs)) == sorted(map(_key, others)), seed


def _key(row: tuple[frozenset[str], object, frozenset[str]]) -> tuple[list[str], str, list[str]]:
    return sorted(row[0] - set(UNKNOWN)), str(row[1]) if isinstance(row[1], int) else "", sorted(row[2] - set(UNKNOWN))
