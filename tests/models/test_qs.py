"""QS (c,l)-diversity and QS t-closeness as models: the worked cases, the holes, and what every model must be."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato.errors import Refused
from sfumato.knowledge.table import Knowledge
from sfumato.models.contract import Facts, Groups
from sfumato.models.qs_cl import QsCLModel
from sfumato.models.qs_t import QsTModel
from sfumato.policy import promises
from sfumato.table.domain import SetDomain
from sfumato.table.tuples import Tuples
from sfumato.testing import check_model
from tests.support.examples import examples
from tests.support.golden import golden
from tests.support.handmade import Column, column_with, rows_of

GOLDEN: dict[str, Any] = golden("qs")
Rows = Sequence[Sequence[str]]


def table_of(knowledge: Any, groups: Sequence[Rows], unknown: Any = "drop") -> tuple[Tuples, Groups]:
    """A table with these groups of rows of terms, coded."""
    rows = [tuple(sorted(row)) for group in groups for row in group]
    sets = tuple(sorted(set(rows)))
    codes = np.array([sets.index(row) for row in rows], np.int32)
    values = pl.Series("t", ["|".join(each) for each in sets])
    counts = np.bincount(codes, minlength=len(sets)).astype(np.int64)
    domain = SetDomain("t", values, counts, sets=sets, knowledge=Knowledge.of(knowledge), unknown=unknown)
    labels = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    quasi = column_with("q", labels, range(len(groups)))
    table = rows_of((quasi,), (), sets=(Column(domain, codes),))
    return table, Groups.of(table, labels, (("t",),))


def holds(knowledge: Any, group: Rows, c: Any, l: int, unknown: Any = "drop") -> bool:
    table, groups = table_of(knowledge, [group], unknown)
    return bool(QsCLModel.bind(promises.QsCL(c, l), Facts.of(table)).holds(groups)[0])


@pytest.mark.parametrize("case", GOLDEN["cases"])
def test_worked_cases(case: dict[str, Any]) -> None:
    assert holds(GOLDEN["E_cases"], case["group"], case["c"], case["l"]) is case["ok"]
    table, groups = table_of(GOLDEN["E_cases"], [case["group"]])
    assert QsCLModel.bind(promises.QsCL(1, 2), Facts.of(table)).level(groups)[0] == case["lprime_c1"]


def test_unlinked_rows_are_no_diversity() -> None:
    """Figure 1: {headache, vomiting} fits no disease, so flu is all that its group may stand for."""
    figure = GOLDEN["figure1"]
    for c in ("1/10", 1, 1000):
        assert not holds(figure["E"], figure["group2"], c, 2)
    table, groups = table_of(figure["E"], [figure["group2"], [["headache", "vomiting"]]])
    model = QsCLModel.bind(promises.QsCL(1, 2), Facts.of(table))
    judged = model.judged(groups)
    assert (judged.linked.tolist(), judged.unlinked.tolist()) == ([1, 0], [1, 1])
    assert model.holds(groups).tolist() == [False, True]


def test_removing_a_term_can_break_the_promise() -> None:
    told = GOLDEN["removal_can_break_qs"]
    assert holds(told["E"], told["group"], 1, 2) is told["ok_1_2_before"]
    assert holds(told["E"], [[], told["group"][1]], 1, 2) is told["ok_1_2_after"]


def test_the_bound_is_not_strict() -> None:
    assert holds([("A", "a"), ("B", "b")], ["a", "b"], 1, 2)
    assert not holds([("A", "a"), ("B", "b")], ["a", "b"], "999/1000", 2)


def test_strict_against_drop() -> None:
    """Under the letter of the definition a term that nobody knows makes rows harmless; dropped, flu is certain."""
    flu = [("flu", ["cough"]), ("cold", ["sneeze"])]
    group = [["cough", "fatigue"], ["cough"]]
    assert not holds(flu, group, 1, 2, "drop")
    table, groups = table_of(flu, [group], "strict")
    model = QsCLModel.bind(promises.QsCL(1, 2), Facts.of(table))
    assert model.judged(groups).unlinked.tolist() == [1]
    assert holds(flu, [["cough", "fatigue"]], 1, 2, "strict")
    assert not holds(flu, [["cough", "fatigue"]], 1, 2, "drop")


def test_a_row_of_unknown_terms_is_no_diversity() -> None:
    assert not holds([("A", "a"), ("B", "b")], [["a"], ["zzz"]], 3, 2)


def test_the_prior_is_that_of_the_whole_table() -> None:
    told = GOLDEN["prior"]
    table, groups = table_of(GOLDEN["E_cases"], told["groups"])
    model = QsTModel.bind(promises.QsT("1/2"), Facts.of(table))
    shares = dict(zip(model.column.told.labels, model.asked.prior, strict=True))
    assert shares == {label: Fraction(share) for label, share in told["alpha"].items()}
    squares = [model.asked.distance2(model.mass(groups, group)) for group in (0, 1)]
    assert squares == [Fraction(each) for each in told["dist2"]]
    bound = Fraction(46, 100)  # sqrt(13/64) = 0.4507
    assert QsTModel.bind(promises.QsT(bound), Facts.of(table)).holds(groups).all()
    assert not QsTModel.bind(promises.QsT(Fraction(45, 100)), Facts.of(table)).holds(groups).any()


def test_a_given_prior_must_fit_the_knowledge() -> None:
    table, groups = table_of([("A", "a"), ("B", "b")], [["a"]])
    near = QsTModel.bind(promises.QsT("1/10", prior={"A": 1}), Facts.of(table))
    assert near.holds(groups).tolist() == [True]
    with pytest.raises(Refused, match="1 labels that its knowledge does not have"):
        QsTModel.bind(promises.QsT(1, prior={"A": "1/2", "Z": "1/2"}), Facts.of(table))


def test_a_table_without_links_has_no_prior() -> None:
    table, _ = table_of([("A", "a")], [["b"]])
    with pytest.raises(Refused, match="no row is linked"):
        QsTModel.bind(promises.QsT(1), Facts.of(table))


def test_earth_movers_distance() -> None:
    """Beliefs 1/4, 3/4 against 1/2, 1/2: a quarter has to move."""
    table, groups = table_of([("A", "a"), ("B", "b")], [[[], ["b"]]])
    for t, kept in (("1/4", True), ("24/100", False)):
        promise = promises.QsT(t, prior={"A": "1/2", "B": "1/2"}, distance="emd")
        assert QsTModel.bind(promise, Facts.of(table)).holds(groups).tolist() == [kept]


@pytest.mark.parametrize(
    "promise",
    [
        promises.QsCL(1, 2),
        promises.QsCL("1/2", 3) & promises.KAnonymity(2),
        promises.QsT("2/5"),
        promises.QsT("1/5", distance="emd"),
        promises.QsT("1/5", distance="hierarchical"),
        promises.QsT("1/2", prior={"A": "1/2", "B": "1/4", "C": "1/4"}),
    ],
    ids=str,
)
def test_models_and_auditor_agree(promise: promises.Promise) -> None:
    check_model(promise, rounds=examples(12))
