"""Small slips that the other tests would not notice: ties, clipped bounds, the worst group, one huge class."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato.auditor.audit import audit
from sfumato.auditor.exactly import largest_ratio, smallest_ratio, times
from sfumato.auditor.rules import RULES, Undecidable
from sfumato.auditor.rules.closeness import equal
from sfumato.auditor.rules.contract import Case, Rule, Ruling
from sfumato.auditor.rules.delta import judge_delta
from sfumato.auditor.rules.entropy import reaches
from sfumato.auditor.rules.hierarchical import hierarchical
from sfumato.auditor.rules.ordered import ordered
from sfumato.auditor.verdict import Criterion
from sfumato.policy.promises import DeltaDisclosure, Promise
from sfumato.release.classes import Classes
from sfumato.release.documents import Distribution, InputFacts
from sfumato.taxonomy.tree import Node, Taxonomy
from tests.support.auditing import blocks, judged, policy_of, verdicts, write_release

BIG = 10**14
K1 = {"model": "k-anonymity", "k": 1}


def runs(*groups: tuple[int, ...]) -> Classes:
    """Classes with those descending counts of the values 0, 1, ..., without their rows."""
    starts = np.cumsum([0, *map(len, groups)])
    values = np.concatenate([np.arange(len(group)) for group in groups])
    counts = np.concatenate([np.array(group, dtype=np.int64) for group in groups])
    return Classes(starts, values, counts, np.ones(len(groups), dtype=np.int64))


def by_id(folder: Path, *groups: str, model: str, l: int) -> Criterion:
    """A promise about published groups, all of one published value."""
    rows = [("*", value, str(index)) for index, group in enumerate(groups) for value in group.split()]
    frame = pl.DataFrame(rows, schema=["q", "s", "group"], orient="row")
    policy = policy_of({"model": model, "l": l}, form={"group_id": True})
    write_release(folder, frame, policy, group_id="group")
    (criterion,) = audit(folder, policy).criteria
    return criterion


def worst(frame: pl.DataFrame, promise: dict[str, Any]) -> tuple[int, ...]:
    """The counts of the group that decides."""
    found = judged(frame, promise).worst
    assert found is not None
    return found.counts


def ratio(pair: tuple[Any, Any], at: int) -> Fraction:
    above, below = pair
    return Fraction(int(above[at]), int(below[at]))


def test_products_of_one_sign_leave_machine_integers_too() -> None:
    assert times(np.array([2**61], dtype=np.int64), 8).tolist() == [2**64]
    assert times(np.array([-(2**61)], dtype=np.int64), 8).tolist() == [-(2**64)]


def test_ratios_that_floats_cannot_tell_apart() -> None:
    """10^17 and 10^17 + 1 are one float."""
    large = 10**17
    above, below = np.array([large, large + 1, large]), np.array([large] * 3)
    assert largest_ratio(above, below) == (1 + Fraction(1, large), 1)
    assert smallest_ratio(above, below) == (Fraction(1), 0)


def test_ratios_that_floats_put_the_wrong_way_round() -> None:
    top, bottom = 10043290043289975, 9999999999999933
    assert Fraction(top, bottom) < Fraction(232, 231)
    assert float(top) / float(bottom) > 232.0 / 231.0
    above, below = np.array([0, 232, top]), np.array([1, 231, bottom])
    assert largest_ratio(above, below) == (Fraction(232, 231), 1)


def test_one_huge_class_among_small_ones() -> None:
    """Shares 3/4, 1/4 against 5, 2, 2, 1 of 10. Equal: (25 + 5 + 20 + 10)/200. Ordered: (25 + 30 + 10)/300.
    Hierarchical: 30/100 cross the root."""
    tree = Taxonomy.of(Node("*", (Node("x", (Node("0"), Node("1"))), Node("y", (Node("2"), Node("3"))))))
    classes, original, places = runs((1,), (3 * BIG, BIG)), BIG * np.array([5, 2, 2, 1]), np.arange(4)
    assert ratio(equal(classes, original), 1) == Fraction(3, 10)
    assert ratio(ordered(classes, original, places), 1) == Fraction(13, 60)
    assert ratio(hierarchical(classes, original, places, tree), 1) == Fraction(3, 10)


def test_delta_of_one_huge_class_among_small_ones() -> None:
    """1/4 against 1/2 is the factor 2; ln 2 = 0.6931471..."""
    case = Case(runs((1, 1), (3 * BIG, BIG)), None, BIG * np.array([2, 2]))
    ruling = judge_delta(DeltaDisclosure(delta=Fraction(69, 100)), case)
    assert isinstance(ruling, Ruling)
    assert ruling.kept.tolist() == [True, False]
    assert (ruling.level, ruling.worst) == (Fraction("0.693148"), 1)


def test_entropy_at_the_boundary_looks_at_one_class_only() -> None:
    """Counts 4, 1, 1, 1, 1 have entropy ln 4; any count of a neighbour would change it."""
    classes = runs((4, 1), (4, 1, 1, 1, 1), (4, 1))
    assert reaches(classes, Fraction(4)).tolist() == [False, True, False]
    assert not reaches(classes, 4 + Fraction(1, 10**30)).any()


def test_entropy_levels_have_six_decimals() -> None:
    """3/4^(1/3) = 1.8898815..., rounded down."""
    assert judged(blocks("a a b"), {"model": "entropy-l", "l": 1}).level == Fraction("1.889881")


def test_trees_without_inner_nodes() -> None:
    """All leaves under the root: the equal distance. One leaf alone: no distance."""
    flat: dict[str, dict[str, Any]] = {"s": {"hierarchy": {"tree": {"*": ["a", "b"]}}}}
    promise = {"model": "t-closeness", "t": "1/3", "distance": "hierarchical"}
    criterion = judged(blocks("a a", "b b"), promise, sensitive=flat)
    assert (criterion.verdict, criterion.level) == ("fails", Fraction(1, 2))
    assert ratio(hierarchical(runs((2,)), np.array([2]), np.array([0]), Taxonomy.of(Node("a"))), 0) == 0


@pytest.mark.parametrize("model", ["pairwise-l", "unique-distinct-l"])
def test_a_repeated_value_reaches_no_level(tmp_path: Path, model: str) -> None:
    criterion = by_id(tmp_path, "a a", "b", model=model, l=1)
    assert (criterion.verdict, criterion.level, criterion.violating_groups) == ("fails", Fraction(0), 1)


@pytest.mark.parametrize("model", ["unique-distinct-l", "unique-distinct-literal"])
def test_the_group_furthest_from_l_decides(tmp_path: Path, model: str) -> None:
    criterion = by_id(tmp_path, "a b", "c d e f g", "x", model=model, l=2)
    assert (criterion.level, criterion.violating_groups) == (Fraction(5), 2)
    assert criterion.worst is not None
    assert criterion.worst.size == 5


@pytest.mark.parametrize(
    "promise",
    [
        {"model": "recursive-cl", "c": 9, "l": 2},
        {"model": "pd-recursive", "c": 9, "l": 2, "disclosable": []},
        {"model": "delta-disclosure", "delta": 9},
    ],
)
def test_a_group_that_lacks_a_value_decides(promise: dict[str, Any]) -> None:
    assert worst(blocks("a b", "a a a"), promise) == (3,)
    assert worst(blocks("a a a", "a b"), promise) == (3,)


def test_the_group_that_breaks_a_part_of_a_promise_decides() -> None:
    """Quotients 1/3 and 2/2, protected 25 and 50 percent: c1 decides unless it is kept and c2 broken."""
    frame = blocks("a b c w", "a b w w")
    npd = {"model": "npd-recursive", "c1": 9, "c2": 30, "l": 2, "protected": ["w"]}
    assert worst(frame, npd) == (1, 1, 1, 1)
    assert worst(frame, {**npd, "c2": 20}) == (2, 1, 1)
    assert worst(frame, {**npd, "c1": 1}) == (2, 1, 1)
    alpha = {"model": "alpha-k", "alpha": "1/2", "k": 4}
    assert worst(blocks("a b c", "a a b b"), alpha) == (1, 1, 1)
    assert worst(blocks("a b c", "a a a b"), alpha) == (3, 1)
    assert worst(blocks("a b c", "a a b b"), {**alpha, "k": 3}) == (2, 2)


def test_levels_where_nothing_is_asked() -> None:
    pd = {"model": "pd-recursive", "c": 1, "l": 1, "disclosable": ["h"]}
    assert judged(blocks("a a"), pd).level == 0
    assert judged(blocks("h"), {**pd, "l": 3}).level == 0
    npd = {"model": "npd-recursive", "c1": 9, "c2": 30, "l": 2, "protected": []}
    assert judged(blocks("a b"), npd).level == "c1=1, c2=100"


@pytest.mark.parametrize(("different", "longest"), [(1, 4), (6, 6), (12, 10)])
def test_how_far_recursive_levels_go(different: int, longest: int) -> None:
    frame = blocks(" ".join(f"v{index}" for index in range(different)))
    reached = audit(frame, policy_of(K1)).reached.columns["s"]
    assert sorted(reached.recursive_c) == list(range(2, longest + 1))


def test_k_is_the_smallest_group() -> None:
    assert audit(blocks("a b c", "a b", "a b c d"), policy_of(K1)).reached.k == 2
    assert audit(blocks(), policy_of(K1)).reached.k == 0


@pytest.mark.parametrize(
    ("merged", "apart", "verdict"),
    [(None, True, "undecidable"), (True, None, "undecidable"), (False, None, "fails"), (None, False, "fails")],
)
def test_the_worse_of_two_views_whatever_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, merged: bool | None, apart: bool | None, verdict: str
) -> None:
    """One class by values, two by id; a rule that keeps, breaks or does not decide each."""

    def judge(promise: Promise, case: Case) -> Ruling | Undecidable:
        kept = merged if len(case.classes) == 1 else apart
        return Undecidable("more") if kept is None else Ruling(np.full(len(case.classes), kept), None, 0, "")

    monkeypatch.setitem(RULES.homes, "distinct-l", Rule(judge))
    assert by_id(tmp_path, "a b", "c d", model="distinct-l", l=2).verdict == verdict


def test_original_counts_add_up_to_published_and_suppressed_rows(tmp_path: Path) -> None:
    """One row was left out; a manifest that says two fits every other count."""
    policy, frame = policy_of(K1, suppression={"limit": "0.2"}), blocks("a b", "a b")
    manifest = write_release(tmp_path, frame, policy, original=pl.concat([frame, blocks("a")]), suppressed=1)
    assert audit(tmp_path, policy, manifest).holds
    more = Distribution(values=("a", "b"), counts=(4, 2))
    result = audit(tmp_path, policy, manifest.model_copy(update={"sensitive": {"s": more}}))
    assert result.problems == ("column 's': its original counts do not add up to the published and suppressed rows",)


def test_a_bare_table_has_no_more_rows_than_the_input(tmp_path: Path) -> None:
    policy, frame = policy_of(K1), blocks("a b", "a b")
    manifest = write_release(tmp_path, frame, policy)
    assert audit(frame, policy, manifest).holds
    fewer = manifest.model_copy(update={"input": InputFacts(rows=3, sha256="0" * 64)})
    assert audit(frame, policy, fewer).problems == ("the table has 4 rows, more than the 3 of the manifest's input",)


def test_bins_are_apart_from_the_end_of_one_to_the_start_of_the_next() -> None:
    policy = policy_of({"model": "distinct-l", "l": 2}, sensitive={"s": {"type": "number", "difference": 5}})
    for start, fine in ((8, False), (9, True)):
        frame = pl.DataFrame({"q": ["g", "g"], "s": ["[1, 3]", f"[{start}, 20]"]})
        assert audit(frame, policy).holds is fine


def test_a_value_that_the_original_never_had_has_no_leaf(tmp_path: Path) -> None:
    policy = policy_of(
        {"model": "t-closeness", "t": 1, "distance": "hierarchical"},
        sensitive={"s": {"hierarchy": {"mask": "right"}}},
    )
    manifest = write_release(tmp_path, blocks("11 12", "21 22"), policy)
    result = audit(blocks("11 12", "21 32"), policy, manifest)
    assert verdicts(result) == ["undecidable"]
    assert "hierarchy" in result.criteria[0].needs


def test_bounds_of_a_distance_stay_within_0_and_1(tmp_path: Path) -> None:
    """Whole table, 1 row of 5 left out: 0 ± 1/5. Two unlike halves, 9 rows of 11 left out: 1/2 ± 9/11."""
    policy = policy_of({"model": "t-closeness", "t": 1})
    for frame, left_out, low, high in (
        (blocks("a b a b"), 1, Fraction(0), Fraction(1, 5)),
        (blocks("a", "b"), 9, Fraction(0), Fraction(1)),
    ):
        write_release(tmp_path, frame, policy, suppressed=left_out)
        bounds = audit(tmp_path, policy).criteria[0].bounds
        assert bounds is not None
        assert (bounds.low, bounds.high) == (low, high)
