"""What Spark counts is the table that is read from files: the same content, the same release, to the byte."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.table.spark import cells
from sfumato.table.spark.session import frame_at
from tests.support.command import files
from tests.support.examples import examples

pytestmark = pytest.mark.filterwarnings("ignore::sfumato.SfumatoWarning")  # of odd values, which are meant

POLICY: dict[str, Any] = {
    "columns": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}},
        "zip": {"role": "quasi", "hierarchy": {"mask": "right"}},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "distinct-l", "l": 2, "on": "disease"}],
    "partition": {"method": "mondrian"},
}
MOMENTS = [datetime(2024, 2, 29, 12, 30, 1, 5), datetime(1969, 1, 1), None]


def people(rows: int, seed: int = 0) -> pl.DataFrame:
    draw = random.Random(seed)
    return pl.DataFrame(
        {
            "name": [f"person {row}" for row in range(rows)],
            "age": [draw.choice([None, *range(20, 60)]) for _ in range(rows)],
            "zip": [f"0{draw.randrange(1000, 1040)}" for _ in range(rows)],
            "disease": [draw.choice(["flu", "gout", "ünï 'odd'", "cold"]) for _ in range(rows)],
        }
    )


def saved(table: pa.Table | pl.DataFrame, folder: Path, parts: int = 2) -> Path:
    """Rows in several Parquet files."""
    folder.mkdir()
    whole = table if isinstance(table, pa.Table) else table.to_arrow()
    step = -(-whole.num_rows // parts)
    for part in range(parts):
        pq.write_table(whole.slice(part * step, step), folder / f"part-{part}.parquet")
    return folder


def same(one: sf.Table, other: sf.Table) -> None:
    """Content, tuples and notes."""
    assert one.digest == other.digest
    assert one.rows == other.rows
    mine, theirs = one.encode(), other.encode()
    assert np.array_equal(np.sort(mine.counts), np.sort(theirs.counts))
    assert list(mine.codes) == list(theirs.codes)
    for name in mine.codes:
        assert np.array_equal(mine.codes[name], theirs.codes[name])


def every_type(rows: int, seed: int) -> pa.Table:
    draw = random.Random(seed)

    def of(values: list[Any], kind: pa.DataType) -> pa.Array:
        return pa.array([draw.choice(values) for _ in range(rows)], kind)

    zoned = [None if each is None else each.replace(tzinfo=UTC) for each in MOMENTS]
    return pa.table(
        {
            "text": of(["a", "A", "á", " a", "", None, "*a", "1,5"], pa.string()),
            "Text": of(["x", "y"], pa.string()),
            "a.b `c`": of([1, 2, None], pa.int64()),
            "truth": of([True, False, None], pa.bool_()),
            "byte": of([-128, 127], pa.int8()),
            "short": of([-5, 300], pa.int16()),
            "int": of([1, None], pa.int32()),
            "long": of([2**53 + 1, -(2**63), 0], pa.int64()),
            "float": of([0.0, -0.0, 1.5, None], pa.float32()),
            "double": of([0.0, -0.0, 0.1, -2.5, None], pa.float64()),
            "decimal": of([Decimal("1.50"), Decimal("-0.01"), None], pa.decimal128(10, 2)),
            "wide": of([Decimal(10) ** 30, None], pa.decimal128(38, 0)),
            "date": of([date(1500, 2, 28), date(2024, 2, 29), None], pa.date32()),
            "moment": of(MOMENTS, pa.timestamp("us")),
            "zoned": of(zoned, pa.timestamp("us", "UTC")),
            "terms": of([["x", "y"], ["y", "x"], [], None, ["z"]], pa.list_(pa.string())),
        }
    )


TYPED: dict[str, Any] = {
    "columns": {"text": {"role": "quasi"}, "Text": {"role": "sensitive"}, "terms": {"role": "quasi-sensitive"}},
    "others": {"role": "insensitive"},
    "privacy": [{"model": "k-anonymity", "k": 2}],
}
TYPED["columns"]["terms"]["knowledge"] = {"labels": {"A": ["x"], "B": ["y"], "C": ["z"]}}


@pytest.mark.parametrize("seed", range(examples(8, fewest=2)))
def test_every_type_is_read_as_from_files(spark: Any, here: Path, seed: int) -> None:
    place = saved(every_type(60, seed), here / "typed")
    same(sf.read(frame_at(spark, str(place)), TYPED), sf.read(place, TYPED))


def test_what_comes_in_parts_is_the_same(spark: Any, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = saved(every_type(90, 5), here / "typed")
    monkeypatch.setattr(cells, "_AT_ONCE", 4000)
    same(sf.read(frame_at(spark, str(place)), TYPED), sf.read(place, TYPED))


def test_what_is_not_a_number_is_one_value(spark: Any, here: Path) -> None:
    """Whatever its bits: a processor gives it another sign than Python does."""
    odd = np.array([np.nan, 0.0], np.float64)
    odd.view(np.int64)[1] = np.int64(-0x8000000000000)  # a NaN with a sign
    table = pa.table({"a": ["x", "y"] * 4, "s": ["u", "v"] * 4, "n": np.tile(odd, 4)})
    columns = {"a": {"role": "quasi"}, "s": {"role": "sensitive"}, "n": {"role": "insensitive"}}
    place = saved(table, here / "numbers")
    policy = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]}
    same(sf.read(frame_at(spark, str(place)), policy), sf.read(place, policy))


@pytest.mark.parametrize("partitions", [1, 4, 13])
def test_a_release_is_the_same_to_the_byte(spark: Any, here: Path, partitions: int) -> None:
    """However many parts Spark deals rows into, and in whatever order they come."""
    place = saved(people(400), here / "people")
    expected = sf.publish(place, policy=POLICY).write(here / "files")
    before = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", str(partitions))
    try:
        frame = frame_at(spark, str(place)).repartition(partitions + 1).orderBy("disease", "zip")
        written = sf.publish(frame, policy=POLICY).write(here / "spark")
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", before)
    assert files(here / "spark") == files(here / "files")
    assert [str(each) for each in written.public] != [str(each) for each in expected.public]


METHODS: dict[str, sf.Promise] = {
    "mondrian": sf.EntropyL(2),
    "lattice": sf.TCloseness("0.4"),
    "incognito": sf.RecursiveCL(3, 2),
    "sweep": sf.TauL("1/2", 2),
    "bsgi": sf.PairwiseL(2),
}


@pytest.fixture(scope="module")
def both(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[sf.Table, sf.Table]:
    """One table, counted by Spark and read from files; without rows that miss anything."""
    frame = people(300, seed=4).drop_nulls()
    place = saved(frame, tmp_path_factory.mktemp("both") / "people", parts=1)
    columns = POLICY["columns"] | {"disease": {"role": "sensitive", "hierarchy": "flat"}}
    policy = POLICY | {"columns": columns, "missing": "drop"}
    return sf.read(frame_at(spark, str(place)), policy), sf.read(place, policy)


@pytest.mark.parametrize("method", METHODS)
def test_every_kind_of_method_makes_the_same_of_it(
    both: tuple[sf.Table, sf.Table], here: Path, key: str, method: str
) -> None:
    counted, plain = both
    assert counted.times is not None and plain.times is None
    for name, table in (("spark", counted), ("files", plain)):
        form = {"publish": "anatomized"} if method == "bsgi" else None
        made = sf.publish(table, METHODS[method], partition={"method": method}, form=form)
        made.write(here / name)
    assert files(here / "spark") == files(here / "files")


def persons() -> tuple[pl.DataFrame, dict[str, Any]]:
    frame = people(200, seed=9).drop_nulls().with_columns(person=pl.int_range(pl.len()) % 90, weight=pl.lit(2.5))
    frame = pl.concat([frame, frame[:10]])  # rows that are equal in everything
    columns = POLICY["columns"] | {"person": {"role": "individual"}, "weight": {"role": "weight"}}
    return frame, POLICY | {"columns": columns}


@pytest.mark.parametrize("rows", ["all", "one"])
def test_rows_of_persons_stand_one_by_one(spark: Any, here: Path, rows: str) -> None:
    frame, policy = persons()
    policy["columns"]["person"] = {"role": "individual", "rows": rows}
    place = saved(frame, here / "persons")
    found, expected = sf.read(frame_at(spark, str(place)), policy), sf.read(place, policy)
    assert found.times is None
    same(found, expected)
    assert any("one by one" in note for note in found.notes)
    for name, table in (("spark", found), ("files", expected)):
        made = sf.publish(table, sf.PairwiseL(2), partition=sf.Bsgi(), form=sf.Anatomized())
        made.write(here / name)
    assert files(here / "spark") == files(here / "files")
