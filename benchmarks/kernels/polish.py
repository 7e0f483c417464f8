"""Groups of three rows with different sensitive values, improved by a fixed amount of work for every row."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.contract import Workload, fresh
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Partition, Task
from sfumato.partition.registry import partitioner
from sfumato.partition.steps.polish import polished
from sfumato.policy.methods import Hilbert
from sfumato.policy.promises import PairwiseL
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples

__all__ = ["Job", "prepare", "run"]

_WORK = 100
"""For every row: about two rounds."""


@dataclass(frozen=True, eq=False)
class Job:
    """A table and its groups."""

    table: Tuples
    found: Partition


def prepare(workload: Workload) -> Job:
    """Groups along a curve: quickly found, much to improve."""
    return Job(workload.table, partitioner(Hilbert()).partition(_task(workload.table)))


def _task(table: Tuples) -> Task:
    return Task(table, bind(PairwiseL(3), Facts.of(table)), NCP(), Randomness.fixed(0))


def run(job: Job) -> Partition:
    return polished(_task(fresh(job.table)), job.found, _WORK * job.table.rows)
