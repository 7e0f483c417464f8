"""A published table made part by part from counted rows, in a secret order: nothing but a part is ever held.

Every row that an entry stands for gets a secret number from its place among all rows (`kernels/instances.py`); it goes
to the part that the number says, and stands there in the order of numbers. So the order is a permutation that follows
from the key, the counts and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.forms.contract import CountedColumn, CountedTable
from sfumato.randomness import Randomness
from sfumato.stores.spool import Spool, spooling
from sfumato.table.dictionaries import column_of
from sfumato.table.packing import fields_of, pack

__all__ = ["Emission"]

Ints = NDArray[np.int64]

_AT_ONCE = 1 << 20
_IN_BLOCK = 40
"""Bits for the place of a row in its block."""
_NARROW = 1 << 22
"""Codes below this are looked up in a table; others are sorted."""


@dataclass(frozen=True, eq=False)
class Emission:
    """A table on its way into parts: counted rows are added, block by block, and then it is read part by part.

    fields       where words have the code of each column
    randomness   bound to what is shown
    """

    spool: Spool
    fields: Ints
    randomness: Randomness

    @classmethod
    @contextmanager
    def to(cls, private: Path, sizes: Sequence[int], parts: int, randomness: Randomness) -> Iterator[Emission]:
        """In a folder that does not exist yet, and is gone afterwards; columns have codes below these sizes."""
        fields = fields_of(sizes)
        with spooling(private, parts, int(fields[:, 0].max(initial=0)) + 1) as spool:
            yield cls(spool, fields, randomness)

    def add(self, counted: CountedTable, randomness: Randomness, block: int) -> None:
        """The rows of a block, which no other block has, in an order that follows from what they show."""
        from sfumato.kernels.instances import secret_numbers

        times, key = counted.times, randomness.numbers(2, "row order")
        words = pack([(each.codes, each.size) for each in counted.columns], len(times))[0]
        ends = np.cumsum(times)
        total = int(ends[-1]) if len(ends) else 0
        for begin in range(0, total, _AT_ONCE):
            place = np.arange(begin, min(begin + _AT_ONCE, total))
            numbers = np.empty(len(place), dtype=np.uint64)
            secret_numbers(key, (block << _IN_BLOCK) + begin, numbers)
            self.spool.add(words[np.searchsorted(ends, place, side="right")], numbers)

    def frames(self, columns: Sequence[CountedColumn], drawn: Mapping[str, int]) -> Iterator[pl.DataFrame]:
        """The parts, one after the other."""
        for number, rows in enumerate(self.spool.ordered()):
            made = [
                _decoded(column, (rows[:, word] >> shift) & mask)
                for column, (word, shift, mask) in zip(columns, self.fields.tolist(), strict=True)
            ]
            for name, place in drawn.items():
                names = self.randomness.names(len(rows), f"pseudonyms of {name}, part {number}")
                made.insert(place, pl.Series(name, names))
            yield pl.DataFrame(made)


def _decoded(column: CountedColumn, codes: Ints) -> pl.Series:
    """The cells of some rows, with a dictionary of those that occur."""
    if column.size > _NARROW:
        different, places = np.unique(codes, return_inverse=True)
        return column_of(column.name, places.reshape(-1), column.shown(different))
    used = np.zeros(column.size, dtype=np.bool_)
    used[codes] = True
    return column_of(column.name, (np.cumsum(used) - 1)[codes], column.shown(np.flatnonzero(used)))
