"""The loops that find equal rows and count them. A row is packed into words, its codes in fields of bits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner

__all__ = [
    "append",
    "number",
    "number_ordered",
    "order",
    "run_lengths",
    "run_lengths_ordered",
    "sort",
    "summed",
]

Ints = NDArray[np.int64]
Words = NDArray[np.int64]
Numbers = NDArray[np.int32]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_DIGIT = 11
"""Bits of a radix sort's digit: as many counters as the nearest cache has room for."""


@compiled
def append(words: Words, word: int, shift: int, codes: NDArray[Any], least: int, size: int) -> bool:
    """Put a column's codes, counted from the least on, into their field; whether all lie in ``least..size-1``."""
    if len(codes) != len(words):
        raise ValueError("a code for every row")
    wrong = 0
    for row in range(len(codes)):
        code = np.int64(codes[row]) - least
        wrong |= int(np.uint64(code) >= np.uint64(size - least))  # a code below the least becomes a huge one
        words[row, word] |= code << shift
    return wrong == 0


@inner
def _slot(key: int, shift: np.uint64) -> Any:
    return np.int64((np.uint64(key) * _GOLDEN) >> shift)


@compiled
def number(keys: Ints, patience: int, worth: float) -> tuple[Numbers, Ints]:
    """A number from 0 on for every key, equal keys alike, in order of appearance; and the key of every number.

    Gives up, with nothing, once the keys seen so far foretell that no share of `worth` will repeat earlier ones. It
    looks when there have been `patience` of them, and whenever they have doubled.
    """
    total = len(keys)
    slots, shift = 1 << 11, np.uint64(64 - 11)
    table, beside = np.full(slots, -1, np.int32), np.empty(slots, np.int64)
    numbers = np.empty(total, np.int32)
    found, at = 0, 0
    while at < total:
        while at < min(total, patience) and 2 * found < slots:
            key = keys[at]
            slot = _slot(key, shift)
            while table[slot] >= 0 and beside[slot] != key:
                slot = (slot + 1) & (slots - 1)
            if table[slot] < 0:
                table[slot], beside[slot] = found, key
                found += 1
            numbers[at] = table[slot]
            at += 1
        if at == patience:
            if (at - found) / at * (total / at) < worth:
                return numbers[:0], keys[:0]
            patience *= 2
        if 2 * found >= slots:
            slots, shift = 2 * slots, shift - np.uint64(1)
            old_table, old_beside = table, beside
            table, beside = np.full(slots, -1, np.int32), np.empty(slots, np.int64)
            for old in range(len(old_table)):
                if old_table[old] >= 0:
                    slot = _slot(old_beside[old], shift)
                    while table[slot] >= 0:
                        slot = (slot + 1) & (slots - 1)
                    table[slot], beside[slot] = old_table[old], old_beside[old]
    distinct = np.empty(found, np.int64)
    for slot in range(slots):
        if table[slot] >= 0:
            distinct[table[slot]] = beside[slot]
    return numbers, distinct


@compiled
def order(words: Words) -> NDArray[np.uint32]:
    """Rows in ascending order, the last word counting most; equal rows stay in theirs."""
    total = len(words)
    rows, spare_rows = np.arange(total).astype(np.uint32), np.empty(total, np.uint32)
    keys, spare = np.empty(total, np.int64), np.empty(total, np.int64)
    place = np.empty((1 << _DIGIT) + 1, np.int64)
    for word in range(words.shape[1]):
        used = np.int64(0)
        for at in range(total):
            keys[at] = words[rows[at], word]
            used |= keys[at]
        shift = 0
        while shift < 63 and used >> shift:
            place[:] = 0
            for key in keys:
                place[((key >> shift) & ((1 << _DIGIT) - 1)) + 1] += 1
            for digit in range(1 << _DIGIT):
                place[digit + 1] += place[digit]
            for at in range(total):
                digit = (keys[at] >> shift) & ((1 << _DIGIT) - 1)
                spare[place[digit]], spare_rows[place[digit]] = keys[at], rows[at]
                place[digit] += 1
            keys, spare = spare, keys
            rows, spare_rows = spare_rows, rows
            shift += _DIGIT
    return rows


@compiled
def sort(keys: Ints) -> tuple[Ints, Ints]:
    """Keys, none of them negative, in ascending order, in their own array or another; and as much room as they take."""
    spare, used = np.empty_like(keys), np.int64(0)
    for key in keys:
        used |= key
    bits = 0
    while bits < 63 and used >> bits:
        bits += 1
    passes = max(1, -(-bits // _DIGIT))
    width = -(-bits // passes)
    mask = (1 << width) - 1
    offsets = np.zeros((passes, 1 << width), np.int64)
    for key in keys:
        for digit in range(passes):
            offsets[digit, (key >> (digit * width)) & mask] += 1
    for digit in range(passes):
        before = 0
        for value in range(1 << width):
            count = offsets[digit, value]
            offsets[digit, value] = before
            before += count
        place, shift = offsets[digit], digit * width
        for key in keys:
            value = (key >> shift) & mask
            spare[place[value]] = key
            place[value] += 1
        keys, spare = spare, keys
    return keys, spare


@compiled
def run_lengths(ordered: Ints, counts: Ints) -> int:
    """Leave every different key once, in front, with its number of rows beside it; how many there are."""
    found, start = 0, 0
    for at in range(1, len(ordered) + 1):
        if at < len(ordered) and ordered[at] == ordered[start]:
            continue
        ordered[found], counts[found] = ordered[start], at - start
        found, start = found + 1, at
    return found


@inner
def _with(distinct: Words, found: int, words: Words, row: int) -> int:
    """How many different rows there are with one more, which is not before the last of them."""
    fresh = found == 0
    for word in range(words.shape[1]):
        fresh = fresh or words[row, word] != distinct[found - 1, word]
    if not fresh:
        return found
    for word in range(words.shape[1]):
        distinct[found, word] = words[row, word]
    return found + 1


@compiled
def run_lengths_ordered(words: Words, rows: NDArray[np.uint32]) -> tuple[Words, Ints]:
    """The words of all different rows, these given in ascending order, and how many rows each is."""
    distinct, counts = np.empty_like(words), np.zeros(len(words), np.int64)
    found = 0
    for row in rows:
        found = _with(distinct, found, words, row)
        counts[found - 1] += 1
    return distinct[:found], counts[:found]


@compiled
def number_ordered(words: Words, rows: NDArray[np.uint32]) -> tuple[Numbers, Words]:
    """A number for every row, equal rows alike, ascending with their order; and the words of every number."""
    numbers = np.empty(len(words), np.int32)
    distinct = np.empty_like(words)
    found = 0
    for row in rows:
        found = _with(distinct, found, words, row)
        numbers[row] = found - 1
    return numbers, distinct[:found]


@compiled
def summed(numbers: Numbers, counts: Ints, total: int) -> Ints:
    """The sum of the counts of every number."""
    sums = np.zeros(total, np.int64)
    for at in range(len(numbers)):
        sums[numbers[at]] += counts[at]
    return sums
