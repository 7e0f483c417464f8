"""QS t-closeness by earth mover's distance in a tree of labels: against moving mass pair by pair, and all removals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.auditor.rules.labels import carried
from sfumato.errors import SfumatoError
from sfumato.knowledge.belief import LabelT
from sfumato.knowledge.judge import group_mass, judge
from sfumato.knowledge.labeltree import LabelTree
from sfumato.knowledge.linking import TermSets, link
from sfumato.knowledge.table import Knowledge
from sfumato.models.contract import Facts, Groups
from sfumato.models.qs_t import QsTModel as Model
from sfumato.partition.steps.terms.cheapest import suppress
from sfumato.partition.steps.terms.tree import suppress_as_in_the_paper
from sfumato.policy import promises
from sfumato.taxonomy.tree import Node, Taxonomy
from tests.support import terms as slow
from tests.support.examples import examples

LABELS = [f"L{at}" for at in range(6)]


def tree_of(seed: int) -> Taxonomy:
    """A random tree over the labels, of any shape, with a leaf that is no label."""
    chance = np.random.default_rng(seed)
    parts = [Node(label) for label in [*LABELS, "other"]]
    while len(parts) > 3 or (len(parts) > 1 and chance.random() < 0.5):
        first = int(chance.integers(0, len(parts) - 1))
        last = int(chance.integers(first + 2, len(parts) + 1))
        parts[first:last] = [Node(f"n{len(parts)}{first}", tuple(parts[first:last]))]
    return Taxonomy.of(Node("*", tuple(parts)))


def distance(tree: Taxonomy, p: Mapping[str, Fraction], q: Mapping[str, Fraction]) -> Fraction:
    """Mass moved between the nearest labels first, which is optimal where distances are heights of ancestors."""
    gaps = {label: p.get(label, Fraction(0)) - q.get(label, Fraction(0)) for label in LABELS}
    paths = {label: [*reversed(tree.path(tree.code_of[label]))] for label in LABELS}

    def apart(pair: tuple[str, str]) -> Fraction:
        shared = sum(one == other for one, other in zip(paths[pair[0]], paths[pair[1]], strict=False))
        return Fraction(tree.height - shared + 1, tree.height) if pair[0] != pair[1] else Fraction(0)

    total = Fraction(0)
    for here, there in sorted(product(LABELS, LABELS), key=apart):
        moved = min(gaps[here], -gaps[there])
        if moved > 0:
            gaps[here] -= moved
            gaps[there] += moved
            total += moved * apart((here, there))
    assert not any(gaps.values())
    return total


def shares(chance: np.random.Generator) -> dict[str, Fraction]:
    parts = chance.integers(0, 5, len(LABELS))
    parts[0] += 1
    return {label: Fraction(int(part), int(parts.sum())) for label, part in zip(LABELS, parts, strict=True)}


def case(
    seed: int,
) -> tuple[Knowledge, slow.Pairs, list[frozenset[str]], LabelT, Taxonomy, dict[str, Fraction]]:
    chance = np.random.default_rng(seed)
    pairs = [(label, frozenset(chance.choice(list("abcde"), chance.integers(1, 4)).tolist())) for label in LABELS]
    knowledge, tree, prior = Knowledge.of(pairs), tree_of(seed), shares(chance)
    rows = []
    for _ in range(chance.integers(1, 4)):
        held = sorted(pairs[chance.integers(len(pairs))][1])
        rows.append(frozenset(held[: int(chance.integers(0, 4))]))
    t = Fraction(int(chance.integers(1, 9)), 12)
    return (
        knowledge,
        pairs,
        rows,
        LabelT(t, prior.values(), "hierarchical", LabelTree.of(tree, LABELS)),
        tree,
        prior,
    )


def believed(labels: Sequence[frozenset[str]]) -> dict[str, Fraction]:
    mass, linked = slow.masses(labels), sum(bool(each) for each in labels)
    return {label: share / linked for label, share in mass.items()}


@pytest.mark.parametrize("part", range(examples(6, fewest=2)))
def test_distances_and_the_optimum(part: int) -> None:
    """Exact distances as moved pair by pair; the cheapest removal as found by trying all; the paper's never cheaper."""
    outcomes = set()
    for seed in range(40 * part, 40 * part + 40):
        knowledge, pairs, rows, promise, tree, prior = case(seed)
        sets = TermSets.of(knowledge, [sorted(row) for row in rows])
        links = link(knowledge, sets)

        def links_of(_: int, terms: frozenset[str], pairs: slow.Pairs = pairs) -> frozenset[str]:
            return slow.linked(pairs, terms)

        def good(
            combo: Sequence[tuple[frozenset[str], frozenset[str]]],
            promise: LabelT = promise,
            tree: Taxonomy = tree,
            prior: Mapping[str, Fraction] = prior,
        ) -> bool:
            after = believed([labels for _, labels in combo])
            return not after or distance(tree, after, prior) <= promise.t

        before = believed([slow.linked(pairs, row) for row in rows])
        if before:
            expected = distance(tree, before, prior)
            assert promise.moved(group_mass(knowledge, sets, links, range(len(rows)))) == expected, seed
            judged = judge(promise, knowledge, sets, links, np.array([0, len(rows)]), np.arange(len(rows)))
            assert judged.levels[0] == pytest.approx(float(expected))
            assert bool(judged.holds[0]) is (expected <= promise.t)
        found = suppress(knowledge, sets, promise)
        outcomes.add(found.outcome)
        assert found.proven
        assert found.cost == slow.cheapest(rows, links_of, good, slow.cost_t), seed
        paper = suppress_as_in_the_paper(knowledge, sets, promise)
        assert (paper.outcome, paper.cost) == (found.outcome, found.cost), seed
    assert outcomes == {"kept", "optimal", "infeasible"}


def test_the_auditor_carries_as_much() -> None:
    for seed in range(200):
        chance, tree = np.random.default_rng(seed), tree_of(seed)
        p, q = shares(chance), shares(chance)
        unit = 10**6
        extra = {label: (p[label] - q[label]) * unit for label in LABELS}
        scale = np.lcm.reduce([each.denominator for each in extra.values()])
        told = carried(tree, {label: int(each * int(scale)) for label, each in extra.items()})
        assert Fraction(told, unit * int(scale) * tree.height) == distance(tree, p, q)


def test_all_labels_under_the_root_are_equally_far_apart() -> None:
    flat = LabelTree.of(Taxonomy.of(Node("*", tuple(map(Node, LABELS)))), LABELS)
    for seed in range(20):
        knowledge, _, rows, promise, _, _ = case(seed)
        sets = TermSets.of(knowledge, [sorted(row) for row in rows])
        same = [
            suppress(knowledge, sets, LabelT(promise.t, promise.prior, "hierarchical", flat)),
            suppress(knowledge, sets, LabelT(promise.t, promise.prior, "equal")),
        ]
        assert same[0].outcome == same[1].outcome and same[0].cost == same[1].cost


ILL = {"flu": ["c", "f"], "cold": ["c", "s"], "gout": ["p"], "sprain": ["p", "s"]}
TREE = {"lung": ["flu", "cold"], "joint": ["gout", "sprain"]}


def policy_of(t: Any, hierarchy: Any, terms: bool = False, distance: str = "hierarchical") -> dict[str, Any]:
    column = {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": ILL}, "hierarchy": hierarchy}
    prior = {"flu": "1/4", "cold": "1/4", "gout": "1/4", "sprain": "1/4"}
    return {
        "columns": {"q": {"role": "quasi"}, "t": column},
        "privacy": [{"model": "qs-t", "t": t, "distance": distance, "prior": prior}],
        "partition": {"method": "mondrian", "terms": terms},
    }


@pytest.mark.parametrize(
    ("cell", "emd", "hierarchical"),
    [
        ("c", "1/2", "1/2"),  # half moves from the lung to the joint: all the way
        ("s", "1/2", "1/4"),  # cold and sprain: half moves, each within its own branch
        ("f", "3/4", "5/8"),  # 1/4 to the cold, half the way; 1/2 to the joint
    ],
)
def test_from_policy_to_audit(cell: str, emd: str, hierarchical: str) -> None:
    frame = pl.DataFrame({"q": ["1"], "t": [cell]})
    for distance, level in (("emd", emd), ("hierarchical", hierarchical)):
        policy = policy_of(1, {"tree": TREE}, distance=distance)
        (criterion,) = sf.audit(frame, policy).criteria
        assert criterion.level == Fraction(level)
        table = sf.read(frame, policy).encode()
        promise = sf.read_policy(policy).privacy[0]
        assert isinstance(promise, promises.QsT)
        model = Model.bind(promise, Facts.of(table))
        groups = Groups.of(table, np.zeros(1, np.int64), (("t",),))
        assert model.level(groups)[0] == pytest.approx(float(Fraction(level)))
        nearest = model.nearest(groups)
        assert nearest is not None and Fraction(level) <= nearest.t < Fraction(level) + Fraction(1, 100)


def test_terms_are_suppressed_by_it() -> None:
    """{c,f} is the flu, 5/8 away; {c} is 1/2 away, {f} is flu again, and {} is 0 away."""
    frame = pl.DataFrame({"q": ["1"], "t": ["c|f"]})
    for t, left in (("5/8", "c|f"), ("1/2", "c"), ("1/4", None)):
        release = sf.publish(frame, policy=policy_of(t, {"tree": TREE}, True), seed=1)
        assert release.tables["table"]["t"].to_list() == [left]
        assert release.judged().holds


@pytest.mark.parametrize(
    ("hierarchy", "says"),
    [
        (None, "needs a hierarchy of its labels"),
        ({"mask": "right"}, "is one of its labels"),
        ("flat", "is one of its labels"),
        ({"tree": {"lung": ["flu", "cold"], "joint": ["gout"]}}, "1 of 4 labels of its knowledge"),
    ],
)
def test_mistakes(hierarchy: Any, says: str) -> None:
    with pytest.raises(SfumatoError, match=says):
        sf.publish(pl.DataFrame({"q": ["1"], "t": ["c"]}), policy=policy_of(1, hierarchy), seed=1)
