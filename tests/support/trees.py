"""Random trees with unique labels, and a slow reference for what a taxonomy answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from hypothesis import strategies as st

from sfumato.taxonomy.tree import Node

__all__ = ["LABELS", "ancestors", "labels_of", "trees"]

# Signs that CSV, JSON or YAML could trip over, beside plain letters; no surrogates, no NUL.
LABELS = st.text(st.sampled_from("aZ é,;\"'|#:-{}[]()\n\r\t\ufeff0𝄞"), min_size=0, max_size=4)


@st.composite
def trees(draw: st.DrawFn, awkward: bool = False, root: str = "*") -> Node:
    """A tree with at least one level below its root; every label is unique."""
    numbers = count()

    def label() -> str:
        return f"{draw(LABELS) if awkward else ''}n{next(numbers)}.{draw(LABELS) if awkward else ''}"

    def grow(depth: int) -> Node:
        width = draw(st.integers(0, 3)) if depth else 0
        return Node(label(), tuple(grow(depth - 1) for _ in range(width)))

    return Node(root, tuple(grow(3) for _ in range(draw(st.integers(1, 4)))))


def labels_of(node: Node) -> Iterator[str]:
    """Labels of a tree: leaves in order, then inner nodes, children before parents."""
    yield from node.leaves()
    yield from _inner(node)


def _inner(node: Node) -> Iterator[str]:
    for child in node.children:
        yield from _inner(child)
    if node.children:
        yield node.label


def ancestors(node: Node, leaf: str) -> list[str]:
    """Labels from a leaf up to the root, found by searching the tree."""
    if node.label == leaf and not node.children:
        return [leaf]
    for child in node.children:
        below = ancestors(child, leaf)
        if below:
            return [*below, node.label]
    return []
