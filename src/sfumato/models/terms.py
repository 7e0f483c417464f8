"""What models of one quasi-sensitive column have in common.

Their statistic is the histogram of sets of terms, which adds up when groups merge. What a group is judged by follows
from it: every row whose terms can stand for labels spreads one unit of mass over them, and any other row is unlinked.
Unlinked rows add to no label and never count as diversity; a group of nothing else betrays nobody, and keeps every
promise.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.knowledge.belief import LabelPromise, Mass
from sfumato.knowledge.judge import Judgement, group_mass, judge
from sfumato.models.contract import Columns, Facts, Groups, Model, TermsAsked
from sfumato.table.domain import SetDomain

__all__ = ["OfTerms"]


@dataclass(frozen=True, eq=False)
class OfTerms(Model):
    """A model that judges the labels that the terms of a column may stand for.

    asked    the promise as the search for terms to suppress takes it
    """

    promise: Any
    column: SetDomain
    asked: LabelPromise

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        column = facts.set_column(promise.on)
        return cls(promise, column, cls.asking(promise, column))

    @staticmethod
    @abstractmethod
    def asking(promise: Any, column: SetDomain) -> LabelPromise:
        """The promise on that column, with what it is compared with."""

    @property
    def terms_asked(self) -> TermsAsked:
        return TermsAsked(self.column, self.asked)

    @property
    def statistics(self) -> tuple[Columns, ...]:
        return ((self.column.name,),)

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        return (groups.sizes > 0) & self.judged(groups).holds

    def judged(self, groups: Groups) -> Judgement:
        """Whether groups keep it, and their linked and unlinked rows."""
        histogram = groups[(self.column.name,)]
        members = np.repeat(histogram.values, histogram.counts)
        sums = np.concatenate(([0], np.cumsum(histogram.counts)))
        ends = sums[histogram.starts].astype(np.int64)
        return judge(self.asked, self.column.told, self.column.terms, self.column.links, ends, members)

    def mass(self, groups: Groups, group: int = 0) -> Mass:
        """The exact mass of one group."""
        values, counts = groups[(self.column.name,)].row(group)
        return group_mass(self.column.told, self.column.terms, self.column.links, np.repeat(values, counts).tolist())

    def obstacle(self, whole: Groups) -> str:
        mass = self.mass(whole)
        top = float(mass.parts.max() / (mass.scale * mass.linked)) if mass.linked else 0.0
        rows = mass.linked + mass.unlinked
        return (
            f"by column {self.column.name!r} {mass.linked} of {rows} rows are linked to {len(mass.labels)} labels, the"
            f" likeliest believed with {top:.4g}"
        )
