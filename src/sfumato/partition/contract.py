"""What a partitioner is: it decides how many rows of each tuple share a group, and nothing about how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sfumato.fit import Fit
from sfumato.loss.contract import Loss, column_means
from sfumato.models.contract import Groups, Model
from sfumato.progress import Progress, silent
from sfumato.randomness import Randomness
from sfumato.table.domain import Domain, SetDomain
from sfumato.table.tuples import Columns, Tuples

if TYPE_CHECKING:
    from sfumato.policy.methods import Method

__all__ = ["Chooser", "Partition", "Partitioner", "Rate", "Recoding", "Task"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


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

    def blank(self, column: Domain) -> NDArray[np.bool_]:
        """Which groups show `*`, in a column without a taxonomy."""
        if column.name in self.shown:
            return np.asarray(self.shown[column.name] < 0)
        first, last = self.spans[column.name]
        return np.asarray((last - first == column.size - 1) & (column.size > 1))

    def span(self, column: Domain) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first and the last code of what every group shows."""
        if column.name in self.spans:
            return self.spans[column.name]
        shown = self.shown[column.name]
        if column.taxonomy is not None:
            return column.taxonomy.first[shown], column.taxonomy.last[shown]
        return np.where(shown < 0, 0, shown), np.where(shown < 0, column.size - 1, shown)


@dataclass(frozen=True, eq=False)
class Partition:
    """How many rows of each tuple go to which group: a part is `counts` rows of a tuple that share everything.

    Parts are in ascending order of their tuples, and make up all rows of each.

    tuples      the tuple of every part
    groups      its group, from 0 on without gaps; -1 for suppressed rows
    counts      its rows
    recoding    what groups show, if the algorithm chose it
    edits       per sensitive column that the algorithm generalized, a node of its taxonomy for every part
    terms       per quasi-sensitive column of which terms are suppressed, whether each term stays: part after part in
                one line, each part's in the order of its set (`SetDomain.offsets` says where a part begins)
    notes       what the holder should know of how it was found
    """

    tuples: Ints
    groups: Ints
    counts: Ints
    recoding: Recoding | None = None
    edits: Mapping[str, Ints] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    terms: Mapping[str, Flags] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        table: Tuples,
        labels: Ints,
        recoding: Recoding | None = None,
        edits: Mapping[str, Ints] | None = None,
        notes: tuple[str, ...] = (),
    ) -> Partition:
        """All rows of a tuple in one group. Labels and edits are of tuples."""
        return cls(np.arange(len(table)), labels, table.counts, recoding, edits or {}, notes)

    @classmethod
    def of_each(
        cls,
        table: Tuples,
        labels: Ints,
        recoding: Recoding | None = None,
        edits: Mapping[str, Ints] | None = None,
        notes: tuple[str, ...] = (),
        terms: Mapping[str, Flags] | None = None,
    ) -> Partition:
        """Every row by itself. Labels, edits and terms are of the rows of `table.each()`."""
        ones = np.ones(len(labels), dtype=np.int64)
        return cls(table.of_each, labels, ones, recoding, edits or {}, notes, terms or {})

    @property
    def labels(self) -> Ints:
        """The group of every row of `table.each()`."""
        return self.groups if (self.counts == 1).all() else np.repeat(self.groups, self.counts)

    def edits_of_each(self, name: str) -> Ints:
        """The nodes of a generalized column for every row of `table.each()`."""
        return np.repeat(self.edits[name], self.counts)

    def terms_of_each(self, domain: SetDomain, table: Tuples) -> Flags | None:
        """Whether each term stays, for the rows of `table.each()` one after the other; None: all do."""
        if domain.name not in self.terms:
            return None
        begins = domain.offsets(table.codes[domain.name][self.tuples])
        lengths = np.repeat(np.diff(begins), self.counts)
        ends = np.cumsum(lengths)
        places = np.arange(int(lengths.sum())) + np.repeat(
            np.repeat(begins[:-1], self.counts) - ends + lengths, lengths
        )
        return np.asarray(self.terms[domain.name][places])

    def edited_mean(self, column: Domain, loss: Loss) -> float:
        """The mean cost of a sensitive column's cells: of generalized values what they cost, of suppressed rows 1."""
        tree, shown = column.taxonomy, self.groups >= 0
        if column.name not in self.edits or tree is None:
            return self.suppressed / max(int(self.counts.sum()), 1)
        nodes = self.edits[column.name][shown]
        cells = loss.cost(column, tree.first[nodes], tree.last[nodes], tree.leaf_counts[nodes])
        return float(column_means([cells], self.counts[shown], self.suppressed)[0])

    @property
    def suppressed(self) -> int:
        """Rows that no group could take."""
        return int(self.counts[self.groups < 0].sum())


@dataclass(frozen=True, eq=False)
class Task:
    """The counted tuples of a table, the promise to keep on it, what to lose least of and how much may be left out.

    limit    largest share of rows that may be suppressed
    keep     whether suppressed rows stay as one class of `*`
    edits    whether sensitive values may be generalized, by an algorithm that does so
    missed   where the form shows who is missing: what these have to keep as a class of their own
    recodes  whether groups show what the algorithm chooses for them, so that several may look the same to a reader
    blank    per quasi-identifier that has one, the largest share of published rows that may show `*` there
    exact    whether the form shows quasi-identifiers as they are, whatever the groups: lost is whose value is whose
    """

    table: Tuples
    model: Model
    loss: Loss
    randomness: Randomness
    progress: Progress = silent
    limit: Fraction = Fraction(0)
    keep: bool = False
    edits: bool = True
    missed: Model | None = None
    blank: Mapping[str, Fraction] = field(default_factory=dict)
    recodes: bool = True
    exact: bool = False

    def each(self) -> Task:
        """The same task with rows one by one, for an algorithm that looks at each."""
        return replace(self, table=self.table.each())

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


Rate = Callable[[Partition], float]
"""What a release of these groups would lose, beside others of the same task; `NoneFound` if it would be none."""


@runtime_checkable
class Chooser(Partitioner, Protocol):
    """An algorithm that runs others, and keeps the best of what they find.

    Whoever publishes knows best what a release loses, and hands it a way to tell. As a mere `Partitioner`, below steps,
    it goes by what a generalized table would lose, and makes it short.
    """

    def among(self, make: Callable[[Method], Partitioner]) -> Self:
        """The same for a table: `make` makes the algorithm of some settings, with its steps."""
        ...

    def chosen(self, task: Task, rate: Rate) -> Partition:
        """As `partition`, with the least of what `rate` says."""
        ...
