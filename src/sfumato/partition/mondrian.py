"""Mondrian: split the table in two again and again, as long as both halves keep the promise.

Every group is cut by the column whose generalization costs it most (loss and weights of the policy); if no cut of that
column keeps the promise on both sides, by the next one. Numbers, dates and text without a hierarchy are cut at the
median, columns with a taxonomy between two children of the node that covers the group, nearest to the median.

Guarantee: every group keeps the promise, for any model that survives merging. No row is suppressed.

Deviations from the paper: a taxonomy node is cut in two, not into all its children, so fewer cuts fail; all groups of
one generation are cut together, so a model judges many groups at once; `relaxed` sends rows equal to the median to
either side in a secret random order, and does not apply to taxonomies.

Complexity: O(rows × quasi-identifiers × depth).

Reference: LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006.
https://doi.org/10.1109/ICDE.2006.101
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.fit import NATIVE, Fit, refused
from sfumato.models.contract import Columns, Groups, Histogram, Model, table_codes
from sfumato.partition.contract import Partition, Task
from sfumato.table.coded import CodedColumn

if TYPE_CHECKING:
    from sfumato.policy.methods import Mondrian as Options

__all__ = ["Mondrian"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Mondrian:
    """The partitioner of `partition: {method: mondrian}`."""

    options: Options

    def fit(self, model: Model) -> Fit:
        if model.survives_merging:
            return NATIVE
        return refused(
            f"Mondrian starts from one group and relies on promises that survive merging; {model.promise.title} does not"
        )

    def partition(self, task: Task) -> Partition:
        task.require_feasible()
        return _Run.start(task, self.options.relaxed).finish()


@dataclass(frozen=True, eq=False)
class _Segments:
    """Groups that may still be cut: their rows and the box of codes that they span."""

    starts: Ints
    stops: Ints
    low: Ints
    high: Ints

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, which: NDArray[np.bool_] | Ints) -> _Segments:
        return _Segments(self.starts[which], self.stops[which], self.low[which], self.high[which])


@dataclass(frozen=True, eq=False)
class _Cuts:
    """Candidates: a segment, a column and where to cut it."""

    segment: Ints
    column: Ints
    cut: Ints
    quota: Ints
    left: Ints

    def take(self, which: NDArray[np.bool_] | Ints) -> _Cuts:
        return _Cuts(*(part[which] for part in self.parts()))

    def parts(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        return self.segment, self.column, self.cut, self.quota, self.left


@dataclass(frozen=True, eq=False)
class _Run:
    """One run: packed records (quasi codes, statistic codes, row number) that are sorted into groups in place."""

    task: Task
    relaxed: bool
    records: NDArray[np.int32]
    statistics: tuple[tuple[Columns, int, int], ...]
    edges: tuple[_Edges, ...]

    @classmethod
    def start(cls, task: Task, relaxed: bool) -> _Run:
        table = task.table
        columns = [column.codes for column in table.quasi]
        statistics = []
        for wanted in task.model.statistics:
            if wanted:
                codes = table_codes(table, wanted)
                statistics.append((wanted, len(columns), int(codes.max(initial=0)) + 1))
                columns.append(codes)
        order = task.randomness.shuffle(table.rows, "mondrian ties")
        if relaxed:  # ties are broken by chance and content, never by where a row stood in the input
            order = table.canonical[order]
        records = np.empty((table.rows, len(columns) + 1), dtype=np.int32)
        for position, codes in enumerate(columns):
            records[:, position] = codes[order]
        records[:, -1] = order
        return cls(task, relaxed, records, tuple(statistics), tuple(map(_Edges.of, table.quasi)))

    def finish(self) -> Partition:
        rows = len(self.records)
        closed: list[Ints] = []
        done = 0
        active = self._segments(np.array([0]), np.array([rows]))
        while len(active):
            cuts = self._choose(active)
            final = np.ones(len(active), dtype=np.bool_)
            final[cuts.segment] = False
            closed.append(active.starts[final])
            done += int((active.stops[final] - active.starts[final]).sum())
            self.task.progress("partition", done, rows)
            active = self._split(active, cuts)
        starts = np.sort(np.concatenate(closed))
        labels = np.empty(rows, dtype=np.int64)
        labels[self.records[:, -1]] = np.repeat(np.arange(len(starts)), np.diff(starts, append=rows))
        return Partition(labels)

    def _segments(self, starts: Ints, stops: Ints) -> _Segments:
        from sfumato.kernels.mondrian import segment_boxes

        return _Segments(starts, stops, *segment_boxes(self.records, starts, stops, len(self.task.table.quasi)))

    def _choose(self, active: _Segments) -> _Cuts:
        """For every segment that can be cut, the first allowed cut in order of falling cost."""
        width = len(self.task.table.quasi)
        ranked = self._ranking(active)
        first = np.arange(len(active))
        accepted = self._accepted(active, first, ranked[:, 0])
        left = np.ones(len(active), dtype=np.bool_)
        left[accepted.segment] = False
        waiting = np.flatnonzero(left)
        if width == 1 or not len(waiting):
            return accepted
        others = self._accepted(active, np.repeat(waiting, width - 1), ranked[waiting, 1:].reshape(-1))
        _, best = np.unique(others.segment, return_index=True)
        others = others.take(best)
        return _Cuts(*(np.concatenate(pair) for pair in zip(accepted.parts(), others.parts(), strict=True)))

    def _ranking(self, active: _Segments) -> Ints:
        """Columns of every segment, the most costly first."""
        loss = self.task.loss
        cost = np.stack(
            [
                loss.weight(column) * loss.cost(column, active.low[:, index], active.high[:, index])
                for index, column in enumerate(self.task.table.quasi)
            ],
            axis=1,
        )
        return np.argsort(-cost, axis=1, kind="stable")

    def _accepted(self, active: _Segments, segment: Ints, column: Ints) -> _Cuts:
        """The candidates that have a cut whose two sides keep the promise."""
        from sfumato.kernels.mondrian import choose_cuts

        spread = active.low[segment, column] < active.high[segment, column]
        segment, column = segment[spread], column[spread]
        low, high = active.low[segment, column], active.high[segment, column]
        edge_from, edge_to, edges = self._allowed(column, low, high)
        starts, stops = active.starts[segment], active.stops[segment]
        cut, quota, left = choose_cuts(
            self.records, starts, stops, column, low, high, edge_from, edge_to, edges, self.relaxed
        )
        found = _Cuts(segment, column, cut, quota, left).take(quota > 0)
        return found.take(self._keeps(active, found))

    def _allowed(self, column: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints, Ints]:
        """Where taxonomies allow each candidate to be cut: a slice of one list of edges."""
        edge_from, edge_to = np.zeros(len(column), np.int64), np.zeros(len(column), np.int64)
        offset = 0
        for index, edges in enumerate(self.edges):
            mine = column == index
            edge_from[mine], edge_to[mine] = edges.slices(low[mine], high[mine], offset)
            offset += len(edges.codes)
        return edge_from, edge_to, np.concatenate([edges.codes for edges in self.edges])

    def _keeps(self, active: _Segments, cuts: _Cuts) -> NDArray[np.bool_]:
        """Whether both sides of every cut keep the promise."""
        from sfumato.kernels.mondrian import tally

        starts, stops = active.starts[cuts.segment], active.stops[cuts.segment]
        sizes = np.stack([cuts.left, stops - starts - cuts.left], axis=1).reshape(-1)
        histograms = {
            columns: Histogram(*tally(self.records, starts, stops, cuts.column, cuts.cut, cuts.quota, position, domain))
            for columns, position, domain in self.statistics
        }
        sides = self.task.model.holds(Groups(sizes, histograms))
        return sides[0::2] & sides[1::2]

    def _split(self, active: _Segments, cuts: _Cuts) -> _Segments:
        """Cut, and answer the halves."""
        from sfumato.kernels.mondrian import divide

        starts, stops = active.starts[cuts.segment], active.stops[cuts.segment]
        middle = divide(self.records, starts, stops, cuts.column, cuts.cut, cuts.quota)
        return self._segments(np.concatenate([starts, middle]), np.concatenate([middle, stops]))


@dataclass(frozen=True, eq=False)
class _Edges:
    """After which codes a column may be cut: anywhere, or between the children of a taxonomy node."""

    column: CodedColumn
    first: Ints
    codes: Ints

    @classmethod
    def of(cls, column: CodedColumn) -> _Edges:
        tree = column.taxonomy
        if tree is None:
            return cls(column, np.zeros(1, np.int64), np.zeros(0, np.int64))
        last = [tree.last[kids[:-1]] for kids in tree.children]
        return cls(column, np.cumsum([0, *map(len, last)], dtype=np.int64), np.concatenate(last))

    def slices(self, low: Ints, high: Ints, offset: int) -> tuple[Ints, Ints]:
        """The edges of the node that covers each interval; an empty slice where any cut is allowed."""
        if self.column.taxonomy is None:
            return np.zeros_like(low), np.zeros_like(low)
        node = self.column.taxonomy.cover(low, high)
        return self.first[node] + offset, self.first[node + 1] + offset
