"""Labels in a tree: two are as far apart as their lowest common ancestor is high.

In a tree of height H, what has to move between two distributions p and q of labels is

    EMD = Σ u(v) max(0, p(v) - q(v)),  u(v) = (height of the parent of v - height of v) / H

over all nodes v but the root, p(v) being the share at and below v: each edge is as long as the heights that it spans,
half of it in either direction, and the differences at nodes sum to nothing if weighted by u. A short branch is padded
at the bottom, so a node at depth d has the height H - d, and a leaf the height 0. With H = 1 this is the distance
between equally distant labels; so a search for the latter serves for any tree, once every label is spread over the
nodes above it.

>>> from sfumato.taxonomy.tree import Node, Taxonomy
>>> lung = Node("lung", (Node("flu"), Node("cold")))
>>> tree = LabelTree.of(Taxonomy.of(Node("*", (lung, Node("gout")))), ["cold", "flu", "gout"])
>>> tree.height, tree.size, tree.steps([2]).tolist(), tree.steps([0]).tolist()
(2, 4, [[0, 2, 2]], [[0, 0, 1], [0, 3, 1]])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.taxonomy.tree import Taxonomy

__all__ = ["LabelTree"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LabelTree:
    """The nodes at and above every label: `nodes[offsets[L]:offsets[L + 1]]`, labels first, then inner ones.

    `weights` are u in units of 1 / `height`; there are `size` nodes, the root not counted.
    """

    height: int
    size: int
    offsets: Ints
    nodes: Ints
    weights: Ints

    @classmethod
    def of(cls, tree: Taxonomy, labels: Sequence[str]) -> LabelTree:
        """Labels are leaves of the tree; its other leaves stand for nothing."""
        nodes, weights, ends = list[int](), list[int](), [0]
        for label, name in enumerate(labels):
            leaf = tree.code_of[name]
            nodes.append(label)
            weights.append(tree.height - int(tree.depth[leaf]) + 1)
            above = int(tree.parent[leaf])
            while above not in (-1, tree.root):
                nodes.append(len(labels) + above - tree.size)
                weights.append(1)
                above = int(tree.parent[above])
            ends.append(len(nodes))
        inner = max(tree.root - tree.size, 0)
        made = (np.array(each, np.int64) for each in (ends, nodes, weights))
        return cls(max(tree.height, 1), len(labels) + inner, *made)

    def steps(self, labels: Sequence[int] | Ints) -> Ints:
        """For every node of every label: which of the given labels it is, the node, and its weight."""
        given = np.asarray(labels, np.int64)
        counts = self.offsets[given + 1] - self.offsets[given]
        owner = np.repeat(np.arange(len(given)), counts)
        places = np.arange(len(owner)) + np.repeat(self.offsets[given] - np.cumsum(counts) + counts, counts)
        return np.stack([owner, self.nodes[places], self.weights[places]], axis=1)

    def spread(
        self, begins: Ints, labels: NDArray[np.int32], chances: NDArray[np.float64]
    ) -> tuple[Ints, NDArray[np.int32], NDArray[np.float64]]:
        """Chances of labels, option by option, as chances of nodes times u; each node once in an option."""
        owner, node, weight = self.steps(labels.astype(np.int64)).T
        option = np.repeat(np.arange(len(begins) - 1), np.diff(begins))[owner]
        keys, place = np.unique(option * self.size + node, return_inverse=True)
        sums = np.bincount(place, chances[owner] * weight / self.height, len(keys)).astype(np.float64)
        ends = np.searchsorted(keys, np.arange(len(begins)) * self.size).astype(np.int64)
        return ends, (keys % self.size).astype(np.int32), sums
