"""What a model is: a promise that judges counts, and nothing but counts.

A model declares the additive statistic that it needs: a histogram of one sensitive column, or a joint histogram of
several. It is handed `Groups`, many at a time, and answers for each of them. Counts add up when groups merge, so the
same model serves a Mondrian split, a lattice node, a chunk of a file and a distributed reduction.

Declarations (`survives_merging`, `uniform_l`) steer the search. Soundness never rests on them: the auditor judges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import Infeasible, Refused
from sfumato.policy.promises import Promise
from sfumato.table.coded import CodedColumn, CodedTable, SetColumn

__all__ = ["Columns", "Facts", "Groups", "Histogram", "Model", "concerned", "speaks_of_several"]

Columns = tuple[str, ...]
"""Which statistic: the sensitive columns counted together. Empty: sizes are enough."""


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts of values in every group, as runs: group g owns ``values[starts[g]:starts[g+1]]``, all counts positive.

    Values within a group are in ascending order.
    """

    starts: NDArray[np.int64]
    values: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of_rows(cls, labels: NDArray[np.int64], codes: NDArray[np.int32], groups: int) -> Histogram:
        """Count the codes of rows by group label; rows labelled -1 belong to no group."""
        kept = labels >= 0
        span = int(codes.max(initial=0)) + 1
        keys, counts = np.unique(labels[kept].astype(np.int64) * span + codes[kept], return_counts=True)
        starts = np.searchsorted(keys, np.arange(groups + 1, dtype=np.int64) * span)
        return cls(starts.astype(np.int64), keys % span, counts.astype(np.int64))

    @classmethod
    def of_counts(cls, rows: Sequence[Mapping[int, int]]) -> Histogram:
        """From one mapping of code to count per group."""
        runs = [sorted((value, count) for value, count in row.items() if count) for row in rows]
        starts = np.cumsum([0, *map(len, runs)], dtype=np.int64)
        flat = [pair for run in runs for pair in run]
        return cls(
            starts,
            np.array([value for value, _ in flat], dtype=np.int64),
            np.array([count for _, count in flat], dtype=np.int64),
        )

    @property
    def groups(self) -> int:
        return len(self.starts) - 1

    def row(self, group: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Values and counts of one group."""
        part = slice(self.starts[group], self.starts[group + 1])
        return self.values[part], self.counts[part]

    def merged(self, which: NDArray[np.bool_]) -> Histogram:
        """Some of the groups as one."""
        mine = np.repeat(which, np.diff(self.starts))
        values, place = np.unique(self.values[mine], return_inverse=True)
        counts = np.zeros(len(values), dtype=np.int64)
        np.add.at(counts, place, self.counts[mine])
        return Histogram(np.array([0, len(values)], dtype=np.int64), values, counts)

    def only(self, group: int) -> Histogram:
        """One of the groups."""
        values, counts = self.row(group)
        return Histogram(np.array([0, len(values)], dtype=np.int64), values, counts)


@dataclass(frozen=True, eq=False)
class Groups:
    """Many groups of rows, as the counts that models judge."""

    sizes: NDArray[np.int64]
    histograms: Mapping[Columns, Histogram] = field(default_factory=dict)

    @classmethod
    def of_rows(cls, table: CodedTable, labels: NDArray[np.int64], statistics: Sequence[Columns]) -> Groups:
        """Count a labelled table."""
        groups = int(labels.max(initial=-1)) + 1
        sizes = np.bincount(labels[labels >= 0], minlength=groups).astype(np.int64)
        wanted = {columns: Histogram.of_rows(labels, table_codes(table, columns), groups) for columns in statistics}
        return cls(sizes, wanted)

    @classmethod
    def of_counts(cls, column: str, rows: Sequence[Mapping[int, int]]) -> Groups:
        """From one mapping of code to count per group, for one column."""
        sizes = np.array([sum(row.values()) for row in rows], dtype=np.int64)
        return cls(sizes, {(column,): Histogram.of_counts(rows)})

    @classmethod
    def whole(cls, table: CodedTable, statistics: Sequence[Columns]) -> Groups:
        """The table as one group, also when it has no rows."""
        groups = cls.of_rows(table, np.zeros(table.rows, dtype=np.int64), statistics)
        return (
            groups if table.rows else cls(np.zeros(1, np.int64), dict.fromkeys(statistics, Histogram.of_counts([{}])))
        )

    def __getitem__(self, columns: Columns) -> Histogram:
        return self.histograms[columns]

    def merged(self, which: NDArray[np.bool_]) -> Groups:
        """Some of the groups as one."""
        return Groups(
            self.sizes[which].sum(keepdims=True),
            {columns: histogram.merged(which) for columns, histogram in self.histograms.items()},
        )

    def only(self, group: int) -> Groups:
        """One of the groups."""
        return Groups(
            self.sizes[group : group + 1],
            {columns: histogram.only(group) for columns, histogram in self.histograms.items()},
        )


def table_codes(table: CodedTable, columns: Columns) -> NDArray[np.int32]:
    """The code per row that a statistic counts."""
    return table[columns[0]].codes if len(columns) == 1 else table.joint(columns)[0]


@dataclass(frozen=True, eq=False)
class Facts:
    """What a model may know of the whole original table before any search: its secret columns and their counts.

    A code may have the count 0: a leaf of the taxonomy that no row has, or a value that only rows have which were
    dropped before the search. Groups of such rows are judged too.
    """

    rows: int
    columns: Mapping[str, CodedColumn]
    joint: Mapping[Columns, NDArray[np.int32]] = field(default_factory=dict)
    sets: Mapping[str, SetColumn] = field(default_factory=dict)

    @classmethod
    def of(cls, table: CodedTable) -> Facts:
        """The facts of a table; several sensitive columns also get their table of combinations."""
        names = tuple(column.name for column in table.sensitive)
        joint = {names: table.joint(names)[1]} if len(names) > 1 else {}
        return cls(
            table.rows,
            {column.name: column for column in table.sensitive},
            joint,
            {column.name: column for column in table.sets},
        )

    def set_column(self, on: str | None) -> SetColumn:
        """The quasi-sensitive column of that name; None: the only one."""
        names = ", ".join(map(repr, self.sets)) or "none"
        if on is not None:
            if on in self.sets:
                return self.sets[on]
            raise Refused(f"column {on!r} is not a quasi-sensitive column of this table; there are: {names}")
        if len(self.sets) != 1:
            raise Refused(f"which quasi-sensitive column? the table has {len(self.sets)}: {names}; name one with 'on'")
        return next(iter(self.sets.values()))

    def column(self, on: str | None) -> CodedColumn:
        """The sensitive column of that name; None: the only one."""
        names = ", ".join(map(repr, self.columns)) or "none"
        if on is not None:
            if on not in self.columns:
                raise Refused(f"column {on!r} is not a sensitive column of this table; there are: {names}")
            return self.columns[on]
        if len(self.columns) != 1:
            count = len(self.columns)
            raise Refused(f"which sensitive column? the table has {count}: {names}; name one with 'on'")
        return next(iter(self.columns.values()))


class Model(Protocol):
    """A promise bound to the facts of one table. Subclass it; the defaults suit a model that survives merging.

    survives_merging    the union of two groups that keep it keeps it
    higher_is_better    a group with a higher `level` is safer
    uniform_exactly     one row more than `uniform_l`, all different, does not keep it
    counts_rows         it promises rows that quasi-identifiers do not tell apart, so a form must not show these
    counts_induced      a generalized value counts for those it may stand for, so that generalizing some may keep it

    An empty group keeps no promise.
    """

    promise: Any
    survives_merging: bool = True
    higher_is_better: bool = True
    uniform_exactly: bool = False
    counts_rows: bool = False
    counts_induced: bool = False

    @classmethod
    def bind(cls, promise: Any, facts: Facts) -> Self:
        """The model of a promise on one table; `Refused` if it cannot be asked of these columns."""
        ...

    @property
    def conjuncts(self) -> tuple[Model, ...]:
        """The models that it joins; itself if it joins none."""
        return (self,)

    @property
    def statistics(self) -> tuple[Columns, ...]:
        """The counts it needs; sizes always come along."""
        ...

    def holds(self, groups: Groups) -> NDArray[np.bool_]:
        """Which groups keep the promise. Exact, also at the boundary."""
        ...

    def level(self, groups: Groups) -> NDArray[np.float64]:
        """How far each group goes: the parameter it reaches, `inf` or 0 where none does. A float, for people."""
        ...

    def distinct_l(self) -> int:
        """A number of different values that every group which keeps the promise has at least."""
        return 1

    def least_rows(self) -> int:
        """A number of rows that every group which keeps the promise has at least."""
        return self.distinct_l()

    def hopeless(self, groups: Groups) -> NDArray[np.bool_]:
        """Groups of which no part keeps the promise, however it is cut; some, not need be all of them."""
        return groups.sizes < self.least_rows()

    def uniform_l(self) -> int | None:
        """The least L such that L rows with pairwise different values keep the promise, or None."""
        return None

    def relaxed(self) -> Promise | None:
        """For a model that does not survive merging: one that does, implied by it, to search with."""
        return None

    def attainable(self, groups: Groups) -> NDArray[np.bool_]:
        """Which groups, each for itself, can be cut into groups that all keep the promise.

        Where the promise survives merging, those that keep it uncut.
        """
        return self.holds(groups)

    def out_of_reach(self, allowed: int) -> str | None:
        """Why no release keeps it, however values are generalized or terms suppressed; None: not known.

        `allowed` is how many rows may be left out.
        """
        return None

    def nearest(self, whole: Groups) -> Promise | None:
        """The strongest promise of the same kind that is attainable for the first group, the whole table."""
        return None

    def obstacle(self, whole: Groups) -> str:
        """What of the whole table stands against the promise: counts, never values."""
        return f"it has {int(whole.sizes[0])} rows"

    def require_feasible(self, whole: Groups) -> None:
        """Raise `Infeasible` if no grouping of all rows, values as they are, keeps the promise.

        `whole` is the table as one group.
        """
        if not bool(self.attainable(whole)[0]):
            reason = f"{self.promise}: no grouping of all {int(whole.sizes[0])} rows keeps it: {self.obstacle(whole)}"
            raise Infeasible(reason, self.nearest(whole))


def concerned(model: Model, which: Callable[[Model], bool], one: str = "", several: str = "") -> str:
    """The names of the promises that a model joins and that are concerned, and a verb for one or several of them.

    All of them where none is by itself.
    """
    mine = [part.promise.title for part in model.conjuncts if which(part)]
    names = list(dict.fromkeys(mine or [part.promise.title for part in model.conjuncts]))
    return f"{' and '.join(names)} {one if len(names) == 1 else several}".rstrip()


def speaks_of_several(model: Model) -> bool:
    """Whether it counts values of several sensitive columns together."""
    return any(len(columns) > 1 for columns in model.statistics)
