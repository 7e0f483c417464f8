"""Count queries: how wrong a release answers what an analyst would ask of the table.

The relative error of a query is |ACT − EST| / ACT: what the original answers, and what the release does
(`sfumato.measures.uses.answers`). The figure is the mean over random queries, the median stands beside it. A suppressed
row is counted by no query; one that is kept as `*` is counted as much as its share of the domain.

`sfumato.measures.uses.workload` says how queries are drawn, and what was chosen where the papers leave it open.

References: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011,
section 5.3.3. https://doi.org/10.1016/j.datak.2010.09.001
Shi, Xiong, Fung: Anonymizing data with quasi-sensitive attribute values. CIKM 2010, section 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.errors import InputError
from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.uses.answers import answered
from sfumato.measures.uses.strips import Strips, secrets_of
from sfumato.measures.uses.workload import Style, Workload, Workshop
from sfumato.randomness import Randomness
from sfumato.release.subject import Lacking, Subject

__all__ = ["CountQueries"]


@dataclass(frozen=True)
class CountQueries:
    """Mean |ACT − EST| / ACT.

    style         nodes: predicates are nodes of hierarchies; ranges: neighbouring values, and terms. By itself nodes,
                  where there is a sensitive column
    dimensions    predicates of a query, that on the secret included; at most as many as there are columns
    selectivity   in the style of ranges, the share of rows that a query would have if columns were independent
    queries       how many
    """

    style: Style | None = None
    dimensions: int = 3
    selectivity: float = 0.5
    queries: int = 1000
    name: ClassVar[str] = "count-queries"
    about: ClassVar[About] = About(
        title="relative error of random count queries",
        formula="mean over queries of |actual − estimated| / actual",
        range="0 (every answer is right) upwards",
        better="lower",
        reference="Tian, Zhang, DKE 2011, section 5.3.3, https://doi.org/10.1016/j.datak.2010.09.001",
        needs=("the original table", "a sensitive or quasi-sensitive column"),
    )

    def __post_init__(self) -> None:
        if self.dimensions < 1 or self.queries < 1:
            raise InputError("measure 'count-queries': dimensions and queries must be 1 or more")
        if not 0 < self.selectivity <= 1:
            raise InputError("measure 'count-queries': selectivity must be above 0 and at most 1")

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        work = self._workload(subject, given)
        if not len(work.queries):
            raise Lacking("rows that answer a query: the original has none, or no terms")
        release = Strips.published(subject, work.queries.names)
        secrets = secrets_of(subject)
        estimated = answered(release, work.queries, secrets, given.progress, "queries of the release")
        errors = np.abs(work.actual - estimated) / work.actual
        details = {
            "median": float(np.median(errors)),
            "queries": len(work.queries),
            "predicates": int((work.queries.low >= 0).sum(axis=1).max()),
            "share of queries drawn that no row answers": work.empty / work.drawn,
            "queries drawn around a row": work.around,
        }
        return Figure(float(errors.mean()), details=details)

    def _workload(self, subject: Subject, given: Circumstances) -> Workload:
        """Queries, with what the original answers."""
        table = subject.tuples
        sets = [name for name in secrets_of(subject) if name in subject.policy.sets]
        style: Style = self.style or ("nodes" if subject.sensitive else "ranges")
        secrets = [*subject.sensitive] if style == "nodes" else sets or [*subject.sensitive]
        if not secrets:
            raise Lacking("a sensitive column" if style == "nodes" else "a sensitive or quasi-sensitive column")
        quasi = [*subject.quasi]
        made = Workshop(
            Strips.original(subject, [*quasi, *secrets]),
            [table[name] for name in quasi],
            [table[name] for name in secrets],
            style,
            min(self.dimensions, len(quasi) + 1),
            self.selectivity,
            Randomness.fixed(given.seed),
        )
        return made.workload(self.queries, given.progress)
