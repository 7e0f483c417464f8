"""Which tests a thorough run has more of: for a run that comes after a quick one, and has no need to repeat the rest.

A test has more if it is marked `thorough`, if it is a property, or if anything that it names leads to
`tests.support.examples`, the one place that tells quick and thorough runs apart: in its decorators or its body, through
other names of its module, through its fixtures, or through other modules of the tests. Names are followed as they are
written, so that a test is rather repeated without need than left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test

from tests.support.sources import tree_of

__all__ = ["growing_names", "grows"]

_ROOT = Path(__file__).parents[2]
_SOURCE = "tests.support.examples"


def grows(item: pytest.Item) -> bool:
    """Whether a thorough run tries more of a test than a quick one."""
    if item.get_closest_marker("thorough"):
        return True
    if not isinstance(item, pytest.Function):
        return False
    if is_hypothesis_test(item.obj):
        return True
    fixtures = {*item.fixturenames}
    places = [item.path, *(folder / "conftest.py" for folder in item.path.parents if folder.is_relative_to(_ROOT))]
    own, *around = [growing_names(file) for file in places if file.is_file()]
    name = item.cls.__name__ if item.cls else item.originalname
    return bool({name, "pytestmark", *fixtures} & own) or any(fixtures & names for names in around)


@cache
def growing_names(file: Path) -> frozenset[str]:
    """Names of a module that lead there, among those that it has at its top level."""
    body = tree_of(file).body
    found = {_SOURCE}
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {each.asname or each.name for each in node.names if _leads(node.module, each.name)}
        elif isinstance(node, ast.Import):
            found |= {each.asname or each.name for each in node.names if _whole(each.name)}
    mentions = [(_made(node), _mentioned(node)) for node in body]
    new = {*found}
    while new:
        new = {name for made, mentioned in mentions if mentioned & found for name in made} - found
        found |= new
    return frozenset(found - {_SOURCE})


def _leads(module: str, name: str) -> bool:
    """Whether a name that is imported from a module does."""
    if module == _SOURCE or f"{module}.{name}" == _SOURCE:
        return True
    if (inside := _file(f"{module}.{name}")) is not None:
        return bool(growing_names(inside))
    file = _file(module)
    return file is not None and name in growing_names(file)


def _whole(module: str) -> bool:
    file = _file(module)
    return module == _SOURCE or (file is not None and bool(growing_names(file)))


def _file(module: str) -> Path | None:
    """Of a module of the tests."""
    if module.partition(".")[0] != "tests":
        return None
    file = _ROOT.joinpath(*module.split(".")).with_suffix(".py")
    return file if file.is_file() else None


def _made(node: ast.stmt) -> Iterable[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return (node.name,)
    if isinstance(node, ast.Import | ast.ImportFrom):
        return ()
    passing = {
        id(name) for each in ast.walk(node) if isinstance(each, ast.comprehension) for name in ast.walk(each.target)
    }
    stored = (each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
    return {each.id for each in stored if id(each) not in passing}


def _mentioned(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return set()
    walked = list(ast.walk(node))
    names = {each.id for each in walked if isinstance(each, ast.Name)} | {
        each.arg for each in walked if isinstance(each, ast.arg)
    }
    for each in walked:
        if isinstance(each, ast.ImportFrom) and each.module:
            names |= {_SOURCE for alias in each.names if _leads(each.module, alias.name)}
    return names
