"""Files of Python as trees, each parsed once for all tests that look at them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

__all__ = ["nodes_of", "tree_of"]


@cache
def tree_of(file: Path) -> ast.Module:
    """What a file says. It is everybody's: nobody changes it."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    """All that a file is made of."""
    return tuple(ast.walk(tree_of(file)))
