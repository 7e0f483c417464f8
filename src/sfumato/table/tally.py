"""Counting columns: the only question that encoding, facts, feasibility and the auditor ask of rows.

Whoever answers it, from memory, a file in parts or a cluster, serves all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.table.packing import Column, Packed
from sfumato.table.shards import counted_by_places, shards_of

__all__ = ["CodedRows", "Counted", "Shardable", "Tally"]


AT_ONCE = 1 << 22
"""Rows that are counted at a time where what is counted can be put together."""


@dataclass(frozen=True, eq=False)
class Counted:
    """The different combinations of some columns, in ascending order of their codes, the first column counting most.

    codes    per column, of every combination
    counts   rows of each
    row      a row of each, if they were asked for
    """

    codes: tuple[NDArray[np.int64], ...]
    counts: NDArray[np.int64]
    row: NDArray[np.int64] | None = None

    def fresh(self, columns: int) -> NDArray[np.bool_]:
        """Which combinations differ from the one before in the first columns; the first always does."""
        new = np.zeros(len(self.counts), dtype=np.bool_)
        new[:1] = True
        for codes in self.codes[:columns]:
            new[1:] |= codes[1:] != codes[:-1]
        return new


class Tally(Protocol):
    """Rows that can be counted."""

    @property
    def rows(self) -> int:
        """How many there are."""
        ...

    def count(self, columns: Sequence[str], *, first: bool = False) -> Counted:
        """The combinations of these columns and their rows; `first`: also the first row of each."""
        ...


class Shardable(Tally, Protocol):
    """Rows that can be counted shard by shard."""

    def shards(self, columns: Sequence[str]) -> Iterator[Tally]:
        """The rows in few shards, one after the other: all that are equal in these columns are in one, and shards
        ascend as combinations do."""
        ...


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Rows in memory: per column a code for each, and how many codes there are.

    least    what codes count from; with -1, a missing value is counted as 0, and others follow
    times    how many rows each stands for; None: each is a row
    """

    columns: Mapping[str, Column]
    least: int = 0
    times: NDArray[np.int64] | None = None

    @property
    def rows(self) -> int:
        if self.times is not None:
            return int(self.times.sum())
        return len(next(iter(self.columns.values()))[0]) if self.columns else 0

    def shards(self, columns: Sequence[str]) -> Iterator[Tally]:
        entries = len(next(iter(self.columns.values()))[0]) if self.columns else 0
        if entries <= AT_ONCE or not columns:
            yield self
            return
        for rows in shards_of([self.columns[name] for name in columns], self.least, AT_ONCE):
            some = {name: (codes[rows], size) for name, (codes, size) in self.columns.items()}
            yield CodedRows(some, self.least, None if self.times is None else self.times[rows])

    def count(self, columns: Sequence[str], *, first: bool = False) -> Counted:
        chosen = [self.columns[name] for name in reversed(columns)]
        if not first and (found := counted_by_places([self.columns[name] for name in columns], self.least, self.times)):
            return Counted(*found)
        counted = first or self.times is not None
        packed = Packed.of_rows(chosen, self.least, self.times) if counted else Packed.counted(chosen, self.least)
        codes = tuple(packed.codes(len(columns) - 1 - place) for place in range(len(columns)))
        return Counted(codes, packed.counts, packed.first() if first else None)
