"""What pages and docstrings name is there: files, folders, modules, classes, and the words of the glossary."""

from __future__ import annotations

import ast
import builtins
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

import polars as pl
import pytest

from tests.docs.pages import PAGES, ROOT, Page
from tests.support.sources import nodes_of, tree_of

SOURCE = ROOT / "src" / "sfumato"
WRITTEN = [*PAGES.values(), Page(ROOT / "SECURITY.md"), Page(ROOT / "benchmarks" / "README.md")]
GLOSSARY = PAGES["docs/reference/glossary.md"]

FILE = re.compile(r"(?<=`)[\w/-]+\.py(?=`)|(?<![\w./-])(?:docs|tests|src|benchmarks|experiments)/[\w/.-]+\.(?:md|py)")
FOLDER = re.compile(r"`((?:[a-z_]+/)+)`")
MODULE = re.compile(r"`(sfumato(?:\.\w+)+)(?:\(\))?`")
CLASS = re.compile(r"`([A-Z][a-z]\w*)(?:\.(\w+))?(?:\(\))?`")
ELSEWHERE = {"Flu", "PanicException"}
"""A value of an example, and what a library of polars raises."""


@cache
def sources() -> dict[str, str]:
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py")}


@cache
def said() -> dict[str, str]:
    """The prose of every page, and the comments and docstrings of every source file."""
    pages = {page.name: page.prose for page in WRITTEN}
    return pages | {name: "\n".join(_remarks(ROOT / name)) for name in sources()}


def _remarks(file: Path) -> Iterator[str]:
    text = sources()[file.relative_to(ROOT).as_posix()]
    if re.search(r"#.*[`/]", text):  # what is named stands between the one, or has the other
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.string
    for node in nodes_of(file):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


@cache
def places() -> frozenset[str]:
    """Every file and folder by its path: in the project, in the benchmarks, and of the source by each end of it."""
    kept = [ROOT / name for name in ("src", "tests", "benchmarks", "experiments", "docs", "examples")]
    every = [path for folder in kept for path in (folder, *folder.rglob("*"))] + [*ROOT.glob("*.md")]
    found = {path.relative_to(ROOT).as_posix() for path in every}
    found |= {path.relative_to(ROOT / "benchmarks").as_posix() for path in (ROOT / "benchmarks").rglob("*")}
    parts = [path.relative_to(SOURCE).parts for path in SOURCE.rglob("*")]
    return frozenset(found.union("/".join(path[start:]) for path in parts for start in range(len(path))))


@cache
def classes() -> dict[str, set[str]]:
    """What every class of the source has, be it its own or of a class of the source that it rests on."""
    every = (node for name in sources() for node in nodes_of(ROOT / name))
    nodes = [node for node in every if isinstance(node, ast.ClassDef)]
    own = {node.name: _given(node) for node in nodes}
    above = {node.name: [base.id for base in node.bases if isinstance(base, ast.Name)] for node in nodes}

    def members(name: str) -> set[str]:
        return own.get(name, set()).union(*map(members, above.get(name, ())))

    return {name: members(name) for name in own}


@cache
def aliases() -> frozenset[str]:
    """What else modules of the source give a name."""
    return frozenset(given for name in sources() for given in _given(tree_of(ROOT / name)))


def _given(within: ast.AST) -> set[str]:
    """Names of functions, and whatever is assigned."""
    nodes = [*ast.walk(within)]
    found = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    goals = [node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store)]
    found |= {goal.id for goal in goals if isinstance(goal, ast.Name)}
    return found | {goal.attr for goal in goals if isinstance(goal, ast.Attribute)}


def gone(text: str) -> list[str]:
    """Classes, and what they have, that a text names and that are not there."""
    lost = []
    for name, member in CLASS.findall(text):
        if name in classes():
            lost += [f"{name}.{member}"] if member and member not in classes()[name] else []
        elif name not in aliases() | ELSEWHERE and not hasattr(builtins, name) and not hasattr(pl, name):
            lost.append(name)
    return lost


def test_files_and_folders_that_are_named_exist() -> None:
    lost = [(name, file) for name, text in said().items() for file in FILE.findall(text) if file not in places()]
    for page in WRITTEN:
        made = [block.text for block in page.blocks]  # a page may write a folder of its own
        lost += [
            (page.name, folder)
            for folder in FOLDER.findall(page.prose)
            if folder.rstrip("/") not in places() and not any(re.search(rf'[" ]{folder}', text) for text in made)
        ]
    assert not lost


def test_modules_that_are_named_exist() -> None:
    groups = {found for text in sources().values() for found in re.findall(r'"(sfumato\.\w+)"', text)}
    lost = [(name, module) for name, text in said().items() for module in MODULE.findall(text)]
    assert not [each for each in lost if each[1] not in groups and not _found(each[1])]


def _found(dotted: str) -> bool:
    """Whether it is a module, or a name in one."""
    try:
        resolve_name(dotted)
    except (ImportError, AttributeError):
        return False
    return True


def test_classes_that_are_named_exist() -> None:
    assert not [(name, lost) for name, text in said().items() for lost in gone(text)]


def test_the_glossary_is_in_order_and_names_every_word_once() -> None:
    words = re.findall(r"^\*\*(.+?)\.\*\*", GLOSSARY.text, re.MULTILINE)
    assert words == sorted(words, key=str.casefold)
    assert len({word.casefold() for word in words}) == len(words) > 50


GONE = ("`publish/rows.py`", "`sfumato.audit.court`", "`MeasuredTable`", "`Tuples.labels`", "`measure/`")


@pytest.mark.parametrize("wrong", GONE)
def test_a_name_that_is_gone_is_found(wrong: str) -> None:
    files = [file for file in FILE.findall(wrong) if file not in places()]
    folders = [folder for folder in FOLDER.findall(wrong) if folder.rstrip("/") not in places()]
    modules = [module for module in MODULE.findall(wrong) if not _found(module)]
    assert files or folders or modules or gone(wrong)
