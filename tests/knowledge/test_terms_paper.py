"""The paper's example, its definitions, and the holes in them, with the answers worked out by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest

from sfumato.errors import InputError
from sfumato.knowledge.belief import LabelCL, LabelT, Mass
from sfumato.knowledge.judge import estimated_prior, group_mass, judge
from sfumato.knowledge.linking import TermSets, Unknown, link
from sfumato.knowledge.table import Knowledge
from sfumato.partition.steps.terms.cheapest import suppress
from sfumato.partition.steps.terms.costs import InverseCost
from tests.support.golden import golden

GOLDEN: dict[str, Any] = golden("qs")
FIGURE = GOLDEN["figure1"]


def labels_of(knowledge: Knowledge, rows: Sequence[Sequence[str]], unknown: Unknown = "drop") -> list[list[str]]:
    links = link(knowledge, TermSets.of(knowledge, rows), unknown)
    return [[knowledge.labels[at] for at in labels] for labels in links]


def mass_of(knowledge: Knowledge, rows: Sequence[Sequence[str]]) -> Mass:
    sets = TermSets.of(knowledge, rows)
    return group_mass(knowledge, sets, link(knowledge, sets), range(len(sets)))


def beliefs_of(knowledge: Knowledge, rows: Sequence[Sequence[str]]) -> dict[str, str]:
    return {knowledge.labels[at]: str(belief) for at, belief in mass_of(knowledge, rows).beliefs().items()}


def test_figure_1() -> None:
    ill = Knowledge.of(FIGURE["E"])
    for group in ("group1", "group2"):
        assert labels_of(ill, FIGURE[group]) == FIGURE[f"K_{group}"]
        assert beliefs_of(ill, FIGURE[group]) == FIGURE[f"belief_{group}"]
    second = mass_of(ill, FIGURE["group2"])
    assert Fraction(second.unlinked, 2) == Fraction(FIGURE["unlinked_mass_group2"])
    for claim, expected in FIGURE["qs_c_l"].items():
        group, l, c = re.fullmatch(r"(group\d) l=(\d) (?:c=(\d)|any c)", claim).groups()  # type: ignore[union-attr]
        for each in [c] if c else ["0.1", "1", "1000"]:
            assert LabelCL(each, int(l)).holds(mass_of(ill, FIGURE[group])) is expected, claim


def test_removing_a_term_can_create_a_link() -> None:
    ill, told = Knowledge.of(FIGURE["E"]), GOLDEN["removal_can_create_a_link"]
    rows = [told["tuple"], ["headache"], ["vomiting"], []]
    keys = ("K", "after_removing_vomiting", "after_removing_headache", "after_removing_both")
    assert labels_of(ill, rows) == [told[key] for key in keys]


def test_removing_a_term_can_break_a_promise_that_was_kept() -> None:
    told = GOLDEN["removal_can_break_qs"]
    two = Knowledge.of(told["E"])
    assert beliefs_of(two, told["group"]) == told["belief_before"]
    assert LabelCL(1, 2).holds(mass_of(two, told["group"])) is told["ok_1_2_before"]
    assert beliefs_of(two, [[], told["group"][1]]) == told["belief_after_emptying_first"]
    assert LabelCL(1, 2).holds(mass_of(two, [[], told["group"][1]])) is told["ok_1_2_after"]


def test_unknown_terms_are_forgotten_unless_the_letter_is_asked_for() -> None:
    ill, told = Knowledge.of(FIGURE["E"]), GOLDEN["unknown_term"]
    assert labels_of(ill, [told["tuple"]]) == [told["drop"]]
    assert labels_of(ill, [told["tuple"]], "strict") == [told["strict"]]
    # A row that nobody knows anything about is no diversity.
    two = Knowledge.of([("A", "a"), ("B", "b")])
    assert labels_of(two, [["a"], ["zzz"]]) == [["A"], []]
    assert not LabelCL(3, 2).holds(mass_of(two, [["a"], ["zzz"]]))


def test_a_known_length_rules_labels_out() -> None:
    told = GOLDEN["known_length"]
    ill = Knowledge.of(told["E"])
    sets = TermSets.of(ill, [told["published"]])
    assert labels_of(ill, [told["published"]]) == [told["K_unknown_length"]]
    links = link(ill, sets, lengths=np.array([told["length"]]))
    assert [ill.labels[at] for at in links[0]] == told["K"]


def test_the_bound_on_beliefs_is_reached() -> None:
    told = GOLDEN["bound_not_strict"]
    mass = Mass.of([([0, 1], None)], 1)
    assert [str(belief) for belief in mass.beliefs().values()] == told["belief"]
    assert LabelCL(told["c"], told["l"]).holds(mass) is told["satisfied"]
    assert max(mass.beliefs().values()) == Fraction(told["beta"]) == Fraction(told["c/(c+1)"])


@pytest.mark.parametrize("told", GOLDEN["cases"])
def test_cases(told: dict[str, Any]) -> None:
    ill = Knowledge.of(GOLDEN["E_cases"])
    assert labels_of(ill, told["group"]) == told["K"]
    assert beliefs_of(ill, told["group"]) == told["belief"]
    mass, promise = mass_of(ill, told["group"]), LabelCL(told["c"], told["l"])
    assert promise.holds(mass) is told["ok"]
    assert LabelCL(1, 1).reached(mass) == told["lprime_c1"]
    sets = TermSets.of(ill, told["group"])
    found = judge(promise, ill, sets, link(ill, sets), np.array([0, len(sets)]), np.arange(len(sets)))
    assert found.holds.tolist() == [told["ok"]]


def test_the_cheapest_removal() -> None:
    ill, told = Knowledge.of(GOLDEN["E_cases"]), GOLDEN["suppression"]
    found = suppress(ill, TermSets.of(ill, told["group"]), LabelCL(told["c"], told["l"]))
    assert (found.outcome, str(found.cost)) == ("optimal", told["min_cost"])
    gone = [
        [row, term]
        for row, terms in enumerate(told["group"])
        for at, term in enumerate(terms)
        if not found.keep[row][at]
    ]
    assert gone in told["optimal_patterns"]


def test_the_prior_and_distances_to_it() -> None:
    ill, told = Knowledge.of(GOLDEN["E_cases"]), GOLDEN["prior"]
    sets = TermSets.of(ill, [row for group in told["groups"] for row in group])
    prior = estimated_prior(ill, sets, link(ill, sets))
    assert {label: str(each) for label, each in zip(ill.labels, prior, strict=True)} == told["alpha"]
    promise = LabelT("0.45", prior)
    assert [str(promise.distance2(mass_of(ill, group))) for group in told["groups"]] == told["dist2"]
    found = judge(promise, ill, sets, link(ill, sets), np.array([0, 2, 4]), np.arange(4))
    assert found.levels == pytest.approx([float(Fraction(each)) ** 0.5 for each in told["dist2"]])


@pytest.mark.parametrize("told", GOLDEN["cost_T"])
def test_cost(told: dict[str, Any]) -> None:
    assert str(InverseCost().priced(told["w"]).share(told["v"])) == told["T"]


def test_removing_everything_is_not_always_enough() -> None:
    told = GOLDEN["full_suppression_t_infeasible"]
    promise = LabelT(told["t"], told["alpha"])
    assert str(promise.distance2(Mass.of([([0, 1], None)], 1))) == told["uniform_distance2"]
    assert str(promise.t**2) == told["t2"]
    assert not promise.full_removal_holds(2)
    two = Knowledge.of([("A", "a"), ("B", "b")])
    found = suppress(two, TermSets.of(two, ["b"]), promise)
    assert (found.outcome, found.cost, [keep.tolist() for keep in found.keep]) == ("infeasible", None, [[True]])


@pytest.mark.parametrize(("c", "l"), [("1", 3), ("1/2", 2), ("0.3", 1), ("3", 4), ("2/3", 3)])
def test_when_removing_everything_keeps_cl(c: str, l: int) -> None:
    for labels in range(1, 9):
        uniform = Mass.of([(range(labels), None)], 1)
        assert LabelCL(c, l).full_removal_holds(labels) is LabelCL(c, l).holds(uniform)


def test_a_group_of_unlinked_rows_keeps_everything_and_is_marked() -> None:
    two = Knowledge.of([("A", "a"), ("B", "b")])
    sets = TermSets.of(two, [["a", "b"], ["zzz"], ["a"]])
    for promise in (LabelCL(1, 2), LabelT(0, ["9/10", "1/10"])):
        found = judge(promise, two, sets, link(two, sets), np.array([0, 2, 3]), np.arange(3))
        assert (found.holds.tolist(), found.unlinked_only.tolist()) == ([True, False], [True, False])
        assert suppress(two, sets.take([0, 1]), promise).outcome == "kept"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LabelCL(0, 2), "c above 0"),
        (lambda: LabelCL(1, 0), "l of at least 1"),
        (lambda: LabelT(-1, [1]), "t of at least 0"),
        (lambda: LabelT("0.1", ["1/2"]), "sum to 1"),
        (lambda: LabelT("0.1", ["3/2", "-1/2"]), "no negative"),
        (lambda: LabelT("0.1", [1], cast(Any, "ordered")), "'euclidean', 'equal' or 'hierarchical'"),
        (lambda: LabelT("0.1", [1], "hierarchical"), "needs a tree of labels"),
    ],
)
def test_promises_that_make_no_sense_are_refused(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_a_prior_needs_a_linked_row() -> None:
    two = Knowledge.of([("A", "a"), ("B", "b")])
    sets = TermSets.of(two, [["a", "b"], ["zzz"]])
    with pytest.raises(InputError, match="give label priors"):
        estimated_prior(two, sets, link(two, sets))
