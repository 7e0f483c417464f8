"""Tables made by hand: columns with a code per row, and their rows one by one, in the order given, or counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.table.domain import Domain, SetDomain
from sfumato.table.table import Table
from sfumato.table.tuples import Codes, Tuples
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["Column", "as_read", "column_with", "columns_of", "counted", "moved", "rows_of"]


class Column(NamedTuple):
    """What a column is, and the code of every row."""

    domain: Domain
    codes: Codes


def column_with(
    name: str,
    codes: Sequence[int] | NDArray[np.integer[Any]],
    values: pl.Series | Sequence[Any],
    taxonomy: Taxonomy | None = None,
    positions: NDArray[np.float64] | None = None,
    missing: int | None = None,
    ordered: bool = False,
) -> Column:
    """Of some rows and no others."""
    made = np.array(codes, dtype=np.int32)
    known = pl.Series(name, values)
    counts = np.bincount(made, minlength=len(known)).astype(np.int64)
    domain = Domain(name, known, counts, taxonomy=taxonomy, positions=positions, missing=missing, ordered=ordered)
    return Column(domain, made)


def columns_of(table: Tuples, domains: Sequence[Domain]) -> list[Column]:
    """Some columns of a table, to make another with."""
    return [Column(domain, table.codes[domain.name]) for domain in domains]


def rows_of(
    quasi: Sequence[Column] = (),
    sensitive: Sequence[Column] = (),
    *,
    sets: Sequence[Column] = (),
    beside: Sequence[Column] = (),
    person: Sequence[int] | Codes | None = None,
) -> Tuples:
    """Rows one by one, in the order given; equal ones know that they are."""
    every = (*quasi, *sensitive, *sets, *beside)
    count = len(every[0].codes) if every else 0
    table = Tuples(
        np.ones(count, dtype=np.int64),
        {each.domain.name: each.codes for each in every},
        tuple(each.domain for each in quasi),
        tuple(each.domain for each in sensitive),
        tuple(_sets(each.domain) for each in sets),
        tuple(each.domain for each in beside),
        None if person is None else np.array(person, dtype=np.int32),
    )
    keys = [np.zeros(count, dtype=np.int32), *table.every]
    return replace(table, content=np.unique(np.stack(keys), axis=1, return_inverse=True)[1].reshape(-1))


def counted(table: Tuples) -> Tuples:
    """The same rows, in canonical order and counted."""
    return Tuples.of(
        {name: np.repeat(codes, table.counts) for name, codes in table.codes.items()},
        table.quasi,
        table.sensitive,
        sets=table.sets,
        beside=table.beside,
        person=None if table.person is None else np.repeat(table.person, table.counts),
    )


def moved(table: Tuples, order: NDArray[np.int64]) -> Tuples:
    """Rows that stand one by one, in another order."""
    return replace(
        table,
        codes={name: codes[order] for name, codes in table.codes.items()},
        person=None if table.person is None else table.person[order],
        content=table.content[order],
        row=None if table.row is None else table.row[order],
    )


def as_read(table: Tuples) -> Tuples:
    """Rows that are all different, in the order in which they were read."""
    assert table.row is not None and (table.counts == 1).all()
    return moved(table, np.argsort(table.row))


def _sets(domain: Domain) -> SetDomain:
    assert isinstance(domain, SetDomain)
    return domain


def published(table: Table) -> pl.DataFrame:
    """All columns as they are published where a form does not change them, row by row."""
    return pl.DataFrame([table.published_as(name).spread() for name in table.columns])
