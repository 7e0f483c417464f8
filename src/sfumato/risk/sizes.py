"""How many classes there are of every size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ClassCount", "SizeCounts"]


@dataclass(frozen=True)
class ClassCount:
    """Classes of one size, and the rows of all of them."""

    size: int
    classes: int
    rows: int


@dataclass(frozen=True)
class SizeCounts:
    """Classes by size, the smallest first."""

    classes: int
    rows: int
    smallest: int
    largest: int
    by_size: tuple[ClassCount, ...]

    @classmethod
    def of(cls, sizes: NDArray[np.int64]) -> SizeCounts:
        """
        >>> found = SizeCounts.of(np.array([1, 3, 1]))
        >>> found.classes, found.rows, [(each.size, each.classes, each.rows) for each in found.by_size]
        (3, 5, [(1, 2, 2), (3, 1, 3)])
        """
        values, counts = np.unique(sizes[sizes > 0], return_counts=True)
        pairs = zip(values.tolist(), counts.tolist(), strict=True)
        each = tuple(ClassCount(size, many, size * many) for size, many in pairs)
        ends = (each[0].size, each[-1].size) if each else (0, 0)
        return cls(int(counts.sum()), int(values @ counts), *ends, each)
