"""The one place where codes become keys: different combinations of codes, packed into few words, and their rows.

Codes stand side by side in fields of bits, in as few words as hold them. Where one word holds them all, they are
numbered by hashing, and left as they are if hardly any repeats; otherwise by sorting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.table.few import loops_for

__all__ = ["Column", "Packed", "fields_of", "pack"]

Ints = NDArray[np.int64]
Column = tuple[NDArray[np.integer[Any]], int]
"""Codes of a column, and how many there may be."""

_BITS = 63
"""Of a word: its sign is left alone."""
_BLOCK = 1 << 14
"""Rows that are packed at a time: their words stay in the nearest cache while column after column is added."""
_PATIENCE, _WORTH = 1 << 16, 0.25
"""Rows to look at, and the least share of rows that must repeat, to make numbering worth the time."""


@dataclass(frozen=True, eq=False)
class Packed:
    """Different combinations.

    words      the codes of each
    fields     where each column has its code: word, shift, mask
    counts     rows of each
    numbers    which of them everything is that was packed; None: each is its own, or it is not known
    """

    words: Ints
    fields: Ints
    counts: Ints
    numbers: NDArray[np.int32] | None

    @classmethod
    def of(cls, columns: Sequence[Column], counts: Ints, canonical: bool) -> Packed:
        """Combinations of some columns of codes, of which each stands for so many rows.

        If canonical, they are all different and in ascending order, whatever order they come in; the last column counts
        most.
        """
        return cls._of_words(*pack(columns, len(counts)), counts, canonical)

    @classmethod
    def of_rows(cls, columns: Sequence[Column], least: int = 0, times: Ints | None = None) -> Packed:
        """The same of rows, canonical; codes count from the least on, so that with -1 a missing value becomes 0.

        With `times`, each stands for so many rows.
        """
        rows = len(columns[0][0]) if columns else 0
        counts = np.ones(rows, dtype=np.int64) if times is None else times
        return cls._of_words(*pack(columns, rows, least), counts, canonical=True)

    @classmethod
    def counted(cls, columns: Sequence[Column], least: int = 0) -> Packed:
        """The same of rows, canonical, without a word on which combination a row is: it takes less time and room."""
        words, fields = pack(columns, len(columns[0][0]) if columns else 0, least)
        loops = loops_for(len(words))
        if words.shape[1] > 1:
            distinct, counts = loops.run_lengths_ordered(words, loops.order(words))
            return cls(distinct, fields, counts, None)
        keys, counts = loops.sort(words.reshape(-1))
        found = loops.run_lengths(keys, counts)
        return cls(keys[:found].reshape(-1, 1), fields, counts[:found], None)

    @classmethod
    def of_words(cls, words: Ints, counts: Ints) -> Packed:
        """Combinations that are packed already, each of so many rows, canonical; what their fields are is not known."""
        return cls._of_words(words, np.zeros((0, 3), dtype=np.int64), counts, canonical=True)

    @classmethod
    def _of_words(cls, words: Ints, fields: Ints, counts: Ints, canonical: bool) -> Packed:
        loops = loops_for(len(words))
        if words.shape[1] == 1:
            numbers, distinct = loops.number(words[:, 0], _PATIENCE, _WORTH)
            if len(numbers):
                found = cls._counted(distinct.reshape(-1, 1), fields, numbers, counts)
                return found._sorted() if canonical else found
            if not canonical:
                return cls(words, fields, counts, None)
        numbers, distinct = loops.number_ordered(words, loops.order(words))
        return cls._counted(distinct, fields, numbers, counts)

    @classmethod
    def _counted(cls, words: Ints, fields: Ints, numbers: NDArray[np.int32], counts: Ints) -> Packed:
        return cls(words, fields, loops_for(len(numbers)).summed(numbers, counts, len(words)), numbers)

    def _sorted(self) -> Packed:
        ascending = loops_for(len(self.words)).order(self.words)
        place = np.empty(len(ascending), dtype=np.int32)
        place[ascending] = np.arange(len(ascending), dtype=np.int32)
        numbers = None if self.numbers is None else place[self.numbers]
        return Packed(self.words[ascending], self.fields, self.counts[ascending], numbers)

    def first(self) -> Ints:
        """Of everything that was packed, the first that is each combination."""
        if self.numbers is None:
            return np.arange(len(self.counts))
        first = np.empty(len(self.counts), dtype=np.int64)
        first[self.numbers[::-1]] = np.arange(len(self.numbers) - 1, -1, -1)
        return first

    def codes(self, column: int) -> Ints:
        """A column's code in every combination."""
        word, shift, mask = self.fields[column].tolist()
        codes: Ints = (self.words[:, word] >> shift) & mask
        return codes

    def of_each(self, found: NDArray[Any]) -> NDArray[Any]:
        """What was found for combinations, for everything that was packed."""
        return found if self.numbers is None else found[self.numbers]

    def records(self) -> Ints:
        """The words of every combination, and in one more word its rows (upper half) and its number (lower half)."""
        made = np.empty((len(self.words), self.words.shape[1] + 1), dtype=np.int64)
        made[:, :-1] = self.words
        made[:, -1] = (self.counts << 32) | np.arange(len(self.words))
        return made


def pack(columns: Sequence[Column], rows: int, least: int = 0) -> tuple[Ints, Ints]:
    """The words of all rows, and the fields of the columns in them."""
    loops = loops_for(rows)
    fields = fields_of([size - least for _, size in columns])
    words = np.zeros((rows, int(fields[:, 0].max(initial=0)) + 1), dtype=np.int64)
    for begin in range(0, rows, _BLOCK):
        block = slice(begin, begin + _BLOCK)
        for (codes, size), (word, shift, _) in zip(columns, fields.tolist(), strict=True):
            if not loops.append(words[block], word, shift, codes[block], least, size):
                raise ValueError(f"a code is not below the size {size} of its column, or negative")
    return words, fields


def fields_of(sizes: Sequence[int]) -> Ints:
    """Word, shift and mask per column."""
    fields, word, used = [], 0, 0
    for size in sizes:
        bits = max(size - 1, 0).bit_length()
        if used + bits > _BITS:
            word, used = word + 1, 0
        fields.append((word, used, (1 << bits) - 1))
        used += bits
    return np.array(fields, dtype=np.int64).reshape(-1, 3)
