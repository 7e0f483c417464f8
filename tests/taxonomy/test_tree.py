"""The tree over leaf codes against a slow search through the tree as written."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.taxonomy.tree import Node, Taxonomy
from tests.support.trees import ancestors, labels_of, trees

# A(a, B(b)), c: unbalanced, with an only child.
SMALL = Node("*", (Node("A", (Node("a"), Node("B", (Node("b"),)))), Node("c")))


def test_numbers_and_ranges_of_a_small_tree() -> None:
    tree = Taxonomy.of(SMALL)
    assert tree.labels == ("a", "b", "c", "B", "A", "*")
    assert tree.parent.tolist() == [4, 3, 5, 4, 5, -1]
    assert tree.first.tolist() == [0, 1, 2, 1, 0, 0]
    assert tree.last.tolist() == [0, 1, 2, 1, 1, 2]
    assert tree.depth.tolist() == [2, 3, 1, 2, 1, 0]
    assert [each.tolist() for each in tree.children] == [[], [], [], [1], [0, 3], [4, 2]]
    assert tree.height == 3
    assert tree.path(1) == ["b", "B", "A", "*"]


def test_levels_of_an_unbalanced_tree_repeat_the_leaf_at_the_bottom() -> None:
    tree = Taxonomy.of(SMALL)
    shown = [[tree.labels[node] for node in tree.at_level(level)] for level in range(4)]
    assert shown == [["a", "b", "c"], ["a", "B", "c"], ["A", "A", "c"], ["*", "*", "*"]]


def test_a_run_named_as_its_only_child_is_that_child() -> None:
    levels = [(np.array([0, 1, 2]), ("a", "B", "c")), (np.array([0, 2]), ("A", "c"))]
    assert Taxonomy.of_levels(("a", "b", "c"), levels).as_node() == SMALL


def test_a_tree_deeper_than_the_interpreter_recurses() -> None:
    node = Node("leaf")
    for level in range(3000):
        node = Node(f"n{level}", (node,))
    tree = Taxonomy.of(node)
    assert (tree.size, tree.height, tree.labels[tree.root]) == (1, 3000, "n2999")
    assert tree.with_leaf("?").labels[:2] == ("leaf", "?")


def test_the_place_of_a_missing_value() -> None:
    tree = Taxonomy.of(SMALL).with_leaf("?")
    assert tree.as_node() == Node("*", (*SMALL.children, Node("?")))
    assert Taxonomy.of(Node("x")).with_leaf("?").as_node() == Node("*", (Node("x"), Node("?")))


@given(trees())
def test_numbering_is_leaves_then_children_before_parents(root: Node) -> None:
    tree = Taxonomy.of(root)
    assert list(tree.labels) == list(labels_of(root))
    assert tree.as_node() == root
    assert [list(tree.path(code)) for code in range(tree.size)] == [ancestors(root, leaf) for leaf in root.leaves()]


@given(trees(), st.data())
def test_cover_is_the_lowest_common_ancestor(root: Node, data: st.DataObject) -> None:
    tree = Taxonomy.of(root)
    codes = st.integers(0, tree.size - 1)
    pairs = data.draw(st.lists(st.tuples(codes, codes).map(sorted), min_size=1, max_size=20))
    covers = tree.cover([low for low, _ in pairs], [high for _, high in pairs])
    for (low, high), node in zip(pairs, covers, strict=True):
        above = [ancestors(root, leaf) for leaf in list(root.leaves())[low : high + 1]]
        common = [label for label in above[0] if all(label in each for each in above)]
        assert tree.labels[node] == common[0]


@given(trees())
def test_levels_go_up_step_by_step_and_never_split(root: Node) -> None:
    tree = Taxonomy.of(root)
    before = tree.at_level(0)
    assert before.tolist() == list(range(tree.size))
    for level in range(1, tree.height + 1):
        here = tree.at_level(level)
        assert all(one == two or tree.parent[one] == two for one, two in zip(before, here, strict=True))
        assert all(tree.depth[here] <= tree.height - level)
        before = here
    assert set(before.tolist()) == {tree.root}


@given(trees())
def test_levels_rebuild_the_tree(root: Node) -> None:
    tree = Taxonomy.of(root)
    levels = []
    for level in range(1, tree.height):
        nodes = tree.at_level(level)
        starts = np.flatnonzero(np.diff(nodes, prepend=-1))
        levels.append((starts, [tree.labels[node] for node in nodes[starts]]))
    assert Taxonomy.of_levels(tree.leaves, levels).as_node() == root
