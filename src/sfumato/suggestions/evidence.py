"""What a column tells about its rows, in counts: the evidence behind a suggested role.

With n rows and c rows per value, a missing value being one more value (as under `missing: category`):

    uniqueness   rows with c = 1, divided by n
    entropy      −Σ c/n · log2(c/n), in bits; normalised: divided by log2 n, the bits that name one row
    separation   1 − Σ c(c−1) / (n(n−1)): share of the pairs of rows that the column tells apart
    distinctness number of values divided by n

Distinct and separation ratio follow R. Motwani and Y. Xu, "Efficient algorithms for masking and finding
quasi-identifiers", 2007. Deviation: computed on all rows, not estimated from a sample.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import polars as pl
from numpy.typing import NDArray

__all__ = ["Combination", "Evidence", "combination", "entropy_bits", "evidence_of", "percent", "separation"]

_COUNT = "rows"


@dataclass(frozen=True)
class Evidence:
    """Figures of one column. None of them is a value of the data.

    distinct   different values, missing not counted
    unique     rows whose value no other row has
    most       rows of the most frequent value
    span       largest minus smallest number (dates: days), rounded up to one digit so that it gives no value away
    length     characters of every value, if all have the same number
    date       strptime format that all values follow, for dates written as text
    bands      of texts that are intervals of one width: where they begin, modulo that width, and the width
    """

    rows: int
    missing: int
    distinct: int
    unique: int
    most: int
    entropy: float
    separation: float
    span: float | None = None
    length: int | None = None
    date: str | None = None
    bands: tuple[Fraction, Fraction] | None = None

    @property
    def values(self) -> int:
        """Different values, with missing as one of them."""
        return self.distinct + (self.missing > 0)

    @property
    def uniqueness(self) -> float:
        return self.unique / self.rows if self.rows else 0.0

    @property
    def distinctness(self) -> float:
        return self.values / self.rows if self.rows else 0.0

    @property
    def normalised_entropy(self) -> float:
        return self.entropy / math.log2(self.rows) if self.rows > 1 else 0.0

    @property
    def best_l(self) -> int:
        """The largest simple l that the whole column keeps: n // most. Entropy l keeps it as well."""
        return self.rows // self.most if self.most else 0


@dataclass(frozen=True)
class Combination:
    """Figures of several columns taken together."""

    columns: tuple[str, ...]
    rows: int
    distinct: int
    unique: int
    separation: float

    @property
    def distinctness(self) -> float:
        return self.distinct / self.rows if self.rows else 0.0


def evidence_of(column: pl.Series) -> tuple[Evidence, pl.DataFrame]:
    """The figures of a column, and its values (first column, missing left out) with the rows of each (second)."""
    tally = pl.DataFrame([column.alias("value")]).group_by("value").agg(pl.len().alias(_COUNT))
    counts = tally[_COUNT].to_numpy().astype(np.int64)
    known = tally.filter(pl.col("value").is_not_null())
    found = Evidence(
        rows=len(column),
        missing=column.null_count(),
        distinct=known.height,
        unique=int((counts == 1).sum()),
        most=int(counts.max(initial=0)),
        entropy=entropy_bits(counts),
        separation=separation(counts),
    )
    return found, known


def combination(frame: pl.DataFrame, columns: Sequence[str]) -> Combination:
    """The figures of several columns of a table, taken together."""
    keys = [frame[name].alias(str(index)) for index, name in enumerate(columns)]
    tally = pl.DataFrame(keys).group_by([str(index) for index in range(len(columns))]).agg(pl.len().alias(_COUNT))
    counts = tally[_COUNT].to_numpy().astype(np.int64)
    return Combination(tuple(columns), frame.height, len(counts), int((counts == 1).sum()), separation(counts))


def entropy_bits(counts: NDArray[np.int64]) -> float:
    """Entropy of a distribution given by its counts.

    >>> entropy_bits(np.array([2, 1, 1]))
    1.5
    """
    shares = counts[counts > 0] / max(int(counts.sum()), 1)
    return float(abs(-(shares * np.log2(shares)).sum()))


def separation(counts: NDArray[np.int64]) -> float:
    """Share of the pairs of rows with different values; 0 if there is no pair.

    >>> separation(np.array([2, 1, 1]))  # 5 of 6 pairs
    0.8333333333333334
    """
    rows = int(counts.sum())
    pairs = rows * (rows - 1)
    return 1 - int((counts * (counts - 1)).sum()) / pairs if pairs else 0.0


def percent(share: float) -> str:
    """Rounded down, so that 100 % is said of nothing less.

    >>> percent(1.0), percent(0.99999)
    ('100 %', '99.9 %')
    """
    return f"{math.floor(share * 1000) / 10:g} %"
