"""The loops that find classes: rows that look alike at a level vector, level vector after level vector.

An item stands for all rows with the same quasi-identifiers. A run of it stands for those that share what is sensitive
as well: a code and a number of rows. Neighbouring columns are looked up together, as a chunk.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.slots import FREE, GOLDEN, hashed

__all__ = ["Filter", "Items", "Room", "Rungs", "classes_at", "find_classes", "has_enough", "sort_members"]

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]

_NONE = np.uint64(1 << 63)
_HALF = np.uint64(31)


class Items(NamedTuple):
    """Different quasi-identifiers: item i has a code per chunk, ``codes[i]``, and runs ``starts[i]..starts[i+1]-1``.

    values   code of what is sensitive, per run
    counts   rows that are not in a class yet, per run
    seen     which codes an item has, a bit for each; the last bit for all beyond
    rows     rows of an item that are not in a class yet
    """

    codes: NDArray[np.int32]
    starts: Ints
    values: NDArray[np.int32]
    counts: Ints
    seen: Keys
    rows: Ints


class Rungs(NamedTuple):
    """What columns show at their levels, as bits of a key.

    fields   tables, one after the other: bits per code, the highest where the code has no such level; behind them room
             for the tables of chunks
    at       where the table of a column at a level begins: [column, level]
    sizes    codes per column
    chunks   columns ``chunks[c]..chunks[c+1]-1`` are looked up together
    room     where the table of a chunk has its room
    word     which word of the key a chunk belongs to
    base     where the table of a chunk begins, at the present vector; -1: not known yet
    now      the present vector
    """

    fields: Keys
    at: Ints
    sizes: Ints
    chunks: Ints
    room: Ints
    word: Ints
    base: Ints
    now: Ints


class Filter(NamedTuple):
    """What a class must have at least to be looked at: rows, and different codes, of which there are `codes` in all."""

    rows: int
    distinct: int
    codes: int


class Room(NamedTuple):
    """Room that is used again, per open item or class: the class of an item, and per class rows and codes seen."""

    owner: Ints
    rows: Ints
    seen: Keys


@inner
def _climb(rungs: Rungs, vector: Ints) -> None:
    """Go to a level vector: find the table of every chunk whose levels change."""
    for chunk in range(len(rungs.room)):
        begin, end = rungs.chunks[chunk], rungs.chunks[chunk + 1]
        if end == begin + 1:
            rungs.base[chunk] = rungs.at[begin, vector[begin]]
            continue
        same = rungs.base[chunk] >= 0
        for column in range(begin, end):
            same = same and rungs.now[column] == vector[column]
        if same:
            continue
        room, filled = rungs.room[chunk], 1
        rungs.fields[room] = 0
        for column in range(begin, end):
            table, size = rungs.at[column, vector[column]], rungs.sizes[column]
            for left in range(filled - 1, -1, -1):
                bits = rungs.fields[room + left]
                for code in range(size):
                    rungs.fields[room + left * size + code] = bits | rungs.fields[table + code]
            filled *= size
        rungs.base[chunk] = room
    for column in range(len(vector)):
        rungs.now[column] = vector[column]


@inner
def _show(items: Items, rungs: Rungs, chunk: int, open_items: Ints, keys: Keys) -> None:
    """Add what a chunk shows to the keys of open items."""
    fields, base, codes = rungs.fields, rungs.base[chunk], items.codes
    for at in range(len(open_items)):
        keys[at] |= fields[np.uint64(base + codes[np.uint64(open_items[at]), np.uint64(chunk)])]


@inner
def _number(keys: Keys, slots: int, owner: Ints) -> int:
    """Number different keys in order of appearance, those that lack a level by -1; answers how many there are.

    They stand in front then, in the order of their numbers.
    """
    found: Any = np.int64(0)
    total, at, room = len(keys), 0, slots
    two, one = np.uint64(2), np.uint64(1)
    while at < total:
        cells, shift = hashed(keys, found, room)
        last = np.uint64(room - 1)
        while at < total and 4 * found <= 3 * room:
            key = keys[at]
            if key & _NONE:
                owner[at] = -1
                at += 1
                continue
            slot = (key * GOLDEN) >> shift
            while cells[two * slot] != key and cells[two * slot] != FREE:
                slot = (slot + one) & last
            if cells[two * slot] == FREE:
                cells[two * slot], cells[two * slot + one] = key, np.uint64(found)
                keys[found] = key
                found += 1
            owner[at] = np.int64(cells[two * slot + one])
            at += 1
        room *= 2
    return int(found)


@compiled
def classes_at(items: Items, rungs: Rungs, vector: Ints, open_items: Ints, slots: int, owner: Ints) -> int:
    """`find_classes`, for one vector."""
    found: int = find_classes(items, rungs, vector, open_items, slots, owner)
    return found


@inner
def find_classes(items: Items, rungs: Rungs, vector: Ints, open_items: Ints, slots: int, owner: Ints) -> int:
    """Number the classes of open items at a level vector, in order of appearance; -1: an item lacks a level.

    `slots` is how large a table to begin with. Answers how many classes there are.
    """
    if len(owner) < len(open_items):
        raise ValueError("fewer places than open items")
    _climb(rungs, vector)
    total, chunks = len(open_items), len(rungs.room)
    keys, found = np.zeros(total, np.uint64), 0
    for chunk in range(chunks + 1):
        if chunk == chunks or (chunk > 0 and rungs.word[chunk] != rungs.word[chunk - 1]):
            found = _number(keys, slots, owner)
            for at in range(total if chunk < chunks else 0):
                keys[at] = _NONE if owner[at] < 0 else np.uint64(owner[at]) << _HALF
        if chunk < chunks:
            _show(items, rungs, chunk, open_items, keys)
    return found


@inner
def _bits(mask: np.uint64) -> int:
    count = 0
    while mask:
        mask &= mask - np.uint64(1)
        count += 1
    return count


@inner
def has_enough(rows: int, seen: np.uint64, wanted: Filter) -> bool:
    """Whether a class of so many rows and those codes is to be looked at."""
    if rows < wanted.rows or wanted.distinct <= 1:
        return rows >= wanted.rows
    distinct = _bits(seen)
    if seen & _NONE:
        distinct += max(wanted.codes - 64, 0)
    return bool(distinct >= wanted.distinct)


@inner
def sort_members(owner: Ints, groups: int) -> tuple[Ints, Ints]:
    """What belongs to every group: group g has ``members[place[g]:place[g+1]]``; -1 belongs to none."""
    place = np.zeros(groups + 1, np.int64)
    fill = np.empty(groups, np.int64)
    for index in range(len(owner)):
        if owner[index] >= 0:
            place[owner[index] + 1] += 1
    for group in range(groups):
        fill[group] = place[group]
        place[group + 1] += place[group]
    members = np.empty(place[groups], np.int64)
    for index in range(len(owner)):
        if owner[index] >= 0:
            members[fill[owner[index]]] = index
            fill[owner[index]] += 1
    return place, members
