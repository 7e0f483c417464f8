"""Every rule against a slow reference on random tables."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.auditor.verdict import Criterion
from tests.support import audit_definitions as slow
from tests.support.auditing import judged
from tests.support.examples import examples

VALUES = ["a", "b", "c", "d", "e", None]
TREE: slow.Tree = {"x": ["a", "b"], "y": {"z": ["c"], "w": ["d", "e"]}}
GROUPS = st.lists(st.lists(st.sampled_from(VALUES), min_size=1, max_size=9), min_size=1, max_size=5)
KNOWN = st.lists(st.lists(st.sampled_from(VALUES[:-1]), min_size=1, max_size=9), min_size=1, max_size=5)
RATIOS = st.fractions(min_value=Fraction(1, 10), max_value=6, max_denominator=12)
L = st.integers(1, 5)
SUBSETS = st.lists(st.sampled_from(["a", "b", "c"]), unique=True, max_size=2)
WORK = settings(max_examples=examples(150))

Groups = list[list[str | None]]


def table(groups: Groups) -> pl.DataFrame:
    rows = [(str(index), value) for index, group in enumerate(groups) for value in group]
    return pl.DataFrame(rows, schema={"q": pl.String, "s": pl.String}, orient="row")


def check(groups: Groups, promise: dict[str, Any], kept: Callable[[slow.Group], bool], **how: Any) -> Criterion:
    """Verdict and violators must be those of the reference, group by group."""
    criterion = judged(table(groups), promise, **how)
    broken = [group for group in groups if not kept(group)]
    assert criterion.holds == (not broken)
    assert criterion.violating_groups == len(broken)
    assert criterion.violating_rows == sum(map(len, broken))
    return criterion


@WORK
@given(GROUPS, st.integers(1, 9))
def test_k(groups: Groups, k: int) -> None:
    assert check(groups, {"model": "k-anonymity", "k": k}, lambda group: len(group) >= k).level == min(map(len, groups))


@WORK
@given(GROUPS, L)
def test_distinct(groups: Groups, l: int) -> None:
    criterion = check(groups, {"model": "distinct-l", "l": l}, lambda group: len(set(group)) >= l)
    assert criterion.level == min(len(set(group)) for group in groups)


@WORK
@given(GROUPS, st.fractions(min_value=1, max_value=6, max_denominator=8))
def test_entropy(groups: Groups, l: Fraction) -> None:
    criterion = check(groups, {"model": "entropy-l", "l": str(l)}, lambda group: slow.entropy_holds(group, l))
    level = criterion.level
    assert isinstance(level, Fraction)
    assert all(slow.entropy_holds(group, level) for group in groups)
    assert not all(slow.entropy_holds(group, level + Fraction(1, 10**6)) for group in groups)


@WORK
@given(GROUPS, RATIOS, L)
def test_recursive(groups: Groups, c: Fraction, l: int) -> None:
    promise = {"model": "recursive-cl", "c": str(c), "l": l}
    level = check(groups, promise, lambda group: slow.recursive_holds(group, c, l)).level
    if isinstance(level, Fraction):
        above = level + Fraction(1, 10**9)
        assert all(slow.recursive_holds(group, above, l) for group in groups)
        assert level == 0 or not all(slow.recursive_holds(group, level, l) for group in groups)
    else:
        assert not all(slow.recursive_holds(group, Fraction(10**9), l) for group in groups)


@WORK
@given(GROUPS, RATIOS, L, SUBSETS)
def test_pd_recursive(groups: Groups, c: Fraction, l: int, disclosable: list[str]) -> None:
    promise = {"model": "pd-recursive", "c": str(c), "l": l, "disclosable": disclosable}
    check(groups, promise, lambda group: slow.pd_holds(group, c, l, disclosable))


@WORK
@given(GROUPS, RATIOS, st.sampled_from(["0", "10", "20", "100/3", "50"]), L, SUBSETS, SUBSETS)
def test_npd_recursive(
    groups: Groups, c: Fraction, percent: str, l: int, disclosable: list[str], protected: list[str]
) -> None:
    promise = {
        "model": "npd-recursive",
        "c1": str(c),
        "c2": percent,
        "l": l,
        "disclosable": disclosable,
        "protected": protected,
    }
    check(groups, promise, lambda group: slow.npd_holds(group, c, Fraction(percent), l, disclosable, protected))


@WORK
@given(GROUPS, st.fractions(min_value=1, max_value=6, max_denominator=8))
def test_simple(groups: Groups, l: Fraction) -> None:
    promise = {"model": "simple-l", "l": str(l)}
    criterion = check(groups, promise, lambda group: Fraction(slow.counts_of(group)[0], len(group)) <= 1 / l)
    assert criterion.level == min(Fraction(len(group), slow.counts_of(group)[0]) for group in groups)


@WORK
@given(GROUPS, st.fractions(min_value=Fraction(1, 8), max_value=1, max_denominator=8), st.integers(1, 6))
def test_alpha_k(groups: Groups, alpha: Fraction, k: int) -> None:
    promise = {"model": "alpha-k", "alpha": str(alpha), "k": k}
    check(groups, promise, lambda group: len(group) >= k and max(slow.shares(group).values()) <= alpha)


@WORK
@given(GROUPS, st.fractions(min_value=0, max_value=1, max_denominator=12))
def test_t_equal(groups: Groups, t: Fraction) -> None:
    whole = [value for group in groups for value in group]
    promise = {"model": "t-closeness", "t": str(t)}
    criterion = check(groups, promise, lambda group: slow.t_equal(group, whole) <= t)
    assert criterion.level == max(slow.t_equal(group, whole) for group in groups)


@WORK
@given(GROUPS, st.fractions(min_value=0, max_value=1, max_denominator=12), st.permutations(["a", "b", "c", "d", "e"]))
def test_t_ordered(groups: Groups, t: Fraction, order: list[str]) -> None:
    whole = [value for group in groups for value in group]
    promise = {"model": "t-closeness", "t": str(t), "distance": "ordered"}

    def distance(group: slow.Group) -> Fraction:
        return slow.t_ordered(group, whole, [*order, None])

    criterion = check(groups, promise, lambda group: distance(group) <= t, sensitive={"s": {"order": order}})
    assert criterion.level == max(map(distance, groups))


@WORK
@given(KNOWN, st.fractions(min_value=0, max_value=1, max_denominator=12))
def test_t_hierarchical(groups: Groups, t: Fraction) -> None:
    whole = [value for group in groups for value in group]
    promise = {"model": "t-closeness", "t": str(t), "distance": "hierarchical"}

    def distance(group: slow.Group) -> Fraction:
        return slow.t_hierarchical(group, whole, TREE)

    spec = {"s": {"hierarchy": {"tree": {"*": TREE}}}}
    criterion = check(groups, promise, lambda group: distance(group) <= t, sensitive=spec)
    assert criterion.level == max(map(distance, groups))


@WORK
@given(GROUPS, st.fractions(min_value=Fraction(1, 20), max_value=3, max_denominator=40))
def test_delta(groups: Groups, delta: Fraction) -> None:
    whole = [value for group in groups for value in group]
    promise = {"model": "delta-disclosure", "delta": str(delta)}
    level = check(groups, promise, lambda group: slow.delta_holds(group, whole, delta)).level
    if isinstance(level, Fraction):
        step = Fraction(1, 10**6)
        assert all(slow.delta_holds(group, whole, level) for group in groups)
        assert level == step or not all(slow.delta_holds(group, whole, level - step) for group in groups)
    else:
        assert any(set(group) != set(whole) for group in groups)


@WORK
@given(st.lists(st.tuples(st.sampled_from("pq"), st.sampled_from("abc"), st.sampled_from("xyz")), min_size=1), L)
def test_multi_attribute(rows: list[tuple[str, str, str]], l: int) -> None:
    from sfumato.auditor.audit import audit
    from tests.support.auditing import policy_of, verdicts

    frame = pl.DataFrame(rows, schema=["q", "S", "V"], orient="row")
    expected = []
    for own, other in ((1, 2), (2, 1)):
        parts: dict[tuple[str, str], set[str]] = {}
        for row in rows:
            parts.setdefault((row[0], row[other]), set()).add(row[own])
        expected.append("holds" if all(len(values) >= l for values in parts.values()) else "fails")
    policy = policy_of(
        {"model": "multi-attribute", "of": {"model": "distinct-l", "l": l}}, sensitive={"S": {}, "V": {}}
    )
    assert verdicts(audit(frame, policy)) == expected
