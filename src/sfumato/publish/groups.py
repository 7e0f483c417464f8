"""What every form does with groups: which rows it shows, and under which names."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.publish.contract import Material

__all__ = ["free_name", "plain", "shown_groups"]

Ints = NDArray[np.int64]


def shown_groups(material: Material) -> tuple[Ints, int | None]:
    """The group of every row, and which one holds the suppressed rows if they are kept; else these stay at -1."""
    labels = material.partition.labels
    if not material.keep_suppressed or not (labels < 0).any():
        return labels, None
    last = int(labels.max()) + 1
    return np.where(labels < 0, last, labels), last


def plain(column: pl.Series) -> pl.Series:
    """Categories as text: their list would name values that no published row has."""
    return column.cast(pl.String) if isinstance(column.dtype, (pl.Categorical, pl.Enum)) else column


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """A name that no column has."""
    while wanted in taken:
        wanted += "_"
    return wanted
