"""The hierarchical distance: Σ over inner nodes of height/H · min(surplus, deficit).

The extra of a leaf is p − q, of an inner node the sum over its children; surplus and deficit of a node are the sums of
its children's positive and negative extras. A node of depth d has height H − d, H being the depth of the deepest leaf.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sfumato.auditor.exactly import Exact, Ints, widened
from sfumato.release.classes import Classes
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["hierarchical"]


def hierarchical(classes: Classes, original: Ints, leaves: Ints, tree: Taxonomy) -> tuple[Exact, Exact]:
    """Distance of every class to the original table as numerators and denominators; `leaves` places the codes.

    min(surplus, deficit) is the children's surplus less the node's own positive extra. Summed over the tree, every
    positive extra below the root counts as often as its node and its parent differ in height: 1 for an inner node, the
    parent's height for a leaf. So only nodes above a value of the class matter.
    """
    total, height = int(original.sum()), tree.height
    if height == 0:
        return np.zeros(len(classes), dtype=np.int64), np.ones(len(classes), dtype=np.int64)
    order = classes.ordered_by(leaves)
    expected = np.zeros(tree.size + 1, dtype=np.int64)
    expected[leaves + 1] = original
    q_sums = np.cumsum(expected)
    bound = 4 * int(classes.sizes.max()) * total * (height + 1)
    counts, sizes, sums = widened(bound, classes.counts[order], classes.sizes, q_sums)
    above: Exact = np.zeros_like(sizes)
    for node_of, weight in _layers(tree):
        node, owner = node_of[leaves[classes.values[order]]], classes.owner
        inside = node >= 0
        if not inside.any():
            continue
        node, owner = node[inside], owner[inside]
        starts = np.flatnonzero((np.diff(owner, prepend=-1) != 0) | (np.diff(node, prepend=-1) != 0))
        node, owner = node[starts], owner[starts]
        q = sums[tree.last[node] + 1] - sums[tree.first[node]]
        extra = np.add.reduceat(counts[inside], starts) * total - q * sizes[owner]
        np.add.at(above, owner, np.maximum(extra, 0) * weight[node])
    return above, sizes * (total * height)


def _layers(tree: Taxonomy) -> Iterator[tuple[Ints, Ints]]:
    """The leaves, then the inner nodes of every depth below the root: the node above each leaf (-1: none), weights."""
    leaf = np.arange(tree.size, dtype=np.int64)
    yield leaf, tree.height + 1 - tree.depth[: tree.size]
    node = tree.parent[leaf]
    for depth in range(tree.height - 1, 0, -1):
        yield np.where(tree.depth[node] == depth, node, -1), np.ones(len(tree.labels), dtype=np.int64)
        node = np.where(tree.depth[node] >= depth, tree.parent[node], node)
