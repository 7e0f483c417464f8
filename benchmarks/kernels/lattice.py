"""The search among full-domain recodings, from counted tuples to nodes.

Distinct 3 on Adult's eight quasi-identifiers, and k = 5 with the sensitive column in place of the last of them; all
minimal nodes, or the one of least loss, without suppression or with as much as it takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from benchmarks.adult import QUASI
from benchmarks.contract import Workload, fresh
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Task
from sfumato.partition.lattice.levels import Node
from sfumato.partition.lattice.search import Judged, LatticeSearch
from sfumato.policy.promises import DistinctL, KAnonymity, Promise
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples

__all__ = ["Job", "distinct", "k", "minimal", "optimum", "suppressing"]


@dataclass(frozen=True, eq=False)
class Job:
    """A table and what to promise on it."""

    table: Tuples
    promise: Promise


def distinct(workload: Workload) -> Job:
    return Job(workload.table, DistinctL(3))


def k(workload: Workload) -> Job:
    rows = workload.rows
    kept = [column for column in (*rows.quasi, *rows.sensitive) if column.name != QUASI[-1]]
    return Job(Tuples.of(rows.codes, kept), KAnonymity(5))


def minimal(job: Job) -> list[Node]:
    """All minimal nodes."""
    return LatticeSearch.whole(_task(job)).minimal()


def optimum(job: Job) -> Judged | None:
    """The node of least loss, nothing suppressed."""
    return LatticeSearch.whole(_task(job)).best()


def suppressing(job: Job) -> Judged | None:
    """The node of least loss, where a suppressed row costs as much as one that says nothing."""
    return LatticeSearch.whole(_task(job, Fraction(1))).best()


def _task(job: Job, limit: Fraction = Fraction(0)) -> Task:
    table = fresh(job.table)
    return Task(table, bind(job.promise, Facts.of(table)), NCP(), Randomness.fixed(0), limit=limit)
