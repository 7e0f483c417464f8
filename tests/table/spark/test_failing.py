"""What a cluster can do to a run: be told off, lose a worker, have none, hold too much; and what is said of it."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.table.spark import telling
from sfumato.table.spark.session import frame_at
from sfumato.table.spark.watching import Watch
from tests.support.cluster import Cluster
from tests.table.spark.test_same_table import POLICY, people, saved

SLOW = ["id % 7 AS age", "concat('0', 1000 + id % 40) AS zip", "concat('d', id % 5) AS disease"]
WORK = "length(sha2(repeat(CAST(id AS STRING), 60000), 512)) AS name"
PLAIN = POLICY | {"columns": POLICY["columns"] | {"name": {"role": "insensitive"}}}
ROWS = 1600


def slow(spark: Any) -> Any:
    """Rows that take some seconds, in tasks of which each takes part of one."""
    return spark.range(0, ROWS, 1, 16).selectExpr(*SLOW, WORK)


def test_progress_is_told_in_tasks(spark: Any, here: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    place = saved(people(50), here / "people")
    sf.job(frame_at(spark, str(place)), policy=POLICY, progress=lambda *told: seen.append(told))
    assert seen[0] == ("read", 0, 1) and seen[-1][0] == "read"
    counted = [(done, total) for stage, done, total in seen if stage == "count"]
    assert counted[-1][0] == counted[-1][1] > 0
    assert all(0 <= done <= total for done, total in counted)


def test_a_run_that_is_called_off_ends_the_work(spark: Any, key: str) -> None:
    def watch(stage: str, done: int, total: int) -> None:
        if stage == "count" and done:
            raise sf.Cancelled

    with pytest.raises(sf.Cancelled):
        sf.publish(slow(spark), policy=PLAIN, progress=watch)
    tracker, end = spark.sparkContext.statusTracker(), time.monotonic() + 10
    while tracker.getActiveJobsIds() and time.monotonic() < end:
        time.sleep(0.1)
    assert not tracker.getActiveJobsIds()
    assert not spark.sparkContext._jsc.getPersistentRDDs()


def test_a_worker_that_dies_is_made_up_for_by_the_other(spark: Any, spark_cluster: Cluster, key: str) -> None:
    killed: list[Any] = []

    def watch(stage: str, done: int, total: int) -> None:
        if stage == "count" and done > 2 and not killed:
            killed.append(spark_cluster.workers[0])
            spark_cluster.kill(killed[0])

    try:
        table = sf.read(slow(spark), PLAIN, progress=watch)
    finally:
        spark_cluster.start()
        spark_cluster.wait()
    assert killed and table.rows == ROWS
    expected = pl.DataFrame({"id": range(ROWS)}).select(
        (pl.col("id") % 7).alias("age"),
        pl.format("0{}", 1000 + pl.col("id") % 40).alias("zip"),
        pl.format("d{}", pl.col("id") % 5).alias("disease"),
        pl.lit(128, pl.Int32).alias("name"),
    )
    assert table.digest == sf.read(expected, PLAIN).digest


class Idle:
    """A session whose work waits, as on a cluster without workers, until it is called off."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.sparkContext = self

    def statusTracker(self) -> Idle:
        return self

    def getJobIdsForGroup(self, tag: str) -> list[int]:
        return [1]

    def getJobInfo(self, job: int) -> SimpleNamespace:
        return SimpleNamespace(status="RUNNING", stageIds=[1])

    def getStageInfo(self, stage: int) -> SimpleNamespace:
        return SimpleNamespace(numTasks=4, numCompletedTasks=1, numActiveTasks=0)

    def addTag(self, tag: str) -> None: ...

    def setJobGroup(self, tag: str, words: str, interruptOnCancel: bool) -> None: ...

    def interruptTag(self, tag: str) -> None:
        self.over.set()


def test_work_that_nobody_takes_up_is_given_up() -> None:
    session, seen = Idle(), list[tuple[str, int, int]]()
    watch = Watch(session, "people", lambda *told: seen.append(told), patience=0.3)
    with pytest.raises(sf.TableError, match="people: no worker of Spark has done anything"):
        watch(session.over.wait)
    assert session.over.is_set()
    assert set(seen) == {("count", 1, 4)}


@pytest.mark.parametrize("apart", [False, True])
def test_more_than_memory_holds_is_refused_before_it_is_fetched(spark: Any, here: Path, apart: bool) -> None:
    place = saved(people(500), here / "people")
    columns = POLICY["columns"] | ({"name": {"role": "individual"}} if apart else {})
    frame = frame_at(spark, str(place))
    with pytest.raises(sf.TableError) as refused:
        sf.read(sf.SparkTable(frame, memory="50KB", called="people"), POLICY | {"columns": columns})
    different = pl.read_parquet(place).select(*([] if not apart else ["name"]), "age", "zip", "disease").n_unique()
    said = str(refused.value)
    assert f"people: has {different} different rows among 500 rows of {3 + apart} columns" in said
    assert "50 KB are allowed" in said
    assert ("one by one" in said) == apart


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("named_struct('a', 1)", "'odd' (struct<a:int>)"),
        ("array(1, 2)", "'odd' (array<int>)"),
        ("array('a')", "'odd' (array<string>)"),
        ("CAST('a' AS BINARY)", "'odd' (binary)"),
        ("make_dt_interval(1)", "'odd' (interval day to second)"),
    ],
)
def test_cells_that_are_no_single_values_are_refused(spark: Any, column: str, said: str) -> None:
    frame = spark.range(3).selectExpr(*SLOW, WORK, f"{column} AS odd")
    with pytest.raises(sf.TableError) as refused:
        sf.read(frame, POLICY | {"others": {"role": "insensitive"}})
    assert said in str(refused.value)


def test_names_that_are_there_twice_are_refused(spark: Any) -> None:
    frame = spark.range(3).selectExpr("id AS a", "id AS a")
    with pytest.raises(sf.TableError, match="several columns are called 'a'"):
        sf.read(frame, POLICY)


def test_texts_that_a_collation_calls_equal_stay_apart(spark: Any, here: Path) -> None:
    table = pl.DataFrame({"a": ["x", "X", "x"], "s": ["u", "v", "w"]})
    policy = {"columns": {"a": {"role": "quasi"}, "s": {"role": "sensitive"}}}
    policy |= {"privacy": [{"model": "k-anonymity", "k": 2}]}  # type: ignore[dict-item]
    place = saved(table, here / "table")
    frame = frame_at(spark, str(place)).selectExpr("collate(a, 'UTF8_LCASE') AS a", "s")
    assert sf.read(frame, policy).digest == sf.read(place, policy).digest


def test_files_that_are_none_or_do_not_go_together(spark: Any, here: Path) -> None:
    with pytest.raises(sf.TableError, match="nowhere: no such file or folder"):
        frame_at(spark, "nowhere")
    (here / "empty").mkdir()
    with pytest.raises(sf.TableError, match="empty: holds no Parquet files"):
        frame_at(spark, "empty")
    (here / "text").mkdir()
    (here / "text" / "a.parquet").write_text("disease\nplague\n" * 9)
    with pytest.raises(sf.TableError, match="text: ") as refused:
        frame_at(spark, "text")
    assert "plague" not in str(refused.value)
    place = saved(people(5), here / "several")
    people(5).with_columns(pl.col("age").cast(pl.String)).write_parquet(place / "other.parquet")
    with pytest.raises(sf.TableError, match="other types in other files"):
        frame_at(spark, "several")


def test_signs_of_patterns_in_a_name_are_none(spark: Any, here: Path) -> None:
    place = saved(people(5), here / "a{b},[c] *d")
    assert frame_at(spark, str(place)).count() == 5
    assert frame_at(spark, str(here / "a*" / "part-0.parquet")).count() == 3


def test_a_frame_is_not_fetched_whole_by_others(spark: Any) -> None:
    with pytest.raises(sf.TableError, match="hand over a part of it"):
        sf.suggest(spark.range(3))


def test_what_spark_says_is_not_repeated() -> None:
    error = telling.told(ValueError("cell plague in org.apache.spark.SparkException: plague"), "people")
    assert str(error) == "people: Spark failed (ValueError, SparkException); its own log says more"
    lost = telling.told(RuntimeError("ExecutorLostFailure (executor 1 exited: plague)"), "people")
    assert "workers of Spark were lost" in str(lost) and "plague" not in str(lost)
    full = telling.told(RuntimeError("java.lang.OutOfMemoryError: plague"), "people")
    assert "memory ran out" in str(full) and "plague" not in str(full)
