"""Groups of a column that a person makes: from a file, or by hand; and every mistake is answered with what helps."""

from __future__ import annotations

import io
import re
import zipfile
from html import unescape
from pathlib import Path

import pytest

import sfumato as sf
from tests.support.workbench import Answered, Served, Visitor

TOWNS = ("Bonn", "Köln", "Aachen", "Trier", "Mainz", "Ulm")
TABLE = "\n".join(
    ["town,age,disease", *(f"{TOWNS[at % 6]},{20 + at % 9},{'abc'[(at * 7 + at // 6) % 3]}" for at in range(90))]
)
ARX = "Bonn;Rhine;*\nKöln;Rhine;*\nAachen;West;*\nTrier;Mosel;*\nMainz;Rhine;*\nUlm;Danube;*\n"
AMNESIA = """distinct
name town
type string
height 2

Rhine has Bonn Köln Mainz
Rest has Aachen Trier Ulm

Any has Rhine Rest
"""
NESTED = "Rhine: [Bonn, Köln, Mainz]\nRest: [Aachen, Trier, Ulm]\n"
HEADED = "town,river,all\n" + ARX.replace(";", ",")
PLACE = "/column/0/groups"


@pytest.fixture
def towns(visitor: Visitor) -> Visitor:
    visitor.send("/open", "towns.csv", TABLE.encode() + b"\n")
    visitor.until("/data", "What is each column?")
    visitor.post("/columns", {"column": "0", "role": "quasi"})
    visitor.post("/columns", {"column": "2", "role": "sensitive"})
    visitor.post("/column/0", {"shape": "present"})
    return visitor


def given(visitor: Visitor, content: str | bytes, name: str = "towns.csv") -> Answered:
    raw = content.encode() if isinstance(content, str) else content
    answer = visitor.send(PLACE, name, raw)
    return answer if answer.status != 303 else visitor.settled(answer.goes_to)


def node(page: Answered, label: str) -> str:
    """The name of the field beside a value or group."""
    found = re.search(rf'name="([na]\d+)"[^>]*> {re.escape(label)}</label>', unescape(page.html))
    assert found is not None, label
    return found[1]


def changed(visitor: Visitor, do: str, *chosen: str, at: str = "*", into: str = "", name: str = "") -> Answered:
    """What a person does: look into a group, tick some, press a button."""
    page = visitor.settled(PLACE)
    options = re.findall(r'<option value="(\d+)"[^>]*>([^<]*)</option>', unescape(page.html))
    places = {label: value for value, label in options}
    page = visitor.settled(f"{PLACE}?at={places[at]}")
    of = re.search(r'name="of" value="([^"]*)"', page.html)
    assert of is not None
    fields = {"of": unescape(of[1]), "group": places[at], "do": do, "name": name, "into": places.get(into, "")}
    visitor.post(f"{PLACE}/change", {**fields, **dict.fromkeys((node(page, each) for each in chosen), "yes")})
    return visitor.settled(PLACE)


def exported(visitor: Visitor, folder: Path) -> sf.Taxonomy:
    """The groups, as the command line has them from what was downloaded."""
    visitor.settled(PLACE)
    with zipfile.ZipFile(io.BytesIO(visitor.get("/policy.zip").body)) as archive:
        archive.extractall(folder)
    (folder / "towns.csv").write_text(TABLE, encoding="utf-8")
    given = sf.read_policy(folder / "policy.yaml").as_dict()["columns"]["town"]["hierarchy"]
    file, header = folder / given["file"], given["header"]
    return sf.check_hierarchy(file, folder / "towns.csv", "town", header, given["format"]).taxonomy


@pytest.mark.parametrize(
    ("name", "content", "path"),
    [
        ("a.csv", ARX, ["Bonn", "Rhine", "*"]),
        ("b.csv", HEADED, ["Bonn", "Rhine", "*"]),
        ("c.txt", AMNESIA, ["Bonn", "Rhine", "Any"]),
        ("d.yaml", NESTED, ["Bonn", "Rhine", "*"]),
    ],
)
def test_files_of_every_kind(towns: Visitor, tmp_path: Path, name: str, content: str, path: list[str]) -> None:
    page = given(towns, content, name)
    assert f"{name} is taken." in page.text and "All 6 values have a place." in page.text
    assert "Step 0: 6 different" in page.text and "Step 2: 1 different" in page.text
    tree = exported(towns, tmp_path)
    assert [*tree.path(tree.code_of["Bonn"])] == path and tree.size == 6


def test_a_value_without_a_place_is_named_and_mended(towns: Visitor, tmp_path: Path) -> None:
    page = given(towns, ARX.replace("Mainz;Rhine;*\n", "").replace("Ulm;Danube;*\n", ""))
    assert "2 of 6 values of the table have no place" in page.text
    assert node(page, "Mainz").startswith("a") and node(page, "Ulm").startswith("a")
    promise = towns.settled("/promise").text  # no release can be made, and the way to mend it is there
    assert "This cannot be checked yet" in promise and "Change columns" in promise
    assert "This does not fit the column." in towns.settled("/column/0").text
    changed(towns, "move", "Mainz", into="Rhine")
    page = changed(towns, "gather", "Ulm", name="Danube")
    assert "All 6 values have a place." in page.text
    tree = exported(towns, tmp_path)
    assert [*tree.path(tree.code_of["Mainz"])] == ["Mainz", "Rhine", "*"]
    assert [*tree.path(tree.code_of["Ulm"])] == ["Ulm", "Danube", "*"]
    assert "Can be kept" in towns.settled("/promise").text


def test_groups_by_hand(towns: Visitor, tmp_path: Path) -> None:
    """From nothing: gathered, put into a group around them, renamed, moved, dissolved, taken back."""
    changed(towns, "gather", "Bonn", "Köln", name="Rhine")
    changed(towns, "gather", "Trier", name="Mosel")
    changed(towns, "gather", "Rhine", "Mosel", name="Rivers")
    changed(towns, "move", "Mainz", into="Rhine")
    changed(towns, "rename", at="Mosel", name="Moselle")
    tree = exported(towns, tmp_path / "one")
    assert [*tree.path(tree.code_of["Mainz"])] == ["Mainz", "Rhine", "Rivers", "*"]
    assert [*tree.path(tree.code_of["Trier"])] == ["Trier", "Moselle", "Rivers", "*"]
    assert tree.path(tree.code_of["Ulm"])[-1] == "*" and tree.height == 3
    changed(towns, "dissolve", at="Rivers")
    tree = exported(towns, tmp_path / "two")
    assert [*tree.path(tree.code_of["Mainz"])] == ["Mainz", "Rhine", "*"]
    changed(towns, "move", "Trier", at="Moselle", into="Rhine")  # and the empty group is gone
    tree = exported(towns, tmp_path / "three")
    assert "Moselle" not in tree.labels and [*tree.path(tree.code_of["Trier"])] == ["Trier", "Rhine", "*"]
    assert "The last change is taken back." in changed(towns, "undo").text
    assert "Moselle" in exported(towns, tmp_path / "four").labels


def test_groups_that_a_rule_makes_can_be_changed(towns: Visitor, tmp_path: Path) -> None:
    towns.post("/column/0", {"shape": "prefix", "shape-prefix": "1"})
    changed(towns, "rename", at="B*", name="North")
    tree = exported(towns, tmp_path)
    assert [*tree.path(tree.code_of["Bonn"])] == ["Bonn", "North", "*"]
    assert [*tree.path(tree.code_of["Ulm"])] == ["Ulm", "U*", "*"]


def test_groups_of_numbers(towns: Visitor) -> None:
    """Values are compared as what they are: 020 is 20."""
    towns.post("/column/1", {"type": "integer", "shape": "present"})
    ages = "".join(f"0{age};{'young' if age < 24 else 'old'};*\n" for age in range(20, 28))
    towns.send("/column/1/groups", "ages.csv", ages.encode())
    page = towns.settled("/column/1/groups")
    assert "1 of 9 values of the table have no place" in page.text and node(page, "28").startswith("a")


def test_they_come_back_with_the_policy(towns: Visitor) -> None:
    given(towns, ARX)
    changed(towns, "rename", at="West", name="Border")
    policy = towns.get("/policy.zip").body
    towns.send("/open", "again.csv", TABLE.encode() + b"\n")
    towns.until("/data", "What is each column?")
    assert towns.send("/policy", "policy.zip", policy).goes_to == "/columns"
    page = towns.settled(PLACE)
    assert "Border" in page.text and "All 6 values have a place." in page.text
    assert "/policy.zip" in towns.settled("/promise").html
    towns.post("/language", {"language": "de"}, Referer=f"http://{towns.host}{PLACE}")
    assert "Gruppen von town" in towns.settled(PLACE).text
    assert towns.post("/language", {"language": "en"}, Referer=f"http://{towns.host}{PLACE}").goes_to == PLACE


@pytest.mark.parametrize(
    ("do", "chosen", "at", "into", "name", "says"),
    [
        ("gather", (), "*", "", "New", "choose at least one"),
        ("gather", ("Ulm",), "Danube", "", " ", "a group needs a name"),
        ("gather", ("Ulm",), "Danube", "", "*", "a group needs a name"),
        ("gather", ("Ulm",), "Danube", "", "Rhine", "is called so already"),
        ("gather", ("Ulm",), "Danube", "", "Bonn", "is called so already"),
        ("rename", (), "Rhine", "", "West", "is called so already"),
        ("move", ("Rhine",), "*", "Rhine", "", "cannot be put into itself"),
        ("move", ("Ulm",), "Danube", "", "", "Nothing was changed"),
        ("rename", (), "*", "", "All", "Nothing was changed"),
        ("burn", ("Ulm",), "Danube", "", "", "Nothing was changed"),
    ],
)
def test_a_change_that_cannot_be_is_said(
    towns: Visitor, do: str, chosen: tuple[str, ...], at: str, into: str, name: str, says: str
) -> None:
    given(towns, ARX)
    before = towns.get("/policy.yaml").html
    assert says in changed(towns, do, *chosen, at=at, into=into, name=name).text
    assert towns.get("/policy.yaml").html == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (ARX + "Essen;*\n", "line 7: 2 cells where line 1 has 3; pad a short branch by repeating its label"),
        (ARX.replace("Köln;", "*;"), "'*' stands for the root alone"),
        (ARX + "Bonn;West;*\n", "stands on line 1 already"),
        (ARX.replace("Trier;Mosel", "Trier;Bonn"), "also the label of a group; rename one"),
        (ARX.replace("Köln;Rhine", "Köln;"), "cell 2 is empty"),
        ("", "empty"),
        (b"\xff\xfe\x00\x00", "towns.csv"),
        ("Bonn;Rhine\nKöln;West\nUlm;East\n", "different labels"),
        ('"' * 7, "towns.csv"),
    ],
)
def test_a_bad_file_is_answered_with_what_helps(towns: Visitor, bench: Served, content: str | bytes, says: str) -> None:
    before = towns.get("/policy.yaml").html
    page = given(towns, content)
    assert page.status == 200 and "towns.csv was not taken." in page.text and says in page.text
    assert "Nothing was changed." in page.text and 'type="file"' in page.html
    assert "Traceback" not in page.text and str(bench.temporary) not in page.text
    assert towns.get("/policy.yaml").html == before
    assert not [each for each in bench.kept() if each.name.startswith("levels-") and each.stat().st_size == 0]


def test_a_first_line_that_may_be_either_is_asked_about(towns: Visitor) -> None:
    page = given(towns, "town;river\nBonn;Rhine\n")
    assert "may be a header or a value" in page.text and "set header" not in page.text
    assert "Say under “The first line of a CSV file” which it is" in page.text


def test_a_file_that_is_too_large(towns: Visitor, bench: Served) -> None:
    before = {each.name for each in bench.kept()}
    page = given(towns, b"a;*\n" * (5 * 2**20))
    assert page.status == 413 and "This file of groups is too large" in page.text and "16 MB" in page.text
    assert {each.name for each in bench.kept()} == before


def test_only_who_grows_vaguer_has_groups(towns: Visitor) -> None:
    for path in ("/column/2/groups", "/column/9/groups", "/column/x/groups"):
        assert "What is each column?" in towns.look(path).text or "Secret" in towns.look(path).text
        assert towns.send(path, "a.csv", ARX.encode()).status == 303
        assert towns.post(f"{path}/change", {"do": "undo"}).status == 303
    assert "levels-" not in towns.get("/policy.yaml").html


def test_an_old_page_changes_nothing(towns: Visitor) -> None:
    given(towns, ARX)
    before = towns.get("/policy.yaml").html
    towns.post(f"{PLACE}/change", {"of": "x", "group": "9", "do": "dissolve"})
    assert "the page was older than the groups" in towns.settled(PLACE).text
    assert towns.get("/policy.yaml").html == before


def test_names_of_groups_are_only_text(towns: Visitor) -> None:
    page = changed(towns, "gather", "Ulm", name="<script>x</script>")
    assert "<script>x</script>" in page.text and page.html.count("<script") == 1
