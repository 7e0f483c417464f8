"""`sfumato anonymize --engine spark`: the same release as without, clear words where there is no Spark, no Java, no
master; and nothing left of a run that was killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.support.cluster import Cluster, lacking
from tests.support.command import POLICY, Cli, files

needed = pytest.mark.skipif(bool(lacking()), reason=lacking())


def folder(here: Path, rows: int = 60) -> Path:
    """Rows in two Parquet files, and a policy."""
    (here / "policy.yaml").write_text(POLICY, encoding="utf-8")
    place = here / "people"
    place.mkdir()
    made = pl.DataFrame(
        {
            "age": [20 + row % 30 for row in range(rows)],
            "zip": [f"0{2000 + row % 4}" for row in range(rows)],
            "disease": [("flu", "gout", "cold")[row % 3] for row in range(rows)],
        }
    )
    made[: rows // 2].write_parquet(place / "a.parquet")
    made[rows // 2 :].write_parquet(place / "b.parquet")
    return place


def anonymize(master: str, output: str = "out", *more: str) -> list[str]:
    return ["anonymize", "people", "-p", "policy.yaml", "-o", output, "--engine", "spark", "--master", master, *more]


def started(cluster: Cluster, home: Path, *arguments: str) -> subprocess.Popen[str]:
    """A command in a process of its own, which keeps what is temporary in a folder of its own."""
    (home / "tmp").mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "sfumato", *arguments],
        env=cluster.environment | {"TMPDIR": str(home / "tmp"), "_JAVA_OPTIONS": f"-Djava.io.tmpdir={home / 'tmp'}"},
        cwd=home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def left(home: Path) -> list[Path]:
    return [each for each in (home / "tmp").rglob("*") if "hsperfdata" not in each.parts[-1]]


@needed
def test_a_cluster_gives_the_same_release_to_the_byte(spark_cluster: Cluster, here: Path, cli: Cli) -> None:
    folder(here)
    with started(spark_cluster, here, *anonymize(spark_cluster.url)) as process:
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "wrote out/table.parquet" in out
    assert err == ""
    cli.well("anonymize", "people", "-p", "policy.yaml", "-o", "plain")
    assert files(here / "out") == files(here / "plain")
    assert not left(here)


@needed
def test_a_run_that_is_killed_leaves_nothing(spark_cluster: Cluster, here: Path) -> None:
    folder(here)
    before = applications(spark_cluster)
    with started(spark_cluster, here, *anonymize(spark_cluster.url)) as process:
        end = time.monotonic() + 90
        while not applications(spark_cluster) - before and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        java = children(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait(10)
    assert java
    end = time.monotonic() + 60
    while any(map(alive, java)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(map(alive, java)), "what runs Spark here has outlived its run"
    assert sorted(each.name for each in here.iterdir()) == ["people", "policy.yaml", "tmp"]
    assert not left(here)


def applications(cluster: Cluster) -> set[str]:
    """Runs that workers have heard of."""
    return {each.name for each in (cluster.home / "work").glob("app-*")}


def children(process: int) -> list[int]:
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(each.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if parent == process:
            found.append(int(each.parts[2]))
    return found


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_options_of_spark_need_spark(here: Path, cli: Cli) -> None:
    folder(here)
    plain = ["anonymize", "people", "-p", "policy.yaml", "-o", "out"]
    said = cli(*plain, "--master", "local[2]")
    assert said.code == 2 and "add --engine spark" in said.err
    said = cli(*plain, "--engine", "spark")
    assert said.code == 2 and "add --master spark://HOST:PORT" in said.err
    said = cli("anonymize", "-", "-p", "policy.yaml", "-o", "out", "--engine", "spark", "--master", "local[2]")
    assert said.code == 2 and "reads Parquet files" in said.err


def test_without_the_package_it_says_what_to_install(here: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    folder(here)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    said = cli(*anonymize("local[2]"))
    assert said.code == 2 and 'pip install "sfumato[spark]"' in said.err


@needed
@pytest.mark.parametrize(
    ("java", "said"),
    [
        (None, "there is none on the path"),
        ("echo openjdk version '\"11.0.2\"' >&2", "Java 17 or later, and the one on the path is 11"),
        ("exit 1", "the one on the path does not start"),
    ],
)
def test_without_a_java_that_will_do_it_says_so(
    here: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, spark_away: None, java: str | None, said: str
) -> None:
    folder(here)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(here / "bin"))
    (here / "bin").mkdir()
    if java is not None:
        (here / "bin" / "java").write_text(f"#!/bin/sh\n{java}\n")
        (here / "bin" / "java").chmod(0o755)
    got = cli(*anonymize("local[2]"))
    assert got.code == 2 and said in got.err
    assert not (here / "out").exists()


@pytest.fixture
def spark_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has no session; other tests may have one in this."""
    from pyspark import SparkContext

    monkeypatch.setattr(SparkContext, "_active_spark_context", None)


@needed
@pytest.mark.parametrize(
    ("master", "said"),
    [
        ("spark://127.0.0.1:1", "no master answers within"),
        ("spark://127.0.0.1", "write it as spark://HOST:PORT"),
        ("cluster.example", "must be spark://HOST:PORT, local[2]"),
    ],
)
def test_a_master_that_is_not_there(here: Path, cli: Cli, spark_away: None, master: str, said: str) -> None:
    folder(here)
    begin = time.monotonic()
    got = cli(*anonymize(master))
    assert got.code == 2 and said in got.err
    assert time.monotonic() - begin < 20
    assert not (here / "out").exists()


@needed
def test_what_is_secret_is_not_given_as_a_setting(spark_away: None) -> None:
    import sfumato as sf

    hidden = {"spark.authenticate.secret": "hush"}
    with pytest.raises(sf.InputError, match="put it into spark-defaults") as refused, _at("local[2]", hidden):
        pass
    assert "hush" not in str(refused.value)


def _at(master: str, settings: dict[str, str]) -> Any:
    import sfumato as sf

    return sf.SparkTable.at("people", master, settings=settings)
