"""Incognito: all full-domain recodings that keep the promise, found subset by subset.

For every subset of the quasi-identifiers, smallest first: a node can keep the promise only if its projections onto one
column less do (leaving a column out merges groups), and nodes above one that keeps it keep it untested. What remains is
counted, each node's frequency set rolled up from one below. The survivors of the whole set are all nodes that keep the
promise; of the minimal ones, that of least loss under the policy's metric is taken, or by `choose: random` any.

Guarantee: every group keeps the promise, for any model that survives merging. No row is suppressed: with a suppression
budget tagging is unsound for ℓ-diversity (`lattice` tests every node it must).

Deviation from the paper: among minimal nodes the paper leaves the choice to the user.

Reference: LeFevre, DeWitt, Ramakrishnan: Incognito: Efficient full-domain k-anonymity. SIGMOD 2005.
https://doi.org/10.1145/1066157.1066164
With ℓ-diversity: Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: ℓ-diversity. TKDD 1(1), 2007.
https://doi.org/10.1145/1217299.1217302
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING, ClassVar

from sfumato.errors import Refused
from sfumato.fit import Fit, refused
from sfumato.models.contract import Model
from sfumato.partition.contract import Partition, Task
from sfumato.partition.lattice.full_domain import by_chance, fit_if_merging, none_found, partition_at
from sfumato.partition.lattice.levels import Node
from sfumato.partition.lattice.search import LatticeSearch

if TYPE_CHECKING:
    from sfumato.policy.methods import Incognito as Options

__all__ = ["IncognitoPartitioner", "minimal", "survivors"]

Axes = tuple[int, ...]
_MOST = 1 << 21


@dataclass(frozen=True)
class IncognitoPartitioner:
    """The partitioner of `partition: {method: incognito}`."""

    options: Options
    counts_sets: ClassVar[bool] = True

    def fit(self, model: Model) -> Fit:
        return fit_if_merging("Incognito", model)

    def fit_blocks(self) -> Fit:
        return refused("one recoding is chosen for all rows, which are then looked at together")

    def partition(self, task: Task) -> Partition:
        task.require_feasible()
        search = LatticeSearch.whole(task)
        nodes = survivors(search)
        if not nodes:
            raise none_found(search)
        if self.options.choose == "random":
            return partition_at(search, by_chance(search, nodes), guarded=True)
        best = min(map(search.judged, minimal(nodes)), key=lambda each: each.rank)
        return partition_at(search, best.node, guarded=self.options.slack > 0)


def survivors(search: LatticeSearch) -> list[Node]:
    """All nodes that keep the promise, in lexicographic order."""
    width = len(search.grid.high)
    _require_few(prod(size + 1 for size in search.grid.shape))
    known: dict[Axes, set[Node]] = {(): {()}}
    for size in range(1, width + 1):
        known = {axes: _satisfying(search, axes, known) for axes in combinations(range(width), size)}
        search.task.progress("partition", search.task.table.rows * size // width, search.task.table.rows)
    return sorted(known[tuple(range(width))])


def _require_few(nodes: int) -> None:
    """Of every subset of columns together: each column is left out, or at one of its levels."""
    if nodes > _MOST:
        raise Refused(
            f"Incognito would have to look at {nodes} nodes of subsets of the quasi-identifiers, more than {_MOST}; use"
            " `method: lattice`, which searches the same recodings, or coarser hierarchies"
        )


def _satisfying(search: LatticeSearch, axes: Axes, smaller: Mapping[Axes, set[Node]]) -> set[Node]:
    """The nodes of a subset of columns that keep the promise, breadth first from below."""
    top = search.grid.high
    nodes = product(*(range(top[axis] + 1) for axis in axes))
    passed: set[Node] = set()
    for node in sorted((node for node in nodes if _projections_pass(node, axes, smaller)), key=sum):
        if any(_stepped(node, place, -1) in passed for place in range(len(node))):
            passed.add(node)  # tagged: above one that keeps it
        else:
            levels = dict(zip(axes, node, strict=True))
            if search.holds(tuple(levels.get(axis, height) for axis, height in enumerate(top))):
                passed.add(node)
    return passed


def _projections_pass(node: Node, axes: Axes, smaller: Mapping[Axes, set[Node]]) -> bool:
    return all(
        node[:place] + node[place + 1 :] in smaller[axes[:place] + axes[place + 1 :]] for place in range(len(node))
    )


def _stepped(node: Node, place: int, step: int) -> Node:
    return (*node[:place], node[place] + step, *node[place + 1 :])


def minimal(nodes: list[Node]) -> list[Node]:
    """Those that have no other below them; what is above one of them is one of them."""
    known = set(nodes)
    return [node for node in nodes if not any(_stepped(node, place, -1) in known for place in range(len(node)))]
