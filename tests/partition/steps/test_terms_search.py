"""The search at the size of the paper's experiments, under short work, on long rows, and in threads."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.demo.symptoms import synthetic_knowledge, synthetic_patients
from sfumato.errors import InputError
from sfumato.knowledge.belief import LabelCL, LabelPromise, LabelT
from sfumato.knowledge.judge import estimated_prior, group_mass, judge
from sfumato.knowledge.linking import TermSets, link
from sfumato.knowledge.table import Knowledge
from sfumato.partition.steps.terms.cheapest import Cheapest, suppress, suppress_groups
from sfumato.partition.steps.terms.costs import CountCost, InverseCost, WeightedCost
from sfumato.partition.steps.terms.tree import suppress_as_in_the_paper
from tests.support import terms as slow
from tests.support.compiled import top_sum
from tests.support.examples import examples

ILL = synthetic_knowledge(7)
UNIFORM = LabelT("0.4", [Fraction(1, len(ILL.labels))] * len(ILL.labels))


def published(sets: TermSets, found: Cheapest) -> TermSets:
    rows = [sets[row][keep] for row, keep in enumerate(found.keep)]
    return TermSets(np.cumsum([0, *map(len, rows)], dtype=np.int64), np.concatenate(rows))


def test_the_synthetic_table_is_the_papers() -> None:
    assert len(ILL.labels) == 3000
    assert 550 < len(ILL.terms) <= 600
    assert 19.5 < ILL.row_lengths.mean() < 20.5
    assert abs(np.diff(ILL.postings[0]).mean() - 100) < 3
    patients = synthetic_patients(ILL, 50, 9, 1)
    assert set(patients.lengths.tolist()) == {9}
    assert link(ILL, patients).counts.min() >= 1


@pytest.mark.parametrize("promise", [LabelCL(1, 30), UNIFORM], ids=["cl", "t"])
def test_the_papers_defaults_are_solved_with_little_work(promise: LabelPromise) -> None:
    for seed in range(6):
        sets = synthetic_patients(ILL, 5, 9, seed)
        found = suppress(ILL, sets, promise, work=100_000)
        assert found.outcome == "optimal"
        after = published(sets, found)
        assert promise.holds(group_mass(ILL, after, link(ILL, after), range(5)))
        for adaptive in (True, False):
            for work in (found.work, 300_000):
                paper = suppress_as_in_the_paper(ILL, sets, promise, adaptive=adaptive, work=work)
                assert paper.cost is None or (found.cost is not None and paper.cost >= found.cost)
                assert not paper.proven


def test_one_row_alone_needs_thirty_labels() -> None:
    """Of one row, all labels are equally likely: the fewest terms to go so that thirty are left."""
    sets = synthetic_patients(ILL, 1, 9, 3)
    found = suppress(ILL, sets, LabelCL(1, 30))
    for left in range(9, -1, -1):
        masks = [mask for mask in range(512) if mask.bit_count() == left]
        rows = [sets[0][[bit for bit in range(9) if mask >> bit & 1]] for mask in masks]
        every = TermSets(np.arange(len(rows) + 1, dtype=np.int64) * left, np.concatenate(rows).astype(np.int32))
        if link(ILL, every).counts.max() >= 30:
            break
    assert found.cost == InverseCost().priced([9]).share([9 - left])


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["cl", "euclidean", "equal"])
def test_short_work_gives_a_valid_bound(kind: str) -> None:
    ill = synthetic_knowledge(3, labels=60, per_label=6, occurrences=15)
    patients = synthetic_patients(ill, 400, 5, 9)
    prior = estimated_prior(ill, patients, link(ill, patients))
    promises: dict[str, LabelPromise] = {
        "cl": LabelCL(1, 6),
        "euclidean": LabelT("0.25", prior),
        "equal": LabelT("0.7", prior, "equal"),
    }
    promise = promises[kind]
    outcomes = set()
    for seed in range(12):
        sets = synthetic_patients(ill, 7, 5, seed)
        best = suppress(ill, sets, promise)
        assert best.proven
        for work in (0, 300, 3000, 30000):
            short = suppress(ill, sets, promise, work=work)
            outcomes.add(short.outcome)
            if best.cost is not None:
                assert short.lower <= best.cost
                assert short.outcome != "infeasible"
            if short.cost is not None and best.cost is not None:
                assert short.cost >= best.cost
                after = published(sets, short)
                assert promise.holds(group_mass(ill, after, link(ill, after), range(7)))
                assert short.proven is (short.lower == short.cost)
    assert "bounded" in outcomes or kind == "cl"
    assert "optimal" in outcomes or "kept" in outcomes


def test_threads_change_nothing() -> None:
    patients = synthetic_patients(ILL, 60, 9, 4)
    ends, members = np.arange(0, 61, 5), np.random.default_rng(0).permutation(60)
    seen: list[Cheapest] = []
    one = suppress_groups(ILL, patients, ends, members, LabelCL(1, 30))
    two = suppress_groups(ILL, patients, ends, members, LabelCL(1, 30), threads=3, progress=seen.append)
    assert seen == two
    for a, b in zip(one, two, strict=True):
        assert (a.outcome, a.cost, a.work) == (b.outcome, b.cost, b.work)
        assert [keep.tolist() for keep in a.keep] == [keep.tolist() for keep in b.keep]


def test_rows_longer_than_a_word_are_kept_or_emptied() -> None:
    terms = [f"t{at:02}" for at in range(70)]
    ill = Knowledge.of([("A", terms), ("B", terms[:1]), ("C", terms[1:2])])
    sets = TermSets.of(ill, [terms, terms[:1]])
    found = suppress(ill, sets, LabelCL(1, 3))
    assert found.outcome == "bounded"
    assert [keep.sum() for keep in found.keep] == [0, 0]
    assert (found.cost, found.lower) == (Fraction(1), Fraction(0))
    assert suppress(ill, sets, LabelCL(1, 1)).outcome == "kept"
    mixed = TermSets.of(ill, [["zz", *terms]])
    assert suppress(ill, mixed, LabelCL(1, 2)).keep[0].sum() == 0
    assert suppress(ill, mixed, LabelCL(1, 2), unknown="strict").outcome == "kept"
    none = TermSets.of(ill, [[f"z{at}" for at in range(70)]])
    assert suppress(ill, none, LabelCL(1, 2)).outcome == "kept"
    with pytest.raises(InputError, match="at most 16 terms"):
        suppress_as_in_the_paper(ill, sets, LabelCL(1, 3))


def test_long_rows_are_solved_by_closed_sets() -> None:
    """Thirty terms have a billion subsets, of which few differ in their labels."""
    ill = synthetic_knowledge(5, labels=300, per_label=40, occurrences=60)
    sets = synthetic_patients(ill, 2, 30, 1)
    for cost in (
        InverseCost(),
        CountCost(),
        WeightedCost({at: Fraction(1 + at % 3, 2) for at in range(len(ill.terms))}),
    ):
        assert suppress(ill, sets, LabelCL(1, 5), cost).outcome == "optimal"


def test_costs_too_fine_for_machine_numbers_give_a_bound() -> None:
    weights = {at: Fraction(10**18 + at, 10**17 + 3 * at + 1) for at in range(4)}
    ill = Knowledge.of([("A", "abcd"), ("B", "ab"), ("C", "b")])
    sets = TermSets.of(ill, ["abcd", "abc"])
    found = suppress(ill, sets, LabelCL(1, 3), WeightedCost(weights))
    exact = suppress(ill, sets, LabelCL(1, 3), CountCost())
    assert found.outcome == "bounded"
    assert found.cost is not None
    assert exact.cost is not None
    assert 0 < found.cost - found.lower < Fraction(1, 10**15)
    assert [keep.tolist() for keep in found.keep] == [keep.tolist() for keep in exact.keep]


def test_many_rows_with_chances_of_terms_only_promise_a_bound() -> None:
    terms = [f"t{at:02}" for at in range(13)]
    every = {(term, label): Fraction(1, 2) for label in "AB" for term in terms}
    ill = Knowledge.of([("A", terms), ("B", terms[:6])], chances=every)
    found = suppress(ill, TermSets.of(ill, [terms]), LabelCL(1, 2))
    assert (found.outcome, int(found.keep[0].sum())) == ("bounded", 6)


@settings(max_examples=examples(60))
@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.integers(0, 70))
def test_the_sum_of_the_largest(values: list[float], k: int) -> None:
    assert top_sum(np.array(values), len(values), k) == pytest.approx(sum(sorted(values, reverse=True)[:k]))


@pytest.mark.parametrize("kind", ["cl", "euclidean", "equal"])
def test_many_groups_are_judged_as_one_by_one(kind: str) -> None:
    chance = np.random.default_rng(2)
    ill = synthetic_knowledge(1, labels=12, per_label=4, occurrences=6)
    rows = [[ill.terms[at] for at in chance.choice(len(ill.terms), chance.integers(0, 3))] for _ in range(300)]
    sets = TermSets.of(ill, rows)
    links, ends = link(ill, sets), np.arange(0, 301, 3)
    prior = dict(zip(ill.labels, estimated_prior(ill, sets, links), strict=True))
    pairs = [
        (
            ill.labels[label],
            frozenset(ill.terms[at] for at in ill.row_terms[ill.row_offsets[row] : ill.row_offsets[row + 1]]),
        )
        for row, label in enumerate(ill.row_labels)
    ]
    t = Fraction(1, 4)
    promise = (
        LabelCL(1, 7) if kind == "cl" else LabelT(t, prior.values(), "euclidean" if kind == "euclidean" else "equal")
    )
    found = judge(promise, ill, sets, links, ends, np.arange(300))
    for group in range(100):
        labels = [slow.linked(pairs, frozenset(rows[at])) for at in range(3 * group, 3 * group + 3)]
        mass = slow.masses(labels)
        expected = {
            "cl": lambda mass=mass: slow.keeps_cl(mass, Fraction(1), 7),
            "euclidean": lambda mass=mass: slow.keeps_t(mass, prior, t),
            "equal": lambda mass=mass: not mass or slow.moved(mass, prior) <= t,
        }[kind]()
        assert found.holds[group] == expected
        assert found.unlinked[group] == sum(not each for each in labels)
    assert 5 < found.holds.sum() < 95


@pytest.mark.parametrize("kind", ["cl", "euclidean", "equal"])
def test_larger_groups_agree_with_the_whole_tree(kind: str) -> None:
    """Nine rows of up to two terms: more rows than the search tells apart by number changed."""
    chance = np.random.default_rng(len(kind))
    removed = 0
    for seed in range(12):
        pairs = [(f"L{at}", chance.choice(list("abcdefgh"), 3, replace=False).tolist()) for at in range(7)]
        ill = Knowledge.of(pairs)
        rows = [
            chance.choice(pairs[chance.integers(2)][1], int(chance.integers(1, 3)), replace=False).tolist()
            for _ in range(9)
        ]
        if seed % 3 == 0:
            rows[0] = ["a", "b"] if seed % 2 else ["g", "h"]
        prior = [Fraction(1, 7)] * 7
        promises: dict[str, LabelPromise] = {
            "cl": LabelCL(Fraction(int(chance.integers(1, 5)), 3), int(chance.integers(2, 5))),
            "euclidean": LabelT(Fraction(int(chance.integers(1, 5)), 20), prior),
            "equal": LabelT(Fraction(int(chance.integers(3, 8)), 20), prior, "equal"),
        }
        sets = TermSets.of(ill, rows)
        found = suppress(ill, sets, promises[kind])
        tree = suppress_as_in_the_paper(ill, sets, promises[kind])
        assert tree.proven
        assert (found.outcome, found.cost) == (tree.outcome, tree.cost), seed
        removed += found.outcome == "optimal"
    assert removed >= 4


def test_what_only_rounding_lets_pass_is_found_out() -> None:
    """The distance of a row with one of two equally likely labels is the root of 1/2; t is a hair below."""
    two = Knowledge.of([("A", "a"), ("B", "b")])
    sets = TermSets.of(two, ["a"])
    root = Fraction(math.isqrt(10**60 // 2), 10**30)
    for t, outcome in ((root, "optimal"), (root + Fraction(1, 10**30), "kept")):
        promise = LabelT(t, ["1/2", "1/2"])
        assert abs(float(t**2) - 0.5) < 1e-16
        found = suppress(two, sets, promise)
        assert (found.outcome, found.cost) == (outcome, Fraction(outcome == "optimal"))
        holds = judge(promise, two, sets, link(two, sets), np.array([0, 1]), np.array([0])).holds
        assert holds.tolist() == [outcome == "kept"]


def test_odd_groups_and_numbers() -> None:
    two = Knowledge.of([("A", "a"), ("B", "b")])
    assert suppress(two, TermSets.of(two, []), LabelCL(1, 2)).outcome == "kept"
    assert suppress(two, TermSets.of(two, ["a"]), LabelCL(1, 10**12)).outcome == "infeasible"
    assert suppress(two, TermSets.of(two, ["a"]), LabelCL(10**12, 2)).outcome == "optimal"
    assert suppress(two, TermSets.of(two, ["a"]), LabelCL(Fraction(1, 10**12), 1)).outcome == "infeasible"
    assert suppress_groups(two, TermSets.of(two, ["a"]), np.array([0]), np.empty(0, np.int64), LabelCL(1, 2)) == []
    with pytest.raises(InputError, match="3 numbers, the knowledge table 2 labels"):
        suppress(two, TermSets.of(two, ["a"]), LabelT("0.1", ["1/3"] * 3))


def test_the_prior_of_a_large_table_is_rounded_and_sums_to_one() -> None:
    patients = synthetic_patients(ILL, 40, 1, 2)
    links = link(ILL, patients)
    counts = np.arange(1, 41) * 1000
    prior = estimated_prior(ILL, patients, links, counts)
    assert sum(prior) == 1
    exact = [Fraction(0)] * 3000
    for row in range(40):
        for label in links[row]:
            exact[label] += Fraction(int(counts[row]), len(links[row]) * int(counts.sum()))
    assert max(abs(a - b) for a, b in zip(prior, exact, strict=True)) < Fraction(2, 10**12)


def test_an_unlinked_row_is_not_linked_to_one_label() -> None:
    """Removing a from the second row would do, by telling that it is B; emptying the first costs twice as much."""
    two = Knowledge.of([("A", "a"), ("B", "b")])
    found = suppress(two, TermSets.of(two, ["a", "ab"]), LabelCL(1, 2))
    assert (found.outcome, found.cost) == ("optimal", Fraction(2, 5))
    assert [keep.tolist() for keep in found.keep] == [[False], [True, True]]
