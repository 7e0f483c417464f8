"""Which groups of a node are kept, where promises may ask only of some sets of quasi-identifiers.

A promise of all quasi-identifiers is judged group by group. One that names sets of them (`Model.knowing`) is judged by
what groups show in each set alone: groups that show the same there are one class, and a group of few rows is kept if
its classes are large enough. Leaving a group out takes its rows from its classes, so what is left is judged again until
nothing more falls; what then stays is the most that can.

Sets are used only where groups show the recoding that the search chose (`Task.recodes`): whoever shows something else
of a group would tell apart what looked the same here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Model
from sfumato.partition.contract import Task
from sfumato.partition.lattice.frequency import Frequencies, FrequencySet
from sfumato.partition.lattice.levels import Node

__all__ = ["NodeJudge"]

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class NodeJudge:
    """What is asked of single groups, and what of classes by a set of columns.

    by_group    models that judge every group
    by_set      models that judge classes, each with the axes of a set
    """

    frequencies: Frequencies
    by_group: tuple[Model, ...]
    by_set: tuple[tuple[Model, frozenset[int]], ...]

    @classmethod
    def of(cls, task: Task, frequencies: Frequencies) -> NodeJudge:
        axis = {column.name: place for place, column in enumerate(task.table.quasi)}
        parts = task.model.conjuncts
        apart = [part for part in parts if part.knowing and task.recodes]
        if not apart:
            return cls(frequencies, (task.model,), ())
        sets = tuple((part, frozenset(axis[name] for name in names)) for part in apart for names in part.knowing)
        return cls(frequencies, tuple(part for part in parts if part not in apart), sets)

    @property
    def least_rows(self) -> int:
        """A number of rows that every group has at least which is kept."""
        return max((part.least_rows() for part in self.by_group), default=1)

    def hopeless(self, found: FrequencySet) -> Mask:
        """Groups of which no part is kept, however it is cut; some, not need be all of them."""
        none = np.zeros(len(found), dtype=np.bool_)
        hopeless: Mask = np.logical_or.reduce([none, *(part.hopeless(found.groups) for part in self.by_group)])
        return hopeless

    def kept(self, found: FrequencySet) -> Mask:
        """Which groups keep everything, those that do not left out."""
        alone = (part.holds(found.groups) for part in self.by_group)
        kept: Mask = np.logical_and.reduce([found.groups.sizes > 0, *alone])
        if not self.by_set:
            return kept
        classes = [(part, *self.frequencies.above(found, self._lifted(found.node, axes))) for part, axes in self.by_set]
        while True:
            left = kept.copy()
            for part, owner, count in classes:
                large = part.holds(found.groups.regrouped(np.where(kept, owner, -1), count))
                left &= large[owner]
            if (left == kept).all():
                return kept
            kept = left

    def _lifted(self, node: Node, axes: frozenset[int]) -> Node:
        """The node at which only these columns show anything."""
        top = self.frequencies.ladders.top
        return tuple(level if axis in axes else top[axis] for axis, level in enumerate(node))
