"""A tiny table on which any promise can be asked for, without data."""

from __future__ import annotations

import numpy as np
import polars as pl

from sfumato.policy.promises import MultiAttribute, Promise
from sfumato.table.coded import CodedColumn, CodedTable
from sfumato.taxonomy.tree import Node, Taxonomy

__all__ = ["SAMPLE_VALUES", "probe"]

SAMPLE_VALUES = ("a", "b", "c", "d")
_TREE = Node("*", (Node("ab", (Node("a"), Node("b"))), Node("cd", (Node("c"), Node("d")))))


def probe(promise: Promise) -> CodedTable:
    """Sixteen rows: every combination of two columns, the second sensitive only where a promise speaks of several."""
    first, second = (codes.reshape(-1).astype(np.int32) for codes in np.indices((4, 4)))
    several = isinstance(promise, MultiAttribute)
    return CodedTable(16, (_column("q", second),), (_column("s", first), *([_column("u", second)] if several else [])))


def _column(name: str, codes: np.typing.NDArray[np.int32]) -> CodedColumn:
    return CodedColumn(name, codes, pl.Series(name, SAMPLE_VALUES), Taxonomy.of(_TREE), ordered=True)
