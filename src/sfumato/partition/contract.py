"""What a partitioner is: it decides which rows share a group, and nothing about how a group is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.fit import Fit
from sfumato.measure.loss import Loss
from sfumato.models.contract import Columns, Groups, Model
from sfumato.randomness import Randomness
from sfumato.table.coded import CodedColumn, CodedTable

__all__ = ["Partition", "Partitioner", "Progress", "Recoding", "Task", "silent"]

Progress = Callable[[str, int, int], None]
"""Called with a stage (how it goes may follow a colon), the rows that are done and the rows in all."""


def silent(stage: str, done: int, total: int) -> None:
    """No progress shown."""


@dataclass(frozen=True, eq=False)
class Recoding:
    """What an algorithm chose to show, instead of the least that covers a group.

    Every quasi-identifier is either in `shown` or, without a taxonomy, in `spans`.

    shown     what every group shows: a node of the taxonomy; without one a code, or -1 for `*`
    levels    per quasi-identifier, the one level that all rows show, and the highest there is; empty: not full-domain
    spans     the first and the last code of what every group shows: a value, an interval or set of values, or `*`
    """

    shown: Mapping[str, NDArray[np.int64]]
    levels: Mapping[str, tuple[int, int]]
    spans: Mapping[str, tuple[NDArray[np.int64], NDArray[np.int64]]] = field(default_factory=dict)

    def blank(self, column: CodedColumn) -> NDArray[np.bool_]:
        """Which groups show `*`, in a column without a taxonomy."""
        if column.name in self.shown:
            return np.asarray(self.shown[column.name] < 0)
        first, last = self.spans[column.name]
        return np.asarray((last - first == column.size - 1) & (column.size > 1))

    def span(self, column: CodedColumn) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first and the last code of what every group shows."""
        if column.name in self.spans:
            return self.spans[column.name]
        shown = self.shown[column.name]
        if column.taxonomy is not None:
            return column.taxonomy.first[shown], column.taxonomy.last[shown]
        return np.where(shown < 0, 0, shown), np.where(shown < 0, column.size - 1, shown)


@dataclass(frozen=True, eq=False)
class Partition:
    """A group label per row, from 0 on without gaps; -1 for a suppressed row.

    recoding    what groups show, if the algorithm chose it
    edits       per sensitive column that the algorithm generalized, a node of its taxonomy for every row
    terms       per quasi-sensitive column of which terms are suppressed, whether each term stays: row after row in one
                line, each row's in the order of its set (`SetColumn.offsets` says where a row begins)
    notes       what the holder should know of how it was found
    """

    labels: NDArray[np.int64]
    recoding: Recoding | None = None
    edits: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    terms: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)

    @property
    def suppressed(self) -> int:
        return int((self.labels < 0).sum())


@dataclass(frozen=True, eq=False)
class Task:
    """A table, the promise to keep on it, what to lose least of and how much may be left out.

    limit    largest share of rows that may be suppressed
    keep     whether suppressed rows stay as one class of `*`
    edits    whether sensitive values may be generalized, by an algorithm that does so
    missed   where the form shows who is missing: what these have to keep as a class of their own
    blank    per quasi-identifier that has one, the largest share of published rows that may show `*` there
    """

    table: CodedTable
    model: Model
    loss: Loss
    randomness: Randomness
    progress: Progress = silent
    limit: Fraction = Fraction(0)
    keep: bool = False
    edits: bool = True
    missed: Model | None = None
    blank: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def alone(self) -> Model | None:
        """What suppressed rows have to keep as a class of their own, if anything."""
        return self.model if self.keep else self.missed

    @property
    def statistics(self) -> tuple[Columns, ...]:
        """The counts by which groups and what is left out are judged."""
        models = (self.model,) if self.alone is None else (self.model, self.alone)
        return tuple(dict.fromkeys(columns for model in models for columns in model.statistics if columns))

    @property
    def unless_alone(self) -> str:
        """The remedy where they do not."""
        if self.missed is not None:
            return "publish generalized: this form shows who is missing"
        return "set suppression.keep to false"

    def require_feasible(self) -> None:
        """Raise `Infeasible` if no grouping of all rows keeps the promise; for algorithms that suppress none."""
        statistics = tuple(columns for columns in self.model.statistics if columns)
        self.model.require_feasible(Groups.whole(self.table, statistics))


class Partitioner(Protocol):
    """An algorithm with its options."""

    def fit(self, model: Model) -> Fit:
        """Whether this algorithm can serve the model."""
        ...

    def partition(self, task: Task) -> Partition:
        """Groups of which each keeps the promise; `NoneFound` if it finds none."""
        ...
