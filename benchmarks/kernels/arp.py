"""ARP from counted tuples to a partition, for three rows with different sensitive values in every group."""

from __future__ import annotations

from benchmarks.contract import Workload, fresh
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.apart.arp import ArpPartitioner
from sfumato.partition.contract import Partition, Task
from sfumato.policy.methods import Arp as Options
from sfumato.policy.promises import PairwiseL
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples

__all__ = ["prepare", "run"]


def prepare(workload: Workload) -> Tuples:
    return workload.table


def run(coded: Tuples) -> Partition:
    table = fresh(coded)
    model = bind(PairwiseL(3), Facts.of(table))
    return ArpPartitioner(Options()).partition(Task(table, model, NCP(), Randomness.fixed(0)))
