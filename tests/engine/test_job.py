"""A job: planned before it is run, the same whenever it is run, watched while it runs and called off at once."""

from __future__ import annotations

import dataclasses
import json
import threading
import time
import warnings
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.advice import outcome as told
from sfumato.cli.main import run
from sfumato.engine import job as job_module
from sfumato.fit import NATIVE, Fit
from sfumato.models.contract import Model
from sfumato.partition.contract import Partition, Partitioner, Task
from sfumato.partition.mondrian.mondrian import MondrianPartitioner
from sfumato.partition.registry import grouping

ROWS = 600
FRAME = pl.DataFrame(
    {
        "age": [20 + 7 * row % 61 for row in range(ROWS)],
        "town": [f"town {row * row % 11}" for row in range(ROWS)],
        "disease": [f"d{row * 3 % 7}" for row in range(ROWS)],
    }
)
POLICY: dict[str, Any] = {
    "version": 1,
    "columns": {
        "age": {"role": "quasi", "type": "integer"},
        "town": {"role": "quasi"},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "distinct-l", "l": 3}],
}
MONDRIAN = {"partition": {"method": "mondrian"}}
NAMED = {"form": {"group_id": True}}


class Searched(Exception):
    """An algorithm was asked for groups."""


def unsearched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: MondrianPartitioner, task: Task) -> Partition:
        raise Searched

    monkeypatch.setattr(MondrianPartitioner, "partition", refuse)


def test_a_job_is_planned_and_nothing_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    unsearched(monkeypatch)
    job = sf.job(FRAME, policy=POLICY, partition=sf.Mondrian(refine=True), seed=1)
    assert (job.rows, job.plan.status, job.cancelled, job.cautions) == (ROWS, "native", False, ())
    assert str(job.promise) == "distinct-l (l=3)"
    assert job.promised.promise == job.promise and job.policy.partition.refine
    assert job.task.table.rows == ROWS and job.task.model.promise == job.promise
    with pytest.raises(dataclasses.FrozenInstanceError):
        job.seed = 2  # type: ignore[misc]
    with pytest.raises(Searched):
        job.run()


def test_a_job_tells_no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = repr(sf.job(FRAME, policy=POLICY, seed=77))
    assert "town 1" not in shown and "d3" not in shown and "77" not in shown


@pytest.mark.parametrize(
    ("changes", "error", "says"),
    [
        ({**MONDRIAN, **NAMED, "privacy": [{"model": "pairwise-l", "l": 2}]}, sf.Refused, "merging"),
        ({"form": {"publish": "anatomized"}, "privacy": [{"model": "k-anonymity", "k": 2}]}, sf.Refused, "as they are"),
        ({"partition": {"slack": 1}, "privacy": [{"model": "k-anonymity", "k": 2}]}, sf.Refused, "partition.slack"),
        ({"privacy": [{"model": "distinct-l", "l": 3, "on": "age"}]}, sf.PolicyError, "age"),
    ],
)
def test_what_cannot_be_is_refused_before_any_search(
    changes: dict[str, Any], error: type[Exception], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsearched(monkeypatch)
    with pytest.raises(error, match=says):
        sf.job(FRAME, policy={**POLICY, **changes}, seed=1)


def test_dropped_rows_that_break_the_promise_are_told_before_any_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """No search could help them; other policies are tried only for what would be kept instead."""
    asked: list[str] = []
    real = MondrianPartitioner.partition

    def counted(self: MondrianPartitioner, task: Task) -> Partition:
        asked.append(str(task.model.promise))
        return real(self, task)

    monkeypatch.setattr(MondrianPartitioner, "partition", counted)
    monkeypatch.setattr(told, "outcome", lambda error, table, runs: error)
    frame = FRAME.with_columns(age=pl.when(pl.int_range(ROWS) < 2).then(None).otherwise("age"))
    with pytest.raises(sf.NoneFound, match="2 rows dropped as missing, this form shows who is missing"):
        sf.job(frame, policy={**POLICY, "missing": "drop", "form": {"publish": "anatomized"}}, seed=1)
    assert not asked


@pytest.mark.parametrize("form", ["generalized", "anatomized", "permuted"])
@pytest.mark.parametrize("steps", [[], ["refine", {"step": "polish", "work": 5000}]])
def test_a_job_run_twice_gives_what_publish_gives(form: str, steps: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_KEY", "a key for tests only")
    policy = {**POLICY, "partition": {"method": "mondrian", "steps": steps}, "form": {"publish": form}}
    job = sf.job(FRAME, policy=policy)
    releases = [job.run(), job.run(), sf.publish(FRAME, policy=policy)]
    for release in releases[1:]:
        assert release.facts() == releases[0].facts()
        for name, table in releases[0].tables.items():
            assert release.tables[name].equals(table)


def test_progress_is_seen_from_reading_to_the_audit() -> None:
    seen: list[tuple[str, int, int]] = []
    policy = {**POLICY, **MONDRIAN}
    job = sf.job(FRAME, policy=policy, seed=1, progress=lambda *each: seen.append(each))
    assert seen == [("read", 0, 1), ("read", ROWS, ROWS)]
    seen.clear()
    job.run(lambda *each: seen.append(each))
    stages = list(dict.fromkeys(stage for stage, _, _ in seen))
    assert stages == ["partition", "publish", "audit"]
    assert seen[-1] == ("audit", ROWS, ROWS)
    both: list[tuple[str, int, int]] = []
    sf.publish(FRAME, policy=policy, seed=1, progress=lambda *each: both.append(each))
    assert both == [("read", 0, 1), ("read", ROWS, ROWS), *seen]


def test_cautions_are_given_when_the_job_is_planned() -> None:
    policy = {**POLICY, "columns": {**POLICY["columns"], "town": {"role": "sensitive"}}}
    policy["privacy"] = [{"model": "distinct-l", "l": 3, "on": "disease"}]
    with pytest.warns(sf.SfumatoWarning, match="no promise speaks of the sensitive column 'town'") as given:
        job = sf.job(FRAME, policy=policy, seed=1)
    assert given[0].filename == __file__
    assert len(job.cautions) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert job.run().cautions == job.cautions


class Endless:
    """An algorithm that goes on until it is stopped, and tells how far it is."""

    ticks = 0

    def fit(self, model: Model) -> Fit:
        return NATIVE

    def partition(self, task: Task) -> Partition:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            self.ticks += 1
            task.progress("partition", 0, task.table.rows)
            time.sleep(0.001)
        raise AssertionError("it was not stopped")


def endless() -> tuple[sf.Job, Endless]:
    algorithm = Endless()
    return dataclasses.replace(sf.job(FRAME, policy=POLICY, seed=1), algorithm=algorithm), algorithm


def test_another_thread_stops_a_search_within_a_tick() -> None:
    job, algorithm = endless()
    running, ended = threading.Event(), []

    def work() -> None:
        try:
            job.run(lambda stage, done, total: running.set())
        except sf.Cancelled as error:
            ended.append(error)

    before = threading.active_count()
    worker = threading.Thread(target=work)
    worker.start()
    assert running.wait(30)
    job.cancel()
    ticks = algorithm.ticks
    worker.join(30)
    assert not worker.is_alive() and len(ended) == 1
    assert algorithm.ticks <= ticks + 2
    assert str(ended[0]) == "cancelled; nothing was published" and ended[0].exit_code == 130
    assert threading.active_count() == before


def test_whoever_watches_may_stop_it() -> None:
    job, algorithm = endless()

    def bored(stage: str, done: int, total: int) -> None:
        if algorithm.ticks == 3:
            raise sf.Cancelled("enough")

    with pytest.raises(sf.Cancelled, match="enough"):
        job.run(bored)
    assert algorithm.ticks == 3 and not job.cancelled

    def stops(stage: str, done: int, total: int) -> None:
        if algorithm.ticks == 5:
            job.cancel()

    with pytest.raises(sf.Cancelled, match="nothing was published"):
        job.run(stops)
    assert algorithm.ticks == 5


def test_a_job_that_was_called_off_stays_so() -> None:
    job = sf.job(FRAME, policy=POLICY, seed=1)
    made = job.run()
    job.cancel()
    assert job.cancelled
    for _ in range(2):
        with pytest.raises(sf.Cancelled):
            job.run()
    assert made.table.height == ROWS
    again = sf.job(FRAME, policy=POLICY, seed=1)
    assert not again.cancelled and again.run().table.equals(made.table)


@pytest.mark.parametrize(
    ("partition", "stage"),
    [
        (sf.Mondrian(), "partition"),
        (sf.Lattice(), "partition"),
        (sf.Incognito(), "partition"),
        (sf.Sweep(), "partition"),
        (sf.Mondrian(steps=["refine", "polish"]), "polish"),
        (sf.Bsgi(), "publish"),
        (sf.Anatomy(), "audit"),
    ],
)
def test_every_stage_can_be_stopped(partition: Any, stage: str) -> None:
    job = sf.job(FRAME, policy=POLICY, partition=partition, seed=1)
    seen: list[str] = []

    def watch(now: str, done: int, total: int) -> None:
        seen.append(now)
        if now == stage:
            job.cancel()

    with pytest.raises(sf.Cancelled):
        job.run(watch)
    assert seen[-1] == stage and seen.count(stage) == 1


def test_groups_of_terms_that_were_not_begun_never_are(monkeypatch: pytest.MonkeyPatch) -> None:
    from sfumato.partition.steps.terms.search import TermSearch

    begun: list[int] = []
    real = TermSearch._removal

    def slow(self: TermSearch, asked: Any, rows: Any) -> Any:
        begun.append(len(rows))
        time.sleep(0.05)
        return real(self, asked, rows)

    monkeypatch.setattr(TermSearch, "_removal", slow)
    terms = {
        "role": "quasi-sensitive",
        "separator": "|",
        "lengths": "known",
        "knowledge": {"labels": {"A": ["a"], "B": ["b"]}},
    }
    policy = {
        **POLICY,
        "columns": {**POLICY["columns"], "disease": terms},
        "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "qs-cl", "c": 2, "l": 2}],
        "partition": {"method": "mondrian", "steps": ["suppress-terms"]},
    }
    frame = FRAME.with_columns(disease=pl.Series([("a", "b")[row % 20 == 0] for row in range(ROWS)]))
    job = sf.job(frame, policy=policy, seed=1)

    def watch(stage: str, done: int, total: int) -> None:
        if stage.startswith("terms"):
            job.cancel()

    before = threading.active_count()
    with pytest.raises(sf.Cancelled):
        job.run(watch)
    assert 0 < len(begun) < 30
    assert threading.active_count() == before


def test_runs_that_only_look_for_what_would_be_kept_are_stopped_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """No release was found, and it is called off while weaker promises are tried."""

    class Failing(Endless):
        def partition(self, task: Task) -> Partition:
            raise sf.NoneFound("not by this one")

    job = dataclasses.replace(sf.job(FRAME, policy=POLICY, seed=1), algorithm=Failing())
    tried: list[Partitioner] = []
    real = grouping

    def counted(*given: Any) -> Any:
        tried.append(real(*given))
        job.cancel()
        return tried[-1]

    monkeypatch.setattr(job_module, "grouping", counted)
    with pytest.raises(sf.Cancelled):
        job.run()
    assert len(tried) == 1


def test_cancelled_is_an_outcome_of_its_own_on_the_command_line(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    FRAME.write_csv(tmp_path / "data.csv")
    (tmp_path / "policy.json").write_text(json.dumps(POLICY), encoding="utf-8")

    def cancelled(*given: Any, **more: Any) -> sf.Release:
        raise sf.Cancelled("cancelled; nothing was published")

    monkeypatch.setattr(sf, "publish", cancelled)
    out = tmp_path / "out"
    with pytest.raises(SystemExit) as end:
        run(["anonymize", str(tmp_path / "data.csv"), "-p", str(tmp_path / "policy.json"), "-o", str(out)])
    assert end.value.code == 130
    assert "nothing was published" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv", "policy.json"]
