"""From a node of the lattice to groups: what `incognito` and `lattice` have in common."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sfumato.errors import NoneFound
from sfumato.exact import as_text
from sfumato.fit import NATIVE, Fit, refused
from sfumato.models.contract import Groups, Model, concerned
from sfumato.partition.contract import Partition, Recoding
from sfumato.partition.lattice.levels import Node
from sfumato.partition.lattice.search import LatticeSearch

__all__ = ["by_chance", "fit_if_merging", "none_found", "partition_at"]

_MINIMALITY = (
    "the recoding was chosen as the best that keeps the promise; who knows that can reason from what did not suffice"
    " (minimality attack). `choose: random` or `slack: 1` under `partition:` guards against it"
)


def fit_if_merging(name: str, model: Model) -> Fit:
    """A search over recodings can serve what survives merging."""
    if model.survives_merging:
        return NATIVE
    who = concerned(model, lambda part: not part.survives_merging, "does", "do")
    return refused(f"{name} climbs levels, which merges groups; {who} not survive merging")


def none_found(search: LatticeSearch) -> NoneFound:
    """That no node will do, why, and what comes nearest."""
    task, high = search.task, search.grid.high
    top = search.frequencies.ladders.top
    rows, whole = task.table.rows, high == top
    if not task.limit and whole:
        task.require_feasible()
    fewest, judged = search.fewest()
    reason = f"{task.model.promise}: no recoding keeps it with at most {as_text(task.limit)} of the rows suppressed"
    if fewest is not None:
        known = "" if judged == search.grid.count else f" found in {judged} of {search.grid.count} recodings"
        reason += f"; the fewest{known} are {fewest} of {rows}. Raise suppression.limit, or promise less"
    else:
        reason += "; no higher limit is known to be enough. Promise less"
    if not whole:
        capped = "suppression.columns" if high == search.frequencies.ladders.told(task.blank) else "partition.maximum"
        reason += f"; levels are limited by {capped}"
    statistics = tuple(columns for columns in task.model.statistics if columns)
    return NoneFound(reason, task.model.nearest(Groups.whole(task.table, statistics)) if whole else None)


def partition_at(search: LatticeSearch, node: Node, guarded: bool) -> Partition:
    """The groups at a node, those that fail suppressed, and what they show."""
    labels, found = search.frequencies.labels(node)
    model, ladders = search.task.model, search.frequencies.ladders
    kept = search.judge.kept(found)
    number = np.where(kept, np.cumsum(kept) - 1, -1)
    axes = {ladder.column.name: axis for axis, ladder in enumerate(ladders.each)}
    shown = {name: ladders.shown(found.keys, node, axis)[kept] for name, axis in axes.items()}
    levels = {name: (node[axis], ladders.top[axis]) for name, axis in axes.items()}
    told = () if guarded or not any(model.statistics) else (_MINIMALITY,)
    return Partition.of(search.task.table, number[labels], Recoding(shown, levels), notes=told)


def by_chance(search: LatticeSearch, nodes: Sequence[Node]) -> Node:
    """One of the nodes by secret chance, each as likely as any other."""
    return nodes[int(search.task.randomness.numbers(1, "node of the lattice")[0]) % len(nodes)]
