"""The step that a class at a level vector takes next, and what its rows lose by it.

Of the vectors that stand one level higher in one column, the most informative comes first; so it is that column whose
cells tell less next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.sweep.information import Levels

__all__ = ["StepsUp"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class StepsUp:
    """Per level vector the column that climbs next, and per column what is lost from each level to the next above.

    column   of every vector; -1: there is nothing above
    lost     per column: [level, code]
    """

    vectors: Ints
    column: Ints
    lost: tuple[Floats, ...]

    @classmethod
    def of(cls, levels: Sequence[Levels], vectors: Ints) -> StepsUp:
        """Of all level vectors in their order."""
        shape = [len(each) for each in levels]
        strides = np.append(np.cumprod(shape[::-1])[::-1][1:], 1).astype(np.int64)
        keys = vectors @ strides
        place = np.empty(len(vectors), dtype=np.int64)
        place[keys] = np.arange(len(vectors))
        best, column = np.full(len(vectors), len(vectors)), np.full(len(vectors), -1)
        for axis in range(len(shape)):
            higher = np.where(vectors[:, axis] > 0, place[np.maximum(keys - strides[axis], 0)], len(vectors))
            nearer = higher < best
            best[nearer], column[nearer] = higher[nearer], axis
        lost = []
        for each in levels:
            codes = np.arange(len(each.first[0]))
            told = np.stack([each.tells(level, codes) for level in range(len(each))])
            lost.append(np.diff(told, axis=0, prepend=told[:1]))
        return cls(vectors, column, tuple(lost))

    def spent(self, vector: int, codes: Sequence[Ints], which: Ints) -> Floats:
        """What a row of some items loses by the next step from a vector; items have these codes, per column."""
        mine, lost = self.next_of(vector, codes)
        return np.asarray(lost[mine[which]])

    def next_of(self, vector: int, codes: Sequence[Ints]) -> tuple[Ints, Floats]:
        """Codes of items in the column that climbs next, and what a row of each code loses."""
        axis = int(self.column[vector])
        if axis < 0:
            return codes[0], np.zeros(self.lost[0].shape[1])
        return codes[axis], self.lost[axis][self.vectors[vector, axis]]

    def worth_a_look(self, bounds: Sequence[Fraction], dear: float) -> Ints:
        """Vectors at which a class that breaks the bounds could lose less by generalized sensitive values.

        Its most frequent value is more than the least of bound/k of the rows, and if it climbs it loses half at least.
        """
        least = float(min(bound / (k + 1) for k, bound in enumerate(bounds)))
        return np.flatnonzero(2 * self.most >= dear * least * (1 - 1e-9))

    @cached_property
    def most(self) -> Floats:
        """What a row loses by the next step from each vector, at most."""
        most = [each.max(axis=1) for each in self.lost]
        return np.array(
            [most[axis][self.vectors[at, axis]] if axis >= 0 else 0.0 for at, axis in enumerate(self.column.tolist())]
        )
