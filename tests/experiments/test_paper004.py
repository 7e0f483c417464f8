"""Paper 004 on small knowledge: searches, progress, two phases, queries, and knowledge that is built."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from experiments.contract import Row
from experiments.paper004 import built, privacy, progress, queries, reasons, search
from experiments.paper004.built import Diseases
from experiments.paper004.data import QUASI, SEARCHES, Patients, group, patients_of, promise
from sfumato.demo.symptoms import synthetic_knowledge
from sfumato.knowledge.table import Knowledge

_VALUES = {
    "workclass": ["Private", "State-gov"],
    "marital-status": ["Divorced", "Widowed"],
    "occupation": ["Sales", "Tech-support"],
    "race": ["White", "Black"],
    "sex": ["Male", "Female"],
    "native-country": ["Canada", "Peru"],
}


@pytest.fixture(scope="module")
def known() -> Knowledge:
    return synthetic_knowledge(3, labels=40, per_label=6, occurrences=12)


@pytest.fixture(scope="module")
def people(known: Knowledge) -> Patients:
    chance = np.random.default_rng(4)
    numbers = {name: chance.integers(1, 9, 30) for name in QUASI if name not in _VALUES}
    words = {name: chance.choice(values, 30) for name, values in _VALUES.items()}
    return patients_of(pl.DataFrame({**numbers, **words}), known, 3)


@pytest.mark.parametrize("figure", ["fig6d", "fig7c"])
def test_nothing_costs_less_than_the_optimum(known: Knowledge, figure: str) -> None:
    asked: Row = {"terms": 3, "rows": 2, **({"l": 4} if figure == "fig6d" else {"t": 0.5})}
    costs = {}
    for name in SEARCHES:
        (row,) = search.measure(known, {"figure": figure, "search": name, **asked})
        assert row["found"] == 10 and isinstance(row["cost"], float)
        costs[name] = row["cost"]
    assert 0 < costs["optimum"] <= min(costs.values()) <= 1


def test_promises_are_those_that_are_asked_for(known: Knowledge) -> None:
    sets = group(known, {"rows": 2, "terms": 3}, 0)
    assert len(sets) == 2 and sets.lengths.tolist() == [3, 3]
    assert group(known, {"rows": 2, "terms": 3}, 0).codes.tolist() == sets.codes.tolist()
    strict, loose = (promise(known, "cl", {"c": c, "l": 3}) for c in (0.5, 2.0))
    assert repr(strict) != repr(loose) and repr(promise(known, "t", {})) != repr(strict)


def test_progress_ends_where_the_search_does(known: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "group", lambda known, settings, dataset: group(known, {"rows": 2, "terms": 3}, 0))
    monkeypatch.setattr(progress, "promise", lambda known, kind, settings: promise(known, kind, {"l": 4}))
    for name in SEARCHES:
        rows = progress.measure(known, {"search": name, "dataset": 0})
        assert rows[-1]["ended"] == 1 and all(row["ended"] == 0 for row in rows[:-1])
        costs = [row["cost"] for row in rows if row["cost"] is not None]
        assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize("way", ["k = 2", "k = 5, optimum", privacy.GENERALIZED])
def test_two_phases_and_one(people: Patients, way: str) -> None:
    (row,) = privacy.measure(people, {"figure": "fig9", "way": way, "l": 3})
    change, size, cost = row["change"], row["size"], row["cost"]
    assert isinstance(change, float) and isinstance(size, float) and isinstance(cost, float)
    assert 0 <= change <= 2**0.5 and size >= privacy.WAYS[way][0] and (cost == 0 or way != privacy.GENERALIZED)


def test_what_is_asked_of_terms() -> None:
    assert privacy.promise("fig11", {"t2": 0.16}) == {"model": "qs-t", "t": "0.4"}
    assert privacy.promise("fig10", {"c": 2.0}) == {"model": "qs-cl", "c": "2.0", "l": 60}
    assert privacy.promise("fig9", {"l": 10}) == {"model": "qs-cl", "c": "1.0", "l": 10}


def test_queries_ask_of_more_and_more_columns(people: Patients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "QUERIES_DRAWN", 20)
    monkeypatch.setattr(queries, "DEFAULTS", {"t": 0.9})
    rows = queries.measure(people, {"method": "two phases", "k": 2})
    assert [row["qd"] for row in rows] == [1, 3, 5]
    assert all(isinstance(row["error"], float) and row["error"] >= 0 for row in rows)


def test_knowledge_from_pairs_cases_and_texts() -> None:
    cases = pl.DataFrame(
        {"Disease": ["flu", "cold"], "1": ["high_fever", "cough"], "2": ["cough", None]},
        schema_overrides={"2": pl.String},
    )
    pairs = pl.DataFrame({"Disease": ["flu", "flu", "cold"], "Symptom": ["high_fever", "cough", "cough"], "rows": "1"})
    for source in built.SOURCES:
        (row,) = built.measure(Diseases(cases, pairs), {"source": source})
        if source != "texts, words":
            assert (row["labels"], row["pairs"], row["of_published"], row["linked"]) == (2, 3, 1.0, 2)
            assert row["one_label"] == 1  # a cough may be either


def test_one_label_fits_a_whole_row_and_all_fit_none(known: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "group", lambda known, settings, dataset: group(known, {"terms": 3}, dataset))
    monkeypatch.setattr(reasons, "GROUPS", 20)
    whole, few = (reasons.links(known, {"kept": kept})[0] for kept in (3, 1))
    assert float(whole["labels"] or 0) < float(few["labels"] or 0)
    assert float(whole["one"] or 0) > float(few["one"] or 0)


def test_the_optimum_loses_no_more_than_the_search(people: Patients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(reasons._AT, "toy", {"figure": "fig9", "l": 2})
    costs = [
        reasons.optima(people, {"at": "toy", "search": search, "times": 1, "k": 2})[0]["cost"]
        for search in ("optimal", "adaptive")
    ]
    assert isinstance(costs[0], float) and isinstance(costs[1], float) and costs[0] <= costs[1]


def test_closeness_over_work(known: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "group", lambda known, settings, dataset: group(known, {"terms": 3}, dataset))
    rows = progress.closeness(known, {"dataset": 0, "search": "optimum"})
    assert rows[-1]["ended"] == 1 and [row["work"] for row in rows] == [*progress.BUDGETS[: len(rows)]]
