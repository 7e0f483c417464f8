"""What is published: columns, types and values."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import polars as pl

import sfumato as sf
from tests.support.people import POLICY, people


def test_the_published_table(made: sf.Release) -> None:
    table = made.table
    assert isinstance(table, pl.DataFrame)
    assert table.columns == ["age", "zip", "town", "ward", "disease"]
    assert table.height == 60
    assert Counter(table["disease"]) == Counter(people()["disease"])
    assert Counter(zip(table["ward"], table["disease"], strict=True)) == Counter(
        zip(people()["ward"], people()["disease"], strict=True)
    )
    assert table.group_by("age", "zip", "town").len()["len"].min() >= 3  # type: ignore[operator]
    assert 0 < made.loss < 1


def test_what_comes_in_goes_out() -> None:
    import pandas as pd
    import pyarrow as pa

    polars = people()
    for frame, kind in (
        (polars, pl.DataFrame),
        (polars.lazy(), pl.LazyFrame),
        (polars.to_arrow(), pa.Table),
        (polars.to_pandas()[::-1], pd.DataFrame),
    ):
        published = sf.publish(frame, policy=POLICY, seed=1).table
        assert isinstance(published, kind)
    assert list(published.index) == list(range(60)), "no index of the input is published"


def test_pseudonyms_are_random_and_never_repeat() -> None:
    columns = {**POLICY["columns"], "name": {"role": "identifier", "pseudonym": True}}
    table = people().with_columns(name=pl.lit("the same person"))
    names = sf.publish(table, policy={**POLICY, "columns": columns}, seed=4).table["name"]
    assert names.n_unique() == 60
    assert names.str.len_chars().min() == 32


def test_a_missing_value_is_a_category_that_stays_apart_from_suppression() -> None:
    table = people().with_columns(town=pl.when(pl.int_range(60) % 5 == 0).then(None).otherwise(pl.col("town")))
    published = sf.publish(table, sf.KAnonymity(2), policy=POLICY, seed=1).table
    shown = set(published["town"])
    assert None in shown
    assert not {"", "null", "(missing)", "nan"} & shown


def test_only_published_categories_are_published(tmp_path: Path) -> None:
    kinds = pl.Enum(["flu", "cold", "gout", "lupus", "never seen"])
    table = people().with_columns(pl.col("disease").cast(kinds), pl.col("town").cast(pl.Categorical))
    sf.publish(table, policy=POLICY, seed=1).write(tmp_path / "out")
    assert b"never seen" not in (tmp_path / "out" / "table.parquet").read_bytes()


def test_times_of_day_are_published_as_they_are_judged() -> None:
    seconds = pl.Series([8 * 3600 * 10**9 + (row % 2) * 500_000_000 for row in range(60)], dtype=pl.Int64)
    table = people().with_columns(disease=seconds.cast(pl.Time))
    published = sf.publish(table, sf.DistinctL(2), policy=POLICY, seed=1).table
    assert set(published["disease"]) == {"08:00:00.000000000", "08:00:00.500000000"}


def test_a_hierarchy_file_is_part_of_the_policy(tmp_path: Path) -> None:
    hierarchy = tmp_path / "zip.csv"
    columns = {**POLICY["columns"], "zip": {"role": "quasi", "hierarchy": {"file": str(hierarchy), "header": False}}}
    codes = sorted(set(people()["zip"]))
    hierarchy.write_text("".join(f"{code};{code[:4]};*\n" for code in codes), encoding="utf-8")
    written = sf.publish(people(), policy={**POLICY, "columns": columns}, seed=1).write(tmp_path / "out")
    assert sf.audit(tmp_path / "out", {**POLICY, "columns": columns}, written.manifest).holds
    hierarchy.write_text("".join(f"{code};{code[:3]};*\n" for code in codes), encoding="utf-8")
    changed = sf.audit(tmp_path / "out", {**POLICY, "columns": columns}, written.manifest)
    assert "the manifest belongs to another policy than the one given" in changed.problems
