"""A table as integers: what partitioners, models and publishers see of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.taxonomy.tree import Taxonomy

__all__ = ["CodedColumn", "CodedTable"]


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """One column: a code per row, and what a code stands for.

    Codes follow the column's order: leaf order of its taxonomy, numeric or date order, the policy's `order:`, or
    plain text order. A missing value, where it is a category, is the last code, and a child of the root.

    codes       a code per row
    values      the base value of every code (polars series, null for missing)
    taxonomy    the tree over the codes, or None
    positions   where each code lies on a line, for numbers and dates without a tree (missing: NaN), or None
    missing     the code of the missing value, or None
    counts      rows of the whole original table per code
    ordered     whether the order of codes means something (numbers, dates, `order:`)
    """

    name: str
    codes: NDArray[np.int32]
    values: pl.Series
    taxonomy: Taxonomy | None = None
    positions: NDArray[np.float64] | None = None
    missing: int | None = None
    ordered: bool = False

    @property
    def size(self) -> int:
        """How many codes there are, including leaves of the taxonomy that no row has."""
        return len(self.values)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        return np.bincount(self.codes, minlength=self.size).astype(np.int64)

    def take(self, rows: NDArray[np.int64]) -> CodedColumn:
        """The same column for some of the rows."""
        return CodedColumn(
            self.name, self.codes[rows], self.values, self.taxonomy, self.positions, self.missing, self.ordered
        )


@dataclass(frozen=True, eq=False)
class CodedTable:
    """The quasi-identifiers and sensitive columns of a table, coded."""

    rows: int
    quasi: tuple[CodedColumn, ...]
    sensitive: tuple[CodedColumn, ...]
    _by_name: dict[str, CodedColumn] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {column.name: column for column in (*self.quasi, *self.sensitive)})

    def __getitem__(self, name: str) -> CodedColumn:
        return self._by_name[name]

    def joint(self, columns: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """One dense code per row for a combination of columns, and the component codes of every such code."""
        stacked = np.stack([self[name].codes for name in columns], axis=1)
        combinations, codes = np.unique(stacked, axis=0, return_inverse=True)
        return codes.astype(np.int32).reshape(-1), combinations.astype(np.int32)
