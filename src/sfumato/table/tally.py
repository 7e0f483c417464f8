"""Counting columns: the only question that is asked of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.table.distinct import Distinct
from sfumato.table.packing import Packed

__all__ = ["Counted", "count"]


@dataclass(frozen=True, eq=False)
class Counted:
    """The different combinations of some columns, in no order.

    codes    per column, the place of every combination's value among those of the column; -1: missing
    counts   rows of each
    row      the first row of each
    """

    codes: tuple[NDArray[np.int32], ...]
    counts: NDArray[np.int64]
    row: NDArray[np.int64]


def count(columns: Sequence[Distinct]) -> Counted:
    """Count rows that are equal in all of some columns."""
    packed = Packed.of_columns([(found.codes, len(found.values)) for found in columns])
    codes = tuple((packed.codes(place) - 1).astype(np.int32) for place in range(len(columns)))
    return Counted(codes, packed.counts, packed.first())
