"""A published table made part by part from counted rows, in a secret order: nothing but a part is ever held.

Every row that an entry stands for gets a secret number from its place among all rows (`kernels/instances.py`); it goes
to the part that the number says, and stands there in the order of numbers. So the order is a permutation that follows
from the key, the counts and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.forms.contract import CountedColumn, CountedRows
from sfumato.progress import Progress, silent
from sfumato.randomness import Randomness
from sfumato.stores.spool import Spool, spooling
from sfumato.table.dictionaries import column_of
from sfumato.table.packing import Packed

__all__ = ["PartsOfTable"]

Ints = NDArray[np.int64]

_AT_ONCE = 1 << 20
_NARROW = 1 << 22
"""Codes below this are looked up in a table; others are sorted."""


@dataclass(frozen=True, eq=False)
class PartsOfTable:
    """A table of counted rows that is to be written in parts.

    randomness   bound to what is shown
    rows         of a part, about
    """

    counted: CountedRows
    randomness: Randomness
    rows: int

    @property
    def total(self) -> int:
        return int(self.counted.times.sum())

    def frames(self, private: Path, progress: Progress = silent) -> Iterator[pl.DataFrame]:
        """The parts, one after the other; `private` is a folder that does not exist yet, and is gone afterwards."""
        packed = Packed.laid_out([(each.codes, each.size) for each in self.counted.columns], len(self.counted.times))
        count, done = max(-(-self.total // self.rows), 1), 0
        progress("publish", 0, self.total)
        with spooling(private, count, packed.words.shape[1]) as spool:
            self._spool(packed, spool)
            fields = packed.fields
            del packed
            for number, rows in enumerate(spool.ordered()):
                yield self._frame(rows, fields, number)
                done += len(rows)
                progress("publish", done, self.total)

    def _spool(self, packed: Packed, spool: Spool) -> None:
        from sfumato.kernels.instances import secret_numbers

        times, key = self.counted.times, self.randomness.numbers(2, "row order")
        ends = np.cumsum(times)
        for begin in range(0, self.total, _AT_ONCE):
            place = np.arange(begin, min(begin + _AT_ONCE, self.total))
            numbers = np.empty(len(place), dtype=np.uint64)
            secret_numbers(key, begin, numbers)
            spool.add(packed.words[np.searchsorted(ends, place, side="right")], numbers)

    def _frame(self, rows: Ints, fields: Ints, number: int) -> pl.DataFrame:
        columns = [
            _decoded(column, (rows[:, word] >> shift) & mask)
            for column, (word, shift, mask) in zip(self.counted.columns, fields.tolist(), strict=True)
        ]
        for name, place in self.counted.drawn.items():
            drawn = self.randomness.names(len(rows), f"pseudonyms of {name}, part {number}")
            columns.insert(place, pl.Series(name, drawn))
        return pl.DataFrame(columns)


def _decoded(column: CountedColumn, codes: Ints) -> pl.Series:
    """The cells of some rows, with a dictionary of those that occur."""
    if column.size > _NARROW:
        different, places = np.unique(codes, return_inverse=True)
        return column_of(column.name, places.reshape(-1), column.shown(different))
    used = np.zeros(column.size, dtype=np.bool_)
    used[codes] = True
    return column_of(column.name, (np.cumsum(used) - 1)[codes], column.shown(np.flatnonzero(used)))
