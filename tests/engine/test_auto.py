"""Auto, the default: it goes wherever any method does, is judged as any is, and honours all that a policy asks."""

from __future__ import annotations

import warnings
from itertools import product
from operator import attrgetter
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.measures.lost import Losses, overall
from sfumato.partition import registry
from sfumato.partition.contract import Partition, Task
from sfumato.partition.mondrian.mondrian import MondrianPartitioner
from sfumato.partition.steps import polished as polished_step
from sfumato.testing import check_triple
from tests.support.examples import some
from tests.support.people import POLICY, people

AUTO = {"method": "auto"}
PLAIN = {name: value for name, value in POLICY.items() if name != "partition"}


def lost(release: sf.Release) -> Losses:
    assert release.lost is not None
    return release.lost


@pytest.mark.parametrize("persons", [False, True])
def test_it_goes_wherever_any_method_does(persons: bool) -> None:
    matrix = sf.methods(persons=persons)
    served = {(cell.model, cell.form, cell.method == "auto") for cell in matrix.cells if cell.status != "refused"}
    for model, form in product(matrix.models, matrix.forms):
        assert (model, form, True) in served or (model, form, False) not in served, (model, form)
    refused = [cell for cell in matrix.cells if cell.method == "auto" and cell.status == "refused"]
    assert all(cell.why for cell in refused)
    native = {(cell.model, cell.form) for cell in matrix.cells if cell.status == "native"}
    assert native == {
        (cell.model, cell.form) for cell in matrix.cells if (cell.method, cell.status) == ("auto", "native")
    }


@pytest.mark.thorough
@pytest.mark.parametrize("persons", [False, True])
@pytest.mark.filterwarnings("ignore::sfumato.errors.SfumatoWarning")
def test_every_promise_in_every_form_is_audited(persons: bool) -> None:
    cells = [cell for cell in sf.methods(persons=persons).cells if (cell.method, cell.status) != ("auto", "refused")]
    for cell in some([cell for cell in cells if cell.method == "auto"], kind=attrgetter("model")):
        check_triple(cell, rounds=1)


def test_a_policy_that_names_no_method_means_auto() -> None:
    settings: list[dict[str, Any]] = [{}, AUTO, {"budget": "normal"}]
    for changes in ({}, *({"partition": each} for each in settings)):
        policy = sf.read_policy({**PLAIN, **changes})
        assert policy.partition == sf.Auto()
        assert policy.digest == sf.read_policy(PLAIN).digest
    assert "partition" not in sf.read_policy(PLAIN).as_dict()
    named = sf.read_policy({**PLAIN, "partition": {"method": "mondrian"}})
    assert named.as_dict()["partition"]["method"] == "mondrian"
    assert named.digest != sf.read_policy(PLAIN).digest


@pytest.mark.thorough
def test_the_same_budget_gives_the_same_release() -> None:
    for budget in ("quick", "normal", "thorough"):
        one, other = (sf.publish(people(), policy={**PLAIN, "partition": {"budget": budget}}, seed=4) for _ in range(2))
        assert one.table.equals(other.table) and one.facts() == other.facts()
        assert any(f"budget {budget}" in note for note in one.facts()["notes"])


def test_it_serves_what_its_methods_refuse_one_by_one() -> None:
    for promise, refusing in ((sf.PairwiseL(2), "mondrian"), (sf.TCloseness("0.5"), "bsgi-free")):
        policy = {**PLAIN, "form": {"group_id": True}}
        with pytest.raises(sf.Refused):
            sf.publish(people(), promise, policy=policy, partition={"method": refusing}, seed=1)
        assert sf.publish(people(), promise, policy=policy, seed=1).judged().holds


WEIGHED = {
    "loss": {"metric": "ncp", "weights": {"age": 9, "town": "1/9"}},
    "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "distinct-l", "l": 3}],
}
TWO = [
    {"model": "distinct-l", "l": 2, "on": "disease"},
    {"model": "entropy-l", "l": 2, "on": "ward"},
]
CASES: dict[str, tuple[dict[str, Any], tuple[dict[str, Any], ...]]] = {
    "weights": (WEIGHED, ({"method": "mondrian", "polish": True}, {"method": "boxes"}, {"method": "bsgi-free"})),
    "another loss": (
        {"loss": {"metric": "discernibility"}},
        ({"method": "mondrian"}, {"method": "mondrian", "polish": True}),
    ),
    "suppression": (
        {"suppression": {"limit": "0.1"}, "privacy": [{"model": "k-anonymity", "k": 5}]},
        ({"method": "mondrian", "polish": True}, {"method": "boxes", "polish": True}),
    ),
    "several sensitive columns": (
        {"columns": {**PLAIN["columns"], "ward": {"role": "sensitive"}}, "privacy": TWO},
        ({"method": "mondrian", "polish": True}, {"method": "bsgi-free", "polish": True}),
    ),
    "whose value is whose": (
        {"form": {"publish": "anatomized"}, "privacy": [{"model": "simple-l", "l": 2}]},
        ({"method": "arp"}, {"method": "bsgi-free"}, {"method": "anatomy"}, {"method": "mondrian"}),
    ),
    "rings": (
        {"form": {"publish": "ring"}, "privacy": [{"model": "simple-l", "l": 2}]},
        ({"method": "mondrian", "polish": True}, {"method": "bsgi-free", "polish": True}),
    ),
}


@pytest.mark.parametrize(("changes", "methods"), CASES.values(), ids=CASES)
@pytest.mark.filterwarnings("ignore::sfumato.errors.SfumatoWarning")
def test_no_method_that_it_ran_loses_less(changes: dict[str, Any], methods: tuple[dict[str, Any], ...]) -> None:
    """By what a release says that it lost, each method with the work that auto gives it."""
    policy = {**PLAIN, **changes}
    frame = people().with_columns(ward=pl.int_range(60) % 4) if "columns" in changes else people()
    release = sf.publish(frame, policy=policy, seed=2)
    assert release.judged().holds
    mine = overall(lost(release), release.suppressed)
    for method in methods:
        named = dict(method)
        if method.get("polish"):
            named["polish"] = {"work": 60 * 40_000}
        other = sf.publish(frame, policy={**policy, "partition": named}, seed=2)
        assert mine <= overall(lost(other), other.suppressed) + 1e-12, method


def test_what_would_break_a_limit_of_the_form_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    class Whole(MondrianPartitioner):
        def partition(self, task: Task) -> Partition:
            return Partition.of(task.table, np.zeros(len(task.table), dtype=np.int64))

    monkeypatch.setitem(registry.PARTITIONERS.homes, "mondrian", Whole)
    monkeypatch.setattr(polished_step, "polished", lambda task, found, work: found)
    limited = {**PLAIN, "suppression": {"columns": {"zip": 0.5}}}
    frame = people().with_columns(zip=pl.Series(["12345"] * 59 + ["99999"]))
    release = sf.publish(frame, policy={**limited, "partition": {"budget": "quick"}}, seed=1)
    assert release.published.blank["zip"] <= 30
    told = " ".join(release.notes)
    assert "auto: mondrian with polish found nothing: column 'zip' says nothing in 60 of 60 rows" in told
    assert "auto ran boxes with polish" in told


def test_somebody_with_several_rows_is_never_twice_in_a_group() -> None:
    frame = people().with_columns(name=pl.format("person-{}", pl.int_range(60) // 3))
    columns = {**PLAIN["columns"], "name": {"role": "individual"}}
    policy = {"columns": columns, "privacy": [{"model": "distinct-l", "l": 2}], "form": {"group_id": True}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sf.SfumatoWarning)
        release = sf.publish(frame, policy=policy, seed=1)
    verdict = release.judged()
    assert verdict.holds and any(criterion.promise == "rows-per-person" for criterion in verdict.criteria)
    assert any("bsgi-free with polish loses" in note for note in release.notes)


def test_terms_are_suppressed_where_the_promise_speaks_of_them() -> None:
    known = {"A": ["a", "x"], "B": ["b", "x"], "C": ["c", "x"], "AB": ["a", "b", "x"]}
    frame = pl.DataFrame({"q": [1, 1, 5, 5], "t": ["a|x", "a|b", "b|x", "a|b"]})
    terms = {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": known}}
    policy = {
        "columns": {"q": {"role": "quasi", "type": "integer"}, "t": terms},
        "privacy": [{"model": "k-anonymity", "k": 2}, {"model": "qs-cl", "c": 1, "l": 3}],
    }
    with pytest.warns(sf.SfumatoWarning, match="every row has 2 terms"):
        release = sf.publish(frame, policy=policy, seed=1)
    assert release.judged().holds and release.suppressed_terms["t"] > 0
    assert any("with polish and suppress-terms" in note for note in release.notes)


def test_spoiling_what_is_sensitive_is_not_taken_for_a_gain() -> None:
    """SWEEP can show all quasi-identifiers as they are, at the price of sensitive values: ncp says 0 of that."""
    tree = {"tree": {"viral": ["flu", "cold"], "other": ["gout", "lupus"]}}
    columns = {**PLAIN["columns"], "disease": {"role": "sensitive", "hierarchy": tree}}
    policy = {"columns": columns, "privacy": [{"model": "tau-l", "tau": "0.7", "l": 2}]}
    swept = sf.publish(people(), policy={**policy, "partition": {"method": "sweep", "balance": "0.01"}}, seed=1)
    release = sf.publish(people(), policy=policy, seed=1)
    assert lost(swept).sensitive["disease"].generalized
    assert overall(lost(swept), 0) == pytest.approx(swept.loss + lost(swept).sensitive["disease"].loss)
    assert overall(lost(release), 0) < overall(lost(swept), 0)


def test_of_all_that_it_tried_nothing_is_kept() -> None:
    with pytest.raises(sf.Infeasible) as caught:
        sf.publish(people(), sf.KAnonymity(61), policy=PLAIN, seed=1)
    assert caught.value.nearest == sf.AllOf((sf.KAnonymity(60),))
    assert str(caught.value).count("k-anonymity (k=61)") == 1
