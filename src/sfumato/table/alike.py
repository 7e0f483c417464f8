"""Rows that are equal in everything, held once: how many there are of each, and where the first of them stands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["AlikeRows"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class AlikeRows:
    """What the entries of columns stand for, where these are not rows one by one.

    times   rows of each
    first   the first row, from 0, of each; ascending
    """

    times: Ints
    first: Ints

    @cached_property
    def rows(self) -> int:
        """Rows of all."""
        return int(self.times.sum())

    def where(self, some: NDArray[np.bool_]) -> AlikeRows:
        """Some of them."""
        return AlikeRows(self.times[some], self.first[some])

    def followed_by(self, other: AlikeRows) -> AlikeRows:
        """These, then the others."""
        return AlikeRows(np.concatenate((self.times, other.times)), np.concatenate((self.first, other.first)))
