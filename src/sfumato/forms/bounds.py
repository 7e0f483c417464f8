"""Numbers and days as two columns: the smallest and the largest value that a generalized cell covers, both included.

A cell that says nothing (`*`) is empty in both, one without an end on one side is empty there. Where a published value
is missing, a third column says so, and both bounds are empty. A half-open interval of numbers ``[20, 25)`` is shown by
what covers it, 20 and 25; of whole numbers by 20 and 24.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from math import ceil, floor

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import TableError
from sfumato.forms.rows import free_name
from sfumato.policy.columns import Column
from sfumato.taxonomy.dates import days_between
from sfumato.taxonomy.notation import read_interval
from sfumato.taxonomy.text import Kind, key_of

__all__ = ["LowerUpper"]

Ints = NDArray[np.int64]
Bound = int | float | date | None

_TYPES: dict[Kind, type[pl.DataType]] = {"integer": pl.Int64, "number": pl.Float64, "date": pl.Date}


@dataclass(frozen=True, eq=False)
class LowerUpper:
    """What every text of a column means: lower and upper bound, and whether the value is missing."""

    lower: pl.Series
    upper: pl.Series
    missing: pl.Series | None

    @classmethod
    def of(cls, spec: Column, texts: pl.Series, shown: Ints, taken: set[str]) -> LowerUpper:
        """Of different texts; `shown` says which of them published rows show, `taken` are names of columns."""
        used = texts.gather(np.flatnonzero(np.bincount(shown, minlength=len(texts))))
        known = {text: _bounds(text, spec.kind) for text in used.drop_nulls()}
        odd = sum(found is None for found in known.values())
        if odd:
            raise TableError(
                f"column {texts.name!r}: {odd} of its published labels are no intervals, so that they have no bounds;"
                " give the column another hierarchy, or leave form: numbers: bounds out"
            )
        pairs = [known.get(text) or (None, None) for text in texts.to_list()]
        dtype, name = _TYPES[spec.kind], texts.name
        lower = pl.Series(free_name(f"{name}_lower", taken), [low for low, _ in pairs], dtype=dtype)
        upper = pl.Series(free_name(f"{name}_upper", taken), [high for _, high in pairs], dtype=dtype)
        absent = texts.is_null().alias(free_name(f"{name}_missing", taken))
        return cls(lower, upper, absent if used.null_count() else None)

    @property
    def columns(self) -> tuple[pl.Series, ...]:
        return (self.lower, self.upper) if self.missing is None else (self.lower, self.upper, self.missing)


def _bounds(text: str, kind: Kind) -> tuple[Bound, Bound] | None:
    if text == "*":
        return None, None
    exact = key_of(text, kind)
    if exact is not None and not isinstance(exact, str):
        return exact, exact
    return days_between(text) if kind == "date" else _numbers(text, kind)


def _numbers(text: str, kind: Kind) -> tuple[Bound, Bound] | None:
    found = read_interval(text)
    if found is None:
        return None
    low, high = found.low, found.high
    if kind == "number":
        return None if low is None else float(low), None if high is None else float(high)
    first = None if low is None else ceil(low) if found.low_closed else floor(low) + 1
    return first, None if high is None else floor(high) if found.high_closed else ceil(high) - 1
