"""Frequency sets: the groups of a lattice node as counts, rolled up from those of a node below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Groups, Histogram
from sfumato.partition.contract import Task
from sfumato.partition.lattice.levels import Ladders, Node
from sfumato.table.tuples import Columns

__all__ = ["Frequencies", "FrequencySet"]

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]
_SMALL = 2048  # groups from which a detour over a set that others can use pays
_ROOM = 1 << 24  # numbers that may be kept, beside twice those of the table itself


@dataclass(frozen=True, eq=False)
class FrequencySet:
    """The groups at a node: the key of what each shows, word by word, and the counts to be judged."""

    node: Node
    keys: tuple[Keys, ...]
    groups: Groups
    room: int

    def __len__(self) -> int:
        return len(self.groups.sizes)


class _Merging(Mapping[Columns, Histogram]):
    """Histograms of groups that became one, merged when they are asked for: many nodes fail by their sizes alone."""

    def __init__(self, below: Mapping[Columns, Histogram], owner: Ints, groups: int, domains: Mapping[Columns, int]):
        self._below, self._owner, self._groups, self._domains = below, owner, groups, domains
        self._made: dict[Columns, Histogram] = {}

    def __getitem__(self, name: Columns) -> Histogram:
        from sfumato.partition.lattice.loops.rollup import merge_runs

        if name not in self._made:
            old, domain = self._below[name], self._domains[name]
            runs = merge_runs(self._owner, self._groups, old.starts, old.values, old.counts, domain)
            self._made[name] = Histogram(*runs)
        return self._made[name]

    def __iter__(self) -> Iterator[Columns]:
        return iter(self._domains)

    def __len__(self) -> int:
        return len(self._domains)


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Frequency sets of one table, each rolled up from the smallest known one below it."""

    ladders: Ladders
    domains: Mapping[Columns, int]
    bottom: FrequencySet
    owner: Ints
    _known: _Known = field(init=False)

    def __post_init__(self) -> None:
        known = _Known(2 * self.bottom.room + _ROOM)
        known.add(self.bottom)
        object.__setattr__(self, "_known", known)

    @classmethod
    def of(cls, task: Task) -> Frequencies:
        """Count what quasi-identifiers tell apart once; `owner` says which of them each tuple is."""
        from sfumato.partition.lattice.loops.rollup import count_runs

        table = task.table
        ladders = Ladders.of(table.quasi, task.loss)
        node: Node = (0,) * len(ladders)
        words = ladders.keys([table.codes[column.name] for column in table.quasi])
        levels = np.array(node)
        owner, keys, sizes = _merged(ladders, words, levels, levels, table.counts)
        statistics = {columns: table.counted_by(columns) for columns in task.statistics}
        domains = {name: int(values.max(initial=0)) + 1 for name, values in statistics.items()}
        histograms = {
            name: Histogram(*count_runs(owner, len(sizes), values, table.counts, domains[name]))
            for name, values in statistics.items()
        }
        bottom = FrequencySet(node, keys, Groups(sizes, histograms), _room(keys, domains))
        return cls(ladders, domains, bottom, owner)

    def at(self, node: Node) -> FrequencySet:
        """The frequency set of a node."""
        below = self._known.smallest_below(node)
        while below.node != node:
            below = self._rolled_up(below, self._next(below, node))[0]
            self._known.add(below)
        return below

    def _next(self, below: FrequencySet, node: Node) -> Node:
        """The node itself; or on the way up from a large set, one where only the widest column is raised.

        Many nodes lie above that. Where the widest column is not raised the detour would be almost as large.
        """
        if len(below) <= _SMALL:
            return node
        sizes = [ladder.size(level) for ladder, level in zip(self.ladders.each, below.node, strict=True)]
        widest = sizes.index(max(sizes))
        return (
            (*below.node[:widest], node[widest], *below.node[widest + 1 :])
            if below.node[widest] < node[widest]
            else node
        )

    def labels(self, node: Node) -> tuple[Ints, FrequencySet]:
        """The group of every tuple at a node, and the groups."""
        found, owner = self._rolled_up(self.bottom, node)
        return owner[self.owner], found

    def above(self, found: FrequencySet, node: Node) -> tuple[Ints, int]:
        """Which group of a node above each group becomes part of, and how many there are."""
        owner, _, sizes = _merged(self.ladders, found.keys, np.array(found.node), np.array(node), found.groups.sizes)
        return owner, len(sizes)

    def _rolled_up(self, below: FrequencySet, node: Node) -> tuple[FrequencySet, Ints]:
        owner, keys, sizes = _merged(self.ladders, below.keys, np.array(below.node), np.array(node), below.groups.sizes)
        histograms = _Merging(below.groups.histograms, owner, len(sizes), self.domains)
        return FrequencySet(node, keys, Groups(sizes, histograms), len(owner) + _room(keys, self.domains)), owner


def _room(keys: tuple[Keys, ...], domains: Mapping[Columns, int]) -> int:
    """About how many numbers a set with such keys holds."""
    return len(keys[0]) * (len(keys) + 1 + sum(min(domain, 16) for domain in domains.values()))


def _merged(
    ladders: Ladders, words: tuple[Keys, ...], below: Ints, node: Ints, sizes: Ints
) -> tuple[Ints, tuple[Keys, ...], Ints]:
    """Groups of a node lifted to one above and merged: the new group of each, their keys and sizes."""
    from sfumato.partition.lattice.loops.rollup import merge_groups

    tables = ladders.lifts, ladders.lift_at
    parts = [
        merge_groups(key, fields, *tables, below, node, sizes) for key, fields in zip(words, ladders.words, strict=True)
    ]
    owner, key, merged = parts[0]
    if len(parts) == 1:
        return owner, (key,), merged
    for other, keys, _ in parts[1:]:  # number the combinations, word by word: what one word cannot hold
        joint = (owner * len(keys) + other).astype(np.uint64)
        owner, _, merged = merge_groups(joint, ladders.words[0][:0], *tables, below, node, sizes)
    first = np.empty(len(merged), dtype=np.int64)
    first[owner[::-1]] = np.arange(len(owner))[::-1]
    return owner, tuple(keys[other[first]] for other, keys, _ in parts), merged


class _Known:
    """Frequency sets that were counted, as long as there is room; the first is always kept."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._sets: list[FrequencySet] = []
        self._places: dict[Node, int] = {}
        self._nodes = np.empty((64, 0), dtype=np.int64)
        self._sizes = np.empty(64, dtype=np.int64)

    def add(self, found: FrequencySet) -> None:
        count = len(self._sets)
        if count and found.room > self._room:
            return
        self._room -= found.room
        if count == 0:
            self._nodes = np.empty((64, len(found.node)), dtype=np.int64)
        elif count == len(self._sizes):
            self._nodes = np.concatenate([self._nodes, np.empty_like(self._nodes)])
            self._sizes = np.concatenate([self._sizes, np.empty_like(self._sizes)])
        self._nodes[count], self._sizes[count] = found.node, len(found)
        self._places[found.node] = count
        self._sets.append(found)

    def smallest_below(self, node: Node) -> FrequencySet:
        """The known set with the fewest groups that the node's can be made of."""
        from sfumato.partition.lattice.loops.rollup import smallest_below

        if node in self._places:
            return self._sets[self._places[node]]
        place: int = smallest_below(self._nodes, self._sizes, len(self._sets), np.array(node))
        return self._sets[place]
