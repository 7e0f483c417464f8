"""The order of rows and the numbers of groups: of the input they tell nothing, and of the key everything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from tests.support.people import POLICY as PEOPLE
from tests.support.people import people

WARD = {"role": "insensitive", "unique": "accepted"}  # here it numbers the rows
POLICY = {**PEOPLE, "columns": {**PEOPLE["columns"], "ward": WARD}}


def test_the_same_input_and_policy_give_the_same_release_and_only_with_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SFUMATO_KEY", "a key that nobody could guess")
    first, again = (sf.publish(people(), policy=POLICY).tables["table"] for _ in range(2))
    assert first.equals(again)
    other_policy = sf.publish(people(), policy={**POLICY, "suppression": {"limit": 0.5}}).tables["table"]
    monkeypatch.setenv("SFUMATO_KEY", "another key nobody could guess")
    other_key = sf.publish(people(), policy=POLICY).tables["table"]
    for other in (other_policy, other_key):
        assert not first.equals(other)
        assert first.sort(first.columns).equals(other.sort(first.columns))


def test_rows_do_not_keep_the_order_of_the_input() -> None:
    rows = 400
    table = people(rows).with_columns(ward=pl.int_range(rows))
    published = sf.publish(table, policy=POLICY, seed=2).table
    order = published["ward"].to_numpy()
    assert abs(np.corrcoef(order, np.arange(rows))[0, 1]) < 0.2


def test_two_releases_of_one_table_do_not_share_their_row_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Laid side by side, row by row, they would tell more than either: here every person apart."""
    monkeypatch.setenv("SFUMATO_KEY", "a key that nobody could guess")
    rows = 400
    table = people(rows).with_columns(ward=pl.int_range(rows))
    reordered = dict(reversed(POLICY["columns"].items()))
    hierarchy = tmp_path / "zip.csv"
    by_file = {**POLICY["columns"], "zip": {"role": "quasi", "hierarchy": {"file": str(hierarchy), "header": False}}}
    codes = sorted(set(table["zip"]))

    def released(columns: dict[str, Any], digits: int) -> list[int]:
        hierarchy.write_text("".join(f"{code};{code[:digits]}x;*\n" for code in codes), encoding="utf-8")
        return sf.publish(table, policy={**POLICY, "columns": columns}).tables["table"]["ward"].to_list()

    orders = [released(POLICY["columns"], 4), released(reordered, 4), released(by_file, 4), released(by_file, 3)]
    for one in range(4):
        for other in range(one):
            assert sum(a == b for a, b in zip(orders[one], orders[other], strict=True)) < rows / 20
    assert released(by_file, 3) == orders[3]


def test_group_ids_are_numbered_at_random_and_say_nothing_of_the_input_order() -> None:
    policy = {**POLICY, "form": {"publish": "generalized", "group_id": True}}
    rows = 400
    table = people(rows).with_columns(ward=pl.int_range(rows))
    published = sf.publish(table, policy=policy, seed=3).table
    firsts = published.group_by("group").agg(pl.col("ward").min()).sort("ward")
    ids = firsts["group"].to_numpy()
    assert sorted(ids) == list(range(1, len(ids) + 1))
    assert abs(np.corrcoef(ids, np.arange(len(ids)))[0, 1]) < 0.5


def test_the_order_of_the_input_does_not_change_how_rows_are_grouped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A nightly job without an ORDER BY must not give releases that can be compared."""
    monkeypatch.setenv("SFUMATO_KEY", "a key that nobody could guess")
    table = people(300)
    for relaxed in (False, True):
        one, other = (
            sf.publish(frame, policy=POLICY, partition=sf.Mondrian(relaxed=relaxed)).tables["table"].drop("ward")
            for frame in (table, table.sample(fraction=1, shuffle=True, seed=3))
        )
        assert one.sort(one.columns).equals(other.sort(one.columns))


def test_the_order_of_the_input_decides_nothing_where_rows_differ_in_what_is_published_as_it_is() -> None:
    """Rows alike in quasi-identifiers and secrets are not interchangeable if another column tells them apart."""
    people = pl.DataFrame(
        {
            "age": ["30"] * 40,
            "disease": ["flu", "gout"] * 20,
            "ward": [f"w{number:02}" for number in range(40)],
        }
    )
    policy = {
        "columns": {
            "age": {"role": "quasi", "type": "integer"},
            "disease": {"role": "sensitive"},
            "ward": {"role": "insensitive", "unique": "accepted"},
        },
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "partition": {"method": "mondrian", "relaxed": True},
        "form": {"publish": "generalized", "group_id": True},
    }
    spread = people.with_columns(age=pl.Series([str(30 + number % 2) for number in range(40)]))
    groups = set()
    for seed in range(3):
        shuffled = spread.sample(fraction=1, shuffle=True, seed=seed)
        table = sf.publish(shuffled, policy=policy, seed=1).table
        groups.add(frozenset(frozenset(part["ward"]) for _, part in table.group_by("group")))
    assert len(groups) == 1
