"""Every rule against its definition: the papers' figures and classes computed by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

from sfumato.auditor.audit import audit
from tests.support.auditing import blocks, judged, policy_of
from tests.support.golden import golden

GOLDEN: dict[str, Any] = golden("inpatient_audit")
QUASI = ("zip", "age", "nationality")
CONDITION: dict[str, dict[str, Any]] = {"condition": {}}


def figure(number: int) -> pl.DataFrame:
    return pl.DataFrame(GOLDEN[f"figure{number}"]["rows"], schema=GOLDEN["columns"], orient="row")


def fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


@pytest.mark.parametrize("number", [2, 3])
def test_levels_of_the_figures(number: int) -> None:
    facts = GOLDEN[f"figure{number}"]
    policy = policy_of({"model": "k-anonymity", "k": 4}, quasi=QUASI, sensitive=CONDITION)
    result = audit(figure(number), policy, whole=True)
    assert result.holds
    assert (result.rows, result.groups, result.suppressed) == (12, facts["groups"], None)
    assert result.reached.k == facts["k"]
    reached = result.reached.columns["condition"]
    assert reached.distinct_l == facts["distinct_l"]
    assert float(reached.entropy_l or 0) == facts["entropy_l"]
    assert reached.simple_l == Fraction(facts["simple_l"])
    assert reached.alpha == 1 / Fraction(facts["simple_l"])
    assert reached.recursive_c == {int(l): fraction(c) for l, c in facts["recursive_c"].items()}
    assert reached.t_equal.level == Fraction(facts["t_equal"])
    if facts["delta_ratio"] is None:
        assert reached.delta.level is None
    else:
        delta = math.log(Fraction(facts["delta_ratio"]))
        assert isinstance(reached.delta.level, Fraction)
        assert delta < reached.delta.level < delta + 1e-6


@pytest.mark.parametrize(("promise", "at_figure2", "at_figure3"), GOLDEN["judgements"])
def test_promises_at_the_figures(promise: dict[str, Any], at_figure2: bool, at_figure3: bool) -> None:
    for number, expected in ((2, at_figure2), (3, at_figure3)):
        criterion = judged(figure(number), promise, quasi=QUASI, sensitive=CONDITION)
        assert criterion.holds == expected
        assert criterion.verdict == ("holds" if expected else "fails")
        assert bool(criterion.violating_groups) != expected
        assert bool(criterion.violating_rows) != expected


@pytest.mark.parametrize(("block", "k", "distinct", "entropy", "simple", "c"), GOLDEN["blocks"])
def test_single_blocks(block: str, k: int, distinct: int, entropy: int, simple: str, c: dict[str, str | None]) -> None:
    result = audit(blocks(block), policy_of({"model": "k-anonymity", "k": 1}))
    reached = result.reached.columns["s"]
    assert (result.reached.k, reached.distinct_l, reached.simple_l) == (k, distinct, Fraction(simple))
    assert {l: reached.recursive_c[int(l)] for l in c} == {l: fraction(value) for l, value in c.items()}
    assert judged(blocks(block), {"model": "entropy-l", "l": entropy}).holds
    assert not judged(blocks(block), {"model": "entropy-l", "l": entropy + 1}).holds


@pytest.mark.parametrize(("block", "c", "l", "disclosable", "kept"), GOLDEN["pd"])
def test_pd_recursive(block: str, c: str, l: int, disclosable: str, kept: bool) -> None:
    promise = {"model": "pd-recursive", "c": c, "l": l, "disclosable": disclosable.split()}
    assert judged(blocks(block), promise).holds == kept


def test_a_block_of_disclosable_values_only_holds_even_with_one_row() -> None:
    promise = {"model": "pd-recursive", "c": 1, "l": 3, "disclosable": ["h"]}
    assert judged(blocks("h h h h h"), promise).holds
    assert judged(blocks("h"), promise).holds


def test_a_missing_value_is_never_disclosable() -> None:
    promise = {"model": "pd-recursive", "c": 1, "l": 2, "disclosable": ["h"]}
    assert not judged(blocks("- - h"), promise).holds
    assert judged(blocks("- h h"), promise).holds


def test_protected_values_count_in_percent() -> None:
    def npd(c2: str, group: str) -> bool:
        promise = {"model": "npd-recursive", "c1": 9, "c2": c2, "l": 2, "protected": ["w"]}
        return judged(blocks(group), promise).holds

    assert npd("25", "a b c w")
    assert not npd("25.01", "a b c w")
    assert npd("0", "a b c")
    assert not npd("1", "a b c")
    worst = judged(
        blocks("a b c w", "a b w w"), {"model": "npd-recursive", "c1": 9, "c2": 30, "l": 2, "protected": ["w"]}
    )
    assert worst.level == "c1=1, c2=25"
    assert worst.violating_groups == 1


def test_recursive_is_strict() -> None:
    assert not judged(blocks("a a b c"), {"model": "recursive-cl", "c": 2, "l": 3}).holds
    assert judged(blocks("a a b c"), {"model": "recursive-cl", "c": "2.000000000000000000000001", "l": 3}).holds
    assert judged(blocks("a a a"), {"model": "recursive-cl", "c": "0.1", "l": 1}).holds


@pytest.mark.parametrize("l", range(2, 51))
def test_uniform_blocks_reach_entropy_l(l: int) -> None:
    values = " ".join(f"v{index}" for index in range(l))
    frame = blocks(values, " ".join([values] * 3))
    criterion = judged(frame, {"model": "entropy-l", "l": l})
    assert criterion.holds
    assert criterion.level == l
    assert not judged(frame, {"model": "entropy-l", "l": f"{l}.000000000000000001"}).holds


def test_simple_takes_its_boundary_and_real_l() -> None:
    assert judged(blocks("a a b b c"), {"model": "simple-l", "l": "2.5"}).holds
    assert not judged(blocks("a a b b c"), {"model": "simple-l", "l": "2.5000000000000000000001"}).holds


def test_alpha_k_needs_both() -> None:
    assert judged(blocks("a b", "a b c"), {"model": "alpha-k", "alpha": "1/2", "k": 2}).level == "alpha=0.5, k=2"
    small = judged(blocks("a b", "a b c"), {"model": "alpha-k", "alpha": "1/2", "k": 3})
    assert (small.verdict, small.violating_groups, small.worst and small.worst.size) == ("fails", 1, 2)
    frequent = judged(blocks("a b", "a a c"), {"model": "alpha-k", "alpha": "0.66", "k": 2})
    assert (frequent.verdict, frequent.violating_rows, frequent.worst and frequent.worst.counts) == ("fails", 3, (2, 1))


def test_t_at_its_boundary() -> None:
    frame = blocks("c h v v", "c c c c c h h v")
    assert judged(frame, {"model": "t-closeness", "t": "1/6"}).level == Fraction(1, 4)
    three = blocks("a b", "a a")
    assert judged(three, {"model": "t-closeness", "t": "1/4"}).holds
    assert not judged(three, {"model": "t-closeness", "t": "0.2499999999999999999"}).holds


def test_ordered_distance_by_hand() -> None:
    """Salaries 3..11, the class {3, 4, 5}: EMD 0.375; {6, 8, 11}: 0.167 (the t-closeness paper's example)."""
    frame = blocks("3 4 5", "6 8 11", "7 9 10")
    number: dict[str, dict[str, Any]] = {"s": {"type": "integer"}}
    promise = {"model": "t-closeness", "t": "0.375", "distance": "ordered"}
    criterion = judged(frame, promise, sensitive=number)
    assert criterion.holds
    assert criterion.level == Fraction(3, 8)
    assert not judged(frame, {**promise, "t": "0.374"}, sensitive=number).holds
    assert judged(frame, {**promise, "t": 1}, sensitive=number).worst is not None


def test_order_comes_from_the_policy_and_missing_is_last() -> None:
    """Order low, mid, high, missing; the class low low against 1/4 each: (3/4 + 1/2 + 1/4) / 3 = 1/2."""
    spec: dict[str, dict[str, Any]] = {"s": {"order": ["low", "mid", "high"]}}
    frame = blocks("low low", "mid mid high high - -")
    promise = {"model": "t-closeness", "t": "1/2", "distance": "ordered"}
    assert judged(frame, promise, sensitive=spec).level == Fraction(1, 2)


def test_hierarchical_distance_by_hand() -> None:
    """Two branches of two leaves, H = 2. {a, a} against 1/4 each: 1/4 moves within its branch at cost 1/2, 1/2 across
    at cost 1: 5/8. {a, b}: 1/2 across at cost 1."""
    tree: dict[str, dict[str, Any]] = {"s": {"hierarchy": {"tree": {"*": {"x": ["a", "b"], "y": ["c", "d"]}}}}}
    promise = {"model": "t-closeness", "t": "5/8", "distance": "hierarchical"}
    frame = blocks("a a", "b b c c d d")
    assert judged(frame, promise, sensitive=tree).level == Fraction(5, 8)
    assert judged(blocks("a b", "c d"), promise, sensitive=tree).level == Fraction(1, 2)


def test_delta_never_lies_on_the_boundary() -> None:
    """a: 1/2 against 3/4, b: 1/2 against 1/4, so the larger factor is 2; ln 2 = 0.693147180559945309417..."""
    frame = blocks("a b", "a a")
    lacking = judged(frame, {"model": "delta-disclosure", "delta": 100})
    assert (lacking.verdict, lacking.level, lacking.violating_groups) == ("fails", None, 1)
    both = blocks("a b", "a a a a b")
    """a: 1/2 against 5/7, b: 1/2 against 2/7: factor 7/4; ln(7/4) = 0.5596157879354227."""
    assert judged(both, {"model": "delta-disclosure", "delta": "0.55961578793542269"}).holds
    assert not judged(both, {"model": "delta-disclosure", "delta": "0.55961578793542268"}).holds
    assert judged(both, {"model": "delta-disclosure", "delta": 1}).level == Fraction("0.559616")


def test_multi_attribute_splits_by_the_other_columns() -> None:
    facts = GOLDEN["multi_attribute"]
    frame = pl.DataFrame({"q": ["q"] * 4, "S": facts["S"], "V": facts["V"]})
    both: dict[str, dict[str, Any]] = {"S": {}, "V": {}}
    for column in both:
        alone = judged(frame, {"model": "distinct-l", "l": 3, "on": column}, sensitive=both)
        assert alone.holds == facts["each_distinct_3"]
        recursive = judged(frame, {"model": "recursive-cl", "c": 3, "l": 3, "on": column}, sensitive=both)
        assert recursive.level == Fraction(facts["c_to_exceed_at_l_3"])
    policy = policy_of({"model": "multi-attribute", "of": {"model": "distinct-l", "l": 2}}, sensitive=both)
    criteria = audit(frame, policy).criteria
    assert [criterion.on for criterion in criteria] == ["S", "V"]
    assert [criterion.verdict for criterion in criteria] == ["fails", "fails"]
    assert criteria[0].violating_groups == 2  # v1 and v2 leave s1 alone; v3 has s2 and s3
    assert criteria[1].violating_groups == 2  # s2 and s3 leave v3 alone; s1 has v1 and v2


def test_multi_attribute_that_holds() -> None:
    pairs = [(s, v) for s in "ab" for v in "xy"]
    frame = pl.DataFrame({"q": ["q"] * 4, "S": [s for s, _ in pairs], "V": [v for _, v in pairs]})
    both: dict[str, dict[str, Any]] = {"S": {}, "V": {}}
    policy = policy_of({"model": "multi-attribute", "of": {"model": "distinct-l", "l": 2}}, sensitive=both)
    assert audit(frame, policy).holds
    for k, kept in ((2, True), (3, False)):
        sizes = policy_of({"model": "multi-attribute", "of": {"model": "k-anonymity", "k": k}}, sensitive=both)
        assert audit(frame, sizes).holds == kept


def test_missing_sensitive_values_are_one_value() -> None:
    assert not judged(blocks("- -"), {"model": "distinct-l", "l": 2}).holds
    assert judged(blocks("- a"), {"model": "distinct-l", "l": 2}).holds
    empty = pl.DataFrame({"q": ["g", "g"], "s": ["", None]})
    assert not judged(empty, {"model": "distinct-l", "l": 2}).holds


def test_missing_quasi_values_are_a_value() -> None:
    frame = pl.DataFrame({"q": [None, None, "a", "a"], "s": ["x", "y", "x", "y"]})
    result = audit(frame, policy_of({"model": "k-anonymity", "k": 2}))
    assert result.holds
    assert result.groups == 2


def test_suppressed_rows_kept_are_a_class_like_any_other() -> None:
    frame = pl.DataFrame({"q": ["a", "a", "*"], "s": ["x", "y", "x"]})
    assert not judged(frame, {"model": "k-anonymity", "k": 2}).holds


def test_the_worst_group_is_shown_by_its_shape() -> None:
    many = " ".join(f"v{index}" for index in range(80))
    criterion = judged(blocks(f"{many} v0 v0", many), {"model": "simple-l", "l": 2})
    assert criterion.worst is not None
    assert criterion.worst.size == 82
    assert criterion.worst.counts == (3, *[1] * 49)
    assert criterion.worst.values == 80
