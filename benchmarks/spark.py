"""``python -m benchmarks.spark``: rows that stay on a Spark cluster, one worker against two.

The data is Adult as `enlarge` makes it hard: nearly every row is distinct. A cluster of its own is started on this
machine, with workers of one core each; the job is `sf.deliver` of its Parquet files in a process of its own, with all
rows on the cluster, cut into blocks of a sixteenth of them: columns counted, words made, cuts found from counts, blocks
handed over, searched, written and audited. Spark's own events say how long stages of each kind took and how many passes
there were; processes are looked at while they run, for CPU seconds and for the peak of the driver's memory.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from rich.console import Console
from rich.table import Table as Shown

from benchmarks.processes import Watched
from benchmarks.scale import generate
from benchmarks.standalone import Cluster, lacking, standalone
from sfumato.stores.budget import Budget

__all__ = ["Figure", "Stages", "deliver", "lines", "main", "measured", "stored"]

STORED = Path(__file__).with_name("spark.json")
ROWS = 10_000_000
MEMORY = 2 * 10**9
BLOCKS = 16
WORKERS = (1, 2)
CORES = 1
FASTER = 1.5
"""Two workers take at most one in so many of the time that one takes for stages on them."""
LIMIT = MEMORY / 1e9
"""Gigabytes of the driver's Python, at most."""
WORK = {
    "columns": "sfumato counts columns",
    "words": "sfumato makes words",
    "passes": "sfumato counts halves",
    "blocks": "sfumato hands over blocks",
}
"""Kinds of work on the cluster, and what Spark calls each."""
# Files are dealt to workers in many small parts, so that none waits long for another.
SETTINGS = """
spark.executor.memory 1g
spark.sql.files.maxPartitionBytes 4m
spark.sql.files.openCostInBytes 0
spark.eventLog.enabled true
spark.eventLog.dir {events}
spark.eventLog.compress false
"""
HEAD = (
    "rows",
    "workers",
    "seconds in all",
    *(f"stages: {kind}" for kind in WORK),
    "stages in all",
    "number of passes",
    "CPU s of workers",
    "CPU s of the driver",
    "GB of the driver",
    "GB of its JVM",
)
_RUN = "import sys; from benchmarks.spark import deliver; deliver(*sys.argv[1:])"


@dataclass(frozen=True)
class Figure:
    """What a job took: seconds in all, of stages by kind of work, CPU seconds there and here, gigabytes at most."""

    rows: int
    workers: int
    seconds: float
    stages: Mapping[str, float]
    passes: int
    cpu_workers: float
    cpu_driver: float
    driver: float
    jvm: float

    @property
    def on_workers(self) -> float:
        return sum(self.stages.values())


@dataclass(frozen=True)
class _Elsewhere(Budget):
    """Memory that holds no different row, and blocks of a share of so many rows."""

    rows: int

    def entries(self, columns: int) -> int:
        return 0

    @property
    def rows_in_block(self) -> int:
        return max(self.rows // BLOCKS, 1)


def deliver(master: str, data: str, policy: str, out: str, rows: str) -> None:
    """The job, in a process of its own."""
    import sfumato as sf

    budget = _Elsewhere(MEMORY, int(rows))
    with sf.SparkTable.at(data, master, MEMORY) as frame:
        sf.deliver(frame, out, policy=policy, memory=cast(Any, budget), force=True)


@dataclass(frozen=True)
class Stages:
    """What Spark tells of its stages: seconds of each kind of work, and jobs of each."""

    seconds: Mapping[str, float]
    jobs: Mapping[str, int]

    @classmethod
    def of(cls, events: Iterable[Mapping[str, Any]]) -> Stages:
        """A stage belongs to the job that first had it; of several, one may be left out since its work is known."""
        kinds = {said: kind for kind, said in WORK.items()}
        whose: dict[int, str] = {}
        seconds, jobs = dict.fromkeys(WORK, 0.0), dict.fromkeys(WORK, 0)
        for event in events:
            if event["Event"] == "SparkListenerJobStart":
                kind = kinds.get(event.get("Properties", {}).get("spark.job.description", ""))
                if kind is not None:
                    jobs[kind] += 1
                    whose |= {stage: kind for stage in event["Stage IDs"] if stage not in whose}
            elif event["Event"] == "SparkListenerStageCompleted":
                stage = event["Stage Info"]
                if stage["Stage ID"] in whose and "Submission Time" in stage:
                    took = (stage["Completion Time"] - stage["Submission Time"]) / 1000
                    seconds[whose[stage["Stage ID"]]] += took
        return cls(seconds, jobs)


def told(folder: Path) -> Iterator[dict[str, Any]]:
    """The events in a folder, in order."""
    for file in sorted(folder.rglob("events_*")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def measured(rows: int, workers: Sequence[int]) -> Iterator[Figure]:
    """The same job with so many workers, one after the other."""
    with tempfile.TemporaryDirectory(prefix="sfumato-spark-") as place:
        folder = Path(place)
        policy = generate("hard", rows, folder / "hard")
        for count in workers:
            events = folder / f"events-{count}"
            events.mkdir()
            settings = SETTINGS.format(events=events.as_uri())
            with standalone(settings, count, CORES, "1400m") as cluster:
                given = [str(folder / "hard"), str(policy), str(folder / "out"), str(rows)]
                yield _measured(cluster, rows, count, given, events)


def _measured(cluster: Cluster, rows: int, count: int, given: Sequence[str], events: Path) -> Figure:
    begin = time.monotonic()
    command = [sys.executable, "-W", "ignore", "-c", _RUN, cluster.url, *given]
    with subprocess.Popen(command, env=cluster.environment) as process:  # noqa: S603
        watched = Watched({"driver": [process.pid], "workers": [each.pid for each in cluster.workers]})
        code = watched.until(process)
    if code:
        raise RuntimeError(f"the job ended with {code}")
    seconds, stages = time.monotonic() - begin, Stages.of(told(events))
    return Figure(
        rows,
        count,
        seconds,
        stages.seconds,
        stages.jobs["passes"],
        watched.cpu("workers"),
        watched.cpu("driver"),
        watched.peak("driver", "python"),
        watched.peak("driver", "java"),
    )


def stored() -> list[Figure]:
    return [Figure(**each) for each in json.loads(STORED.read_text(encoding="utf-8"))]


def lines(figures: Sequence[Figure]) -> Iterator[tuple[str, ...]]:
    """A line for each figure."""
    for each in figures:
        stages = [f"{each.stages[kind]:.1f}" for kind in WORK]
        cpu = f"{each.cpu_workers:.0f}", f"{each.cpu_driver:.0f}"
        memory = f"{each.driver:.2f}", f"{each.jvm:.2f}"
        yield (
            *(f"{each.rows:,}", str(each.workers), f"{each.seconds:.0f}", *stages, f"{each.on_workers:.1f}"),
            *(str(each.passes), *cpu, *memory),
        )


def compared(figures: Sequence[Figure]) -> Iterator[tuple[str, bool]]:
    """What is asked of the figures, and whether it is so."""
    for one, two in pairwise(figures):
        ratio = one.on_workers / two.on_workers
        said = f"{two.workers} workers are {ratio:.2f} x as fast as {one.workers} (at least {FASTER})"
        yield said, ratio >= FASTER
    most = max(each.driver for each in figures)
    yield f"the driver's Python has {most:.2f} GB at most (limit {LIMIT:g})", most <= LIMIT


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spark", description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--workers", nargs="+", type=int, default=list(WORKERS))
    parser.add_argument("--check", action="store_true", help="exit code 1 if a target is missed")
    parser.add_argument("--save", action="store_true", help=f"store the figures in {STORED.name}")
    given = parser.parse_args(arguments)
    console, table = Console(), Shown(title="Rows on a cluster", show_header=False)
    if lacking():
        console.print(lacking())
        return 2
    figures = list(measured(given.rows, given.workers))
    table.add_column("")
    for _ in figures:
        table.add_column("", justify="right")
    for name, *told_ in zip(HEAD, *lines(figures), strict=True):
        table.add_row(name, *told_)
    console.print(table)
    asked = list(compared(figures))
    for said, so in asked:
        console.print(f"{said}: {'yes' if so else 'no'}")
    if given.save:
        STORED.write_text(json.dumps([asdict(each) for each in figures], indent=1) + "\n", encoding="utf-8")
    return int(given.check and not all(so for _, so in asked))


if __name__ == "__main__":
    raise SystemExit(main())
