"""Searching the lattice of full-domain recodings.

Without suppression a promise that survives merging is monotone: what holds at a node holds above it, what fails there
fails below. Chains through the open nodes are searched by bisection and every answer spreads, so few nodes are counted.

With a suppression limit no l-model is monotone: a group that was whole may drown in a bad one. What stays monotone is
hopelessness: rows of a group of which no part keeps the promise are suppressed in every node below as well. Nodes are
visited from the top down, and left out only if the loss of their columns together with the rows known to be hopeless
exceeds the best loss found.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.contract import Task
from sfumato.partition.lattice.classes import NodeJudge
from sfumato.partition.lattice.frequency import Frequencies, FrequencySet
from sfumato.partition.lattice.grid import Grid
from sfumato.partition.lattice.levels import Node

__all__ = ["Judged", "LatticeSearch"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
_TIE = 1e-12  # bounds and losses are summed in different orders
_MOST_JUDGED = 5000


@dataclass(frozen=True)
class Judged:
    """A node: rows in groups that fail, rows that no node below can save, classes left, and its loss.

    allowed          whether what fails may be suppressed, and something is left
    suppressible     whether a higher suppression limit would be enough
    tie              mean cost of the columns, which decides between nodes of equal loss
    """

    node: Node
    suppressed: int
    hopeless: int
    classes: int
    loss: float
    allowed: bool
    suppressible: bool
    tie: float

    @property
    def rank(self) -> tuple[float, float, Node]:
        """Smaller is better."""
        return self.loss, self.tie, self.node


@dataclass(frozen=True, eq=False)
class LatticeSearch:
    """One table, one promise, one loss, and the nodes allowed."""

    task: Task
    frequencies: Frequencies
    grid: Grid
    _judged: dict[Node, Judged] = field(default_factory=dict, init=False)

    @classmethod
    def whole(cls, task: Task) -> LatticeSearch:
        """All nodes that tell enough of every column."""
        frequencies = Frequencies.of(task)
        ladders = frequencies.ladders
        return cls(task, frequencies, Grid((0,) * len(ladders), ladders.told(task.blank)))

    def fewest(self) -> tuple[int | None, int]:
        """The fewest rows whose suppression is enough, None if none are, and how many nodes that is known of.

        Of all nodes, unless they are too many: then of those that were judged, and the highest.
        """
        if self.grid.count <= _MOST_JUDGED:
            nodes = [self.grid.node(place) for place in range(self.grid.count)]
        else:
            nodes = list({self.grid.high, *self._judged})
        judged = map(self.judged, nodes)
        return min((each.suppressed for each in judged if each.suppressible), default=None), len(nodes)

    def holds(self, node: Node) -> bool:
        """Whether every group at a node keeps the promise."""
        found = self.frequencies.at(node)
        if (found.groups.sizes < self._least_rows).any():
            return False
        return bool(self.judge.kept(found).all())

    def judged(self, node: Node) -> Judged:
        """A node with what fails there suppressed."""
        if node not in self._judged:
            self._judged[node] = self._judge(node)
        return self._judged[node]

    def _judge(self, node: Node) -> Judged:
        found = self.frequencies.at(node)
        groups = found.groups
        kept = self.judge.kept(found)
        if kept.all():
            means = self._plain_means(node)
            loss = self.task.loss.value(means, self._weights, groups.sizes, self._rows)
            return Judged(node, 0, 0, len(groups.sizes), loss, True, True, self._tie(means))
        suppressed = self._rows - int(groups.sizes.sum(where=kept))
        hopeless = int(groups.sizes.sum(where=self.judge.hopeless(found)))
        suppressible = suppressed < self._rows
        alone = self.task.alone
        if suppressible and alone is not None:  # rows that stay as `*` say nothing
            shares = self.task.blank.values()
            suppressible = (
                bool(alone.holds(groups.merged(~kept))[0]) and suppressed <= min(shares, default=1) * self._rows
            )
        allowed = suppressible and suppressed <= self.task.limit * self._rows
        sizes, means = groups.sizes[kept], self._means(found, kept, suppressed)
        loss = self.task.loss.value(means, self._weights, sizes, self._rows)
        return Judged(node, suppressed, hopeless, len(sizes), loss, allowed, suppressible, self._tie(means))

    def _tie(self, means: Floats) -> float:
        """Mean cost of the columns: what decides where a loss does not look at them, or finds them equal."""
        return float(means @ self._weights / (self._weights.sum() or 1.0))

    def _plain_means(self, node: Node) -> Floats:
        """Mean cost of every column where nothing is suppressed: its groups do not matter."""
        return np.array([means[level] for (means, _), level in zip(self._columns, node, strict=True)])

    def _means(self, found: FrequencySet, kept: Mask, suppressed: int) -> Floats:
        """Mean cost of every column where some groups are suppressed."""
        counts = self._shown(found, kept)
        ladders = zip(self.frequencies.ladders.each, found.node, counts, strict=True)
        costs = [ladder.costs[level] @ count for ladder, level, count in ladders]
        return (np.array(costs) + suppressed) / self._rows

    def _shown(self, found: FrequencySet, kept: Mask) -> list[Floats]:
        """How many rows of the groups that are kept show each thing, column by column."""
        from sfumato.partition.lattice.loops.rollup import count_shown

        ladders = self.frequencies.ladders
        sizes = [ladder.size(level) for ladder, level in zip(ladders.each, found.node, strict=True)]
        ends = np.cumsum([0, *sizes])
        counts = np.zeros(ends[-1], dtype=np.int64)
        for key, fields in zip(found.keys, ladders.words, strict=True):
            count_shown(key, fields, ends, found.groups.sizes, kept, counts)
        exact = counts.astype(np.float64)
        return [exact[begin:end] for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)]

    @property
    def _rows(self) -> int:
        return self.task.table.rows

    @cached_property
    def _least_rows(self) -> int:
        return self.judge.least_rows

    @cached_property
    def judge(self) -> NodeJudge:
        """What is asked of groups, and of what they show in some columns alone."""
        return NodeJudge.of(self.task, self.frequencies)

    @cached_property
    def _weights(self) -> Floats:
        return np.array([self.task.loss.weight(column) for column in self.task.table.quasi])

    def best(self) -> Judged | None:
        """The node of least loss within the suppression limit; None if there is none.

        Of equal ones that of cheaper columns, then the lowest.
        """
        return self._best_suppressing() if self.task.limit else self._best_whole()

    def minimal(self) -> list[Node]:
        """All nodes that keep the promise without suppression while none below does, in lexicographic order."""
        return [self.grid.node(place) for place in self.grid.minimal(self._passing()).tolist()]

    def allowed(self) -> list[Node]:
        """All nodes within the suppression limit, in lexicographic order."""
        if self.task.limit == 0:
            places = np.flatnonzero(self._passing())
        else:
            nodes = map(self.grid.node, range(self.grid.count))
            places = np.flatnonzero([self.judged(node).allowed for node in nodes])
        return [self.grid.node(place) for place in places.tolist()]

    def _passing(self) -> Mask:
        """Which nodes keep the promise without suppression: each by a test, or by one above or below."""
        known = self._column_by_column()
        start = 0
        while (start := known.next_waiting(start)) < self.grid.count:
            self._bisected(known, known.chain(start, 1))
        return known.passes

    def _column_by_column(self) -> _LevelSpread:
        """Ask first what each column may show while all others show least: what fails there closes whole regions."""
        known = _LevelSpread.over(self.grid)
        top = self.grid.count - 1
        self._bisected(known, np.array([top]))
        if known.passes[top]:
            for size, stride in zip(self.grid.shape, self.grid.strides, strict=True):
                path = top - stride * np.arange(size - 1, -1, -1)
                self.frequencies.at(self.grid.node(int(path[0])))  # a small set, of which the column's others are made
                self._bisected(known, path[:-1])
        return known

    def _bisected(self, known: _LevelSpread, path: Ints) -> None:
        """Find where on an ascending path nodes begin to pass."""
        while len(path):
            middle = len(path) // 2
            node = self.grid.node(int(path[middle]))
            if self.holds(node):
                known.passed(node)
                path = path[:middle]
            else:
                known.failed(node)
                path = path[middle + 1 :]

    def _best_whole(self) -> Judged | None:
        """From the highest loss down: one that fails takes all below it along, one that passes all that lose more.

        As long as nodes pass, ever more of them are skipped.
        """
        from sfumato.partition.lattice.loops.rollup import nth_waiting

        places = np.arange(self.grid.count)
        gains = -self._bounds(places, np.zeros_like(places))
        order = np.argsort(gains, kind="stable")
        gains = gains[order]
        known = self._column_by_column()
        known.waiting |= known.passes  # what passed has yet to be judged
        best: Judged | None = None
        start, stride = 0, 1
        while (found := nth_waiting(order, known.waiting, start, stride))[1] < len(order):
            start, chosen = found
            node = self.grid.node(int(order[chosen]))
            if self.holds(node):
                known.passed(node)
                judged = self.judged(node)
                best = judged if best is None else min(best, judged, key=lambda each: each.rank)
                start = max(start, int(np.searchsorted(gains, -best.loss - _TIE)))
                stride *= 2
            else:
                known.failed(node)
                stride = 1
            self._show(start)
        return best

    def _show(self, places: int) -> None:
        """Progress, as if rows were done in proportion to places."""
        self.task.progress("partition", self._rows * places // self.grid.count, self._rows)

    def _best_suppressing(self) -> Judged | None:
        """From the top down, layer by layer; `hopeless` passes from a node to those below it."""
        most = int(self.task.limit * self._rows)
        hopeless = np.zeros(self.grid.count, dtype=np.int64)
        best: Judged | None = None
        done = 0
        for layer in self.grid.layers():
            self._show(done)
            done += len(layer)
            inherited = hopeless[layer]
            for inside, above in self.grid.above(layer):
                inherited[inside] = np.maximum(inherited[inside], hopeless[above])
            hopeless[layer] = inherited
            open_places = np.flatnonzero(inherited <= most)
            bounds = self._bounds(layer[open_places], inherited[open_places])
            for index in np.argsort(bounds, kind="stable").tolist():
                if best is not None and bounds[index] > best.loss + _TIE:
                    break
                place = int(layer[open_places[index]])
                found = self.judged(self.grid.node(place))
                hopeless[place] = max(hopeless[place], found.hopeless)
                if found.allowed and (best is None or found.rank < best.rank):
                    best = found
        return best

    def _bounds(self, places: Ints, hopeless: Ints) -> Floats:
        """What is lost at least: the cost of every column, and of rows that have to be suppressed."""
        share = hopeless / self._rows
        means = np.empty((len(places), len(self.grid.low)))
        for axis, (mean, most) in enumerate(self._columns):
            level = self.grid.level(places, axis)
            means[:, axis] = mean[level] + share * (1 - most[level])
        return self.task.loss.least(means, self._weights, share)

    @cached_property
    def _columns(self) -> list[tuple[Floats, Floats]]:
        """Mean and highest cost of every column at every level."""
        bottom = self.frequencies.bottom
        counts = self._shown(bottom, np.ones(len(bottom), dtype=np.bool_))
        return [ladder.spent(count) for ladder, count in zip(self.frequencies.ladders.each, counts, strict=True)]


@dataclass(eq=False)
class _LevelSpread:
    """What is known of the nodes of a grid, by place: which still wait for an answer, and which passed."""

    grid: Grid
    waiting: Mask
    passes: Mask

    @classmethod
    def over(cls, grid: Grid) -> _LevelSpread:
        return cls(grid, np.ones(grid.count, dtype=np.bool_), np.zeros(grid.count, dtype=np.bool_))

    def next_waiting(self, start: int) -> int:
        """The first place from one on that waits; the number of places if there is none."""
        rest = self.waiting[start:]
        step = int(np.argmax(rest)) if len(rest) else 0
        return start + step if len(rest) and rest[step] else self.grid.count

    def chain(self, place: int, step: int) -> Ints:
        """Waiting nodes from a place upwards (1) or downwards (-1)."""
        from sfumato.partition.lattice.loops.rollup import chain

        path: Ints = chain(self.waiting, np.array(self.grid.shape), np.array(self.grid.strides), place, step)
        return path

    def passed(self, node: Node) -> None:
        """A node passed, and so does every one above."""
        above = tuple(slice(level - low, None) for level, low in zip(node, self.grid.low, strict=True))
        self.passes.reshape(self.grid.shape)[above] = True
        self.waiting.reshape(self.grid.shape)[above] = False

    def failed(self, node: Node) -> None:
        """A node failed, and so does every one below."""
        below = tuple(slice(None, level - low + 1) for level, low in zip(node, self.grid.low, strict=True))
        self.waiting.reshape(self.grid.shape)[below] = False
