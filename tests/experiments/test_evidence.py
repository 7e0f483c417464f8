"""docs/papers.md tells the truth: every file is there, and every test is one."""

from __future__ import annotations

import re
from functools import cache

import pytest

from experiments.evidence import EVIDENCE, of_experiments
from tests.docs.pages import ROOT

EVERY = (*EVIDENCE, *of_experiments())


@cache
def names_in(file: str) -> frozenset[str]:
    return frozenset(re.findall(r"^def (test_\w+)", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("each", EVERY, ids=lambda each: f"{each.paper} {each.what}")
def test_the_file_and_the_test_are_there(each: object) -> None:
    file, test = getattr(each, "file", ""), getattr(each, "test", "")
    assert (ROOT / file).is_file(), file
    path, _, name = test.partition("::")
    assert (ROOT / path).is_file(), path
    assert names_in(path) if not name else name in names_in(path), test


NUMBERED = {
    "000": ("Def 1 2 5 6 7 9 11 14 18 26 30 35", "Lemma 19", "Thm 13 17 20 23 28 32", "Cor 21 24"),
    "001": ("Def 2.1 2.2 2.3 3.1 3.2 4.1 4.2 4.3 4.4 4.5", "Principle 1 2", "Thm 3.1 5.1 5.2 5.3"),
    "002": ("Def 1 2", "Thm 1 2 3", "Cor 1 2 3"),
    "003": ("Def 1 2 3", "Property 1 2 3 4 5 6 7 8", "Algorithm 1 2"),
    "004": ("Def 1 2 3 4", "Equation 1 2"),
}
"""What each paper numbers, as it numbers it."""


def numbered(text: str) -> set[str]:
    """What a line names: ``Defs 9 and 11, ψ`` is Def 9 and Def 11, ``Properties 2 to 4`` are three."""
    found = set[str]()
    for kind, numbers in re.findall(
        r"(Def|Thm|Cor|Lemma|Principle|Propert|Algorithm|Equation)\w* ([\d., and to]+)", text
    ):
        name, parts = "Property" if kind == "Propert" else kind, re.findall(r"\d+(?:\.\d+)?", numbers)
        if " to " in numbers:
            parts = [str(each) for each in range(int(parts[0]), int(parts[1]) + 1)]
        found |= {f"{name} {part}" for part in parts}
    return found


@pytest.mark.parametrize("paper", NUMBERED)
def test_everything_that_a_paper_numbers_is_there(paper: str) -> None:
    wanted = {f"{kind} {one}" for kind, *ones in map(str.split, NUMBERED[paper]) for one in ones}
    assert wanted - {each for item in EVIDENCE if item.paper == paper for each in numbered(item.what)} == set()


def test_numbers_are_read_off_a_line() -> None:
    assert numbered("Defs 9 and 11, ψ") == {"Def 9", "Def 11"}
    assert numbered("Properties 2 to 4, residuals") == {"Property 2", "Property 3", "Property 4"}
    assert numbered("Thm 20, Cor 21, simple l") == {"Thm 20", "Cor 21"}


def test_every_paper_and_kind_is_there() -> None:
    assert {each.paper for each in EVERY} == {"000", "001", "002", "003", "004"}
    for paper in ("000", "001", "002", "003", "004"):
        kinds = {each.kind for each in EVERY if each.paper == paper}
        assert {"definition", "theorem", "algorithm", "metric", "experiment"} <= kinds
