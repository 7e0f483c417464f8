"""What is compared: jobs, tools, and what became of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sfumato.datasets.catalogue import ARX_COLUMNS

__all__ = ["JOBS", "OUTCOMES", "Entry", "Job", "Outcome", "Shown", "Way"]

Shown = Literal["hierarchies", "sets"]
"""How groups are shown: by nodes of the same hierarchies, or by the sets of values and exact intervals that occur."""
Outcome = Literal["kept", "broken", "failed"]
OUTCOMES: tuple[Outcome, ...] = ("kept", "broken", "failed")


@dataclass(frozen=True)
class Job:
    """A promise on Adult.

    k, l         rows of a group, and different sensitive values in it, at least; an l of None: not promised
    sensitive    the column that is not generalized
    columns      all there are
    """

    name: str
    k: int
    l: int | None
    sensitive: str
    columns: tuple[str, ...] = ARX_COLUMNS

    @property
    def quasi(self) -> tuple[str, ...]:
        """All other columns."""
        return tuple(name for name in self.columns if name != self.sensitive)

    def kept(self, k: int, l: int) -> bool:
        """Whether groups of these sizes and numbers of values keep it."""
        return k >= self.k and (self.l is None or l >= self.l)


JOBS = {
    job.name: job
    for job in (
        Job("k = 5", 5, None, "salary-class"),
        Job("distinct 3", 1, 3, "occupation"),
    )
}


@dataclass(frozen=True)
class Way:
    """One way to have a tool do a job.

    tool     its name, which is also that of its package
    name     the algorithm, as a reader knows it
    shown    how it shows groups
    asked    what the tool is told beside the job
    jobs     the jobs that it can be asked for
    """

    tool: str
    name: str
    shown: Shown
    asked: Mapping[str, Any] = field(default_factory=dict)
    jobs: tuple[str, ...] = tuple(JOBS)


@dataclass(frozen=True)
class Entry:
    """What became of a job.

    outcome       the promise was kept, or was not, by a recount; or there is no result
    k, l          rows and different sensitive values of the smallest group, recounted
    ncp           the mean over rows and quasi-identifiers, 1 for a suppressed row
    suppressed    rows that are not published
    cpu, memory   of the process, start and reading included: seconds of all threads, gigabytes at most
    told          why there is no result, in the tool's words
    judged        what another tool finds of the same rows
    """

    tool: str
    version: str
    way: str
    shown: Shown
    job: str
    outcome: Outcome
    cpu: float
    memory: float | None
    k: int | None = None
    l: int | None = None
    ncp: float | None = None
    suppressed: int | None = None
    told: str = ""
    judged: str = ""
