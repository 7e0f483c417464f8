"""From a node of the lattice to groups: what `incognito` and `lattice` have in common."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sfumato.fit import NATIVE, Fit, refused
from sfumato.models.contract import Model
from sfumato.partition.contract import Partition, Recoding
from sfumato.partition.levels import Node
from sfumato.partition.search import Search

__all__ = ["by_chance", "fit_if_merging", "partition_at"]

_MINIMALITY = (
    "the recoding was chosen as the best that keeps the promise; who knows that can reason from what did not suffice"
    " (minimality attack). `choose: random` or `slack: 1` under `partition:` guards against it"
)


def fit_if_merging(name: str, model: Model) -> Fit:
    """A search over recodings can serve what survives merging."""
    if model.survives_merging:
        return NATIVE
    return refused(f"{name} climbs levels, which merges groups; {model.promise.title} does not survive merging")


def partition_at(search: Search, node: Node, guarded: bool) -> Partition:
    """The groups at a node, those that fail suppressed, and what they show."""
    labels, found = search.frequencies.labels(node)
    model, ladders = search.task.model, search.frequencies.ladders
    kept = model.holds(found.groups)
    number = np.where(kept, np.cumsum(kept) - 1, -1)
    axes = {ladder.column.name: axis for axis, ladder in enumerate(ladders.each)}
    shown = {name: ladders.shown(found.keys, node, axis)[kept] for name, axis in axes.items()}
    levels = {name: (node[axis], ladders.top[axis]) for name, axis in axes.items()}
    told = () if guarded or not any(model.statistics) else (_MINIMALITY,)
    return Partition(number[labels], Recoding(shown, levels), notes=told)


def by_chance(search: Search, nodes: Sequence[Node]) -> Node:
    """One of the nodes by secret chance, each as likely as any other."""
    return nodes[int(search.task.randomness.numbers(1, "node of the lattice")[0]) % len(nodes)]
