"""The loops that find equal rows and count them, for few rows, by numpy: nothing has to be compiled for them.

Every function answers what the one of the same name in `loops` does; see there.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "FEW",
    "append",
    "loops_for",
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

FEW = 1 << 13
"""Rows that numpy sorts in less time than it takes to load a compiled loop."""


def loops_for(rows: int) -> ModuleType:
    """The loops to use for so many rows: these, or the compiled ones."""
    from importlib import import_module

    return import_module("sfumato.table.few" if rows <= FEW else "sfumato.table.loops")


def append(words: Words, word: int, shift: int, codes: NDArray[Any], least: int, size: int) -> bool:
    if len(codes) != len(words):
        raise ValueError("a code for every row")
    fields = codes.astype(np.int64) - least
    words[:, word] |= fields << shift
    return not len(fields) or bool(fields.min() >= 0 and fields.max() < size - least)


def number(keys: Ints, patience: int, worth: float) -> tuple[Numbers, Ints]:
    del patience, worth  # so few rows are always worth it
    distinct, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
    appearing = np.argsort(first)
    place = np.empty(len(appearing), dtype=np.int32)
    place[appearing] = np.arange(len(appearing), dtype=np.int32)
    return place[numbers], distinct[appearing]


def order(words: Words) -> NDArray[np.uint32]:
    return np.lexsort(words.T).astype(np.uint32)


def sort(keys: Ints) -> tuple[Ints, Ints]:
    return np.sort(keys), np.empty_like(keys)


def run_lengths(ordered: Ints, counts: Ints) -> int:
    distinct, lengths = np.unique(ordered, return_counts=True)
    ordered[: len(distinct)], counts[: len(distinct)] = distinct, lengths
    return len(distinct)


def _fresh(words: Words, rows: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which rows differ from the one before."""
    fresh = np.ones(len(rows), dtype=np.bool_)
    fresh[1:] = (words[rows[1:]] != words[rows[:-1]]).any(axis=1)
    return fresh


def run_lengths_ordered(words: Words, rows: NDArray[np.uint32]) -> tuple[Words, Ints]:
    begins = np.flatnonzero(_fresh(words, rows))
    return words[rows[begins]], np.diff(np.append(begins, len(rows)))


def number_ordered(words: Words, rows: NDArray[np.uint32]) -> tuple[Numbers, Words]:
    fresh = _fresh(words, rows)
    numbers = np.empty(len(rows), dtype=np.int32)
    numbers[rows] = np.cumsum(fresh) - 1
    return numbers, words[rows[fresh]]


def summed(numbers: Numbers, counts: Ints, total: int) -> Ints:
    sums = np.zeros(total, dtype=np.int64)
    np.add.at(sums, numbers, counts)
    return sums
