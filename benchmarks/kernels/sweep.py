"""SWEEP from counted tuples to a partition, for (tau,l) promises; as published, or as the paper has it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.contract import Workload, fresh
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Partition, Task
from sfumato.partition.sweep.sweep import SweepPartitioner
from sfumato.policy.methods import Sweep as Options
from sfumato.policy.promises import TauL
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples

__all__ = ["Job", "of", "run"]


@dataclass(frozen=True, eq=False)
class Job:
    """A table, what to promise on it, and how."""

    table: Tuples
    promise: TauL
    options: Options


def of(tau: str, l: int, faithful: bool) -> Callable[[Workload], Job]:
    """Prepare a job for a promise."""
    return lambda workload: Job(workload.table, TauL(tau, l), Options(faithful=faithful))


def run(job: Job) -> Partition:
    table = fresh(job.table)
    model = bind(job.promise, Facts.of(table))
    return SweepPartitioner(job.options).partition(Task(table, model, NCP(), Randomness.fixed(0)))
