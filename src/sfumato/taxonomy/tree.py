"""The taxonomy of a column: a tree over its values, whose nodes are intervals of leaf codes.

Leaves are coded by their in-order position, so every node is a contiguous range of codes and the generalization of
any set of rows is the lowest node covering (smallest code, largest code). Trees may be unbalanced.

Nodes are numbered: leaf `c` is node `c`; inner nodes follow, every child before its parent; the root is the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sfumato.table.words import counted

__all__ = ["Level", "Naming", "Node", "Taxonomy"]

Ints = NDArray[np.int64]
Level: TypeAlias = tuple[Ints, Sequence[str]]
"""Leaves cut into runs: the first leaf of every run (0 to begin with, ascending) and its label."""


@dataclass(frozen=True)
class Node:
    """A tree as written: a label and its children, in order. A leaf has none."""

    label: str
    children: tuple[Node, ...] = ()

    def leaves(self) -> Iterator[str]:
        """Labels of the leaves below, in order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if not node.children:
                yield node.label
            waiting.extend(reversed(node.children))


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """An immutable tree over leaf codes ``0..size-1``. Build one with `of`, `of_levels` or `of_parents`.

    labels   of all nodes, leaves first; `leaves` are those of the values
    parent   of every node, -1 for the root, and its `depth`
    first    the first leaf below every node, `last` the last
    size     how many leaves there are
    naming   how inner nodes are called where that depends on which values are told; None: always the same
    """

    labels: tuple[str, ...]
    parent: Ints
    first: Ints
    last: Ints
    depth: Ints
    size: int
    naming: Naming | None = None

    def __repr__(self) -> str:
        return f"<Taxonomy: {counted(self.size, 'value')} in {counted(self.height, 'level')}>"

    @classmethod
    def of(cls, root: Node) -> Taxonomy:
        """The taxonomy of a tree. Labels need not be unique: `sfumato.taxonomy.check` judges that."""
        labels: list[str] = []
        parent: list[int] = []
        waiting = [(root, -1)]
        while waiting:
            node, above = waiting.pop()
            here = len(labels)
            waiting.extend((child, here) for child in reversed(node.children))
            labels.append(node.label)
            parent.append(above)
        return cls.of_parents(labels, np.array(parent, dtype=np.int64))

    @classmethod
    def of_levels(cls, leaves: Sequence[str], levels: Sequence[Level], root: str = "*") -> Taxonomy:
        """The taxonomy of leaves cut into runs, level by level from the finest; the root above them.

        Every run is a union of runs of the level before. A run labelled as its only child is that child.
        """
        labels = list(leaves)
        starts = ids = np.arange(len(labels), dtype=np.int64)
        links: list[tuple[Ints, Ints]] = []
        for cuts, names in (*levels, (np.zeros(1, dtype=np.int64), (root,))):
            heads = np.searchsorted(starts, cuts)
            run = np.searchsorted(cuts, starts, side="right") - 1
            lone = np.bincount(run, minlength=len(cuts)) == 1
            above = np.empty(len(cuts), dtype=np.int64)
            for index, (name, head) in enumerate(zip(names, ids[heads].tolist(), strict=True)):
                same = bool(lone[index]) and labels[head] == name
                above[index] = head if same else len(labels)
                if not same:
                    labels.append(name)
            below = above[run] != ids
            links.append((ids[below], above[run][below]))
            starts, ids = starts[heads], above
        parent = np.full(len(labels), -1, dtype=np.int64)
        for low, high in links:
            parent[low] = high
        return cls.of_parents(labels, parent)

    @classmethod
    def of_parents(cls, labels: Sequence[str], parent: Ints) -> Taxonomy:
        """The taxonomy of nodes that come in any order, leaves in theirs; `parent` of the root is -1."""
        leaf = np.ones(len(labels), dtype=np.bool_)
        leaf[parent[parent >= 0]] = False
        depth = np.zeros(len(labels), dtype=np.int64)
        above = parent
        while (inside := above >= 0).any():
            depth += inside
            above = np.where(inside, parent[above], -1)
        codes = np.cumsum(leaf) - 1
        size = int(codes[-1]) + 1
        first, last = np.where(leaf, codes, size), np.where(leaf, codes, -1)
        by_depth = np.argsort(depth, kind="stable")
        for level in reversed(np.split(by_depth, np.flatnonzero(np.diff(depth[by_depth])) + 1)[1:]):
            np.minimum.at(first, parent[level], first[level])
            np.maximum.at(last, parent[level], last[level])
        inner = np.flatnonzero(~leaf)
        order = np.concatenate([np.flatnonzero(leaf), inner[np.lexsort((-depth[inner], last[inner]))]])
        number = np.empty(len(labels), dtype=np.int64)
        number[order] = np.arange(len(labels))
        moved = parent[order]
        return cls(
            labels=tuple(labels[node] for node in order.tolist()),
            parent=np.where(moved < 0, -1, number[moved]),
            first=first[order],
            last=last[order],
            depth=depth[order],
            size=size,
        )

    @property
    def root(self) -> int:
        return len(self.labels) - 1

    @property
    def leaves(self) -> tuple[str, ...]:
        """Labels of the leaves by code."""
        return self.labels[: self.size]

    @cached_property
    def height(self) -> int:
        """Levels above the leaves: the depth of the deepest one."""
        return int(self.depth.max())

    @cached_property
    def leaf_counts(self) -> Ints:
        """How many leaves each node covers."""
        return self.last - self.first + 1

    @cached_property
    def code_of(self) -> dict[str, int]:
        """Leaf code by label."""
        return {label: code for code, label in enumerate(self.leaves)}

    @cached_property
    def children(self) -> tuple[Ints, ...]:
        """Children of every node, in order."""
        order = np.lexsort((self.first, self.parent))[1:]
        ends = np.searchsorted(self.parent[order], np.arange(self.size, len(self.labels)), side="right").tolist()
        none = np.empty(0, dtype=np.int64)
        starts = [0, *ends[:-1]]
        return (none,) * self.size + tuple(order[start:end] for start, end in zip(starts, ends, strict=False))

    def cover(self, low: ArrayLike, high: ArrayLike) -> Ints:
        """The lowest node that covers the leaf codes ``low..high``, for many intervals at once."""
        node = np.array(low, dtype=np.int64)
        stop = np.asarray(high, dtype=np.int64)
        while True:
            short = self.last[node] < stop
            if not short.any():
                return node
            node = np.where(short, self.parent[node], node)

    def at_level(self, level: int) -> Ints:
        """The node that stands for every leaf at a lattice level: 0 the leaf itself, `height` the root.

        In an unbalanced tree a short branch repeats its leaf at the bottom.
        """
        return self.levels[level]

    @cached_property
    def levels(self) -> tuple[Ints, ...]:
        """For every lattice level, the node that stands for each leaf."""
        nodes = [np.arange(self.size, dtype=np.int64)]
        for level in range(1, self.height + 1):
            deep = self.depth[nodes[-1]] > self.height - level
            nodes.append(np.where(deep, self.parent[nodes[-1]], nodes[-1]))
        return tuple(nodes)

    def path(self, code: int) -> Sequence[str]:
        """Labels from a leaf up to the root."""
        labels, node = [], code
        while node >= 0:
            labels.append(self.labels[node])
            node = int(self.parent[node])
        return labels

    def with_leaf(self, label: str) -> Taxonomy:
        """The same tree with one more leaf, last, directly under the root: the place of a missing value."""
        if self.root < self.size:
            return Taxonomy.of(Node("*", (Node(self.labels[0]), Node(label))))
        moved = np.where(self.parent >= self.size, self.parent + 1, self.parent)
        made = Taxonomy.of_parents(
            (*self.leaves, label, *self.labels[self.size :]), np.insert(moved, self.size, self.root + 1)
        )
        return replace(made, naming=self.naming)

    def telling(self, told: NDArray[np.bool_]) -> Taxonomy:
        """The same tree, its nodes called by nothing but the leaves told; a node without any keeps its name.

        Nodes over the same leaves told may then have one name, others never do.
        """
        if self.naming is None:
            return self
        names = self.naming(self, told)
        empty = np.diff(np.concatenate(([0], np.cumsum(told)))[np.stack((self.first, self.last + 1))], axis=0)[0] == 0
        inner = range(self.size, len(self.labels))
        kept = (self.labels[node] if empty[node] else name for node, name in zip(inner, names, strict=True))
        return replace(self, labels=(*self.leaves, *kept))

    def as_node(self, node: int | None = None) -> Node:
        """The tree as written, from a node down."""
        made: list[Node] = []
        for label, children in zip(self.labels, self.children, strict=True):
            made.append(Node(label, tuple(made[child] for child in children.tolist())))
        return made[self.root if node is None else node]


Naming: TypeAlias = Callable[[Taxonomy, NDArray[np.bool_]], Sequence[str]]
"""The names of all inner nodes, in order, given which leaves are told; of one without any it does not matter."""
