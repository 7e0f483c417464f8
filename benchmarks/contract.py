"""What is measured on what: kernels, their targets, and workloads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
import polars as pl

from sfumato.table.domain import Domain
from sfumato.table.tuples import Codes, Tuples

__all__ = ["Kernel", "Rows", "Target", "Workload", "fresh", "without_trees"]

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Rows:
    """Coded rows in no order, and what their columns are."""

    codes: Mapping[str, Codes]
    quasi: tuple[Domain, ...]
    sensitive: tuple[Domain, ...]

    @classmethod
    def of(cls, codes: Mapping[str, Codes], quasi: Sequence[Domain], sensitive: Sequence[Domain]) -> Rows:
        """Columns as they are with these rows and no others."""

        def of_rows(domain: Domain) -> Domain:
            counts = np.bincount(codes[domain.name], minlength=domain.size).astype(np.int64)
            return replace(domain, counts=counts, shown=None)

        return cls(codes, tuple(map(of_rows, quasi)), tuple(map(of_rows, sensitive)))

    @classmethod
    def of_tuples(cls, table: Tuples) -> Rows:
        """The rows of a table, in an order that says nothing: sorted ones would be grouped faster than any other."""
        every = table.each()
        order = np.random.default_rng(0).permutation(table.rows)
        names = [domain.name for domain in (*table.quasi, *table.sensitive)]
        return cls.of({name: every.codes[name][order] for name in names}, table.quasi, table.sensitive)

    def __len__(self) -> int:
        return len(next(iter(self.codes.values())))

    def counted(self) -> Tuples:
        """The different rows, coded and counted."""
        return Tuples.of(self.codes, self.quasi, self.sensitive)


@dataclass(frozen=True, eq=False)
class Workload:
    """Coded rows of one kind of data, and the policy that their columns have."""

    data: str
    rows: Rows
    document: Mapping[str, Any]

    @cached_property
    def table(self) -> Tuples:
        """The same as counted tuples: what a search sees."""
        return self.rows.counted()

    @cached_property
    def codes(self) -> pl.DataFrame:
        """Quasi-identifiers and sensitive columns as integers: what the floor groups."""
        columns = (*self.rows.quasi, *self.rows.sensitive)
        return pl.DataFrame({column.name: self.rows.codes[column.name] for column in columns})


@dataclass(frozen=True)
class Target:
    """What a kernel should reach: a multiple of the floor on large tables, milliseconds on Adult itself.

    on    another multiple, or none, for some kinds of data
    """

    ratio: float | None = None
    ms: float | None = None
    on: Mapping[str, float | None] = field(default_factory=dict)

    def most(self, data: str) -> float | None:
        """The multiple of the floor that a large table of that kind may take."""
        return self.on.get(data, self.ratio)


@dataclass(frozen=True)
class Kernel(Generic[T]):
    """Something to measure.

    prepare   makes from a workload what `run` gets; not measured
    run       is measured, again and again on the same thing: it must do all its work every time
    largest   most rows that it is measured on
    """

    name: str
    prepare: Callable[[Workload], T]
    run: Callable[[T], object]
    target: Target = Target()
    largest: int | None = None


def fresh(table: Tuples) -> Tuples:
    """The same table with nothing computed yet; a table keeps what it has computed."""
    return replace(table)


def without_trees(table: Tuples) -> Tuples:
    """The same codes, but quasi-identifiers are plain numbers and texts."""
    return replace(table, quasi=tuple(map(_without_tree, table.quasi)))


def _without_tree(column: Domain) -> Domain:
    numeric = column.values.dtype.is_numeric()
    positions = column.values.cast(pl.Float64).to_numpy() if numeric else None
    return replace(column, taxonomy=None, positions=positions)
