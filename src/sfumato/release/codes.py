"""A column as small integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.table.dictionaries import codes_of, tidy, values_of
from sfumato.table.packing import Packed

__all__ = ["Codes", "together"]


@dataclass(frozen=True, eq=False)
class Codes:
    """One code per row, all of them in ``0..size-1``; two rows share it exactly if they are equal."""

    rows: NDArray[np.integer[Any]]
    size: int

    @classmethod
    def of(cls, texts: pl.Series) -> tuple[Codes, list[str | None]]:
        """The codes of a column of texts, and what each stands for. Missing is equal to missing."""
        column = tidy(texts)
        meant: list[str | None] = values_of(column).to_list()
        return cls.alone(column), [*meant, None] if column.null_count() else meant

    @classmethod
    def alone(cls, texts: pl.Series) -> Codes:
        """The codes of a dictionary without what they stand for; some may be those of no row."""
        return cls(codes_of(texts), len(values_of(texts)) + bool(texts.null_count()))


def together(columns: Sequence[pl.Series]) -> tuple[Codes, list[tuple[str | None, ...]]]:
    """Several columns as one: its codes, and the combination of texts that each stands for."""
    parts = [Codes.of(column) for column in columns]
    packed = Packed.of([(codes.rows, codes.size) for codes, _ in parts], np.ones(len(columns[0]), np.int64), True)
    numbers = np.zeros(0, np.int32) if packed.numbers is None else packed.numbers
    meant = [[texts[code] for code in packed.codes(place).tolist()] for place, (_, texts) in enumerate(parts)]
    return Codes(numbers, len(packed.counts)), list(zip(*meant, strict=True))
