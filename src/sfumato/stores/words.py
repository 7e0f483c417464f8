"""Coded rows in a file of one's own: words, line after line, which are read in chunks.

The file is private to its owner, and lies in a folder that is gone after the run, or removed by the next one if this
was killed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.mondrian.asks import Asks, Chunk, CutTree, Tallied, count
from sfumato.progress import Progress
from sfumato.stores.contract import KeptRows
from sfumato.table.packing import Packed
from sfumato.table.streamed import ReadAgain, StreamedTable
from sfumato.table.tuples import Tuples
from sfumato.table.word_layout import WordLayout

__all__ = ["WordsFile", "counted_words", "kept_in_file"]

Ints = NDArray[np.int64]

_CHUNK = 1 << 19
_THREADS = 2


@dataclass(frozen=True, eq=False)
class WordsFile:
    """Rows in a file."""

    path: Path
    layout: WordLayout
    rows: int

    @classmethod
    def written(cls, path: Path, layout: WordLayout, parts: Iterable[Ints]) -> WordsFile:
        """A new file of these rows."""
        rows = 0
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            for words in parts:
                file.write(np.ascontiguousarray(words).data)
                rows += len(words)
        return cls(path, layout, rows)

    def chunks(self, begin: int, end: int) -> Iterator[Ints]:
        """Some of the rows, in pieces."""
        width = self.layout.words
        with self.path.open("rb", buffering=0) as file:
            file.seek(8 * width * begin)
            for at in range(begin, end, _CHUNK):
                count_ = min(_CHUNK, end - at) * width
                yield np.fromfile(file, dtype=np.int64, count=count_).reshape(-1, width)

    def tally(self, asks: Asks) -> Tallied:
        """In two threads, of which each reads its half of the file."""
        bounds = [self.rows * place // _THREADS for place in range(_THREADS + 1)]

        def half(place: int) -> Tallied:
            return count(asks, ((words, None) for words in self.chunks(bounds[place], bounds[place + 1])))

        with ThreadPoolExecutor(_THREADS) as pool:
            return Tallied.all_of(asks, list(pool.map(half, range(_THREADS))))

    def blocks(self, leaves: CutTree, sizes: list[int], table: Tuples, progress: Progress) -> Iterator[Tuples]:
        """Rows are put into the order of leaves in a second file, which is read leaf by leaf."""
        sorted_ = self._by_leaf(leaves, sizes, progress)
        ends = np.cumsum(sizes).tolist()
        for begin, end in zip([0, *ends[:-1]], ends, strict=True):
            chunks = ((words, None) for words in sorted_.chunks(begin, end))
            yield counted_words(chunks, end - begin, self.layout, table)
        sorted_.path.unlink()

    def _by_leaf(self, leaves: CutTree, sizes: list[int], progress: Progress) -> WordsFile:
        path, width = self.path.with_name(f"{self.path.name}-by-leaf"), 8 * self.layout.words
        places = (np.cumsum([0, *sizes[:-1]])).astype(np.int64)
        done = 0
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb", buffering=0) as file:
            for words in self.chunks(0, self.rows):
                leaf = leaves.leaf_of(words)
                order = np.argsort(leaf, kind="stable")
                ordered, counts = words[order], np.bincount(leaf, minlength=len(sizes))
                begin = 0
                for each in np.flatnonzero(counts).tolist():
                    many = int(counts[each])
                    os.pwrite(file.fileno(), ordered[begin : begin + many].tobytes(), width * int(places[each]))
                    places[each] += many
                    begin += many
                done += len(words)
                progress("sort", done, self.rows)
        self.path.unlink()
        return WordsFile(path, self.layout, self.rows)


@contextmanager
def kept_in_file(given: StreamedTable, layout: WordLayout, private: Path, progress: Progress) -> Iterator[KeptRows]:
    """The words of a table in a file, which goes with its folder."""
    source, digest = given.source, given.digest()
    if not isinstance(source, ReadAgain):
        raise ValueError("rows that are not read here")

    def words() -> Iterator[Ints]:
        nonlocal digest
        for part, _ in source.parts():
            codes, read = given.coder.coded(part)
            digest = digest.plus(read)
            yield layout.pack(codes)
            progress("read", digest.rows, given.rows)

    store = WordsFile.written(private / "words", layout, words())
    yield KeptRows(store, digest.told)


def counted_words(chunks: Iterable[Chunk], rows: int, layout: WordLayout, table: Tuples) -> Tuples:
    """So many rows as tuples; of many, equal ones are made one before all are looked at."""
    held, counts = [np.zeros((0, layout.words), np.int64)], [np.zeros(0, np.int64)]
    for words, times in chunks:
        held.append(words)
        counts.append(np.ones(len(words), np.int64) if times is None else times)
        if rows > 8 * _CHUNK:
            packed = Packed.of_words(np.concatenate(held), np.concatenate(counts))
            held, counts = [packed.words], [packed.counts]
    return layout.tuples(np.concatenate(held), np.concatenate(counts), table)
