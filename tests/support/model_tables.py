"""Small tables and groups for tests of models."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from sfumato.models.contract import Columns, Facts, Groups, Model
from sfumato.models.registry import bind
from sfumato.policy.promises import Promise
from sfumato.table.domain import Domain
from sfumato.table.line import Line
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.tree import Node, Taxonomy
from tests.support.handmade import column_with, rows_of

NAMES = tuple(string.ascii_lowercase)


def column_of(
    counts: Mapping[int, int],
    name: str = "s",
    values: Sequence[Any] = NAMES,
    ordered: bool = False,
    tree: Node | None = None,
) -> Domain:
    """A sensitive column that has these counts, however large, without having the rows."""
    taxonomy = None if tree is None else Taxonomy.of(tree)
    size = len(values) if taxonomy is None else taxonomy.size
    texts = pl.Series(name, list(values)[:size])
    rows = np.array([counts.get(code, 0) for code in range(size)], dtype=np.int64)
    line = Line("place", {text: place for place, text in enumerate(map(str, values))}) if ordered else None
    return Domain(name, texts, rows, taxonomy=taxonomy, ordered=ordered, line=line)


def facts_of(*columns: Domain) -> Facts:
    return Facts(int(columns[0].counts.sum()), {column.name: column for column in columns})


def added(groups: Sequence[Mapping[int, int]]) -> dict[int, int]:
    """The counts of all groups together."""
    total: dict[int, int] = {}
    for group in groups:
        for value, count in group.items():
            total[value] = total.get(value, 0) + count
    return total


def model_of(promise: Promise, whole: Mapping[int, int], ordered: bool = True, tree: Node | None = None) -> Model:
    """The promise bound to a table of one sensitive column that has these counts."""
    return bind(promise, facts_of(column_of(whole, ordered=ordered, tree=tree)))


def groups_of(*groups: Mapping[int, int]) -> Groups:
    return Groups.of_counts("s", groups)


def block(text: str) -> dict[int, int]:
    """``"a a b"`` as counts by code."""
    letters = text.split()
    return {NAMES.index(letter): letters.count(letter) for letter in letters}


def holds(promise: Promise, *groups: Mapping[int, int], whole: Mapping[int, int] | None = None) -> list[bool]:
    """What the model says of each group, of a table that consists of them unless told."""
    model = model_of(promise, added(groups) if whole is None else whole)
    return [bool(each) for each in model.holds(groups_of(*groups))]


def table_of(rows: Sequence[Sequence[str]], names: Sequence[str]) -> Tuples:
    """A coded table of sensitive columns only."""
    columns = []
    for index, name in enumerate(names):
        values = sorted({row[index] for row in rows})
        codes = [values.index(row[index]) for row in rows]
        columns.append(column_with(name, codes, pl.Series(name, values, dtype=pl.String)))
    return rows_of((), columns)


def groups_of_rows(table: Tuples, labels: Sequence[int], statistics: tuple[Columns, ...]) -> Groups:
    return Groups.of(table, np.array(labels, dtype=np.int64), statistics)


small = st.integers(1, 6)
moderate = st.integers(1, 60)
large = st.one_of(st.integers(1, 10), st.integers(10**5, 10**6), st.integers(10**11, 10**12))


def histograms(counts: st.SearchStrategy[int], values: int = 5) -> st.SearchStrategy[dict[int, int]]:
    """Non-empty groups."""
    return st.dictionaries(st.integers(0, values - 1), counts, min_size=1, max_size=values)
