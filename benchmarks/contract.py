"""What is measured on what: kernels, their targets, and workloads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import polars as pl

from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples

__all__ = ["Kernel", "Target", "Workload", "fresh", "without_trees"]

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Workload:
    """A coded table of one kind of data, and the policy that its columns have."""

    data: str
    table: Tuples
    document: Mapping[str, Any]

    @cached_property
    def codes(self) -> pl.DataFrame:
        """Quasi-identifiers and sensitive columns as integers: what the floor groups."""
        return pl.DataFrame({column.name: column.codes for column in (*self.table.quasi, *self.table.sensitive)})


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
    return Tuples(table.rows, tuple(map(replace, table.quasi)), tuple(map(replace, table.sensitive)))


def without_trees(table: Tuples) -> Tuples:
    """The same codes, but quasi-identifiers are plain numbers and texts."""
    return Tuples(table.rows, tuple(map(_without_tree, table.quasi)), table.sensitive)


def _without_tree(column: Domain) -> Domain:
    numeric = column.values.dtype.is_numeric()
    positions = column.values.cast(pl.Float64).to_numpy() if numeric else None
    return replace(column, taxonomy=None, positions=positions)
