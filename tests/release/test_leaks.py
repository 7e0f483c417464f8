"""Leaks that are not about groups: planted ones are found, and releases of ours have none."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.release.chance import correlation, follows, sorted_chance, together_chance
from sfumato.release.leaks import Leak
from sfumato.release.orderleaks import order_leaks
from sfumato.release.received import receive
from tests.support.examples import examples, some

ROWS = 120
FORMS: dict[str, dict[str, Any]] = {
    "generalized": {"publish": "generalized"},
    "generalized with ids": {"publish": "generalized", "group_id": True},
    "anatomized": {"publish": "anatomized", "insensitive": True},
    "permuted": {"publish": "permuted", "insensitive": True},
    "sliced": {"publish": "sliced", "insensitive": True},
    "ring": {"publish": "ring"},
    "randomized": {"publish": "randomized", "insensitive": True, "retention": "1/20"},
}
COLUMNS: dict[str, Any] = {
    "name": {"role": "identifier", "pseudonym": True},
    "age": {"role": "quasi", "type": "integer"},
    "town": {"role": "quasi"},
    "ill": {"role": "sensitive"},
    "ward": {"role": "insensitive"},
}


def people(seed: int, rows: int = ROWS) -> pl.DataFrame:
    """Sorted by all that there is: whatever order stays shows."""
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "name": [f"person {row}" for row in range(rows)],
            "age": rng.integers(18, 95, rows),
            "town": rng.choice(list("abcdef"), rows),
            "ill": rng.choice(["cold", "flu", "gout", "lupus"], rows),
            "ward": rng.choice(["north", "south"], rows),
        }
    )
    return frame.sort("age", "town", "ill")


def policy(form: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    privacy = [{"model": "distinct-l", "l": 2}]
    return {"columns": COLUMNS, "privacy": privacy, "form": form or {}, "partition": {"method": "lattice"}, **more}


def leaks(table: pl.DataFrame, **more: Any) -> dict[tuple[str, str | None], Leak]:
    columns = {name: spec for name, spec in COLUMNS.items() if name in table.columns}
    found = sf.audit(table, {**policy(**more), "columns": columns}).leaks
    return {(leak.kind, leak.column): leak for leak in found}


def coarse(seed: int) -> pl.DataFrame:
    """A table as another tool might make it: ages by decade, shuffled."""
    frame = people(seed).drop("name").with_columns(age=pl.format("{}0s", pl.col("age") // 10))
    return frame.sample(fraction=1, shuffle=True, seed=seed)


def pearson(order: tuple[int, ...]) -> float:
    return float(np.corrcoef(np.arange(len(order)), order)[0, 1]) if len(set(order)) > 1 else 0.0


def test_values_that_share_a_score_are_counted_together() -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 5, 200)
    scores = rng.normal(size=5)
    counts, places = np.bincount(rows, minlength=5), np.bincount(rows, weights=np.arange(200), minlength=5)
    assert correlation(scores, counts, places) == pytest.approx(correlation(scores[rows]))


values = st.lists(st.integers(0, 3), min_size=2, max_size=7)


@pytest.mark.thorough
@given(values)
@settings(max_examples=examples(60), deadline=None)
def test_chances_are_those_of_all_orders(given: list[int]) -> None:
    counts = np.array([given.count(value) for value in range(4)])
    orders = list(permutations(given))

    def share(event: Callable[[tuple[int, ...]], bool]) -> float:
        return sum(map(event, orders)) / len(orders)

    def in_runs(order: tuple[int, ...]) -> bool:
        return 1 + sum(a != b for a, b in pairwise(order)) == len(set(order))

    assert math.exp(together_chance(counts)) == pytest.approx(share(in_runs))
    ordered = share(lambda order: list(order) in (sorted(order), sorted(order, reverse=True)))
    assert math.exp(sorted_chance(counts)) >= ordered * (1 - 1e-9)
    if len(set(given)) > 1:
        assert math.exp(sorted_chance(counts)) == pytest.approx(ordered)
    for order in orders[:: max(len(orders) // 20, 1)]:
        scores = np.array(order, dtype=np.float64)
        reached = abs(correlation(scores)) - 1e-12
        closer = [abs(correlation(np.array(other, dtype=np.float64))) >= reached for other in orders]
        as_close = sum(closer) / len(orders)
        bound = math.exp(follows(correlation(scores), len(scores)))
        assert bound >= as_close * (1 - 1e-9), "a bound is no less than what it bounds"
        assert correlation(scores) == pytest.approx(pearson(order))


@pytest.mark.parametrize("form", some(FORMS))
def test_releases_of_ours_have_none(form: str) -> None:
    """Of sorted tables, by many seeds; neither alone nor beside the original."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = 0
        for seed in range(examples(200)):
            with suppress(sf.NoneFound):  # where a group lets no value be kept
                release = sf.publish(people(seed), policy=policy(FORMS[form]), seed=seed)
                shown, manifest = release.held
                made += 1
                assert release.judged().leaks == (), seed
                assert order_leaks(receive(shown, policy(FORMS[form]), manifest), release.source) == (), seed
    assert 8 * made > examples(200)


def test_a_shuffled_table_of_another_tool_has_none() -> None:
    for seed in range(examples(200)):
        assert leaks(coarse(seed)) == {}
        table = sf.read(people(seed), policy())
        assert order_leaks(receive(coarse(seed), policy()), table) == ()


def test_rows_in_the_order_of_a_column() -> None:
    ordered = leaks(coarse(1).sort("age"))
    assert ordered[("row order", "age")].chance is not None
    assert ordered[("row order", "age")].chance < 1e-6 and not ordered[("row order", "age")].certain
    assert "shuffle the rows" in ordered[("row order", "age")].says
    secret = leaks(coarse(1).sort("ill", descending=True))
    assert ("row order", "ill") in secret and ("row order", "age") not in secret
    rng = np.random.default_rng(0)
    many = people(3, 3000).drop("name")
    nearly = many.with_columns(key=pl.col("age") + pl.Series(rng.normal(0, 20, 3000))).sort("key").drop("key")
    told = leaks(nearly)
    assert "nearly in its order (rank correlation 0." in told[("row order", "age")].says


def test_it_is_told_and_does_not_fail() -> None:
    table = coarse(1).sort("age", "town")
    columns = {name: spec for name, spec in COLUMNS.items() if name in table.columns}
    result = sf.audit(table, {**policy(), "columns": columns, "privacy": [{"model": "k-anonymity", "k": 1}]})
    assert result.holds and any("column 'age': " in note and "by chance" in note for note in result.notes)
    assert '"leaks"' in result.to_json() and "by chance" in result.summary()


@pytest.mark.parametrize("name", ["Unnamed: 0", "__index_level_0__", "index"])
def test_an_index_that_was_left_in(name: str) -> None:
    table = coarse(2).with_columns(pl.Series(name, np.random.default_rng(1).permutation(ROWS) * 3))
    found = sf.audit(table, policy())
    assert not found.holds and f"column {name!r}: an index that was left in" in found.problems


@pytest.mark.parametrize("start", [0, 1])
def test_a_column_that_counts_the_rows(start: int) -> None:
    columns = {**COLUMNS, "ward": {"role": "insensitive", "unique": "accepted"}}
    counting = coarse(2).with_columns(ward=pl.int_range(start, ROWS + start))
    found = sf.audit(counting, {**policy(), "columns": columns})
    assert not found.holds and "column 'ward': counts the rows, as an index does" in found.problems
    (shuffled,) = sf.audit(counting.sample(fraction=1, shuffle=True, seed=1), {**policy(), "columns": columns}).leaks
    assert (shuffled.kind, shuffled.certain) == ("index", False) and "in another order" in shuffled.says
    gap = counting.with_columns(ward=pl.col("ward") * 2).sample(fraction=1, shuffle=True, seed=1)
    assert sf.audit(gap, {**policy(), "columns": columns}).leaks == ()


def test_group_ids(tmp_path: Path) -> None:
    form = {"publish": "permuted", "insensitive": True}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        release = sf.publish(people(4, 600), policy=policy(form, partition={"method": "mondrian"}), seed=4)
    shown, manifest = release.held
    table = shown.tables["table"]

    def judged(ids: pl.DataFrame) -> tuple[set[tuple[str, str | None]], set[str]]:
        changed = table.drop("group").with_columns(ids.to_series().alias("group")).select(table.columns)
        tampered = replace(shown, tables={"table": changed})
        found = sf.audit(tampered, policy(form), manifest).leaks
        beside = order_leaks(receive(tampered, policy(form), manifest), release.source)
        return {(leak.kind, leak.column) for leak in found}, {each.kind for each in beside}

    assert judged(table.select("group")) == (set(), set())
    by_age = table.select(pl.col("age").cast(pl.Float64).mean().over("group").rank("dense").cast(pl.Int64))
    told, beside = judged(by_age)
    assert ("group ids", "age") in told and "group ids" in beside
    assert judged(table.select(pl.col("group") * 2))[0] == {("group ids", "group")}


def test_secrets_in_order_within_groups() -> None:
    table = coarse(5).with_columns(ill=pl.col("ill").sort().over("age", "town"))
    assert ("order in groups", "ill") in leaks(table)
    assert Counter(table["ill"]) == Counter(coarse(5)["ill"])


def test_a_lone_gap() -> None:
    table = coarse(6)
    star = table.with_columns(town=pl.when(pl.int_range(ROWS) == 7).then(pl.lit("*")).otherwise("town"))
    assert set(leaks(star)) == {("lone gap", "town")}
    two = table.with_columns(
        town=pl.when(pl.int_range(ROWS).is_in([7, 8])).then(pl.lit("*")).otherwise("town"),
        age=pl.when(pl.int_range(ROWS).is_in([8, 9, 10])).then(pl.lit("*")).otherwise("age"),
    )
    found = leaks(two)
    assert set(found) == {("lone gap", None)} and "2 of 120 rows have gaps" in found[("lone gap", None)].says


def test_cells_that_a_spreadsheet_would_run() -> None:
    table = coarse(7).with_columns(ward=pl.when(pl.int_range(ROWS) < 3).then(pl.lit("=1+1")).otherwise(pl.lit("-12")))
    found = leaks(table)
    assert "3 of its cells would be run by a spreadsheet" in found[("formula", "ward")].says
    assert not found[("formula", "ward")].certain and "=1" not in found[("formula", "ward")].says
    assert not any(kind == "formula" for kind, _ in leaks(table, output={"spreadsheet": "safe"}))


def test_the_order_of_the_original() -> None:
    """A tool that generalizes and does not shuffle; rows left out do not hide it."""
    frame = people(8).sample(fraction=1, shuffle=True, seed=8)
    table = sf.read(frame, policy())
    kept = frame.drop("name").with_columns(age=pl.format("{}0s", pl.col("age") // 10))
    (found,) = order_leaks(receive(kept, policy()), table)
    assert found.kind == "original order" and found.chance is not None and found.chance < 1e-6
    assert leaks(kept) == {}, "without the original nothing shows"
    assert found in sf.audit(kept, policy(), original=frame).leaks
    long = people(9, 2000).sample(fraction=1, shuffle=True, seed=9)
    some = long.drop("name").with_columns(age=pl.lit("*")).filter(pl.int_range(2000) % 7 > 0)
    (found,) = order_leaks(receive(some, policy()), sf.read(long, policy()))
    assert found.kind == "original order"
    mixed = some.sample(fraction=1, shuffle=True, seed=2)
    assert order_leaks(receive(mixed, policy()), sf.read(long, policy())) == ()
