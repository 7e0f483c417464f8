"""Earth mover's distance between labels in a tree of height H.

What is too much and too little at a node's children is evened out there, as far as it can be, and each unit that
crosses a node of height h is carried h/H far; what is left goes up. A short branch is padded at the bottom, so a node
at depth d has the height H - d.

N. Li, T. Li, S. Venkatasubramanian, "t-closeness", 2007. https://doi.org/10.1109/ICDE.2007.367856

>>> from sfumato.taxonomy.tree import Node
>>> lung = Node("lung", (Node("flu"), Node("cold")))
>>> tree = Taxonomy.of(Node("*", (lung, Node("gout"))))
>>> carried(tree, {"flu": 1, "cold": -1}), carried(tree, {"flu": 1, "gout": -1})
(1, 2)
"""

from __future__ import annotations

from collections.abc import Mapping

from sfumato.taxonomy.tree import Taxonomy

__all__ = ["carried"]


def carried(tree: Taxonomy, extra: Mapping[str, int]) -> int:
    """Units times how far they are carried, times H; `extra` sums to 0."""
    parent, depth = tree.parent.tolist(), tree.depth.tolist()
    left, more, less = [0] * len(parent), [0] * len(parent), [0] * len(parent)
    for label, units in extra.items():
        left[tree.code_of[label]] += units
    for node, above in enumerate(parent[:-1]):  # children come before their parents, the root last
        left[above] += left[node]
        more[above] += max(left[node], 0)
        less[above] += max(-left[node], 0)
    return sum((tree.height - depth[node]) * min(more[node], less[node]) for node in range(tree.size, len(parent)))
