"""Rows that are to be grouped with rows that differ from them: who can take part, and what a finished grouping owes.

Of values with n_i rows at most the largest g with Σ min(n_i, g) ≥ g·l groups of l rows can be made, and a value finds
places for g of its rows. All rows find one iff no value has more than ⌊n/l⌋; otherwise the rows above g are suppressed,
chosen by secret chance, as far as the policy allows. That is the least that any method must leave out.

Rows of several sensitive columns, or of persons, must differ in all of them. Then no such count is exact: what the
algorithm finds no place for is counted at the end. If it is too much it joins other groups where the promise allows
that (`leftover`), or the run is refused.

Y. Ye et al., BSGI: An Effective Algorithm towards Stronger l-Diversity, 2008, Theorems 1 and 2, Corollary 1,
doi:10.1007/978-3-540-85654-2_3
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import NoneFound
from sfumato.exact import as_text
from sfumato.models.contract import Groups
from sfumato.partition.chance import content_keys
from sfumato.partition.contract import Partition, Task
from sfumato.partition.leftover import settled
from sfumato.partition.uniform import Uniform
from sfumato.policy.promise import Promise
from sfumato.table.tuples import Tuples

__all__ = ["Apart", "most_groups"]

Ints = NDArray[np.int64]


def most_groups(counts: Ints, size: int) -> int:
    """How many groups of so many different values can be made.

    >>> most_groups(np.array([5, 2, 2]), 2), most_groups(np.array([5, 2, 2]), 3), most_groups(np.array([3, 1]), 2)
    (4, 2, 1)
    """
    low, high = 0, int(counts.sum()) // size
    while low < high:
        middle = (low + high + 1) // 2
        if int(np.minimum(counts, middle).sum()) >= middle * size:
            low = middle
        else:
            high = middle - 1
    return low


@dataclass(frozen=True, eq=False)
class Apart:
    """The rows that take part, one by one.

    task       with rows one by one

    counted    the table as it was given
    size       rows in a group, at least
    exactly    not one more
    rows       which rows of the table
    values     their codes in the column with the most frequent value
    others     their codes in all other columns in which they must differ
    groups     as many as can be made if there are no others
    notes      what the holder should know of rows that do not take part
    """

    task: Task
    counted: Tuples
    size: int
    exactly: bool
    rows: Ints
    values: NDArray[np.int32]
    others: NDArray[np.int32]
    groups: int
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, task: Task) -> Apart:
        """For a model that `fit_uniform` accepts; `NoneFound` if too many rows cannot take part."""
        task, counted = task.each(), task
        wanted = Uniform.of(task)
        columns = [wanted.values, *wanted.others.T]
        every = [np.bincount(column).astype(np.int64, copy=False) for column in columns]
        fullest = int(np.argmax([counts.max(initial=0) for counts in every]))
        values, counts = columns.pop(fullest), every[fullest]
        others = np.ascontiguousarray(np.stack(columns, axis=1) if columns else wanted.others)
        groups = most_groups(counts, wanted.size)
        left = int(np.maximum(counts - groups, 0).sum())
        if wanted.exactly:
            left = task.table.rows - groups * wanted.size
        rows = np.arange(task.table.rows)
        found = cls(task, counted.table, wanted.size, wanted.exactly, rows, values, others, groups)
        if not groups or left > task.limit * task.table.rows:
            raise found._too_many(left)
        excess = np.maximum(counts - groups, 0)
        if not excess.any():
            return found
        told = task.table.person is None or fullest < len(columns)  # which rows are in excess says what their value is
        return found._without(excess, told)

    def chance(self) -> NDArray[np.uint64]:
        """A secret number for every row, equal for equal rows."""
        keys = content_keys(self.task.table, self.task.randomness, "rows apart")
        return keys if len(keys) == len(self.rows) else keys[self.rows]

    def chance_of_counted(self) -> NDArray[np.uint64]:
        """The same number, once for all rows that are equal."""
        return content_keys(self.counted, self.task.randomness, "rows apart")

    def finished(self, labels: Ints, notes: tuple[str, ...] = ()) -> Partition:
        """Labels of the rows that take part, as a partition; `NoneFound` if they leave out too many."""
        whole = labels
        if len(labels) < self.task.table.rows:
            whole = np.full(self.task.table.rows, -1, dtype=np.int64)
            whole[self.rows] = labels
        suppressed = int((whole < 0).sum())
        found = settled(self.task, whole)
        if found is not None:
            out = self.notes if (found[0] < 0).any() else ()
            return Partition.of_each(self.counted, found[0], notes=(*notes, *out, *filter(None, found[1:])))
        if suppressed == len(whole) or suppressed > self.task.limit * len(whole):
            raise self._too_many(suppressed)
        raise NoneFound(
            f"{self.task.model.promise}: the {suppressed} suppressed rows do not keep it as a class of their own;"
            f" {self.task.unless_alone}, or promise less"
        )

    def _without(self, excess: Ints, told: bool) -> Apart:
        """Fewer rows: of every value as many less as are in excess; told: these are sensitive values."""
        count = int(excess.sum())
        if told and self.task.missed is not None:
            raise NoneFound(
                f"{self.task.model.promise}: {count} rows of too frequent values would have to be left out, and this"
                " form shows who is missing, which gives their value away. Publish generalized, or promise less",
                self._nearest(self.task.table.rows // int(np.bincount(self.values).max())),
            )
        note = (
            f"{count} rows of too frequent values were left out: who knows that a person is in the table and finds no"
            " row for them can guess the value"
        )
        order = np.lexsort((self.chance(), self.values))
        starts = np.concatenate(([0], np.cumsum(np.bincount(self.values))))
        sorted_values = self.values[order]
        place = np.arange(len(order)) - starts[sorted_values]
        kept = np.sort(order[place >= excess[sorted_values]])
        return replace(
            self,
            rows=self.rows[kept],
            values=self.values[kept],
            others=self.others[kept],
            notes=(note,) if told else (),
        )

    def _too_many(self, left: int) -> NoneFound:
        rows = self.task.table.rows
        top = int(np.bincount(self.values).max(initial=0))
        what = "value" if self.task.table.person is None else "value or person"
        reason = (
            f"{self.task.model.promise}: {left} of {rows} rows find no place in groups of {self.size} rows that all"
            f" differ, and the policy allows to suppress a share of {as_text(self.task.limit)}; the most frequent"
            f" {what} fills {top} rows. Raise suppression.limit, or promise less"
        )
        return NoneFound(reason, self._nearest(rows // top if top else 0))

    def _nearest(self, best: int) -> Promise | None:
        """The largest l for which every row finds a place, where there is one."""
        if best < 2 or best >= self.size or self.others.shape[1]:
            return None
        statistics = tuple(columns for columns in self.task.model.statistics if columns)
        return self.task.model.uniform_nearest(best, Groups.whole(self.task.table, statistics))
