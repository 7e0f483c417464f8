"""Sample uniques: whose quasi-identifiers nobody else in the table has, and which few columns suffice for that.

A row is unique by a set of columns if no other row has its values there. The set is *minimal* for the row if it is not
unique by fewer of them: a minimal sample unique. Somebody who is unique by two or three columns is easily known, and
more likely unique in the population as well. Where a person may have several rows, these count as one.

Deviation: SUDA searches minimal sets of any size, row by row; here all sets up to a size are counted, on different
rows, and the score that SUDA makes of them is left to who wants it.

References: Elliot, Manning, Ford: A computational algorithm for handling the special uniques problem. IJUFKS 10, 2002.
https://doi.org/10.1142/S0218488502001600
Manning, Haglin, Keane: A recursive search algorithm for statistical disclosure assessment. DMKD 16, 2008.
https://doi.org/10.1007/s10618-007-0078-6
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from sfumato.table.packing import Packed

__all__ = ["Coded", "ColumnPart", "IdentifyingSet", "SizeOfSets", "Uniques", "uniques"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Bytes = NDArray[np.uint8]

_WORK = 700_000_000
"""Combinations times sets that are looked at: all sets of three of 15 columns on a million rows."""
_ROOM = 1 << 22
"""Keys whose counts are kept side by side whatever there is to count: they fit a cache."""
_LARGEST = 1 << 62
"""Of keys."""
_SHOWN = 10
"""Sets that are named."""


@dataclass(frozen=True, eq=False)
class Coded:
    """Different combinations of some columns: codes, one row per column, and how many values each column may have.

    people   how many people have each
    """

    names: tuple[str, ...]
    codes: Sequence[Codes]
    sizes: tuple[int, ...]
    people: Ints

    def named(self, found: _LookedAt) -> IdentifyingSet:
        return IdentifyingSet(tuple(self.names[at] for at in found.places), found.unique, found.minimal)


@dataclass(frozen=True)
class IdentifyingSet:
    """Columns by which rows are unique, and how many; `minimal`: of how many by no fewer of them."""

    columns: tuple[str, ...]
    unique: int
    minimal: int


@dataclass(frozen=True)
class SizeOfSets:
    """Sets of one size: how many there are and how many were looked at; minimal uniques (a row may have several), and
    rows of which it is the least size."""

    size: int
    sets: int
    looked: int
    minimal: int
    rows: int


@dataclass(frozen=True)
class ColumnPart:
    """What a column does to uniqueness.

    share     of all minimal uniques, those that it is a part of
    without   unique rows that would not be unique without it
    """

    column: str
    share: float
    without: int


@dataclass(frozen=True)
class Uniques:
    """Rows that are unique by all quasi-identifiers, and by few of them.

    sizes     by how many columns, up to the largest size that was looked at
    columns   what each column does
    sets      those by which most rows are unique, some of them by no fewer columns
    """

    rows: int
    sizes: tuple[SizeOfSets, ...] = ()
    columns: tuple[ColumnPart, ...] = ()
    sets: tuple[IdentifyingSet, ...] = ()

    @property
    def capped(self) -> bool:
        """Whether there are sets that were not looked at."""
        return any(each.looked < each.sets for each in self.sizes)


def uniques(coded: Coded, size: int = 3, work: int = _WORK) -> Uniques:
    """Search all sets of up to so many columns, as far as the work allows; those of most values first."""
    rows, others = (np.flatnonzero(each).astype(np.int32) for each in (coded.people == 1, coded.people > 1))
    if not len(rows):
        return Uniques(0)
    search = _Search(coded, rows, others, {})
    left, sizes, every = max(work // len(coded.people), 1), [], []
    reached = np.zeros((len(rows) + 7) // 8, np.uint8)
    for many in range(1, min(size, len(coded.names)) + 1):
        found = [*search.sets(many, left)]
        left -= len(found)
        before = reached
        for each in found:
            reached = reached | search.unique[each.places]
        fresh, minimal = _count(reached & ~before), sum(each.minimal for each in found)
        sizes.append(SizeOfSets(many, comb(len(coded.names), many), len(found), minimal, fresh))
        every += found
    most = sorted((each for each in every if each.minimal), key=lambda each: (-each.unique, len(each.places)))
    return Uniques(len(rows), tuple(sizes), _parts(coded, every, len(rows)), tuple(map(coded.named, most[:_SHOWN])))


@dataclass(frozen=True)
class _LookedAt:
    """A set of columns, by their places."""

    places: tuple[int, ...]
    unique: int
    minimal: int


@dataclass(frozen=True, eq=False)
class _Search:
    """What was found so far: per set of columns which of the unique rows are unique by it, eight of them a byte."""

    coded: Coded
    rows: Codes
    others: Codes
    unique: dict[tuple[int, ...], Bytes]

    def sets(self, many: int, most: int) -> Iterator[_LookedAt]:
        """Sets of one size, those of all smaller sizes having been looked at."""
        sizes = self.coded.sizes
        chosen = sorted(combinations(range(len(sizes)), many), key=lambda set_: -prod(sizes[at] for at in set_))
        begun: tuple[tuple[int, ...], Ints, int] = ((), np.zeros(len(self.coded.people), np.int64), 1)
        for places in sorted(chosen[: max(most, 0)]):
            if places[:-1] != begun[0]:
                begun = (places[:-1], *self._keys(places[:-1]))
            yield self._looked(places, *begun[1:])

    def _keys(self, places: Sequence[int]) -> tuple[Ints, int]:
        """A key per combination for what it has in some columns, and how many keys there may be."""
        keys, room = np.zeros(len(self.coded.people), np.int64), 1
        for at in places:
            if room * self.coded.sizes[at] >= _LARGEST:
                keys, room = _dense(keys)
            keys, room = keys * self.coded.sizes[at] + self.coded.codes[at], room * self.coded.sizes[at]
        return keys, room

    def _looked(self, places: tuple[int, ...], begun: Ints, room: int) -> _LookedAt:
        from sfumato.risk.loops import alone

        last = self.coded.sizes[places[-1]]
        if room * last >= _LARGEST:
            begun, room = _dense(begun)
        none = np.zeros((len(self.rows) + 7) // 8, np.uint8)
        smaller = (self.unique[part] for part in combinations(places, len(places) - 1) if part)
        fewer: Bytes = np.bitwise_or.reduce([none, *smaller])
        near = room * last <= max(_ROOM, 32 * len(begun))
        found = alone(
            begun, self.coded.codes[places[-1]], last, self.rows, self.others, fewer, room * last if near else 0
        )
        self.unique[places] = fewer | found
        return _LookedAt(places, _count(self.unique[places]), _count(found))


def _dense(keys: Ints) -> tuple[Ints, int]:
    """Smaller keys that tell the same apart."""
    numbers = np.unique(keys, return_inverse=True)[1]
    return numbers.reshape(-1).astype(np.int64), len(keys)


def _count(flags: Bytes) -> int:
    return int(np.bitwise_count(flags).sum())


def _parts(coded: Coded, found: Sequence[_LookedAt], rows: int) -> tuple[ColumnPart, ...]:
    every = sum(each.minimal for each in found)
    made = []
    for at, name in enumerate(coded.names):
        part = sum(each.minimal for each in found if at in each.places)
        made.append(ColumnPart(name, part / max(every, 1), rows - _without(coded, at)))
    return tuple(made)


def _without(coded: Coded, column: int) -> int:
    """Rows that are unique by all other columns."""
    others = [(coded.codes[at], coded.sizes[at]) for at in range(len(coded.names)) if at != column]
    if not others:
        return int(coded.people.sum() == 1)
    return int((Packed.of(others, coded.people, canonical=True).counts == 1).sum())
