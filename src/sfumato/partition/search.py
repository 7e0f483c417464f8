"""Searching the lattice of full-domain recodings.

Without suppression a promise that survives merging is monotone: what holds at a node holds above it, what fails there
fails below. Chains through the undecided nodes are searched by bisection and every answer spreads, so that few nodes
are ever counted. With a suppression limit no l-model is monotone (a group that was whole may drown in a bad one), so
nodes are only left out when their loss before suppression already exceeds the best found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.contract import Task
from sfumato.partition.frequency import Frequencies
from sfumato.partition.levels import Node

__all__ = ["Bounds", "Search"]

_FAILS, _UNKNOWN, _PASSES = -1, 0, 1


@dataclass(frozen=True)
class Bounds:
    """Lowest and highest level allowed per column."""

    low: Node
    high: Node

    def nodes(self) -> Iterator[Node]:
        """Every node between, in no order that matters."""
        return product(*(range(low, high + 1) for low, high in zip(self.low, self.high, strict=True)))


@dataclass(frozen=True, eq=False)
class Search:
    """One table, one promise, one loss, and the nodes allowed."""

    task: Task
    frequencies: Frequencies
    bounds: Bounds

    def holds(self, node: Node) -> bool:
        """Whether every group at a node keeps the promise."""
        return bool(self.task.model.holds(self.frequencies.at(node).groups).all())

    def suppressed(self, node: Node) -> int:
        """Rows in groups that do not keep it."""
        groups = self.frequencies.at(node).groups
        return int(groups.sizes[~self.task.model.holds(groups)].sum())

    def minimal(self) -> list[Node]:
        """All nodes that keep the promise without suppression while none below them does, in lexicographic order."""
        state = self._decided()
        passes = state == _PASSES
        above = np.zeros_like(passes)
        for axis in range(passes.ndim):
            shifted = np.zeros_like(passes)
            lower = [slice(None)] * passes.ndim
            upper = [slice(None)] * passes.ndim
            lower[axis], upper[axis] = slice(None, -1), slice(1, None)
            shifted[tuple(upper)] = passes[tuple(lower)]
            above |= shifted
        low = self.bounds.low
        places = np.argwhere(passes & ~above).tolist()
        return [tuple(map(int.__add__, place, low)) for place in places]

    def _decided(self) -> NDArray[np.int8]:
        """Every node decided: by a test, or by one above or below."""
        shape = tuple(high - low + 1 for low, high in zip(self.bounds.low, self.bounds.high, strict=True))
        state = np.full(shape, _UNKNOWN, dtype=np.int8)
        while (open_places := np.argwhere(state == _UNKNOWN)).size:
            chain = _chain(state, tuple(open_places[0].tolist()))
            while chain:
                middle = len(chain) // 2
                place = chain[middle]
                if self.holds(tuple(map(int.__add__, place, self.bounds.low))):
                    state[tuple(slice(step, None) for step in place)] = _PASSES
                    chain = chain[:middle]
                else:
                    state[tuple(slice(None, step + 1) for step in place)] = _FAILS
                    chain = chain[middle + 1 :]
        return state

    def loss(self, node: Node, suppress: bool = False) -> float:
        """The weighted mean NCP of a node; with suppression, groups that fail cost 1 a row."""
        found = self.frequencies.at(node)
        sizes = found.groups.sizes
        weights = np.array([self.task.loss.weight(ladder.column) for ladder in self.frequencies.ladders])
        cost = np.zeros(len(sizes))
        for weight, ladder, level, shown in zip(weights, self.frequencies.ladders, node, found.shown, strict=True):
            cost += weight * ladder.costs[level][shown]
        cost /= weights.sum() or 1.0
        if suppress:
            cost = np.where(self.task.model.holds(found.groups), cost, 1.0)
        return float((cost * sizes).sum() / sizes.sum())

    def best(self, limit: Fraction) -> Node | None:
        """The node of least loss that needs no more than that share of rows suppressed; None if there is none."""
        if limit == 0:
            minimal = self.minimal()
            return min(minimal, key=lambda node: (self.loss(node), node), default=None)
        rows = int(self.frequencies.bottom.groups.sizes.sum())
        best: tuple[float, Node] | None = None
        for least, node in sorted((self._least(node), node) for node in self.bounds.nodes()):
            if best is not None and least > best[0]:
                break
            if self.suppressed(node) <= limit * rows:
                found = (self.loss(node, suppress=True), node)
                best = found if best is None else min(best, found)
        return None if best is None else best[1]

    def _least(self, node: Node) -> float:
        """The loss before suppression, from the columns alone: no node does better."""
        weights = [self.task.loss.weight(ladder.column) for ladder in self.frequencies.ladders]
        means = [self._means[axis][level] for axis, level in enumerate(node)]
        return float(np.dot(weights, means) / (sum(weights) or 1.0))

    @cached_property
    def _means(self) -> list[list[float]]:
        bottom = self.frequencies.bottom
        sizes = bottom.groups.sizes
        return [
            [
                float((ladder.costs[level][ladder.lift(0, level)[shown]] * sizes).sum() / sizes.sum())
                for level in range(ladder.height + 1)
            ]
            for ladder, shown in zip(self.frequencies.ladders, bottom.shown, strict=True)
        ]


def _chain(state: NDArray[np.int8], place: Node) -> list[Node]:
    """A path of undecided nodes from a place upwards, one step at a time, as long as there are any."""
    chain = [place]
    while True:
        steps = (
            (*place[:axis], place[axis] + 1, *place[axis + 1 :])
            for axis in range(len(place))
            if place[axis] + 1 < state.shape[axis]
        )
        onward = next((step for step in steps if state[step] == _UNKNOWN), None)
        if onward is None:
            return chain
        chain.append(onward)
        place = onward
