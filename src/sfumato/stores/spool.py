"""Published rows on their way into parts: each goes to the part that its secret number says, and stands there by it.

A row is a few words, its codes in fields of bits, behind its number. Which part, and where in it, follows from the
number alone, so that rows may come in any order, from any machine: the parts are the same to the byte.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["Spool", "spooling"]

Ints = NDArray[np.int64]
Numbers = NDArray[np.uint64]

_AT_ONCE = 1 << 20
"""Rows that are dealt to parts at a time."""
_HALF = np.uint64(32)


@dataclass(frozen=True)
class Spool:
    """A private folder with a file for each of `parts` parts; `words` per row."""

    folder: Path
    parts: int
    words: int

    def add(self, rows: Ints, numbers: Numbers) -> None:
        """Rows, each of so many words, with their secret numbers."""
        for begin in range(0, len(rows), _AT_ONCE):
            self._deal(rows[begin : begin + _AT_ONCE], numbers[begin : begin + _AT_ONCE])

    def _deal(self, rows: Ints, numbers: Numbers) -> None:
        part = (((numbers >> _HALF) * np.uint64(self.parts)) >> _HALF).astype(np.int32)
        order = np.argsort(part, kind="stable")
        records = np.empty((len(rows), self.words + 1), dtype=np.int64)
        records[:, 0] = numbers[order].view(np.int64)
        records[:, 1:] = rows[order]
        ends = np.searchsorted(part[order], np.arange(self.parts + 1))
        for number in np.flatnonzero(np.diff(ends)).tolist():
            with os.fdopen(os.open(self._file(number), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as file:
                file.write(records[ends[number] : ends[number + 1]].tobytes())

    def _file(self, part: int) -> Path:
        return self.folder / f"{part:05d}"

    def ordered(self) -> Iterator[Ints]:
        """The rows of every part that has any, in the order of their numbers; each file is gone when it was read."""
        for part in range(self.parts):
            if self._file(part).exists():
                records = np.fromfile(self._file(part), dtype=np.int64).reshape(-1, self.words + 1)
                self._file(part).unlink()
                yield in_order(records)


def in_order(records: Ints) -> Ints:
    """Rows by the secret numbers before them; of rows that share one, those with smaller words first."""
    numbers = records[:, 0].view(np.uint64)
    order = np.argsort(numbers, kind="stable")
    if bool((np.diff(numbers[order]) == 0).any()):
        order = np.lexsort((*records[:, :0:-1].T, numbers))
    return records[order, 1:]


@contextmanager
def spooling(folder: Path, parts: int, words: int) -> Iterator[Spool]:
    """A spool in a new folder, which only its owner may read, and which is gone afterwards."""
    folder.mkdir(mode=0o700)
    try:
        yield Spool(folder, parts, words)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
