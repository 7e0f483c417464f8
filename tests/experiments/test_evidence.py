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


def test_every_paper_and_kind_is_there() -> None:
    assert {each.paper for each in EVERY} == {"000", "001", "002", "003", "004"}
    for paper in ("000", "001", "002", "003", "004"):
        kinds = {each.kind for each in EVERY if each.paper == paper}
        assert {"definition", "theorem", "algorithm", "metric", "experiment"} <= kinds
