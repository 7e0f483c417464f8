"""Suppressing terms: groups of the paper's size, the cheapest removal proven for each; the table has no part in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.contract import Workload
from benchmarks.terms import ROWS, SEED, TERMS, promise_of
from sfumato.demo.symptoms import synthetic_knowledge, synthetic_patients
from sfumato.knowledge.belief import LabelPromise
from sfumato.knowledge.linking import TermSets
from sfumato.knowledge.table import Knowledge
from sfumato.partition.steps.terms.cheapest import Cheapest, suppress

__all__ = ["GROUPS", "Job", "of", "run"]

GROUPS = 20


@dataclass(frozen=True, eq=False)
class Job:
    """Groups of rows, and what is promised of them."""

    knowledge: Knowledge
    groups: tuple[TermSets, ...]
    promise: LabelPromise


def of(name: str) -> Callable[[Workload], Job]:
    """Prepares groups for one of the promises of `benchmarks.terms`."""

    def prepare(_: Workload) -> Job:
        knowledge = synthetic_knowledge(SEED)
        groups = tuple(synthetic_patients(knowledge, ROWS, TERMS, seed) for seed in range(GROUPS))
        return Job(knowledge, groups, promise_of(name, knowledge))

    return prepare


def run(job: Job) -> list[Cheapest]:
    return [suppress(job.knowledge, group, job.promise) for group in job.groups]
