"""`python -m benchmarks.spark`: what Spark's events and processes tell is added up, shown and stored."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import scale, spark
from benchmarks.processes import Watched
from benchmarks.spark import Figure, Stages, compared, lines, told
from tests.support.cluster import lacking
from tests.support.tiny_adult import tiny_adult

STAGES = {"columns": 1.0, "words": 2.0, "passes": 3.0, "blocks": 0.5}


def job(said: str, *stages: int) -> dict[str, Any]:
    return {"Event": "SparkListenerJobStart", "Stage IDs": [*stages], "Properties": {"spark.job.description": said}}


def stage(number: int, begin: int, end: int) -> dict[str, Any]:
    info = {"Stage ID": number, "Submission Time": begin, "Completion Time": end}
    return {"Event": "SparkListenerStageCompleted", "Stage Info": info}


def test_seconds_of_stages_by_kind_of_work(tmp_path: Path) -> None:
    events = [
        {"Event": "SparkListenerApplicationStart"},
        job("sfumato makes words", 0),
        stage(0, 1000, 3500),
        job("sfumato counts halves", 1, 2),
        stage(1, 4000, 4500),
        stage(2, 4500, 4700),
        job("sfumato counts halves", 2, 3),
        {"Event": "SparkListenerStageCompleted", "Stage Info": {"Stage ID": 2}},
        stage(3, 5000, 5100),
        job("somebody else's", 4),
        stage(4, 5000, 9000),
    ]
    (tmp_path / "events_1_app").write_text("\n".join(map(json.dumps, events[:5])) + "\n", encoding="utf-8")
    (tmp_path / "events_2_app").write_text("\n".join(map(json.dumps, events[5:])) + "\n", encoding="utf-8")
    (tmp_path / "appstatus_app").write_text("", encoding="utf-8")
    found = Stages.of(told(tmp_path))
    assert found.seconds == pytest.approx({"columns": 0, "words": 2.5, "passes": 0.8, "blocks": 0})
    assert found.jobs == {"columns": 0, "words": 1, "passes": 2, "blocks": 0}


def figure(workers: int, share: float, driver: float) -> Figure:
    stages = {kind: seconds * share for kind, seconds in STAGES.items()}
    return Figure(1000, workers, 20.0, stages, 5, 9.0, 4.0, driver, 0.5)


def test_lines_and_targets() -> None:
    one, two = figure(1, 1, 0.4), figure(2, 0.5, 0.6)
    assert [*lines([one])] == [
        ("1,000", "1", "20", "1.0", "2.0", "3.0", "0.5", "6.5", "5", "9", "4", "0.40", "0.50"),
    ]
    assert len(spark.HEAD) == len(next(lines([one])))
    assert [so for _, so in compared([one, two])] == [True, True]
    assert [so for _, so in compared([two, figure(4, 0.5, 2.5)])] == [False, False]


@pytest.mark.thorough
def test_processes_are_looked_at_with_those_that_they_start() -> None:
    burn = "import time\nwhile time.process_time() < 1: pass"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}])"
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        watched = Watched({"tree": [process.pid]})
        assert watched.until(process) == 0
    assert 0.5 < watched.cpu("tree") < 5
    assert 0.005 < watched.peak("tree", "python") < 1
    assert watched.peak("tree", "java") == 0


def test_without_spark_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(spark, "lacking", lambda: "no Java")
    assert spark.main([]) == 2
    assert "no Java" in capsys.readouterr().out


@pytest.mark.large
@pytest.mark.skipif(bool(lacking()), reason=lacking())
def test_a_small_table_on_two_clusters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    table, document, _ = tiny_adult(tmp_path)
    monkeypatch.setattr(scale, "adult", lambda: (table, document))
    monkeypatch.setattr(spark, "STORED", tmp_path / "spark.json")
    assert spark.main(["--rows", "3000", "--save"]) == 0
    one, two = spark.stored()
    assert (one.rows, one.workers, two.workers) == (3000, 1, 2)
    assert one.passes == two.passes >= 4  # sixteen blocks are four levels
    assert all(each.seconds > each.stages["passes"] > 0 and each.driver and each.jvm for each in (one, two))
