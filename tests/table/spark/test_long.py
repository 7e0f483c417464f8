"""What takes long: Spark Connect, a cluster with another secret, a million rows."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.stores.budget import Budget
from sfumato.table.spark.session import frame_at
from tests.support import cluster as clusters
from tests.support.cluster import Cluster
from tests.support.command import files
from tests.table.spark.test_same_table import POLICY, people, same, saved

pytestmark = pytest.mark.large

CONNECTED = """
import json, sys, warnings
warnings.simplefilter("ignore")
from pyspark.sql import SparkSession
import sfumato as sf
from sfumato.stores.budget import Budget

place, policy = sys.argv[1], json.loads(sys.argv[2])
session = SparkSession.builder.remote("local[2]").config("spark.ui.enabled", "false").getOrCreate()
assert ".connect." in type(session).__module__
made = sf.read(session.read.parquet(place), policy)
Budget.entries = lambda budget, columns: 20
Budget.rows_in_block = property(lambda budget: 40)
sf.deliver(session.read.parquet(place), "connected/", policy=policy)
slow = session.range(0, 9000, 1, 9).selectExpr("length(sha2(repeat(CAST(id AS STRING), 600000), 512)) AS age")
told = []
def watch(*stage):
    told.append(stage)
    if len(told) > 9:
        raise sf.Cancelled
try:
    sf.read(slow, {"columns": {"age": {"role": "quasi"}}, "privacy": policy["privacy"][:1]}, progress=watch)
except sf.Cancelled:
    print(made.digest, made.rows, made.entries)
session.stop()
"""
REFUSED = """
import sys
import sfumato as sf
from sfumato.table.spark import session

session._STARTED = float(sys.argv[3])
try:
    with sf.SparkTable.at(sys.argv[1], sys.argv[2]):
        print("let in")
except sf.TableError as error:
    print(error)
"""


def said(code: str, *arguments: str, env: dict[str, str] | None = None) -> str:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True, timeout=240).stdout


def test_a_frame_of_spark_connect_is_counted_alike(
    spark_cluster: Cluster, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if importlib.util.find_spec("grpc") is None:
        pytest.skip('no gRPC, so nothing is tested with Spark Connect (pip install "pyspark[connect]")')
    place = saved(people(200), here / "people")
    expected = sf.read(place, POLICY)
    env = spark_cluster.environment | {"PYSPARK_PYTHON": sys.executable}
    made = said(CONNECTED, str(place), json.dumps(POLICY), env=env)
    assert made.split() == [expected.digest, "200", str(expected.entries)]
    monkeypatch.setattr(Budget, "entries", lambda budget, columns: 20)
    monkeypatch.setattr(Budget, "rows_in_block", property(lambda budget: 40))
    sf.deliver(place, "disk/", policy=POLICY)
    assert files(here / "connected") == files(here / "disk")


def test_a_wrong_secret_does_not_wait_for_ever(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = saved(people(20), here / "people")
    plain = clusters._SETTINGS
    secret = "spark.authenticate true\nspark.authenticate.secret {}\n"
    monkeypatch.setattr(clusters, "_SETTINGS", plain + secret.format("right"))
    with clusters.cluster() as guarded:
        (here / "conf").mkdir()
        (here / "conf" / "spark-defaults.conf").write_text(plain + secret.format("wrong"), encoding="utf-8")
        env = guarded.environment | {"SPARK_CONF_DIR": str(here / "conf")}
        told = said(REFUSED, str(place), guarded.url, "20", env=env)
        assert "no session of Spark within 20 seconds" in told and "wrong" not in told
        assert said(REFUSED, str(place), guarded.url, "120", env=guarded.environment) == "let in\n"


def test_a_million_rows_of_which_most_differ(spark: Any, here: Path) -> None:
    draw = np.random.default_rng(3)
    rows = 1_000_000
    frame = pl.DataFrame(
        {
            "name": np.zeros(rows, np.int8),
            "age": draw.integers(0, 90, rows),
            "zip": pl.Series(draw.integers(0, 90_000, rows)).cast(pl.String),
            "disease": pl.Series(draw.integers(0, 50, rows)).cast(pl.String),
        }
    )
    place = saved(frame, here / "people", parts=4)
    columns = POLICY["columns"] | {"zip": {"role": "quasi", "type": "text"}}
    counted = sf.read(frame_at(spark, str(place)), POLICY | {"columns": columns})
    same(counted, sf.read(place, POLICY | {"columns": columns}))


def large(kind: str, rows: int = 1_000_000) -> pl.DataFrame:
    """Rows of a small table drawn again and again: perturbed, ages moved by up to three years and a twentieth of all
    other cells drawn anew; hard, with a postcode of a hundred thousand beside."""
    draw = np.random.default_rng(8)
    small, most = 20_000, {"zip": 4_000, "disease": 60, "town": 40}
    cells = {name: draw.integers(0, many, small) for name, many in most.items()}
    which = draw.integers(0, small, rows)
    made = {name: codes[which] for name, codes in cells.items()}
    if kind == "perturbed":
        for name, many in most.items():
            made[name] = np.where(draw.random(rows) < 0.05, draw.integers(0, many, rows), made[name])
    age = draw.integers(15, 90, small)[which] + (draw.integers(-3, 4, rows) if kind == "perturbed" else 0)
    post = draw.integers(0, 100_000 if kind == "hard" else 1, rows)
    texts = {name: pl.Series(codes).cast(pl.String) for name, codes in made.items()}
    return pl.DataFrame({"age": age, "postcode": post, **texts})


@pytest.mark.parametrize("kind", ["perturbed", "hard"])
@pytest.mark.filterwarnings("ignore::sfumato.SfumatoWarning")
def test_a_million_rows_that_stay_on_the_cluster(
    spark: Any, here: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Budget, "entries", lambda budget, columns: 1000)
    monkeypatch.setattr(Budget, "rows_in_block", property(lambda budget: 60_000))
    place = saved(large(kind), here / "people", parts=4)
    columns: dict[str, dict[str, Any]] = {
        "age": {"type": "integer"},
        "postcode": {"type": "integer"},
        "zip": {"hierarchy": {"mask": "right"}},
        "town": {"hierarchy": "flat"},
        "disease": {"role": "sensitive"},
    }
    asked: dict[str, Any] = {
        "columns": {name: {"role": "quasi", **spec} for name, spec in columns.items()},
        "privacy": [{"model": "k-anonymity", "k": 5}, {"model": "entropy-l", "l": 2}],
        "partition": {"method": "mondrian"},
        "loss": {"metric": "non-uniform-entropy"},
    }
    made = sf.deliver(frame_at(spark, str(place)), "spark/", policy=asked, memory="1GB")
    disk = sf.deliver(place, "disk/", policy=asked, memory="1GB")
    assert files(here / "spark") == files(here / "disk")
    assert made.loss == disk.loss
    whole = sf.publish(place, policy=asked)
    assert made.loss == pytest.approx(whole.loss)
    table = pl.concat([pl.read_parquet(part) for part in sorted((here / "spark").glob("*.parquet"))])
    names = table.columns
    mine, theirs = (
        each.cast(pl.String).group_by(names).len().sort(names) for each in (table, whole.tables["table"].select(names))
    )
    assert mine.equals(theirs)
    told, expected = made.audit, whole.judged()
    assert [each.model_dump() for each in told.criteria] == [each.model_dump() for each in expected.criteria]
