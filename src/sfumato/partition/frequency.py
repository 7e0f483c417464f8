"""Frequency sets: the groups of a lattice node as counts, rolled up from those of a node below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Columns, Groups, Histogram, table_codes
from sfumato.partition.contract import Task
from sfumato.partition.levels import Ladder, Node

__all__ = ["Frequencies", "FrequencySet"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FrequencySet:
    """The groups at a node: what each column shows of every group, and the counts that the model judges."""

    node: Node
    shown: tuple[Ints, ...]
    groups: Groups

    def __len__(self) -> int:
        return len(self.groups.sizes)


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Frequency sets of one table, each rolled up from the smallest known one below it."""

    ladders: tuple[Ladder, ...]
    domains: Mapping[Columns, int]
    bottom: FrequencySet
    rows: Ints
    _known: dict[Node, FrequencySet] = field(default_factory=dict)

    @classmethod
    def of(cls, task: Task) -> Frequencies:
        """Count the distinct rows once; `rows` says which of them each row is."""
        from sfumato.kernels.rollup import number

        table = task.table
        ladders = tuple(Ladder.of(column, task.loss) for column in table.quasi)
        shown = [column.codes.astype(np.int64) for column in table.quasi]
        rows, first = number(_keys(shown, [column.size for column in table.quasi]))
        sizes = np.bincount(rows, minlength=len(first)).astype(np.int64)
        statistics = {columns: table_codes(table, columns) for columns in task.model.statistics if columns}
        histograms = {name: Histogram.of_rows(rows, codes, len(first)) for name, codes in statistics.items()}
        domains = {name: int(codes.max(initial=0)) + 1 for name, codes in statistics.items()}
        steps = [ladder.steps[0][codes[first]] for ladder, codes in zip(ladders, shown, strict=True)]
        bottom = FrequencySet((0,) * len(ladders), tuple(steps), Groups(sizes, histograms))
        return cls(ladders, domains, bottom, rows, {bottom.node: bottom})

    @property
    def top(self) -> Node:
        return tuple(ladder.height for ladder in self.ladders)

    def at(self, node: Node) -> FrequencySet:
        """The frequency set of a node."""
        if node not in self._known:
            below = min((known for known in self._known.values() if all(map(int.__le__, known.node, node))), key=len)
            self._known[node] = self._rolled_up(below, node)[0]
        return self._known[node]

    def labels(self, node: Node) -> Ints:
        """The group of every row at a node."""
        return self._rolled_up(self.bottom, node)[1][self.rows]

    def _rolled_up(self, below: FrequencySet, node: Node) -> tuple[FrequencySet, Ints]:
        from sfumato.kernels.rollup import merge_runs, number

        shown = [
            ladder.lift(low, high)[codes]
            for ladder, low, high, codes in zip(self.ladders, below.node, node, below.shown, strict=True)
        ]
        sizes = [ladder.size(level) for ladder, level in zip(self.ladders, node, strict=True)]
        owner, first = number(_keys(shown, sizes))
        counts = np.zeros(len(first), dtype=np.int64)
        np.add.at(counts, owner, below.groups.sizes)
        histograms = {
            name: Histogram(*merge_runs(owner, len(first), each.starts, each.values, each.counts, self.domains[name]))
            for name, each in below.groups.histograms.items()
        }
        return FrequencySet(node, tuple(codes[first] for codes in shown), Groups(counts, histograms)), owner


def _keys(shown: list[Ints], sizes: list[int]) -> Ints:
    """One number per row for its combination of codes; combinations are numbered anew before they outgrow 64 bits."""
    from sfumato.kernels.rollup import number

    keys, room = np.zeros(len(shown[0]), dtype=np.int64), 1
    for codes, size in zip(shown, sizes, strict=True):
        if room * max(size, 1) >= 2**62:
            keys, first = number(keys)
            room = len(first)
        keys, room = keys * size + codes, room * max(size, 1)
    return keys
