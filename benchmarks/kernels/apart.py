"""Groups of three rows with different sensitive values, from counted tuples to a partition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.contract import Workload, fresh
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Partition, Task
from sfumato.partition.registry import partitioner
from sfumato.policy.methods import Method
from sfumato.policy.promises import PairwiseL
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples

__all__ = ["Job", "by", "run"]


@dataclass(frozen=True, eq=False)
class Job:
    """A table and how to group it."""

    table: Tuples
    method: Method


def by(method: Method) -> Callable[[Workload], Job]:
    """Prepare a job for an algorithm."""
    return lambda workload: Job(workload.table, method)


def run(job: Job) -> Partition:
    table = fresh(job.table)
    model = bind(PairwiseL(3), Facts.of(table))
    return partitioner(job.method).partition(Task(table, model, NCP(), Randomness.fixed(0)))
