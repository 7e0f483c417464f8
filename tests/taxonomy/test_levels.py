"""Hierarchies as CSV: what is read, what is refused with its line, and that what is written reads back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import HierarchyError, InputError
from sfumato.taxonomy.check import Source
from sfumato.taxonomy.files import Format, read_file, write_file
from sfumato.taxonomy.level_files import read_levels, write_levels
from sfumato.taxonomy.tree import Node, Taxonomy
from tests.support.trees import trees

# In the style of ARX's own education hierarchy; "Preschool" is padded by repetition.
ARX = """Bachelors;Undergraduate;Higher education;*
Some-college;Undergraduate;Higher education;*
11th;High School;Secondary education;*
HS-grad;High School;Secondary education;*
Masters;Graduate;Higher education;*
Preschool;Preschool;Preschool;*
"""
TREE = Node(
    "*",
    (
        Node(
            "Higher education",
            (
                Node("Undergraduate", (Node("Bachelors"), Node("Some-college"))),
                Node("Graduate", (Node("Masters"),)),
            ),
        ),
        Node("Secondary education", (Node("High School", (Node("11th"), Node("HS-grad"))),)),
        Node("Preschool"),
    ),
)
HEADER = "level0;level1;level2;level3\n"


def read(text: str, header: bool | None = None, format: Format | None = None, raw: bytes | None = None) -> Node:
    path = Path("education.csv")
    if raw is not None:
        text = raw.decode("utf-8-sig")
    delimiter = ";" if format == "arx" else None
    return read_levels(text, Source("education", path), header, delimiter).taxonomy().as_node()


def refused(text: str, header: bool | None = False) -> str:
    with pytest.raises(HierarchyError) as caught:
        read(text, header)
    assert isinstance(caught.value, InputError)
    return str(caught.value)


class TestReading:
    def test_arx(self) -> None:
        assert read(ARX) == TREE
        assert read(ARX, format="arx", header=False) == TREE

    def test_csv_with_header(self) -> None:
        assert read(HEADER + ARX) == TREE
        assert read((HEADER + ARX).replace(";", ",")) == TREE
        assert read((HEADER + ARX).replace(";", ", ")) == TREE

    @pytest.mark.parametrize("end", ["\r\n", "\r"])
    def test_line_ends_marks_and_blank_lines(self, end: str) -> None:
        assert read(("\ufeff" + ARX + "\n\n").replace("\n", end)) == TREE
        assert read(ARX.replace("11th", "\n11th").rstrip()) == TREE

    def test_quoted_cells(self) -> None:
        text = 'a;"x; ""y""";*\n"b\nb";"x; ""y""";*\n" c";c;*\n'
        with_group = Node('x; "y"', (Node("a"), Node("b\nb")))
        assert read(text) == Node("*", (with_group, Node("c", (Node(" c"),))))

    def test_a_semicolon_file_whose_labels_hold_commas(self) -> None:
        text = "20;[20, 25);[20, 30);*\n27;[25, 30);[20, 30);*\n41;[40, 45);[40, 50);*\n"
        tree = read(text)
        assert [child.label for child in tree.children] == ["[20, 30)", "[40, 50)"]
        assert read('"a, b";X;*\n"c, d";X;*\n').children[0].label == "X"

    def test_groups_need_not_stand_together(self) -> None:
        assert list(read("a;X;*\nb;Y;*\nc;X;*\n").leaves()) == ["a", "c", "b"]

    def test_a_label_at_two_levels_is_one_node(self) -> None:
        assert read("a;X;X;*\nb;c;X;*\n") == Node("*", (Node("X", (Node("a"), Node("c", (Node("b"),)))),))

    def test_a_root_of_another_name(self) -> None:
        assert read("value,group,all\na,X,Any\nb,Y,Any\n").label == "Any"
        assert read("a,X,Any\nb,Y,Any\n", header=False).label == "Any"


class TestHeader:
    def test_a_guess_that_could_go_either_way_is_refused(self) -> None:
        for text in ("value,group,Any\na,X,Any\nb,Y,Any\n", "a,X\n", "value,all\na,Any\n"):
            message = refused(text, header=None)
            assert "line 1: its first line may be a header or a value; set header: true or header: false" in message

    def test_said_is_done(self) -> None:
        text = "value,group,Any\na,X,Any\nb,Y,Any\n"
        assert list(read(text, header=True).leaves()) == ["a", "b"]
        assert list(read(text, header=False).leaves()) == ["value", "a", "b"]

    def test_a_malformed_file_is_called_so(self) -> None:
        assert "line 1: cell 3 is empty" in refused("level0,level1,\na,*,\n", header=None)
        assert "line 1: a line needs a value and the groups above it" in refused("a\nb\n", header=None)
        assert list(read(",group,all\na,X,*\nb,Y,*\n").leaves()) == ["a", "b"]

    def test_lines_without_a_common_root(self) -> None:
        assert "education.csv, line 3: the lines end in different labels" in refused("h,g\na,X\nb,Y\n", header=None)


ERRORS = {
    "two parents": ("a;X;P;*\nb;X;Q;*\n", "line 2: a label has two parents: one (line 1) and another here"),
    "value with two groups": ("a;X;*\nb;X;*\na;Y;*\n", "line 3: a label stands on line 1 already"),
    "the same line twice": ("a;X;*\n\na;X;*\n", "line 3: a label stands on line 1 already"),
    "cycle on a line": ("a;X;*\nb;Y;Z;Y;*\n", None),
    "cycle": ("b;Y;Z;Y;*\n", "line 1: a label stands twice on the line, with another label between: a cycle"),
    "empty group": ("a;X;*\nb;;*\n", "line 2: cell 2 is empty"),
    "blank value": ("a;X;*\n  ;X;*\n", "line 2: cell 1 is empty"),
    "value that is a group": ("a;X;*\nX;Y;*\n", "line 1: a label is a value (line 2) and also the label of a group"),
    "value that is its sibling's group": ("X;X;*\na;X;*\n", "line 2: a label is a value (line 1) and also the label"),
    "star as value": ("a;X;*\n*;X;*\n", "line 2: '*' stands for the root alone; it cannot be a value"),
    "star as group": ("a;X;*;All\n", "line 1: '*' stands for the root alone; it can be no value and no group"),
    "value as root": ("a;a\n", "line 1: a label is a value and also the root"),
    "ragged": ("a;X;Y;*\nb;X;*\n", "line 2: 3 cells where line 1 has 4; pad a short branch by repeating its label"),
    "several roots": ("a;X\nb;Y\n", "line 2: 2 nodes have no parent ('X', 'Y')"),
    "one column": ("a\nb\n", "line 1: a line needs a value and the groups above it"),
    "empty": ("\n\n", "the file is empty"),
    "header only": ("value;group\n", None),
    "unclosed quote": ('a;X;*\n"b;X;*\n', "is not CSV"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_column_file_and_line(name: str) -> None:
    text, expected = ERRORS[name]
    message = refused(text, header=name == "header only")
    assert message.startswith("column 'education': education.csv")
    if expected is not None:
        assert expected in message


def test_lines_are_counted_as_an_editor_does() -> None:
    assert "line 6: cell 2 is empty" in refused('"a\n\nb";X;*\r\n\r\nc;X;*\r\nd;;*\r\n')
    assert "line 3: cell 2 is empty" in refused("value;group;all\na;X;*\nb;;*\n", header=True)


class TestFiles:
    def test_names_with_other_letters(self, tmp_path: Path) -> None:
        folder = tmp_path / "Ärzte und 病院"
        folder.mkdir()
        path = folder / "éducation.csv"
        write_file(Taxonomy.of(TREE), path)
        assert path.read_text(encoding="utf-8").splitlines()[0] == "Bachelors;Undergraduate;Higher education;*"
        assert read_file(path).taxonomy().as_node() == TREE
        assert list(folder.iterdir()) == [path]

    def test_written_with_header(self, tmp_path: Path) -> None:
        path = tmp_path / "education.csv"
        write_file(Taxonomy.of(TREE), path, "csv")
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == "level0,level1,level2,level3"
        assert lines[-1] == "Preschool,Preschool,Preschool,*"
        assert read_file(path).taxonomy().as_node() == TREE

    def test_no_such_file(self, tmp_path: Path) -> None:
        with pytest.raises(HierarchyError, match=r"column 'edu': .*gone.csv: no such hierarchy file"):
            read_file(tmp_path / "gone.csv", column="edu")
        with pytest.raises(HierarchyError, match="cannot be read"):
            read_file(tmp_path, column="edu")
        with pytest.raises(InputError, match="cannot be written"):
            write_file(Taxonomy.of(TREE), tmp_path / "gone" / "x.csv")

    def test_another_encoding(self, tmp_path: Path) -> None:
        path = tmp_path / "latin.csv"
        path.write_bytes("a;X;*\né;X;*\n".encode("latin-1"))
        with pytest.raises(HierarchyError, match=r"latin.csv, line 2: is not UTF-8"):
            read_file(path)

    def test_a_mark_of_byte_order(self, tmp_path: Path) -> None:
        path = tmp_path / "marked.csv"
        path.write_bytes(ARX.encode("utf-8-sig"))
        assert read_file(path).taxonomy().leaves[0] == "Bachelors"


@given(trees(awkward=True), st.sampled_from([(";", False), (",", True)]))
def test_what_is_written_reads_back(root: Node, dialect: tuple[str, bool]) -> None:
    delimiter, header = dialect
    text = write_levels(Taxonomy.of(root), delimiter, header)
    for end in ("\n", "\r\n"):
        if end == "\n" or not re.search(r"[\r\n]", "".join(Taxonomy.of(root).labels)):
            again = read_levels(text.replace("\n", end), Source(None, Path("x.csv")), header, delimiter)
            assert again.taxonomy().as_node() == root


@given(trees(), st.sampled_from(["arx", "csv"]))
def test_plain_labels_need_no_settings(root: Node, format: Literal["arx", "csv"]) -> None:
    text = write_levels(Taxonomy.of(root), ";" if format == "arx" else ",", header=format == "csv")
    assert read_levels(text, Source()).taxonomy().as_node() == root
