"""``python -m benchmarks.leastloss``: what `boxes` loses on Adult, and how long it takes, against targets for both.

A job is `sfumato anonymize` in a process of its own, with loops that are already compiled: start, reading, search,
writing, and the audit of what was written. The CPU time of all threads counts. The loss is counted again from the file
that was written and the files of ARX's hierarchies alone: NCP, the mean over rows and quasi-identifiers of
(leaves covered - 1) / (all leaves - 1). Where a job shows sets and intervals, columns have no hierarchy.

The searches of a million perturbed rows are measured from counted tuples to groups, in this process; the loss is the
one that the search made small, which is the same NCP.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table as Shown

import sfumato as sf
from benchmarks.adult import QUASI, SENSITIVE, adult
from benchmarks.contract import Rows, fresh
from benchmarks.endtoend import as_installed, frame_of, policy_file, spent
from benchmarks.enlarge import perturbed
from benchmarks.peers.recount import leaves_of, recounted
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.boxes.boxes import BoxesPartitioner
from sfumato.partition.contract import Task
from sfumato.partition.partition_loss import measured as lost
from sfumato.randomness import Randomness

__all__ = ["HEAD", "JOBS", "Figure", "Job", "lines", "main", "measured", "stored"]

STORED = Path(__file__).with_name("leastloss.json")
MANY = 1_000_000


@dataclass(frozen=True)
class Job:
    """What is asked for, and what it may lose and take.

    promise  in the words of a policy
    work     of the search
    exact    columns have no hierarchy: sets and intervals are shown
    many     a search of perturbed rows
    """

    promise: Mapping[str, Any]
    work: int
    loss: float
    cpu: float
    exact: bool = False
    many: bool = False


_K5, _D3 = {"model": "k-anonymity", "k": 5}, {"model": "distinct-l", "l": 3}
_E3, _S3 = {"model": "entropy-l", "l": 3}, {"model": "simple-l", "l": 3}
_R43 = {"model": "recursive-cl", "c": 4, "l": 3}
JOBS = {
    "k=5, soon": Job(_K5, 13_000_000, 0.0490, 5),
    "k=5": Job(_K5, 90_000_000, 0.0467, 20),
    "distinct 3, soon": Job(_D3, 3_000_000, 0.0265, 3),
    "distinct 3": Job(_D3, 18_000_000, 0.0216, 6),
    "entropy 3": Job(_E3, 30_000_000, 0.0291, 8),
    "recursive (4,3)": Job(_R43, 30_000_000, 0.0255, 8),
    "simple 3": Job(_S3, 30_000_000, 0.0545, 8),
    "k=5, exact": Job(_K5, 30_000_000, 0.0197, 20, exact=True),
    "distinct 3, exact": Job(_D3, 25_000_000, 0.0080, 20, exact=True),
    "k=5, 1M rows, soon": Job(_K5, 0, 0.0092, 5, many=True),
    "k=5, 1M rows": Job(_K5, 20_000_000, 0.0059, 20, many=True),
    "distinct 3, 1M rows, soon": Job(_D3, 0, 0.0102, 6.5, many=True),
    "distinct 3, 1M rows": Job(_D3, 10_000_000, 0.0058, 12, many=True),
}
HEAD = ("job", "NCP", "target", "CPU s", "target", "met")


@dataclass(frozen=True)
class Figure:
    """What a job lost and took: CPU seconds."""

    job: str
    loss: float
    cpu: float

    @property
    def met(self) -> bool:
        return self.loss <= JOBS[self.job].loss and self.cpu <= JOBS[self.job].cpu


def measured(jobs: Sequence[str], rounds: int) -> Iterator[Figure]:
    """Every job, one after the other."""
    table, document = adult()
    rows = Rows.of_tuples(table)
    with tempfile.TemporaryDirectory(prefix="sfumato-leastloss-") as folder:
        data = Path(folder, "adult.csv")
        frame_of(rows).write_csv(data)
        for name in jobs:
            job = JOBS[name]
            policy = policy_file(_words(job), _columns(job, document), Path(folder))
            if job.many:
                yield _searched(name, rows, policy, rounds)
            else:
                yield _run(name, data, policy, document, rounds)


def _run(name: str, data: Path, policy: Path, document: dict[str, Any], rounds: int) -> Figure:
    """A whole job in a process; the first one, which may have to compile, does not count."""
    out = data.with_name("out")
    program = [sys.executable, "-m", "sfumato", "anonymize", str(data), "-p", str(policy), "-o", str(out), "--force"]
    runs = [spent(program, as_installed(data.with_name("bytecode")))[0] for _ in range(rounds + 1)]
    return Figure(name, round(_recounted(out, data, policy, document), 5), round(median(runs[1:]), 2))


def _words(job: Job) -> dict[str, Any]:
    return {"privacy": [dict(job.promise)], "partition": {"method": "boxes", "work": job.work}}


def _columns(job: Job, document: dict[str, Any]) -> dict[str, Any]:
    """The policy's columns; without hierarchies where they show what is there."""
    left_out = {"hierarchy"} if job.exact else set()
    columns = {
        name: {word: each for word, each in column.items() if word not in left_out}
        for name, column in document["columns"].items()
    }
    return {"columns": columns}


def _recounted(out: Path, data: Path, policy: Path, document: dict[str, Any]) -> float:
    """The loss of what was written; `ValueError` if it is not what was promised."""
    words = json.loads(policy.read_text(encoding="utf-8"))
    quasi = [name for name, column in words["columns"].items() if column["role"] == "quasi"]
    beside = next(name for name in (SENSITIVE, QUASI[-1]) if name not in quasi)
    trees = {name: leaves_of(Path(document["columns"][name]["hierarchy"]["file"])) for name in quasi}
    published, given = (pl.read_csv(file, infer_schema=False) for file in (out / "table.csv", data))
    found = recounted(published, given, quasi, beside, trees)
    (asked,) = words["privacy"]
    if found.k < int(asked.get("k", 1)) or found.l < int(asked.get("l", 1)):
        raise ValueError("what was written does not keep the promise")
    return found.ncp


def _searched(name: str, rows: Rows, policy: Path, rounds: int) -> Figure:
    """A search of many rows alone; the first one does not count."""
    words = json.loads(policy.read_text(encoding="utf-8"))
    (promise,) = sf.Policy.model_validate(words).privacy
    table, times, loss = sf.read(frame_of(perturbed(rows, MANY)), words).encode(), [], 0.0
    for _ in range(rounds + 1):
        task = Task(fresh(table), bind(promise, Facts.of(table)), NCP(), Randomness.fixed(0))
        began = process_time()
        found = BoxesPartitioner(sf.Boxes(work=JOBS[name].work)).partition(task)
        times.append(process_time() - began)
        loss = float(lost(task, found)[1])
    return Figure(name, round(loss, 5), round(median(times[1:]), 2))


def stored() -> list[Figure]:
    return [Figure(**each) for each in json.loads(STORED.read_text(encoding="utf-8"))]


def lines(figures: Sequence[Figure]) -> Iterator[tuple[str, ...]]:
    """The figures beside their targets, a line each."""
    for each in figures:
        job, met = JOBS[each.job], "yes" if each.met else "no"
        yield each.job, f"{each.loss:.4f}", f"{job.loss:.4f}", f"{each.cpu:.1f}", f"{job.cpu:g}", met


def shown(figures: Sequence[Figure]) -> Shown:
    """The figures as a table."""
    made = Shown(title="boxes on Adult, ARX's hierarchies: NCP, and CPU seconds")
    for name in HEAD:
        made.add_column(name, justify="left" if name == "job" else "right")
    for line in lines(figures):
        made.add_row(*line)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.leastloss", description=__doc__)
    parser.add_argument("--jobs", nargs="+", choices=JOBS, default=list(JOBS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--save", action="store_true", help=f"store the figures in {STORED.name}")
    given = parser.parse_args(arguments)
    figures = list(measured(given.jobs, given.rounds))
    Console().print(shown(figures))
    if given.save:
        STORED.write_text(json.dumps([asdict(each) for each in figures], indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
