"""Nested mappings, YAML, JSON and Amnesia text."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings

from sfumato.errors import HierarchyError
from sfumato.taxonomy.amnesia import read_amnesia
from sfumato.taxonomy.check import Source
from sfumato.taxonomy.files import read_file
from sfumato.taxonomy.nested import read_nested, tree
from sfumato.taxonomy.tree import Node, Taxonomy
from tests.support.trees import trees

TREE = Node(
    "*",
    (
        Node("Secondary", (Node("9th"), Node("Upper", (Node("11th"), Node("12th"))))),
        Node("Higher", (Node("Bachelors"), Node("Masters"))),
    ),
)
YAML = """# levels of education
Secondary:
  - 9th
  - Upper: [11th, 12th]
Higher: [Bachelors, Masters]
"""
AMNESIA = """distinct
name education
type string
height 4

Upper has 11th 12th\x20

Secondary has 9th Upper
Higher has Bachelors Masters

* has Secondary Higher
"""


def node_of(text: str, name: str = "edu.yaml") -> Node:
    return read_nested(text, Source("edu", Path(name))).taxonomy().as_node()


def saved(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def plain(node: Node) -> Any:
    """A tree as mappings and lists."""
    if all(not child.children for child in node.children):
        return [child.label for child in node.children]
    return [{child.label: plain(child)} if child.children else child.label for child in node.children]


class TestYaml:
    def test_reads(self, tmp_path: Path) -> None:
        assert node_of(YAML) == TREE
        assert read_file(saved(tmp_path, "edu.yml", "\ufeff" + YAML.replace("\n", "\r\n"))).taxonomy().as_node() == TREE

    def test_json(self, tmp_path: Path) -> None:
        text = json.dumps(
            {"*": {"Secondary": ["9th", {"Upper": ["11th", "12th"]}], "Higher": ["Bachelors", "Masters"]}}
        )
        assert read_file(saved(tmp_path, "edu.json", text)).taxonomy().as_node() == TREE
        tabbed = '{\n\t"X": [\n\t\t"caf\\u00e9",\n\t\t"\\ud834\\udd1e"\n\t]\n}'
        assert node_of(tabbed, "edu.json") == Node("X", (Node("café"), Node("𝄞")))

    def test_labels_stay_as_written(self) -> None:
        assert list(node_of("Codes: [05, 1.50, no, on, 2024-03-05, 12:30]").leaves()) == [
            "05",
            "1.50",
            "no",
            "on",
            "2024-03-05",
            "12:30",
        ]

    def test_one_top_is_the_root_and_several_stand_under_a_star(self) -> None:
        assert node_of("Any: {A: [a], B: [b]}").label == "Any"
        assert node_of("[a, b]") == Node("*", (Node("a"), Node("b")))

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("A: [a, b]\nB:\n  - c\n  - a\n", "line 4: a label stands twice (line 1 already)"),
            ("A: [a]\nB: [A]\n", "line 2: a label stands twice (line 1 already)"),
            ("A: [a]\nA: [b]\n", "line 2: a label stands twice"),
            ("A: [a]\nB:\nC: [c]\n", "line 2: a label has no values below it"),
            ("A: [a]\nB: []\n", "line 2: a label has no values below it"),
            ("A: [a]\nB: {}\n", "line 2: a label has no values below it"),
            ("A: []\n", "line 1: a label has no values below it"),
            ("A: [a]\nB: b\n", "line 2: values stand in a list"),
            ("A: [a]\nB: [b, '*']\n", "line 2: '*' stands for the root alone"),
            ("A: [a]\nB: [b, ' ']\n", "line 2: an empty label"),
            ("A: [a]\n? [x]\n: [b]\n", "line 2: a label must be a text"),
            ("A: [a]\nB: [b\n", "is not YAML"),
            ("&top\nA:\n  - B: *top\n", "line 2: a label stands twice"),
            ("", "the file is empty"),
        ],
    )
    def test_errors(self, text: str, expected: str) -> None:
        with pytest.raises(HierarchyError) as caught:
            node_of(text)
        assert str(caught.value).startswith("column 'edu': edu.yaml")
        assert expected in str(caught.value)

    @given(trees(awkward=True))
    @settings(deadline=None)
    def test_random_trees(self, root: Node) -> None:
        whole = {"*": plain(root)}
        assert node_of(json.dumps(whole, separators=(",", ":")), "edu.json") == root
        assert node_of(json.dumps(whole, ensure_ascii=False, indent="\t"), "edu.json") == root
        assert node_of(yaml.safe_dump(whole)) == root
        assert node_of(yaml.safe_dump(whole, allow_unicode=True, default_flow_style=True)) == root


class TestPolicyTree:
    def test_reads(self) -> None:
        given_tree = {"Secondary": ["9th", {"Upper": ["11th", "12th"]}], "Higher": ("Bachelors", "Masters")}
        assert tree(given_tree, Source("edu")).taxonomy().as_node() == TREE

    def test_values_of_other_types(self) -> None:
        made = tree({"X": [5, Decimal("1.50"), 2.0, date(2024, 3, 5)]}, Source("x"))
        assert made.taxonomy().leaves == ("5", "1.50", "2", "2024-03-05")

    @pytest.mark.parametrize(
        ("given_tree", "expected"),
        [
            ({"A": ["a", True]}, "True in its tree is not a text; write it in quotes"),
            ({"A": ["a", None]}, "None in its tree is not a text"),
            ({"A": ["a"], "B": None}, "'B' has no values below it"),
            ({"A": ["a"], "B": "b"}, "values stand in a list"),
            ({"A": ["a"], "B": ["a"]}, "'a' stands twice"),
            ({}, "there is no value in it"),
        ],
    )
    def test_errors(self, given_tree: dict[str, Any], expected: str) -> None:
        with pytest.raises(HierarchyError) as caught:
            tree(given_tree, Source("edu"))
        assert str(caught.value).startswith("column 'edu': ")
        assert expected in str(caught.value)


class TestAmnesia:
    def test_reads(self, tmp_path: Path) -> None:
        assert read_file(saved(tmp_path, "edu.txt", AMNESIA)).taxonomy().as_node() == TREE
        windows = "\ufeff" + AMNESIA.replace("\n", "\r\n") + "\r\n\r\n"
        assert read_file(saved(tmp_path, "edu2.txt", windows)).taxonomy().as_node() == TREE
        assert read_file(saved(tmp_path, "edu3", AMNESIA), format="amnesia").taxonomy().as_node() == TREE

    @pytest.mark.parametrize(
        ("body", "expected"),
        [
            ("A has a b\nB has b c\n\n* has A B\n", "line 4: a label has two parents: one (line 3) and another here"),
            ("A has a B\nB has b A\n", "line 3: a cycle: 'A' > 'B' > 'A'"),
            ("A has a\nB has C\nC has B\n", "line 4: a cycle: 'C' > 'B' > 'C'"),
            ("A has A a\n", "line 3: a label is its own parent: a cycle"),
            ("A has a a\n", "line 3: a label stands twice on the line"),
            ("A has a\nA has b\n", "line 4: a label has its children on line 3 already"),
            ("A has a\n\nB has b\n", "line 5: 2 nodes have no parent ('A', 'B')"),
            ("A has\n", "line 3: a line must read: parent has child child ..."),
            ("A contains a\n", "line 3: a line must read"),
            ("A has *\n", "line 3: '*' stands for the root alone"),
            ("", "there is no value in it"),
        ],
    )
    def test_errors(self, tmp_path: Path, body: str, expected: str) -> None:
        path = saved(tmp_path, "edu.txt", "distinct\n\n" + body)
        with pytest.raises(HierarchyError) as caught:
            read_file(path, column="edu")
        assert str(caught.value).startswith(f"column 'edu': {path}")
        assert expected in str(caught.value)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("range\nname age\ntype int\nheight 2\n\n0,9 has 0,4 5,9\n", "line 1: an Amnesia range hierarchy"),
            ("A has a\n", "line 1: an Amnesia hierarchy begins with the line 'distinct'"),
            ("distinct\nname x\nA has a\n", "line 3: an Amnesia hierarchy has a blank line"),
            ("distinct\nA has a\n\nB has b\n", "line 2: 'A' is not a setting of the head"),
            ("\n", "begins with the line 'distinct'"),
        ],
    )
    def test_heads(self, tmp_path: Path, text: str, expected: str) -> None:
        with pytest.raises(HierarchyError) as caught:
            read_file(saved(tmp_path, "edu.txt", text), format="amnesia")
        assert expected in str(caught.value)

    @given(trees())
    @settings(deadline=None)
    def test_random_trees(self, root: Node) -> None:
        taxonomy = Taxonomy.of(root)
        lines = [
            f"{taxonomy.labels[node]} has {' '.join(taxonomy.labels[child] for child in children)}"
            for node, children in enumerate(taxonomy.children)
            if len(children)
        ]
        text = "\n".join(["distinct", "name x", "", *lines])
        assert read_amnesia(text, Source()).taxonomy().as_node() == root
