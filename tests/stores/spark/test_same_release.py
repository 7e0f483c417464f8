"""Memory, disk and a Spark cluster publish the same: the same rows, and disk and cluster the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.stores.budget import Budget
from sfumato.stores.spark import store
from sfumato.stores.words import WordsFile
from sfumato.table.spark.session import frame_at
from tests.stores.test_blocks import PROMISES, in_parts
from tests.stores.test_deliver import COLUMNS, people, policy, read, rows_of
from tests.support.command import files
from tests.support.examples import examples, some
from tests.table.spark.test_same_table import every_type, saved

pytestmark = [pytest.mark.usefixtures("tight"), pytest.mark.filterwarnings("ignore::sfumato.SfumatoWarning")]

LOSSES = ("ncp", "non-uniform-entropy")


@contextmanager
def shuffled(spark: Any, partitions: int) -> Iterator[None]:
    before = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", str(partitions))
    try:
        yield
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", before)


def agree(one: sf.Audit, other: sf.Audit) -> None:
    """On verdict, level and worst group of every criterion."""
    assert [each.model_dump() for each in one.criteria] == [each.model_dump() for each in other.criteria]
    assert one.reached == other.reached and one.holds and other.holds


@pytest.mark.parametrize(
    ("promise", "loss"), some([(promise, loss) for loss in LOSSES for promise in PROMISES], kind=lambda each: each[1])
)
def test_the_same_rows_bytes_losses_and_audits(spark: Any, here: Path, promise: str, loss: str) -> None:
    asked = policy(privacy=PROMISES[promise], loss={"metric": loss})
    data = in_parts(people(), here / "data")
    whole = sf.publish(data, policy=asked)
    disk = sf.deliver(data, "disk/", policy=asked)
    made = sf.deliver(frame_at(spark, data), "spark/", policy=asked)
    assert files(here / "spark") == files(here / "disk")
    assert rows_of(read(here / "spark", "parquet")) == rows_of(whole.tables["table"])
    assert made.loss == disk.loss == pytest.approx(whole.loss)
    for name, lost in whole.facts()["loss"]["columns"].items():
        assert made.facts()["loss"]["columns"][name] == pytest.approx(lost)
    agree(made.audit, disk.audit)
    agree(made.audit, whole.judged())
    assert whole.held[1].input.sha256 in Path("spark.internal.json").read_text()
    assert not spark.sparkContext._jsc.getPersistentRDDs(), "Spark keeps what nobody needs any more"


@pytest.mark.parametrize("partitions", [1, 4, 13])
def test_any_partitions_and_any_order_give_the_same_bytes(spark: Any, here: Path, partitions: int) -> None:
    data = in_parts(people(), here / "data")
    sf.deliver(data, "disk/", policy=policy())
    with shuffled(spark, partitions):
        frame = frame_at(spark, data).repartition(partitions + 1).orderBy("ill", "age")
        sf.deliver(frame.coalesce(3), "spark/", policy=policy())
    assert files(here / "spark") == files(here / "disk")


@pytest.mark.parametrize("seed", range(examples(12, fewest=2)))
def test_any_table_and_any_blocks(spark: Any, here: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(seed)
    block = int(draw.integers(5, 200))
    monkeypatch.setattr(Budget, "rows_in_block", property(lambda budget: block))
    monkeypatch.setattr(store, "_AT_ONCE", int(draw.integers(100, 4000)))  # blocks come in several pieces
    data = in_parts(people(int(draw.integers(80, 500)), seed), here / "data", int(draw.integers(1, 5)))
    whole = sf.publish(data, policy=policy())
    sf.deliver(data, "disk/", policy=policy())
    sf.deliver(frame_at(spark, data).repartition(int(draw.integers(1, 6))), "spark/", policy=policy())
    assert rows_of(read(here / "spark", "parquet")) == rows_of(whole.tables["table"])
    assert files(here / "spark") == files(here / "disk")


def test_columns_of_every_type(spark: Any, here: Path) -> None:
    """As quasi-identifiers, sensitive and insensitive ones; names that Spark takes for one, and for a part."""
    place = saved(every_type(300, 3).drop_columns("terms"), here / "typed")
    asked = {
        "columns": {
            "a.b `c`": {"role": "quasi", "type": "integer"},
            "double": {"role": "quasi", "type": "number"},
            "date": {"role": "quasi", "type": "date"},
            "Text": {"role": "sensitive"},
        },
        "others": {"role": "insensitive"},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "partition": {"method": "mondrian"},
    }
    sf.deliver(place, "disk/", policy=asked)
    sf.deliver(frame_at(spark, str(place)), "spark/", policy=asked)
    assert files(here / "spark") == files(here / "disk")


def test_several_sensitive_columns_missing_values_and_a_pseudonym(spark: Any, here: Path) -> None:
    table = people().with_columns(ward=pl.when(pl.int_range(pl.len()) % 11 > 0).then("ward"))
    columns = {**COLUMNS, "ward": {"role": "sensitive"}, "name": {"role": "identifier", "pseudonym": True}}
    privacy = [{"model": "distinct-l", "l": 2, "on": "ward"}, {"model": "entropy-l", "l": 2, "on": "ill"}]
    data, asked = in_parts(table, here / "data"), policy(columns=columns, privacy=privacy)
    sf.deliver(data, "disk/", policy=asked)
    sf.deliver(frame_at(spark, data), "spark/", policy=asked)
    assert files(here / "spark") == files(here / "disk")


@pytest.mark.parametrize(
    ("partition", "privacy"),
    some(
        [
            ({"method": "bsgi"}, "distinct"),
            ({"method": "mondrian", "relaxed": True}, "k"),
            ({"method": "mondrian", "polish": True}, "both"),
            ({"method": "mondrian", "refine": True}, "distinct"),
            ({"method": "hilbert"}, "distinct"),
            ({"method": "arp"}, "distinct"),
            ({"method": "bsgi-free"}, "distinct"),
            ({"method": "boxes", "work": 20_000}, "k"),
            ({"method": "auto", "budget": "quick"}, "k"),
        ],
        kind=lambda each: each[1],
    ),
)
def test_others_group_within_the_same_blocks(spark: Any, here: Path, partition: dict[str, Any], privacy: str) -> None:
    """Within the limit on rows left out, in every block."""
    data = in_parts(people(), here / "data")
    asked = policy(partition=partition, privacy=PROMISES[privacy], suppression={"limit": "1/10"})
    sf.deliver(data, "disk/", policy=asked)
    made = sf.deliver(frame_at(spark, data), "spark/", policy=asked)
    assert files(here / "spark") == files(here / "disk")
    assert any("grouped within" in note and "blocks" in note for note in made.facts()["notes"])


def test_different_rows_that_fit_come_here_and_any_method_serves(
    spark: Any, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Budget, "entries", lambda budget, columns: 10_000)
    data = in_parts(people(), here / "data", 2)
    asked = policy(partition={"method": "lattice"}, suppression={"limit": "1/10"})
    sf.deliver(data, "files/", policy=asked)
    made = sf.deliver(frame_at(spark, data), "spark/", policy=asked)
    assert files(here / "spark") == files(here / "files")
    assert not any("block" in note for note in made.facts()["notes"])


@pytest.mark.parametrize("fits", [True, False])
def test_how_many_rows_differ_decides_at_the_boundary(
    spark: Any, here: Path, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the first look only estimates is counted before it is decided."""
    data = in_parts(people(), here / "data")
    different = people().drop("name").n_unique()
    monkeypatch.setattr(Budget, "entries", lambda budget, columns: different - (not fits))
    asked, frame = policy(partition={"method": "lattice"}), frame_at(spark, data)
    if fits:
        assert sf.deliver(frame, "out/", policy=asked).audit.holds
    else:
        with pytest.raises(sf.Refused, match="of lattice one recoding"):
            sf.deliver(frame, "out/", policy=asked)


def test_a_pass_for_every_level_of_open_nodes(spark: Any, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """1,024 rows of as many ages in blocks of 64: one pass counts all rows, and one more each of the levels of 1,024,
    512, 256 and 128, whose halves it counts besides; on the cluster as on disk."""
    monkeypatch.setattr(Budget, "rows_in_block", property(lambda budget: 64))
    table = pl.DataFrame({"age": np.arange(1024), "ill": np.arange(1024) % 3})
    columns = {"age": {"role": "quasi", "type": "integer"}, "ill": {"role": "sensitive"}}
    asked = policy(columns=columns, privacy=[{"model": "k-anonymity", "k": 2}])
    data, passes = in_parts(table, here / "data"), {"disk": 0, "spark": 0}
    for name, kind in (("disk", WordsFile), ("spark", store.SparkWords)):
        tally = kind.tally

        def counting(self: Any, asks: Any, name: str = name, tally: Any = tally) -> Any:
            passes[name] += 1
            return tally(self, asks)

        monkeypatch.setattr(kind, "tally", counting)
    sf.deliver(data, "disk/", policy=asked)
    sf.deliver(frame_at(spark, data), "spark/", policy=asked)
    assert passes == {"disk": 5, "spark": 5}
