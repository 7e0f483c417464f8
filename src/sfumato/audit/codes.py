"""A column as small integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["Codes"]


@dataclass(frozen=True, eq=False)
class Codes:
    """One code per row, all of them in ``0..size-1``; two rows share it exactly if they are equal."""

    rows: NDArray[np.integer[Any]]
    size: int

    @classmethod
    def of(cls, texts: pl.Series) -> tuple[Codes, list[str | None]]:
        """The codes of a column of texts, and what each stands for. Missing is equal to missing."""
        known = texts.unique(maintain_order=True).drop_nulls()
        codes = texts.cast(pl.Enum(known)).to_physical()
        meant: list[str | None] = known.to_list()
        if codes.null_count():
            codes = codes.fill_null(len(meant))
            meant.append(None)
        return cls(codes.to_numpy(), len(meant)), meant
