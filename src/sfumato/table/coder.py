"""Rows as they are read, turned into codes part by part: by whoever reads them, here or on another machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import TableError
from sfumato.table.distinct import Distinct, Distincts

__all__ = ["CHANGED", "RowCoder"]

Codes = NDArray[np.int32]

CHANGED = "is not the same every time"
"""What is said of rows that are read again and turn out to be others."""


@dataclass(frozen=True, eq=False)
class RowCoder:
    """What values mean; it may be pickled and sent.

    values   different values of every column, as they were read
    places   per column that counts, the code of each of these, and last that of a missing one
    """

    values: Mapping[str, pl.Series] = field(repr=False)
    places: Mapping[str, Codes] = field(repr=False)

    @classmethod
    def of(cls, read: Mapping[str, Distinct], coded: Mapping[str, Codes]) -> RowCoder:
        """By the code of every entry of columns that have one for each value, and for missing ones if there are any."""
        places = {name: _with_missing(codes, read[name]) for name, codes in coded.items()}
        return cls({name: found.values for name, found in read.items()}, places)

    def coded(self, part: Distincts) -> tuple[dict[str, Codes], list[Codes]]:
        """Some rows: the code of every column that counts, and where values stand among those that were read, of all
        columns, by which the content is told. `TableError` if a value was not there when columns were described."""
        found = {name: _place(name, part[name], values) for name, values in self.values.items()}
        return {name: codes[found[name]] for name, codes in self.places.items()}, list(found.values())


def _with_missing(codes: Codes, read: Distinct) -> Codes:
    """Codes of different values as they were read, that of a missing one last; -1 where there is none."""
    absent = codes[-1:] if read.missing else np.full(1, -1, np.int32)
    return np.concatenate((codes[: len(read.values)], absent))


def _place(name: str, part: Distinct, whole: pl.Series) -> Codes:
    """Where the values of some rows stand among those of all; -1 for a missing one."""
    values, known = _told_apart(part.values.cast(whole.dtype)), _told_apart(whole)
    order = pl.DataFrame({"value": known, "place": np.arange(len(known), dtype=np.int32)})
    found = values.alias("value").to_frame().join(order, on="value", how="left", maintain_order="left")["place"]
    if found.null_count():
        raise TableError(f"column {name!r} {CHANGED}: it has a value that it had not when it was read before")
    return np.append(found.to_numpy(), -1).astype(np.int32).take(part.codes, mode="wrap")


def _told_apart(values: pl.Series) -> pl.Series:
    """Numbers by their bits, so that those of one value and two signs are two."""
    numbers = values.to_numpy() if values.dtype.is_float() else None
    return values if numbers is None else pl.Series(numbers.view(f"i{numbers.itemsize}"))
