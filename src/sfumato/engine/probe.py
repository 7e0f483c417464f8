"""A tiny table on which any promise can be asked for, without data."""

from __future__ import annotations

import numpy as np
import polars as pl

from sfumato.knowledge.table import Knowledge
from sfumato.policy.promises import MultiAttribute, Promise, all_of
from sfumato.table.coded import CodedColumn, CodedTable, SetColumn
from sfumato.taxonomy.tree import Node, Taxonomy

__all__ = ["SAMPLE_VALUES", "probe"]

SAMPLE_VALUES = ("a", "b", "c", "d")
_TREE = Node("*", (Node("ab", (Node("a"), Node("b"))), Node("cd", (Node("c"), Node("d")))))


def probe(promise: Promise) -> CodedTable:
    """Sixteen rows: every combination of two columns, the second sensitive only where a promise speaks of several.

    Where one speaks of terms, every sample value is the only term of a label of its own.
    """
    first, second = (codes.reshape(-1).astype(np.int32) for codes in np.indices((4, 4)))
    several = isinstance(promise, MultiAttribute)
    sensitive = (_column("s", first), *([_column("u", second)] if several else []))
    return CodedTable(16, (_column("q", second),), sensitive, sets=(_terms("t", first),) if _of_terms(promise) else ())


def _of_terms(promise: Promise) -> bool:
    return any(part.about_terms for part in all_of(promise).promises)


def _terms(name: str, codes: np.typing.NDArray[np.int32]) -> SetColumn:
    knowledge = Knowledge.of([(value.upper(), [value]) for value in SAMPLE_VALUES])
    sets = tuple((value,) for value in SAMPLE_VALUES)
    return SetColumn(name, codes, pl.Series(name, SAMPLE_VALUES), sets=sets, knowledge=knowledge)


def _column(name: str, codes: np.typing.NDArray[np.int32]) -> CodedColumn:
    return CodedColumn(name, codes, pl.Series(name, SAMPLE_VALUES), Taxonomy.of(_TREE), ordered=True)
