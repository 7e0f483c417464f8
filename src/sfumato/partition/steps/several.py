"""Refinement where rows must differ in several columns: sensitive ones, and whose they are.

To the rows of a group a person is one more column to differ in. The rows of one person are often alike, so that they
share a block; a block that cannot be cut is then cut together with its neighbours: with one, with three, with seven,
at last with all. A block that keeps the promise as it is, and holds no two rows of one person, may stay whole where the
promise survives merging. What not even the whole table allows is left to dealing without a look at quasi-identifiers,
which suppresses within the limit.

Guarantee: groups differ in every sensitive column that the promise speaks of, or are whole blocks; all of them, and the
class of kept suppressed rows, hold different persons.

Complexity: that of refinement, times the logarithm of the number of blocks at worst.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import NoneFound
from sfumato.models.contract import Groups
from sfumato.partition.apart.anatomy import dealt_to_others
from sfumato.partition.contract import Partition, Task
from sfumato.partition.uniform import Uniform, persons_twice, without_gaps
from sfumato.table.tuples import Tuples
from sfumato.table.words import counted

__all__ = ["refined_apart"]

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]
Flags = NDArray[np.bool_]


def refined_apart(task: Task, table: Tuples, labels: Ints, notes: tuple[str, ...], keys: Keys) -> Partition:
    """The groups cut; `keys` are secret numbers of rows, the same for rows that hold the same.

    The task has the rows of the table one by one, and so has `labels`.
    """
    cut = _ManyCut(task, Uniform.of(task), labels, keys, np.zeros(task.table.rows, dtype=np.bool_))
    groups = cut.cut()
    if groups is None:
        note = "rows that must differ left no way but to deal them without a look at quasi-identifiers"
        dealt = dealt_to_others(task)
        return Partition.of_each(table, dealt.labels, notes=(*notes, *dealt.notes, note))
    if task.alone is not None and persons_twice(np.where(groups < 0, 0, -1).astype(np.int64), task.table.person).any():
        raise NoneFound(
            f"{task.model.promise}: the {int((groups < 0).sum())} suppressed rows as one class would hold several rows"
            f" of one person; {task.unless_alone}, or promise less"
        )
    whole = len(np.unique(groups[cut.whole]))
    if whole:
        notes += (f"{counted(whole, 'group')} left whole, which cannot be cut into groups of different values",)
    return Partition.of_each(table, without_gaps(groups), notes=notes)


@dataclass(eq=False)
class _ManyCut:
    """Blocks being cut. A block of level r is 2^r neighbouring blocks, counted from the first; `whole` are rows of
    blocks that stay as they are."""

    task: Task
    uniform: Uniform
    labels: Ints
    keys: Keys
    whole: Flags

    def cut(self) -> Ints | None:
        """A group per row, with gaps in their numbers; None if not even all blocks together can be cut."""
        blocks = int(self.labels.max(initial=-1)) + 1
        groups, made, level = np.full(len(self.labels), -1, dtype=np.int64), 0, 0
        pending = np.arange(blocks)
        while len(pending):
            found, used, failed = self._dealt(pending, level)
            mine = found >= 0
            groups[mine] = found[mine] + made
            made += used
            if len(failed) and (blocks - 1) >> level == 0:
                return None
            pending = np.unique(failed >> 1)
            level += 1
        return groups

    def _dealt(self, pending: Ints, level: int) -> tuple[Ints, int, Ints]:
        """Groups of the rows in some blocks of a level, how many, and which blocks must not stay as they are."""
        from sfumato.partition.steps.loops.refine import arrange, deal_apart

        place = np.full((int(self.labels.max(initial=0)) >> level) + 2, -1, dtype=np.int64)
        place[pending] = np.arange(len(pending))
        mine = np.where(self.labels < 0, -1, place[self.labels >> level])
        size = int(self.uniform.values.max(initial=-1)) + 1
        rows, starts = arrange(mine, len(pending), self.uniform.values, size, self.keys)
        groups = np.full(len(mine), -1, dtype=np.int64)
        failed, made = deal_apart(rows, starts, self.uniform.columns, self.uniform.size, self.uniform.exactly, groups)
        stays = np.zeros_like(failed)
        if self.task.model.survives_merging:
            statistics = tuple(columns for columns in self.task.model.statistics if columns)
            held = self.task.model.holds(Groups.of(self.task.table, mine, statistics))
            stays = failed & held & ~persons_twice(mine, self.task.table.person)
        self.whole[mine >= 0] = stays[mine[mine >= 0]]
        return groups, made, pending[failed & ~stays]
