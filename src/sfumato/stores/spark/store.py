"""Coded rows that stay on a Spark cluster: counted there pass by pass, and handed over block by block.

Words are made once by the workers, and kept by them, in memory or on their disks as Spark sees fit; what a lost worker
kept is made again. A pass hands over sums, added up by the cluster, that take as much room however many rows and
workers there are. Blocks are dealt out once all cuts are known, and come here a bounded number of bytes at a time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.partition.mondrian.asks import Asks, Chunk, CutTree, Tallied
from sfumato.progress import Progress
from sfumato.stores.contract import KeptRows
from sfumato.stores.spark.words_cells import words_in
from sfumato.stores.spark.workers import (
    ADDED,
    DEALT,
    MADE,
    Maker,
    Work,
    adding,
    dealing,
    pieces_of,
    put_together,
    tallying,
)
from sfumato.stores.words import counted_words
from sfumato.table.spark.apart import RowsOnSpark
from sfumato.table.spark.cells import quietly
from sfumato.table.spark.given import SparkTable
from sfumato.table.spark.telling import changed
from sfumato.table.spark.watching import Watch
from sfumato.table.streamed import StreamedTable
from sfumato.table.tuples import Tuples
from sfumato.table.word_layout import WordLayout

__all__ = ["SparkWords", "kept_on_spark"]

Ints = NDArray[np.int64]

_AT_ONCE = 1 << 25
"""Bytes of words that are fetched at a time, about."""
_ADDERS = 8
"""Tasks that add up answers, at most."""
_PARTS = 64
"""Parts in which Spark keeps what was dealt, at most: it looks into each for whatever is fetched."""


@dataclass(frozen=True, eq=False)
class SparkWords:
    """Rows on a cluster.

    table    the frame that they are made of
    frame    their words, which Spark keeps
    held     lets go of what it keeps
    """

    table: SparkTable = field(repr=False)
    layout: WordLayout
    rows: int
    frame: Any = field(repr=False)
    progress: Progress = field(repr=False)
    held: contextlib.ExitStack = field(repr=False)

    def tally(self, asks: Asks) -> Tallied:
        """By every task of its own rows; added up by as many as there are pieces, up to some."""

        def added() -> pa.Table:
            counted = _worked(self.frame.select("words"), tallying(asks, self.layout.words), ADDED)
            pieces = _worked(counted.repartition(min(pieces_of(asks), _ADDERS), "piece"), adding(), ADDED)
            return quietly(pieces.toArrow)

        return put_together(asks, self._watch("counts halves")(added))

    def blocks(self, leaves: CutTree, sizes: list[int], table: Tuples, progress: Progress) -> Iterator[Tuples]:
        """Rows are dealt to leaves by the cluster, which keeps them so, and are fetched leaf by leaf."""
        width = self.layout.words
        fetches = _Fetches.of(sizes, 8 * (width + 1))

        def dealt() -> Any:
            work = dealing(leaves, fetches.first, fetches.times, width)
            made = _worked(self.frame.select("words"), work, DEALT).repartition(min(fetches.count, _PARTS), "fetch")
            return _kept(made, self.held)

        fetched = _Fetched(self._watch("deals rows")(dealt), lambda: self._watch("hands over blocks"), width)
        done = 0
        for leaf, size in enumerate(sizes):
            numbers = range(int(fetches.first[leaf]), int(fetches.first[leaf] + fetches.times[leaf]))
            chunks = _all_of(size, (fetched.words(number, leaf) for number in numbers), self.table.called)
            block = counted_words(chunks, size, self.layout, table)
            done += size
            progress("sort", done, self.rows)
            yield block

    def _watch(self, doing: str) -> Watch:
        return Watch.of(self.table, self.progress, doing)


@contextlib.contextmanager
def kept_on_spark(given: StreamedTable, layout: WordLayout, private: Path, progress: Progress) -> Iterator[KeptRows]:
    """The words of a table, made and kept by the workers that read its rows."""
    from sfumato import __version__

    source = given.source
    if not isinstance(source, RowsOnSpark):
        raise ValueError("rows that no cluster has")
    maker = Maker(source.fields, given.coder, layout, given.digest(), __version__)
    with contextlib.ExitStack() as held:
        watch = Watch.of(source.table, progress, "makes words")
        frame = watch(lambda: _kept(_worked(source.rows, maker.work(), MADE), held))
        beside = watch(lambda: quietly(frame.where("sums IS NOT NULL").select("rows", "sums").toArrow))
        digest = maker.told(beside)
        if digest.rows != given.rows:
            raise changed(source.table.called)
        yield KeptRows(SparkWords(source.table, layout, given.rows, frame, progress, held), digest.told)


def _worked(frame: Any, work: Work, schema: str) -> Any:
    """What workers make of a frame."""
    return quietly(lambda: frame.mapInArrow(work, schema))


def _kept(frame: Any, held: contextlib.ExitStack) -> Any:
    """What Spark keeps from its first use on."""
    kept = frame.persist()

    def let_go() -> None:
        with contextlib.suppress(Exception):  # a session that is lost holds nothing
            kept.unpersist()

    held.callback(let_go)
    return kept


@dataclass(frozen=True, eq=False)
class _Fetches:
    """Under which numbers leaves are fetched: several small ones under one, a large one under several."""

    first: Ints
    times: Ints

    @classmethod
    def of(cls, sizes: Sequence[int], row: int) -> _Fetches:
        """Leaves of so many rows, of so many bytes each."""
        first, times, number, used = [], [], -1, _AT_ONCE
        for size in sizes:
            taken = size * row
            if used + taken > _AT_ONCE:
                number, used = number + 1, 0
            first.append(number)
            times.append(-(-taken // _AT_ONCE) or 1)
            number, used = number + times[-1] - 1, used + taken
        return cls(np.array(first, np.int64), np.array(times, np.int64))

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return int(self.first[-1] + self.times[-1])


@dataclass(eq=False)
class _Fetched:
    """What was dealt, and of it what was fetched last."""

    frame: Any
    watch: Callable[[], Watch]
    width: int
    number: int = -1
    last: pa.Table = None

    def words(self, number: int, leaf: int) -> Chunk:
        if number != self.number:
            self.last = None
            some = self.frame.where(f"fetch = {number}").select("leaf", "words")
            self.last, self.number = self.watch()(lambda: quietly(some.toArrow)), number
        leaves = self.last.column("leaf").to_numpy()
        mine = self.last.column("words").filter(pa.array(leaves == leaf))
        parts = [words_in(each, self.width + 1) for each in mine.chunks]
        words = np.concatenate([np.zeros((0, self.width + 1), np.int64), *parts])
        return words[:, :-1], words[:, -1]


def _all_of(size: int, chunks: Iterator[Chunk], name: str) -> Iterator[Chunk]:
    """Chunks that have so many rows together."""
    for words, times in chunks:
        size -= len(words) if times is None else int(times.sum())
        yield words, times
    if size:
        raise changed(name)
