"""Files of Python as trees, each parsed once for all tests that look at them."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

__all__ = ["imported", "nodes_of", "tree_of"]


@cache
def tree_of(file: Path) -> ast.Module:
    """What a file says. It is everybody's: nobody changes it."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    """All that a file is made of."""
    return tuple(ast.walk(tree_of(file)))


_HOME = re.compile(r"sfumato(?:\.\w+)+:\w+")
"""How a table says where a piece lives."""


@cache
def imported(file: Path) -> set[str]:
    """Every sfumato module that a file imports, wherever in the file, or that a table of it says pieces live in."""
    found: set[str] = set()
    for node in nodes_of(file):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _HOME.fullmatch(node.value):
            found.add(node.value.partition(":")[0])
    return {name for name in found if name.split(".")[0] == "sfumato"}
