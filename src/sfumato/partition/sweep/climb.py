"""A table as SWEEP's loops see it: items of equal quasi-identifiers, and what these show at every level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import Refused
from sfumato.partition.sweep.information import Levels
from sfumato.table.domain import Domain
from sfumato.table.packing import Packed
from sfumato.table.tuples import Tuples

if TYPE_CHECKING:
    from sfumato.partition.sweep.loops.classes import Items, Room, Rungs

__all__ = ["MOST_VISITS", "Climb"]

Ints = NDArray[np.int64]

MOST_VISITS = 50_000_000_000
"""Of items to level vectors: half an hour or so."""
_CHUNK = 1024
"""Codes of a chunk at most: its table is made anew when a level changes."""
_WORDS = (62, 31)
"""Bits of the first word of a key, and of all others: these also hold the number found so far."""


@dataclass(frozen=True, eq=False)
class Climb:
    """Items in ascending order of their codes, whatever order the rows come in.

    items     with their runs, all rows being open
    rungs     what columns show
    packed    the runs, as combinations of the sensitive code and the quasi-identifiers
    owner     the item of every run
    codes     per quasi-identifier, the code of every item
    """

    items: Items
    rungs: Rungs
    packed: Packed
    owner: Ints
    codes: tuple[Ints, ...]

    @classmethod
    def of(
        cls,
        table: Tuples,
        levels: Sequence[Levels],
        secret: NDArray[np.int32],
        codes: int,
        bits: NDArray[np.uint64],
    ) -> Climb:
        """Of tuples with a sensitive code each; `bits` says what a code stands for."""
        from sfumato.partition.sweep.loops.classes import Items

        quasi = table.quasi
        columns = [(secret, codes), *((table.codes[column.name], column.size) for column in quasi)]
        packed = Packed.of(columns, table.counts, canonical=True)
        parts = [packed.codes(axis) for axis in range(1, len(columns))]
        runs = len(packed.counts)
        fresh = np.zeros(runs, dtype=np.bool_)
        fresh[:1] = True
        for part in parts:
            fresh[1:] |= part[1:] != part[:-1]
        owner, begins = np.cumsum(fresh) - 1, np.flatnonzero(fresh)
        parts = [part[begins] for part in parts]
        rungs, chunks = _rungs(quasi, levels)
        coded = np.zeros((len(begins), len(chunks)), dtype=np.int32)
        for place, (begin, end) in enumerate(chunks):
            for axis in range(begin, end):
                coded[:, place] = coded[:, place] * quasi[axis].size + parts[axis]
        values = packed.codes(0).astype(np.int32)
        starts = np.append(begins, runs).astype(np.int64)
        seen = np.bitwise_or.reduceat(bits[values], begins) if runs else np.zeros(0, dtype=np.uint64)
        rows = np.add.reduceat(packed.counts, begins) if runs else np.zeros(0, dtype=np.int64)
        return cls(Items(coded, starts, values, packed.counts.copy(), seen, rows), rungs, packed, owner, tuple(parts))

    def require_few(self, vectors: int) -> None:
        """Refuse what would take hours: items are looked at again at every level vector until they have a class."""
        items = len(self.items.rows)
        if items * vectors > MOST_VISITS:
            raise Refused(
                f"SWEEP would look at {items} different rows at up to {vectors} combinations of levels; {MOST_VISITS}"
                " visits are the most. Use hierarchies with fewer levels, fewer quasi-identifiers, or another method,"
                " such as mondrian"
            )

    def shelf(self) -> Room:
        """Room for the loops."""
        from sfumato.partition.sweep.loops.classes import Room

        count = len(self.items.rows)
        return Room(np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.uint64))

    def of_tuples(self, found: Ints) -> Ints:
        """What was found for runs, for the tuples of the table."""
        return self.packed.of_each(found)

    def a_tuple(self, items: Ints) -> Ints:
        """The first tuple of each of some items."""
        mine = self.of_tuples(self.owner)
        first = np.empty(len(self.codes[0]), dtype=np.int64)
        first[mine[::-1]] = np.arange(len(mine))[::-1]
        return first[items]


def _rungs(quasi: Sequence[Domain], levels: Sequence[Levels]) -> tuple[Rungs, list[tuple[int, int]]]:
    """The tables of all columns, and which of them are looked up together."""
    from sfumato.partition.sweep.loops.classes import Rungs

    places = _places([column.size for column in quasi])
    chunks = _chunks([column.size for column in quasi], [word for word, _ in places])
    at = np.zeros((len(quasi), max(map(len, levels), default=0)), dtype=np.int64)
    tables, used = [np.zeros(0, dtype=np.uint64)], 0
    for axis, (each, (_, shift)) in enumerate(zip(levels, places, strict=True)):
        for level, (first, has) in enumerate(zip(each.first, each.has, strict=True)):
            number = np.unique(first, return_inverse=True)[1].astype(np.uint64)
            tables.append(number << np.uint64(shift) | np.where(has, np.uint64(0), np.uint64(1 << 63)))
            at[axis, level] = used
            used += len(number)
    room = []
    for begin, end in chunks:
        room.append(used)
        if end > begin + 1:
            wide = int(np.prod([quasi[axis].size for axis in range(begin, end)]))
            tables.append(np.zeros(wide, dtype=np.uint64))
            used += wide
    rungs = Rungs(
        fields=np.concatenate(tables),
        at=at,
        sizes=np.array([column.size for column in quasi], dtype=np.int64),
        chunks=np.array([0, *(end for _, end in chunks)], dtype=np.int64),
        room=np.array(room, dtype=np.int64),
        word=np.array([places[begin][0] for begin, _ in chunks], dtype=np.int64),
        base=np.full(len(chunks), -1, dtype=np.int64),
        now=np.full(len(quasi), -1, dtype=np.int64),
    )
    return rungs, chunks


def _places(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Word and shift of every column."""
    places, word, used = [], 0, 0
    for size in sizes:
        bits = max(size - 1, 0).bit_length()
        if used + bits > _WORDS[min(word, 1)]:
            word, used = word + 1, 0
        places.append((word, used))
        used += bits
    return places


def _chunks(sizes: Sequence[int], words: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbouring columns of one word, as long as they have few codes together."""
    chunks: list[tuple[int, int]] = []
    wide = 0
    for axis, size in enumerate(sizes):
        if chunks and words[axis] == words[axis - 1] and wide * size <= _CHUNK:
            chunks[-1] = (chunks[-1][0], axis + 1)
            wide *= size
        else:
            chunks.append((axis, axis + 1))
            wide = size
    return chunks
