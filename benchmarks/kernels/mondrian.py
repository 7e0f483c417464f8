"""Mondrian from counted tuples to a partition, for three different sensitive values in every group."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.contract import Workload, fresh, without_trees
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Partition, Task
from sfumato.partition.mondrian.mondrian import MondrianPartitioner
from sfumato.policy.methods import Mondrian as Options
from sfumato.policy.promises import DistinctL
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples

__all__ = ["Job", "relaxed", "run", "strict", "taxonomy"]


@dataclass(frozen=True, eq=False)
class Job:
    """A table and how to cut it."""

    table: Tuples
    options: Options


def strict(workload: Workload) -> Job:
    return Job(without_trees(workload.table), Options())


def relaxed(workload: Workload) -> Job:
    return Job(without_trees(workload.table), Options(relaxed=True))


def taxonomy(workload: Workload) -> Job:
    return Job(workload.table, Options())


def run(job: Job) -> Partition:
    table = fresh(job.table)
    model = bind(DistinctL(3), Facts.of(table))
    return MondrianPartitioner(job.options).partition(Task(table, model, NCP(), Randomness.fixed(0)))
