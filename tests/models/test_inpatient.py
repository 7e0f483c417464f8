"""The worked example of the l-diversity paper, number by number."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from sfumato.models.contract import Facts, Groups, Model
from sfumato.models.registry import bind
from sfumato.policy import promises
from sfumato.policy.promises import read_promise
from sfumato.table.tuples import Tuples
from tests.support.golden import golden
from tests.support.handmade import column_with, rows_of
from tests.support.model_tables import block, groups_of, groups_of_rows, holds, model_of, table_of

GOLDEN: dict[str, Any] = golden("inpatient")


def patients() -> Tuples:
    conditions = [row[-1] for row in GOLDEN["rows"]]
    values = sorted(set(conditions))
    return rows_of((), (column_with("condition", list(map(values.index, conditions)), values),))


def groups_at(node: tuple[int, ...], model: Model) -> Groups:
    """The groups of full-domain generalization at a node of the lattice."""
    keys = [
        tuple(levels[str(cell)][level] for cell, levels, level in zip(row, GOLDEN["levels"], node, strict=False))
        for row in GOLDEN["rows"]
    ]
    names = sorted(set(keys))
    return Groups.of(patients(), np.array([names.index(key) for key in keys], dtype=np.int64), model.statistics)


def bound(promise: promises.Promise) -> Model:
    return bind(promise, Facts.of(patients()))


@pytest.mark.parametrize("case", GOLDEN["full_domain"], ids=lambda case: " ".join(map(str, case["promise"].values())))
def test_satisfying_nodes_of_the_lattice(case: dict[str, Any]) -> None:
    model = bound(read_promise(case["promise"]))
    nodes = list(product(range(4), range(4), range(2)))
    good = [node for node in nodes if model.holds(groups_at(node, model)).all()]
    assert len(good) == case["satisfying"]
    minimal = [
        node for node in good if not any(all(a <= b for a, b in zip(x, node, strict=True)) and x != node for x in good)
    ]
    assert sorted(minimal) == [tuple(node) for node in sorted(case["minimal"])]
    for node in good:  # a more general node merges groups
        assert all(above in good for above in nodes if all(a >= b for a, b in zip(above, node, strict=True)))


@pytest.mark.parametrize("figure", ["figure2", "figure3"])
def test_levels_of_the_printed_tables(figure: str) -> None:
    printed = GOLDEN[figure]

    def levels(promise: promises.Promise) -> np.ndarray[Any, np.dtype[np.float64]]:
        model = bound(promise)
        return model.level(groups_at(tuple(printed["node"]), model))

    assert levels(promises.KAnonymity(1)).tolist() == printed["sizes"]
    assert levels(promises.KAnonymity(1)).min() == printed["k"]
    assert levels(promises.DistinctL(1)).min() == printed["distinct_l"]
    assert levels(promises.EntropyL(1)).min() == pytest.approx(printed["entropy_l"], abs=5e-7)
    assert levels(promises.SimpleL(1)).min() == float(Fraction(printed["simple_l"]))
    assert levels(promises.TCloseness(1)).max() == pytest.approx(float(Fraction(printed["t_equal"])), rel=1e-15)
    for l, must_exceed in printed["recursive_c_must_exceed"].items():
        expected = math.inf if must_exceed is None else float(Fraction(must_exceed))
        assert levels(promises.RecursiveCL(1, int(l))).max() == expected
    ratio = printed["delta_ratio"]
    delta = math.inf if ratio is None else math.log(float(Fraction(ratio)))
    assert levels(promises.DeltaDisclosure(1)).max() == pytest.approx(delta)


@pytest.mark.parametrize("figure", ["figure2", "figure3"])
def test_the_printed_tables_reach_their_level_and_no_more(figure: str) -> None:
    printed = GOLDEN[figure]

    def kept(promise: promises.Promise) -> bool:
        model = bound(promise)
        return bool(model.holds(groups_at(tuple(printed["node"]), model)).all())

    assert kept(promises.KAnonymity(printed["k"])) and not kept(promises.KAnonymity(printed["k"] + 1))
    assert kept(promises.DistinctL(printed["distinct_l"])) and not kept(promises.DistinctL(printed["distinct_l"] + 1))
    whole_l = printed["entropy_l_integer"]
    assert kept(promises.EntropyL(whole_l)) and not kept(promises.EntropyL(whole_l + 1))
    t = Fraction(printed["t_equal"])
    assert kept(promises.TCloseness(t)) and not kept(promises.TCloseness(t - Fraction(1, 10**30)))
    share = Fraction(printed["simple_l"])
    assert kept(promises.SimpleL(share)) and not kept(promises.SimpleL(share + Fraction(1, 10**30)))


@pytest.mark.parametrize("case", GOLDEN["blocks"], ids=lambda case: case["block"])
def test_blocks(case: dict[str, Any]) -> None:
    group = block(case["block"])
    assert holds(promises.KAnonymity(case["k"]), group) == [True]
    assert holds(promises.KAnonymity(case["k"] + 1), group) == [False]
    assert holds(promises.DistinctL(case["distinct"]), group) == [True]
    assert holds(promises.DistinctL(case["distinct"] + 1), group) == [False]
    assert holds(promises.EntropyL(case["entropy"]), group) == [True]
    assert holds(promises.EntropyL(case["entropy"] + 1), group) == [False]
    l = Fraction(case["simple"])
    assert holds(promises.SimpleL(l), group) == [True]
    assert holds(promises.SimpleL(l + Fraction(1, 10**6)), group) == [False]
    for recursive_l, must_exceed in case["c_must_exceed"].items():
        if must_exceed is None:
            assert holds(promises.RecursiveCL(10**9, int(recursive_l)), group) == [False]
        else:
            c = Fraction(must_exceed)
            assert holds(promises.RecursiveCL(c, int(recursive_l)), group) == [False]
            assert holds(promises.RecursiveCL(c + Fraction(1, 10**6), int(recursive_l)), group) == [True]


@pytest.mark.parametrize(
    "case", GOLDEN["pd"]["cases"], ids=lambda case: f"{case['block']} Y={','.join(case['disclosable'])}"
)
def test_pd_blocks(case: dict[str, Any]) -> None:
    kept = [
        [c, l]
        for c, l in product(GOLDEN["pd"]["c"], GOLDEN["pd"]["l"])
        if holds(promises.PdRecursive(c, l, tuple(case["disclosable"])), block(case["block"]))[0]
    ]
    assert kept == case["kept"]


def test_several_sensitive_columns() -> None:
    case = GOLDEN["multi_attribute"]
    table = table_of(case["rows"], ("S", "V"))
    facts, labels = Facts.of(table), [0] * len(case["rows"])
    needed = Fraction(case["each_c_must_exceed_at_l_3"])
    for name in ("S", "V"):
        one = bind(promises.DistinctL(3, name), facts)
        assert one.holds(groups_of_rows(table, labels, one.statistics)).tolist() == [case["each_distinct_3"]]
        for c, expected in ((needed, False), (needed + Fraction(1, 100), True)):  # strict: the paper's (2,3) fails
            one = bind(promises.RecursiveCL(c, 3, name), facts)
            assert one.holds(groups_of_rows(table, labels, one.statistics)).tolist() == [expected]
    both = bind(promises.MultiAttribute(promises.DistinctL(2)), facts)
    assert both.holds(groups_of_rows(table, labels, both.statistics)).tolist() == [case["distinct_2"]]


def test_uniform_groups_are_accepted_where_plain_floats_fail() -> None:
    for l in {*GOLDEN["entropy_uniform"]["kept"], *GOLDEN["entropy_uniform"]["naive_floats_fail"], *range(2, 51)}:
        for count in (1, 2, 3, 1000, 10**15):
            groups = groups_of(dict.fromkeys(range(l), count))
            model = model_of(promises.EntropyL(l), {})
            assert model.holds(groups).tolist() == [True]
            assert model.level(groups).tolist() == [l]
            assert model_of(promises.EntropyL(l + Fraction(1, 10**40)), {}).holds(groups).tolist() == [False]
