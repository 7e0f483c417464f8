"""(tau,l)-diversity: the worked example, the boundary, generalized values, and every hole that was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.auditor.rules.tau_l import allowed_share
from sfumato.errors import Infeasible, PolicyError, Refused
from sfumato.models.contract import Groups
from sfumato.models.induced import Induced
from sfumato.models.psi import psi
from sfumato.models.registry import bind
from sfumato.models.tau_l import TauLModel
from sfumato.policy import promises
from sfumato.table.weights import resolved_weights
from sfumato.taxonomy.tree import Node, Taxonomy
from sfumato.testing import check_model
from tests.support.definitions import bounded, keeps
from tests.support.examples import examples, some
from tests.support.golden import golden
from tests.support.model_tables import added, block, column_of, facts_of, groups_of, large, model_of

GOLDEN: dict[str, Any] = golden("tau_l")
DISEASES = ("hepatitis", "hemal-other", "tuberculosis", "flu")
DISEASE = Node(
    "any disease",
    (
        Node("hemal disease", (Node("hepatitis"), Node("hemal-other"))),
        Node("other disease", (Node("tuberculosis"), Node("flu"))),
    ),
)
XY = Node("*", (Node("x", (Node("a"), Node("b"))), Node("y", (Node("c"), Node("d")))))
LABELS = Taxonomy.of(XY).labels
HALF = promises.TauL("1/2", 3)


def shares(text: str | Sequence[str], weights: Any = (), tree: Node = DISEASE, names: Sequence[str] = DISEASES) -> Any:
    """Induced shares of one group, by base value; the original table has all values."""
    column = column_of(dict.fromkeys(range(4), 1), values=names, tree=tree)
    node_of = {label: node for node, label in enumerate(Taxonomy.of(tree).labels)}
    words = text.split() if isinstance(text, str) else text
    counts = {node_of[word]: list(words).count(word) for word in words}
    found, factor = Induced.of(column, resolved_weights(promises.TauL("1/2", 3, weights).weights, column)).spread(
        groups_of(counts)[("s",)]
    )
    values = [Fraction(int(count), factor * len(words)) for count in found.counts]
    return dict(zip([names[code] for code in found.values], values, strict=True))


def tops(shares: Mapping[str, Fraction]) -> list[Fraction]:
    ranked = sorted(shares.values(), reverse=True)
    return [sum(ranked[:k], Fraction(0)) for k in range(1, 5)]


def model_on(whole: Mapping[int, int], promise: promises.TauL = HALF, tree: Node = XY) -> TauLModel:
    found = model_of(promise, whole, tree=tree)
    assert isinstance(found, TauLModel)
    return found


def nodes(text: str) -> dict[int, int]:
    """Counts by node of the tree over a, b, c and d."""
    words = text.split()
    return {LABELS.index(word): words.count(word) for word in words}


@pytest.mark.parametrize("case", GOLDEN["psi_cases"], ids=str)
@pytest.mark.parametrize("bound", [psi, allowed_share], ids=["model", "auditor"])
def test_psi(bound: Callable[[promises.TauL, int], Fraction], case: dict[str, Any]) -> None:
    """The model and the auditor have one each."""
    promise = promises.TauL(case["tau"], case["l"])
    assert [bound(promise, k) for k in range(1, len(case["psi"]) + 1)] == list(map(Fraction, case["psi"]))


@pytest.mark.parametrize("case", GOLDEN["invalid_requirements"], ids=str)
def test_requirements_that_make_no_sense(case: list[Any]) -> None:
    with pytest.raises(PolicyError):
        promises.TauL(*case)


def test_the_worked_example_step_by_step() -> None:
    rows = list(GOLDEN["sa"])
    for key, generalized in (
        ("whole_table_F", 0),
        ("after_generalising_tuple_1", 1),
        ("after_generalising_tuples_1_2", 2),
    ):
        rows[:generalized] = ["hemal disease"] * generalized
        assert tops(shares(rows)) == list(map(Fraction, GOLDEN[key]))
    column = column_of({0: 6, 1: 1, 2: 4, 3: 1}, values=DISEASES, tree=DISEASE)
    model = bind(HALF, facts_of(column))
    labels = Taxonomy.of(DISEASE).labels

    def kept(words: Sequence[str]) -> bool:
        counts = {labels.index(word): list(words).count(word) for word in words}
        return bool(model.holds(groups_of(counts))[0])

    assert [kept(["hemal disease"] * up + GOLDEN["sa"][up:]) for up in range(3)] == [False, False, True]
    for ec in GOLDEN["fig3_sweep"]["ecs"]:
        found = shares(ec["sa"])
        assert {name: found.get(name, Fraction(0)) for name in DISEASES} == {
            name: Fraction(share) for name, share in ec["induced"].items()
        }
        assert tops(found) == list(map(Fraction, ec["F"]))
        assert kept(ec["sa"])  # exactly on the bound


def test_full_domain_recodings_of_the_example() -> None:
    """By decade of age the worse class has 5/7 hepatitis; by zip, two values fill 9/10 of one class."""
    sa = [DISEASES.index(value) for value in GOLDEN["sa"]]
    older = [row for row in range(12) if GOLDEN["rows"][row][0] < "30"]
    count = sum(sa[row] == 0 for row in older)
    assert Fraction(count, len(older)) == Fraction(5, 7)
    whole = {code: sa.count(code) for code in range(4)}
    decade = {code: sum(sa[row] == code for row in older) for code in range(4)}
    zips = {code: sum(sa[row] == code for row in range(10)) for code in range(4)}
    assert not model_of(HALF, whole).holds(groups_of(decade, zips)).any()
    assert model_of(promises.TauL("9/10", 3), whole).holds(groups_of(decade, zips)).all()


@pytest.mark.parametrize("name", ["432_tuples", "288_tuples"])
def test_recursive_does_not_imply_it(name: str) -> None:
    case = GOLDEN["theorem23"][name]
    counts = dict(enumerate(case["counts"]))
    assert not model_of(promises.TauL("0.25", 4), counts).holds(groups_of(counts))[0]
    assert model_of(promises.RecursiveCL(2, 5), counts).holds(groups_of(counts))[0]


@given(st.lists(large, min_size=1, max_size=6), st.integers(2, 6), st.fractions(0, 1), st.booleans())
@settings(max_examples=examples(150))
def test_exact_on_base_values(counts: list[int], l: int, above: Fraction, on_the_bound: bool) -> None:
    tau = Fraction(max(counts), sum(counts)) if on_the_bound else Fraction(1, l) + above * (1 - Fraction(1, l))
    if not Fraction(1, l) <= tau < 1:
        return
    group = dict(enumerate(counts))
    promise = promises.TauL(tau, l)
    model = model_of(promise, group)
    assert model.holds(groups_of(group))[0] == keeps(promise, group)
    assert model.holds(groups_of(group))[0] == (model.level(groups_of(group))[0] <= float(tau) + 1e-12) or on_the_bound
    if not model.holds(groups_of(group))[0]:
        near: Any = model.nearest(groups_of(group))
        assert near is None if len(counts) < 2 else keeps(near, group)


@given(
    st.lists(st.dictionaries(st.sampled_from(LABELS), st.integers(1, 9), min_size=1), min_size=1, max_size=4),
    st.lists(st.fractions(Fraction(1, 9), 9, max_denominator=9), min_size=4, max_size=4),
    st.sampled_from([HALF, promises.TauL("2/3", 2), promises.TauL("1/3", 4), promises.TauL("0.4", 3)]),
    st.sampled_from([1, 10**12]),
)
@settings(max_examples=examples(150))
def test_exact_on_generalized_values(
    groups: list[dict[str, int]], weights: list[Fraction], promise: promises.TauL, times: int
) -> None:
    """Against shares added up one row at a time; small and large counts."""
    given = dict(zip("abcd", weights, strict=True))
    model = model_on(dict.fromkeys(range(4), 1), promises.TauL(promise.tau, promise.l, given))
    below = {"x": "ab", "y": "cd", "*": "abcd"}
    counted = [{LABELS.index(label): count * times for label, count in group.items()} for group in groups]
    expected = []
    for group in groups:
        sums = dict.fromkeys("abcd", Fraction(0))
        for label, count in group.items():
            leaves = below.get(label, label)
            for leaf in leaves:
                sums[leaf] += count * given[leaf] / sum(given[each] for each in leaves)
        expected.append(bounded([share for share in sums.values() if share], promise.tau, promise.l))  # type: ignore[misc]
    assert model.holds(groups_of(*counted)).tolist() == expected
    kept = [group for group, keeps_it in zip(counted, expected, strict=True) if keeps_it]
    if kept:
        assert model.holds(groups_of(added(kept)))[0]
    level = model.level(groups_of(*counted))
    assert ((level <= float(promise.tau) + 1e-12) >= np.array(expected)).all()


def test_too_few_values_even_when_nothing_is_said() -> None:
    """Of ``a a a b`` only two values have a weight: rows at the root have F(2) = 1 > 3/4."""
    model = model_on(block("a a a b"))
    assert not model.root_holds()
    assert not model.holds(groups_of(nodes("* * * *")))[0]
    with pytest.raises(Infeasible, match="2 different values") as raised:
        model.require_feasible(groups_of(block("a a a b")))
    assert raised.value.nearest == promises.TauL("3/4", 2)
    assert model_on(block("a b c")).root_holds()


def test_weights_that_make_generalizing_worse() -> None:
    promise = promises.TauL("1/2", 3, weights={"a": 10, "b": 1, "c": 1, "d": 1})
    model = model_on(block("a a a c"), promise)
    assert not model.root_holds()
    assert model.level(groups_of(nodes("*")))[0] == pytest.approx(10 / 13)


def test_one_step_up_can_make_it_worse() -> None:
    whole = block("a a b b c")
    level = model_on(whole, promises.TauL("1/2", 2)).level(groups_of(whole, nodes("x x b b c"), nodes("x a b b c")))
    assert level.tolist() == [pytest.approx(2 / 5), pytest.approx(3 / 5), pytest.approx(1 / 2)]


def test_weights_change_what_a_general_value_says() -> None:
    """x x c d: a is 1/4 by equal weights, 3/7 if it is six times as frequent as b."""
    whole = {0: 6, 1: 1, 2: 1, 3: 1}
    promise = promises.TauL("0.3", 4)
    assert model_on(whole, promise).holds(groups_of(nodes("x x c d")))[0]
    by_table = model_on(whole, promises.TauL("0.3", 4, weights="table"))
    assert not by_table.holds(groups_of(nodes("x x c d")))[0]
    assert shares("x x c d", {"a": 6}, XY, "abcd")["a"] == Fraction(3, 7)


def test_several_columns_need_more_than_each_alone() -> None:
    rows = [("s1", "v1"), ("s1", "v2"), ("s2", "v3"), ("s3", "v3")]
    frame = pl.DataFrame({"q": ["g"] * 4, "s": [s for s, _ in rows], "v": [v for _, v in rows]})
    columns = {"q": {"role": "quasi"}, "s": {"role": "sensitive"}, "v": {"role": "sensitive"}}
    each = [{"model": "tau-l", "tau": "1/2", "l": 3, "on": name} for name in ("s", "v")]
    assert sf.publish(frame, policy={"columns": columns, "privacy": each}, seed=0).table.height == 4
    of = {"model": "multi-attribute", "of": {"model": "tau-l", "tau": "1/2", "l": 2}}
    with pytest.raises(Infeasible):
        sf.publish(frame, policy={"columns": columns, "privacy": [of]}, seed=0)


@pytest.mark.parametrize("weights", [{"a": 0}, {"a": -1}, {"a": "much"}, "rows", {"a": float("nan")}], ids=str)
def test_weights_that_are_none(weights: Any) -> None:
    with pytest.raises(PolicyError, match="weight"):
        promises.TauL("1/2", 3, weights=weights)


def test_weights_of_values_that_the_column_lacks() -> None:
    with pytest.raises(Refused, match="does not have 1 of the 2 values listed under 'weights'"):
        model_on(block("a b c"), promises.TauL("1/2", 3, weights={"a": 1, "z": 2}))


def test_psi_of_ones_own() -> None:
    promise = promises.TauL("1/2", 4, psi=["1/2", "1/2", "0.9"])
    for bound in (psi, allowed_share):
        assert [bound(promise, k) for k in (1, 2, 3, 4, 5)] == [Fraction(1, 2), Fraction(1, 2), Fraction(9, 10), 1, 1]
    assert promise.with_slack(1) == promise and HALF.with_slack(1) == promises.TauL("1/2", 4)
    model = model_of(promise, {0: 1})
    assert model.uniform_l() == 4
    assert model.holds(groups_of(block("a b c d"), block("a a b c d"))).tolist() == [True, False]
    assert model_of(promises.TauL("1/2", 3, psi=["1/2", "1/2"]), {}).uniform_l() == 4
    for wrong in (["1/2"], ["1/3", "1/2", "1/2"], ["1/2", "2/5", "0.9"], ["1/2", "1/2", 1]):
        with pytest.raises(PolicyError, match="psi"):
            promises.TauL("1/2", 4, psi=wrong)


def test_a_node_without_any_weight_is_no_value() -> None:
    with pytest.raises(ValueError, match="no base value with a weight"):
        model_on(block("a b")).holds(groups_of(nodes("a b y")))


def test_hopeless_groups_have_no_generalized_value() -> None:
    assert model_on(block("a b c")).hopeless(groups_of(nodes("a b"), nodes("a *"), {})).tolist() == [True, False, True]


@pytest.mark.parametrize(
    "promise",
    some(
        [
            promises.TauL("0.4", 3, weights={"a": 3, "b": "1/2"}),
            promises.TauL("1/2", 4, psi=["1/2", "1/2", "0.9"]),
            promises.TauL("2/3", 2, weights="table") & promises.KAnonymity(3),
        ]
    ),
    ids=str,
)
def test_conformance(promise: promises.Promise) -> None:
    check_model(promise, rounds=12)


def test_groups_without_rows() -> None:
    model = model_on(block("a b c"))
    assert not model.holds(Groups.of_counts("s", [{}]))[0] and model.nearest(groups_of({})) is None
