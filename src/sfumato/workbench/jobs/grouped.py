"""The groups of a column as a person edits them: what stands where, and which values of the table have no place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.workbench.jobs.opened import WorkerTable

if TYPE_CHECKING:
    import sfumato as sf

__all__ = ["GroupedValues", "grouped", "regrouped"]

_NAMED = 12
_ABSENT = 200


@dataclass(frozen=True)
class GroupedValues:
    """Groups within groups, down to values.

    labels   of all of them, values first, the one of everything last
    parent   of each, the place of the group that it is in; -1 for the last
    size     how many are values
    values   how many different ones the table has
    lacking  how many of these have no place; `absent` are the first of them
    steps    finest first, how many labels there are on each, and the first of them
    """

    labels: tuple[str, ...]
    parent: tuple[int, ...]
    size: int
    values: int
    lacking: int
    absent: tuple[str, ...]
    steps: tuple[tuple[int, tuple[str, ...]], ...]

    def inside(self, place: int) -> list[int]:
        """What is directly in a group, groups first."""
        found = [each for each, above in enumerate(self.parent) if above == place]
        return sorted(found, key=lambda each: each < self.size)

    def counts(self) -> list[int]:
        """How many values each covers."""
        made = [int(place < self.size) for place in range(len(self.labels))]
        for place, above in enumerate(self.parent):  # what is inside stands before what it is in
            if above >= 0:
                made[above] += made[place]
        return made

    def way(self, place: int) -> list[int]:
        """From everything down to there."""
        made = [place]
        while self.parent[made[-1]] >= 0:
            made.append(self.parent[made[-1]])
        return made[::-1]


def grouped(given: Mapping[str, Any], bench: WorkerTable, tell: Callable[[str, int, int], None]) -> GroupedValues:
    """given: source, column, type, hierarchy."""
    bench.called(given["source"])
    tree, there = _tree(given, bench), _flat(given, bench)
    absent = [value for value in there.leaves if value not in tree.code_of]
    steps = tuple(_step(tree, level) for level in range(tree.height + 1))
    labels, parent = tuple(tree.labels), tuple(tree.parent.tolist())
    return GroupedValues(labels, parent, tree.size, there.size, len(absent), tuple(absent[:_ABSENT]), steps)


def regrouped(given: Mapping[str, Any], bench: WorkerTable, tell: Callable[[str, int, int], None]) -> str:
    """Write the groups, with a change, as a file of the private folder; its name.

    given: source, column, type, hierarchy, sent (what a file was called that was sent), to, and change: do, chosen,
    group, name; or nothing.
    """
    import sfumato as sf

    bench.called(given["source"])
    sent = dict(given["hierarchy"]) if isinstance(given["hierarchy"], Mapping) else {}
    if given["sent"]:
        bench.names = {str(bench.folder / str(sent["file"])): given["sent"], **bench.names}
    tree = _tree(given, bench)
    if given["change"]:
        tree = _changed(tree, given["change"])
    target = bench.folder / str(given["to"])
    sf.write_hierarchy(tree, target)
    try:  # what was written is what a policy reads
        sf.read_hierarchy(target, False, "arx", given["type"], given["column"])
    except sf.HierarchyError:
        target.unlink()
        raise
    return target.name


def _tree(given: Mapping[str, Any], bench: WorkerTable) -> sf.Taxonomy:
    """The groups of a file, or as the policy has them made."""
    import sfumato as sf

    hierarchy, column = given["hierarchy"], given["column"]
    if isinstance(hierarchy, Mapping) and "file" in hierarchy:
        file = Path(bench.folder / str(hierarchy["file"]))
        return sf.read_hierarchy(file, hierarchy.get("header"), hierarchy.get("format"), given["type"], column)
    counted = isinstance(hierarchy, Mapping) and "balanced" in hierarchy  # groups of so many rows
    frame, settings = bench.values(given["source"], column, counted), given["source"]["input"]
    return sf.build_hierarchy(frame, column, hierarchy, type=given["type"], input=settings)


def _flat(given: Mapping[str, Any], bench: WorkerTable) -> sf.Taxonomy:
    """The values of the table, as they are written in hierarchies."""
    return _tree({**given, "hierarchy": "flat"}, bench)


def _step(tree: sf.Taxonomy, level: int) -> tuple[int, tuple[str, ...]]:
    found = list(dict.fromkeys(tree.at_level(level).tolist()))
    return len(found), tuple(tree.labels[node] for node in found[:_NAMED])


def _changed(tree: sf.Taxonomy, change: Mapping[str, Any]) -> sf.Taxonomy:
    """With one change; groups that nothing is in any more are gone."""
    labels, root = tree.labels, tree.labels[-1]
    above = {labels[place]: labels[up] for place, up in enumerate(tree.parent.tolist()) if up >= 0}
    values = {*tree.leaves, *(each for each in change["chosen"] if each not in above)}
    group, name = change["group"], change["name"]
    if change["do"] in ("gather", "move"):
        if change["do"] == "gather":
            above[name], group = group, name
        above |= dict.fromkeys(change["chosen"], group)
    elif change["do"] == "rename":
        above = {(name if low == group else low): (name if up == group else up) for low, up in above.items()}
    else:
        up = above.pop(group)
        above = {low: up if each == group else each for low, each in above.items()}
    while idle := above.keys() - values - {*above.values()}:
        above = {low: up for low, up in above.items() if low not in idle}
    return _grown(above, root)


def _grown(above: Mapping[str, str], root: str) -> sf.Taxonomy:
    """The tree of what is in what."""
    import numpy as np

    import sfumato as sf

    inside: dict[str, list[str]] = {}
    for low, up in above.items():
        inside.setdefault(up, []).append(low)
    order: list[str] = []
    waiting = [root]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(reversed(inside.get(order[-1], ())))
    places = {label: place for place, label in enumerate(order)}
    return sf.Taxonomy.of_parents(order, np.array([-1, *(places[above[each]] for each in order[1:])], dtype=np.int64))


def taken(found: GroupedValues, name: str) -> bool:
    """Whether a value or group is called so."""
    return name in found.labels or name in found.absent


def within(found: GroupedValues, chosen: Sequence[int], group: int) -> bool:
    """Whether a group is one of those that were chosen, or in one of them."""
    return any(place in chosen for place in found.way(group))
