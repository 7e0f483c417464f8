"""What workers of Spark do with rows: make words of them, count, add up, deal them to blocks.

Each is a function of batches, as `mapInArrow` takes it, with all that it needs in it: dictionaries travel in what Spark
pickles, and neither in a plan nor in a literal. What a function does follows from its rows alone, so that work that is
done twice, after a worker was lost, gives the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.errors import TableError
from sfumato.partition.mondrian.asks import Asks, Chunk, CutTree, Tallied, count
from sfumato.stores.spark.words_cells import cells_of, words_in
from sfumato.table.arrow import columns_of
from sfumato.table.coder import RowCoder
from sfumato.table.digest import RunningDigest
from sfumato.table.packing import Packed
from sfumato.table.spark.cells import raw_cells
from sfumato.table.spark.fields import Field
from sfumato.table.spark.telling import OTHER_VERSION
from sfumato.table.word_layout import WordLayout

__all__ = ["ADDED", "DEALT", "MADE", "Maker", "Work", "adding", "dealing", "pieces_of", "put_together", "tallying"]

Ints = NDArray[np.int64]
Work = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]

MADE = "words binary, rows bigint, sums binary"
"""Words; beside the last of some, of how many rows they are, and what those add to the digest."""
ADDED = "piece int, cells binary, low binary, high binary"
"""A piece of an answer; beside the first, the ends of windows."""
DEALT = "fetch int, leaf int, words binary"
"""Words, and how many rows have them, by the number under which they are fetched."""

_ROWS = 1 << 17
"""Rows that are coded at a time: each time, all values of a column are looked through."""
_PIECE = 1 << 10
"""Cells of an answer that are added up together."""
_GOLDEN, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


@dataclass(frozen=True, eq=False)
class Maker:
    """What makes words of rows.

    fields    the columns, as Spark hands them over
    digest    of no rows
    version   of sfumato here: workers must have the same
    """

    fields: Sequence[Field]
    coder: RowCoder
    layout: WordLayout
    digest: RunningDigest
    version: str

    def work(self) -> Work:
        def words(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            self._require_version()
            for part in _gathered(batches, _ROWS):
                yield self._made(part)

        return _silent(words)

    def _made(self, part: pa.Table) -> pa.RecordBatch:
        codes, read = self.coder.coded(columns_of(raw_cells(part, self.fields, "")))
        told = self.digest.plus(read)
        cells = cells_of(self.layout.pack(codes))
        none = [None] * (len(cells) - 1)
        rows = pa.array([*none, told.rows], pa.int64())
        sums = pa.array([*none, told.sums.tobytes()], pa.binary())
        return pa.RecordBatch.from_arrays([cells, rows, sums], ["words", "rows", "sums"])

    def _require_version(self) -> None:
        from sfumato import __version__

        if __version__ != self.version:
            raise TableError(OTHER_VERSION)

    def told(self, found: pa.Table) -> RunningDigest:
        """The digest of all rows, by what was said beside their words."""
        sums = self.digest.sums
        for each in found.column("sums").to_pylist():
            sums = sums + np.frombuffer(each, np.uint64)
        return replace(self.digest, rows=sum(found.column("rows").to_pylist()), sums=sums)


def _silent(work: Work) -> Work:
    """The same, with no word of what a library says when it fails: it may hold cells, and Spark writes it down."""

    def sfumato(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            yield from work(batches)
        except TableError:
            raise
        except Exception as error:
            raise RuntimeError(type(error).__name__) from None

    return sfumato


def _gathered(batches: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.Table]:
    """Batches put together to at least so many rows each, but for the last."""
    some: list[pa.RecordBatch] = []
    for batch in batches:
        some.append(batch)
        if sum(each.num_rows for each in some) >= rows:
            yield pa.Table.from_batches(some)
            some = []
    if sum(each.num_rows for each in some):
        yield pa.Table.from_batches(some)


def _words(batches: Iterable[pa.RecordBatch], width: int) -> Iterator[Ints]:
    """The words of rows that were made."""
    for batch in batches:
        words = words_in(batch.column(batch.schema.get_field_index("words")), width)
        if len(words):
            yield words


def tallying(asks: Asks, width: int) -> Work:
    """What is asked of the rows of a task, in pieces."""

    def tally(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        met = 0

        def chunks() -> Iterator[Chunk]:
            nonlocal met
            for words in _words(batches, width):
                met += len(words)
                yield words, None

        told = count(asks, chunks())
        if met:
            yield _in_batch(_pieces(told))

    return _silent(tally)


def pieces_of(asks: Asks) -> int:
    """Of an answer."""
    return max(-(-asks.room // _PIECE), 1)


def adding() -> Work:
    """Answers of several tasks, added up piece by piece."""

    def add(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        held: dict[int, Tallied] = {}
        for batch in batches:
            for number, piece in _read(batch):
                held[number] = held[number] + piece if number in held else piece
        if held:
            yield _in_batch(held)

    return _silent(add)


def put_together(asks: Asks, found: pa.Table) -> Tallied:
    """The answer of all rows, from pieces that were added up."""
    told = Tallied.none(asks)
    low, high = told.low, told.high
    for batch in found.to_batches():
        for number, piece in _read(batch):
            told.cells[number * _PIECE : (number + 1) * _PIECE] += piece.cells
            if number == 0:
                low, high = piece.low, piece.high
    return replace(told, low=low, high=high)


def _pieces(told: Tallied) -> dict[int, Tallied]:
    """An answer in pieces, those without a row left out; the first has the ends of windows."""
    none, made = np.zeros(0, np.int64), {}
    for number in range(max(-(-len(told.cells) // _PIECE), 1)):
        cells = told.cells[number * _PIECE : (number + 1) * _PIECE]
        if number == 0 or cells.any():
            made[number] = Tallied(cells, *((none, none) if number else (told.low, told.high)))
    return made


def _in_batch(pieces: dict[int, Tallied]) -> pa.RecordBatch:
    columns = [
        pa.array([each.tobytes() for each in every], pa.binary())
        for every in zip(*((piece.cells, piece.low, piece.high) for piece in pieces.values()), strict=True)
    ]
    return pa.RecordBatch.from_arrays([pa.array([*pieces], pa.int32()), *columns], ["piece", "cells", "low", "high"])


def _read(batch: pa.RecordBatch) -> Iterator[tuple[int, Tallied]]:
    numbers, *parts = (batch.column(at).to_pylist() for at in range(4))
    for number, *each in zip(numbers, *parts, strict=True):
        yield number, Tallied(*(np.frombuffer(part, np.int64) for part in each))


def dealing(leaves: CutTree, first: Ints, times: Ints, width: int) -> Work:
    """Different words by the leaf that their rows belong to, with one word more that counts these, under the numbers by
    which leaves are fetched.

    first    the first number of every leaf, and `times` how many it has

    Which number a row gets follows from what it is, and not from its place: Spark may do part of the work again.
    """

    def deal(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for words in _words(batches, width):
            leaf = leaves.leaf_of(words)
            number = (first[leaf] + _mixed(words) % times[leaf]) * len(first) + leaf
            order = np.argsort(number, kind="stable")
            found, begins = np.unique(number[order], return_index=True)
            for which, some in zip(found.tolist(), np.split(order, begins[1:]), strict=True):
                packed = Packed.of_words(words[some], np.ones(len(some), np.int64))
                cells = cells_of(np.column_stack((packed.words, packed.counts)))
                numbers = (pa.array(np.full(len(cells), each, np.int32)) for each in divmod(which, len(first)))
                yield pa.RecordBatch.from_arrays([*numbers, cells], ["fetch", "leaf", "words"])

    return _silent(deal)


def _mixed(words: Ints) -> Ints:
    """A number for each row, small enough to be taken for one with a sign, by which rows are dealt about evenly."""
    mixed = np.zeros(len(words), np.uint64)
    for column in words.T:
        mixed = (mixed ^ column.astype(np.uint64)) * _GOLDEN
        mixed ^= mixed >> _HALF
    return (mixed >> _HALF).astype(np.int64)
