"""Rows on a cluster that loses a worker, or whose run is called off or killed: made up for, or nothing is seen."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest

import sfumato as sf
from sfumato.stores.spark import store
from sfumato.table.spark import telling
from sfumato.table.spark.session import frame_at
from tests.cli.test_spark import alive, anonymize, children, folder, left, needed
from tests.stores.test_blocks import in_parts
from tests.stores.test_deliver import people, policy
from tests.support.cluster import Cluster
from tests.support.command import files

SMALL = """
import sys
from sfumato.cli.main import run
from sfumato.stores.budget import Budget
from sfumato.stores.spark.store import SparkWords

Budget.entries = lambda budget, columns: 20
Budget.rows_in_block = property(lambda budget: 15)
tally = SparkWords.tally
def counting(self, asks):
    print("counting", flush=True)
    return tally(self, asks)
if sys.argv[1] == "tell":
    SparkWords.tally = counting
run(sys.argv[2:])
"""


@pytest.mark.usefixtures("tight")
@pytest.mark.parametrize("stage", ["counts halves", pytest.param("hands over blocks", marks=pytest.mark.thorough)])
def test_a_worker_that_dies_is_made_up_for(
    spark: Any, spark_cluster: Cluster, here: Path, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = in_parts(people(), here / "data")
    sf.deliver(data, "disk/", policy=policy())
    watched, killed = store.SparkWords._watch, list[Any]()

    def watch(self: store.SparkWords, doing: str) -> Any:
        if doing == stage and not killed:
            killed.append(spark_cluster.workers[0])
            spark_cluster.kill(killed[0])
        return watched(self, doing)

    monkeypatch.setattr(store.SparkWords, "_watch", watch)
    try:
        sf.deliver(frame_at(spark, data).repartition(4), "spark/", policy=policy())
    finally:
        spark_cluster.start()
        spark_cluster.wait()
    assert killed and files(here / "spark") == files(here / "disk")


@pytest.mark.usefixtures("tight")
def test_a_run_that_is_called_off_leaves_nothing(spark: Any, here: Path) -> None:
    data, stages = in_parts(people(), here / "data"), list[str]()

    def stop(stage: str, done: int, total: int) -> None:
        stages.append(stage)
        if stage == "cut" and done:
            raise sf.Cancelled("enough")

    with pytest.raises(sf.Cancelled):
        sf.deliver(frame_at(spark, data), "out/", policy=policy(), progress=stop)
    assert {path.name for path in here.iterdir()} == {"data"}
    assert {"count", "cut"} <= {*stages}
    assert not spark.sparkContext._jsc.getPersistentRDDs()


def started(cluster: Cluster, home: Path, how: str, *arguments: str) -> Popen[str]:
    (home / "tmp").mkdir(exist_ok=True)
    env = cluster.environment | {"TMPDIR": str(home / "tmp"), "_JAVA_OPTIONS": f"-Djava.io.tmpdir={home / 'tmp'}"}
    command = [sys.executable, "-c", SMALL, how, *arguments]
    return Popen(command, env=env, cwd=home, stdout=PIPE, stderr=PIPE, text=True)


@needed
@pytest.mark.large
def test_a_driver_that_is_killed_leaves_nothing_after_the_next_run(spark_cluster: Cluster, here: Path) -> None:
    folder(here, 200)
    command = [*anonymize(spark_cluster.url, "out", "--memory", "500MB"), "--quiet"]
    with started(spark_cluster, here, "tell", *command) as process:
        assert process.stdout is not None and process.stdout.readline() == "counting\n"
        java = children(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait(10)
    end = time.monotonic() + 60
    while any(map(alive, java)) and time.monotonic() < end:
        time.sleep(0.1)
    assert java and not any(map(alive, java)), "what runs Spark here has outlived its run"
    seen = {each.name for each in here.iterdir() if not each.name.startswith(".")}
    assert seen == {"people", "policy.yaml", "tmp"}
    with started(spark_cluster, here, "quiet", *command) as again:
        _, err = again.communicate(timeout=180)
    assert again.returncode == 0, err
    after = {each.name for each in here.iterdir()}
    assert after == {"people", "policy.yaml", "tmp", "out", "out.internal.json"}
    assert not left(here)
    plain = ["anonymize", "people", "-p", "policy.yaml", "-o", "plain", "--memory", "500MB", "--quiet"]
    with started(spark_cluster, here, "quiet", *plain) as disk:
        _, err = disk.communicate(timeout=180)
    assert disk.returncode == 0, err
    assert files(here / "out") == files(here / "plain")


def test_what_workers_lack_is_told() -> None:
    for said in ("ModuleNotFoundError: No module named 'sfumato'", telling.OTHER_VERSION, "[PYTHON_VERSION_MISMATCH]"):
        error = telling.told(RuntimeError(f"Traceback plague {said}"), "people")
        assert "workers of Spark need" in str(error) and "plague" not in str(error)
