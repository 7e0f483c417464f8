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
from sfumato.table.domain import Domain, SetDomain
from sfumato.table.tally import Tally
from sfumato.table.tuples import Columns, Tuples

__all__ = ["Columns", "Facts", "Groups", "Histogram", "Model", "concerned", "speaks_of_several"]


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts of values in every group, as runs: group g owns ``values[starts[g]:starts[g+1]]``, all counts positive.

    Values within a group are in ascending order.
    """

    starts: NDArray[np.int64]
    values: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(
        cls, labels: NDArray[np.int64], codes: NDArray[np.integer[Any]], counts: NDArray[np.int64], groups: int
    ) -> Histogram:
        """Count codes by group label, each for so many rows; what is labelled -1 belongs to no group."""
        kept = labels >= 0
        span = int(codes.max(initial=0)) + 1
        keys, sums = _summed(labels[kept].astype(np.int64) * span + codes[kept], counts[kept])
        starts = np.searchsorted(keys, np.arange(groups + 1, dtype=np.int64) * span)
        return cls(starts.astype(np.int64), keys % span, sums)

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

    def regrouped(self, owner: NDArray[np.int64], groups: int) -> Histogram:
        """The same counts with every group part of another one; those of -1 are left out."""
        mine = np.repeat(owner, np.diff(self.starts))
        return Histogram.of(mine, self.values, self.counts, groups)

    def only(self, group: int) -> Histogram:
        """One of the groups."""
        return self.regrouped(np.where(np.arange(self.groups) == group, 0, -1).astype(np.int64), 1)


def _summed(keys: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different keys in ascending order, and the sum of the counts of each."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    sums = np.add.reduceat(counts[order], first) if len(first) else counts[:0]
    return keys[first], sums.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Groups:
    """Many groups of rows, as the counts that models judge."""

    sizes: NDArray[np.int64]
    histograms: Mapping[Columns, Histogram] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Tuples, labels: NDArray[np.int64], statistics: Sequence[Columns]) -> Groups:
        """Count tuples by the group that all rows of each belong to."""
        return cls.of_parts(table, np.arange(len(table)), labels, table.counts, statistics)

    @classmethod
    def of_parts(
        cls,
        table: Tuples,
        tuples: NDArray[np.int64],
        labels: NDArray[np.int64],
        counts: NDArray[np.int64],
        statistics: Sequence[Columns],
    ) -> Groups:
        """Count so many rows of each of some tuples by group."""
        groups, kept = int(labels.max(initial=-1)) + 1, labels >= 0
        sizes = np.zeros(groups, dtype=np.int64)
        np.add.at(sizes, labels[kept], counts[kept])
        wanted = {
            columns: Histogram.of(labels, table.counted_by(columns)[tuples], counts, groups) for columns in statistics
        }
        return cls(sizes, wanted)

    @classmethod
    def of_counts(cls, column: str, rows: Sequence[Mapping[int, int]]) -> Groups:
        """From one mapping of code to count per group, for one column."""
        sizes = np.array([sum(row.values()) for row in rows], dtype=np.int64)
        return cls(sizes, {(column,): Histogram.of_counts(rows)})

    @classmethod
    def whole(cls, table: Tally, statistics: Sequence[Columns]) -> Groups:
        """The table as one group, also when it has no rows."""
        histograms = {}
        for columns in statistics:
            counted = table.count(columns)
            values = counted.codes[0] if len(columns) == 1 else np.arange(len(counted.counts))
            histograms[columns] = Histogram(np.array([0, len(values)]), values, counted.counts)
        return cls(np.array([table.rows]), histograms)

    def __add__(self, other: Groups) -> Groups:
        """The same groups, counted in two parts of a table."""
        if len(self.sizes) != len(other.sizes):
            raise ValueError(f"{len(self.sizes)} and {len(other.sizes)} groups cannot be the same ones")
        count = len(self.sizes)
        both = np.tile(np.arange(count), 2)
        return self.beside(other).regrouped(both, count)

    def beside(self, other: Groups) -> Groups:
        """These groups and others, one after the other; the statistics that both have."""
        histograms = {
            columns: Histogram(
                np.concatenate((mine.starts, other[columns].starts[1:] + mine.starts[-1])),
                np.concatenate((mine.values, other[columns].values)),
                np.concatenate((mine.counts, other[columns].counts)),
            )
            for columns, mine in self.histograms.items()
            if columns in other.histograms
        }
        return Groups(np.concatenate((self.sizes, other.sizes)), histograms)

    def regrouped(self, owner: NDArray[np.int64], groups: int) -> Groups:
        """The same counts with every group part of another one; those of -1 are left out."""
        sizes = np.zeros(groups, dtype=np.int64)
        np.add.at(sizes, owner[owner >= 0], self.sizes[owner >= 0])
        return Groups(sizes, {columns: each.regrouped(owner, groups) for columns, each in self.histograms.items()})

    def __getitem__(self, columns: Columns) -> Histogram:
        return self.histograms[columns]

    def merged(self, which: NDArray[np.bool_]) -> Groups:
        """Some of the groups as one."""
        return self.regrouped(np.where(which, 0, -1).astype(np.int64), 1)

    def only(self, group: int) -> Groups:
        """One of the groups."""
        return self.merged(np.arange(len(self.sizes)) == group)


@dataclass(frozen=True, eq=False)
class Facts:
    """What a model may know of the whole original table before any search: its secret columns and their counts.

    A code may have the count 0: a leaf of the taxonomy that no row has, or a value that only rows have which were
    dropped before the search. Groups of such rows are judged too.
    """

    rows: int
    columns: Mapping[str, Domain]
    joint: Mapping[Columns, NDArray[np.int64]] = field(default_factory=dict)
    sets: Mapping[str, SetDomain] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Tuples) -> Facts:
        """The facts of a table; several sensitive columns also get their table of combinations."""
        names = tuple(column.name for column in table.sensitive)
        joint = {names: np.stack(table.count(names).codes, axis=1)} if len(names) > 1 else {}
        return cls(
            table.rows,
            {column.name: column for column in table.sensitive},
            joint,
            {column.name: column for column in table.sets},
        )

    def set_column(self, on: str | None) -> SetDomain:
        """The quasi-sensitive column of that name; None: the only one."""
        names = ", ".join(map(repr, self.sets)) or "none"
        if on is not None:
            if on in self.sets:
                return self.sets[on]
            raise Refused(f"column {on!r} is not a quasi-sensitive column of this table; there are: {names}")
        if len(self.sets) != 1:
            raise Refused(f"which quasi-sensitive column? the table has {len(self.sets)}: {names}; name one with 'on'")
        return next(iter(self.sets.values()))

    def column(self, on: str | None) -> Domain:
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
