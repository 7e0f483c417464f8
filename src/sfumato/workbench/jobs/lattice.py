"""The lattice of a table's recodings: what holds at a choice of levels, and one step from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.workbench.jobs.opened import WorkerTable

if TYPE_CHECKING:
    import sfumato as sf

__all__ = ["LatticeSeen", "SeenNode", "lattice", "steps"]

_ALL = 600
"""Nodes that are looked at at once; of more of them, those that somebody walks by."""


@dataclass(frozen=True)
class SeenNode:
    """A level for every column, and what holds there.

    suppressed   rows in groups that do not keep the promise
    allowed      whether as many may be left out, and something stays
    """

    levels: tuple[int, ...]
    suppressed: int
    classes: int
    loss: float
    allowed: bool

    @property
    def passes(self) -> bool:
        return self.suppressed == 0


@dataclass(frozen=True)
class LatticeSeen:
    """A lattice.

    top        the highest level of every column, where it shows `*`
    bounds     the lowest and the highest that the policy allows
    best       the levels that lose least of those that are allowed; None: none is
    nodes      all of them; none if they are too many to look at them all at once
    examples   per column a value of it, and what it becomes level by level
    """

    columns: tuple[str, ...]
    top: tuple[int, ...]
    bounds: tuple[tuple[int, int], ...]
    count: int
    best: tuple[int, ...] | None
    nodes: tuple[SeenNode, ...]
    examples: tuple[tuple[str, ...], ...]


def lattice(given: Mapping[str, Any], bench: WorkerTable, tell: Callable[[str, int, int], None]) -> LatticeSeen:
    """given: source, document."""
    tell("read", 0, 1)
    found = bench.lattice(given["source"], given["document"])
    tell("walk", 0, 1)
    top, bounds = tuple(found.top.values()), tuple(found.bounds.values())
    best = None if found.best is None else tuple(found.best.values())
    nodes = []
    if found.count <= _ALL:
        for place, levels in enumerate(product(*(range(low, high + 1) for low, high in bounds))):
            tell("walk", place, found.count)
            nodes.append(_seen(found, levels))
    examples = tuple(map(_example(found), found.columns))
    return LatticeSeen(found.columns, top, bounds, found.count, best, tuple(nodes), examples)


def steps(given: Mapping[str, Any], bench: WorkerTable, tell: Callable[[str, int, int], None]) -> tuple[SeenNode, ...]:
    """A node, and those that differ from it by one level of one column; given: source, document, at."""
    found = bench.lattice(given["source"], given["document"])
    here, bounds = tuple(given["at"]), tuple(found.bounds.values())
    beside = [
        (*here[:axis], here[axis] + step, *here[axis + 1 :])
        for axis in range(len(here))
        for step in (-1, 1)
        if bounds[axis][0] <= here[axis] + step <= bounds[axis][1]
    ]
    return tuple(_seen(found, levels) for levels in (here, *beside))


def _seen(found: sf.LatticeMap, levels: Sequence[int]) -> SeenNode:
    judged = found.at(dict(zip(found.columns, levels, strict=True)))
    return SeenNode(tuple(levels), judged.suppressed, judged.classes, judged.loss, judged.allowed)


def _example(found: sf.LatticeMap) -> Callable[[str], tuple[str, ...]]:
    """A value from the middle of a column."""

    def example(column: str) -> tuple[str, ...]:
        shown = found.levels(column)
        return tuple(map(str, shown.row(shown.height // 2)))

    return example
