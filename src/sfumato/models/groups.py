"""Groups of rows as models see them: counts, which add up when groups merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.table.tally import Tally
from sfumato.table.tuples import Columns, Tuples

__all__ = ["Groups", "Histogram"]


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
