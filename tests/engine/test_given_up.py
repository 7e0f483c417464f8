"""Rows that an algorithm gives up on, promises that it breaks, and tables and policies that are refused."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.fit import NATIVE, Fit
from sfumato.models.contract import Model
from sfumato.partition import registry
from sfumato.partition.contract import Partition, Task
from tests.support.people import POLICY, people


@dataclass(frozen=True)
class HalfHearted:
    """A partitioner that gives up on some rows, or breaks the promise."""

    options: Any
    suppressed = 5

    def fit(self, model: Model) -> Fit:
        return NATIVE

    def partition(self, task: Task) -> Partition:
        labels = task.table.each().codes["town"].astype(np.int64)
        labels[: self.suppressed] = -1
        return Partition.of_each(task.table, labels)


@pytest.fixture
def half_hearted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.PARTITIONERS.homes, "mondrian", HalfHearted)


@pytest.mark.usefixtures("half_hearted")
def test_suppressed_rows_are_dropped_and_counted() -> None:
    policy = {**POLICY, "suppression": {"limit": 0.1}}
    release = sf.publish(people(), policy=policy, seed=1)
    assert release.tables["table"].height == 55
    assert release.suppressed == 5
    full = sf.publish(people(), policy={**policy, "suppression": {"limit": 0.1, "keep": True}}, seed=1)
    assert release.loss == pytest.approx(full.loss), "a suppressed row costs 1, kept or not"


@pytest.mark.usefixtures("half_hearted")
def test_kept_suppressed_rows_are_stars_and_must_keep_the_promise() -> None:
    policy = {**POLICY, "suppression": {"limit": 0.1, "keep": True}}
    release = sf.publish(people(), policy=policy, seed=1)
    table = release.table
    stars = table.filter(pl.all_horizontal(pl.col("age", "zip", "town") == "*"))
    assert stars.height == 5
    hidden = set(people()["age"][:5].cast(pl.String)) - set(table["age"])
    assert not hidden & set(release.published.dictionary["age"]["values"])
    strict = {**policy, "privacy": [{"model": "k-anonymity", "k": 6}]}
    with pytest.raises(sf.AuditFailed):
        sf.publish(people(), policy=strict, seed=1)


@pytest.mark.usefixtures("half_hearted")
def test_too_much_suppression_is_told_with_figures() -> None:
    with pytest.raises(sf.NoneFound, match=r"5 of 60 rows .* 0\.05"):
        sf.publish(people(), policy={**POLICY, "suppression": {"limit": 0.05}}, seed=1)


@pytest.mark.usefixtures("half_hearted")
def test_no_release_leaves_without_passing_the_auditor() -> None:
    policy = {**POLICY, "privacy": [{"model": "k-anonymity", "k": 20}], "suppression": {"limit": 0.1}}
    with pytest.raises(sf.AuditFailed) as caught:
        sf.publish(people(), policy=policy, seed=1)
    assert caught.value.audit.criteria[0].violating_groups


def test_a_column_that_says_too_little_is_told_with_figures() -> None:
    policy = {**POLICY, "privacy": [{"model": "k-anonymity", "k": 60}], "suppression": {"columns": {"zip": 0.5}}}
    table = people().with_columns(zip=pl.Series(["12345"] * 59 + ["99999"]))
    with pytest.raises(sf.NoneFound, match=r"'zip' says nothing in 60 of 60 rows"):
        sf.publish(table, policy=policy, seed=1)


def test_models_that_do_not_survive_merging_are_refused_by_mondrian() -> None:
    policy = {**POLICY, "form": {"group_id": True}}
    with pytest.raises(sf.Refused, match="survive merging"):
        sf.publish(people(), sf.PairwiseL(2), policy=policy, seed=1)


def test_an_infeasible_promise_names_the_nearest_one() -> None:
    with pytest.raises(sf.Infeasible) as caught:
        sf.publish(people(), sf.KAnonymity(61), policy=POLICY, seed=1)
    assert caught.value.nearest == sf.AllOf((sf.KAnonymity(60),)) or caught.value.nearest == sf.KAnonymity(60)
    with pytest.raises(sf.Infeasible, match="distinct-l"):
        sf.publish(people(), sf.DistinctL(5), policy=POLICY, seed=1)


def test_an_empty_table_is_an_error() -> None:
    with pytest.raises(sf.TableError, match="no rows"):
        sf.publish(people().clear(), policy=POLICY, seed=1)


def test_secrets_that_look_suppressed_or_missing_are_refused_early() -> None:
    for bad in ("*", ""):
        table = people().with_columns(disease=pl.when(pl.int_range(60) == 7).then(pl.lit(bad)).otherwise("disease"))
        with (
            pytest.warns() if not bad else contextlib.nullcontext(),
            pytest.raises(sf.TableError, match="in 1 row, which"),
        ):
            sf.publish(table, policy=POLICY, seed=1)


def test_values_that_look_generalized_are_refused() -> None:
    for bad in ("*", "[1, 2", "[a, b]", "{a, b}", "{1, 2}"):
        table = people().with_columns(town=pl.lit(bad))
        with pytest.raises(sf.TableError, match="'town'"):
            sf.publish(table, policy=POLICY, seed=1)
    for interval in ("[1, 2]", "[0-10)"):  # which says what it says
        release = sf.publish(people().with_columns(town=pl.lit(interval)), policy=POLICY, seed=1)
        assert set(release.tables["table"]["town"]) == {interval} and release.judged().holds


@pytest.mark.parametrize("name", ["*", "^a.*$", "^$"])
def test_a_column_called_like_a_pattern_is_refused(name: str) -> None:
    """Some libraries would take it for several columns, or none."""
    columns = {name if each == "town" else each: spec for each, spec in POLICY["columns"].items()}
    with pytest.raises(sf.TableError, match=r"column 4: .*pattern"):
        sf.publish(people().rename({"town": name}), policy={**POLICY, "columns": columns}, seed=1)
