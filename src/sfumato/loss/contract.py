"""What a loss is: the number that algorithms make small and that a release reports.

Every loss is between 0 (all is told) and 1 (nothing is), a suppressed row counts as 1. It has a cost per cell, by which
algorithms choose between columns, and a value for a whole release, from the mean costs of the columns and the sizes of
the classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.table.domain import Domain

__all__ = ["Loss", "Weighted", "additive", "all_columns", "column_means"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Loss(Protocol):
    """Cost of publishing the codes ``low..high`` of a column as one value, how columns weigh, and their sum."""

    def cost(self, column: Domain, low: Ints, high: Ints, values: Ints | None = None) -> Floats:
        """At most 1 (says nothing), for many intervals at once; never less for a wider interval.

        `values` counts the different values in each, where a set of them will be published; unknown while searching.
        """
        ...

    def weight(self, column: Domain) -> float:
        """Importance of the column; 1 unless the policy or the definition says otherwise."""
        ...

    def least(self, means: Floats, weights: Floats, hidden: Floats) -> Floats:
        """No release loses less whose columns cost at least these means (last axis), with this share suppressed."""
        ...

    def value(self, means: Floats, weights: Floats, sizes: Ints, rows: int) -> float:
        """The loss of a release.

        means     mean cost of the cells of every column, over all rows, a suppressed one costing 1
        sizes     of the classes that are published
        rows      of the original table
        """
        ...


@dataclass(frozen=True)
class Weighted:
    """A loss that is the weighted mean of its columns' costs. Subclass it with a `cost`.

    Where no column has a weight, only suppressed rows are lost. One whose value is not that mean says `additive` is
    False.
    """

    weights: Mapping[str, Fraction] = field(default_factory=dict)
    additive: ClassVar[bool] = True

    def weight(self, column: Domain) -> float:
        return float(self.weights.get(column.name, 1))

    def least(self, means: Floats, weights: Floats, hidden: Floats) -> Floats:
        total = weights.sum()
        return np.asarray(means @ weights / total if total else np.broadcast_to(hidden, means.shape[:-1]))

    def value(self, means: Floats, weights: Floats, sizes: Ints, rows: int) -> float:
        return float(self.least(means, weights, np.array(1 - sizes.sum() / max(rows, 1))))


def additive(loss: Loss) -> bool:
    """Whether the value of a release is the weighted mean of its columns' mean costs, and nothing else.

    Such a loss says so with a class attribute `additive`.
    """
    return bool(getattr(loss, "additive", False))


def all_columns(loss: Loss) -> bool:
    """Whether the value of a release counts sensitive columns too, each with its weight.

    Such a loss says so with a class attribute `all_columns`. A search sees quasi-identifiers alone, all the same.
    """
    return bool(getattr(loss, "all_columns", False))


def column_means(cells: Sequence[Floats], rows: Ints, suppressed: int) -> Floats:
    """Mean cost of the published cells of every column, each standing for so many rows, and of suppressed rows."""
    return np.array([(float(cell @ rows) + suppressed) / max(int(rows.sum()) + suppressed, 1) for cell in cells])
