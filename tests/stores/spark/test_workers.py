"""What workers do, done here: the same words, counts and leaves as in one piece, however rows are dealt to tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import sfumato as sf
from sfumato.partition.mondrian.asks import Asks, CutTree, Question, Tallied, count
from sfumato.partition.mondrian.halving import CodeWindow
from sfumato.stores.spark import store, workers
from sfumato.stores.spark.words_cells import cells_of, rows_in_cell, words_in
from sfumato.stores.spark.workers import Maker, adding, dealing, put_together, tallying
from sfumato.table.arrow import columns_of
from sfumato.table.spark.fields import Field
from sfumato.table.streamed import stream
from sfumato.table.word_layout import WordLayout
from tests.stores.test_deliver import people, policy
from tests.support.examples import examples

Ints = NDArray[np.int64]


def drawn(rows: int, seed: int) -> Ints:
    """Rows of two words: fields of 10 and of 4 bits in the first, of 6 in the second."""
    draw = np.random.default_rng(seed)
    first = draw.integers(0, 1 << 10, rows) | (draw.integers(0, 1 << 4, rows) << 10)
    return np.column_stack((first, draw.integers(0, 1 << 6, rows)))


FIELDS = np.array([[0, 0, (1 << 10) - 1], [0, 10, (1 << 4) - 1], [1, 0, (1 << 6) - 1]])


def asked() -> Asks:
    """Windows over columns, one by blocks of several codes, and the statistics of a side and of all rows."""
    tree = CutTree.start(FIELDS).cut([(0, 1, 7)])
    left, right = 1, 2
    counted = np.array([[*FIELDS[2], 0, 1 << 6]])
    wide, narrow = CodeWindow.over(0, 0, 1023, 64), CodeWindow.over(1, 0, 15, 64)
    assert wide.shift > 0 == narrow.shift
    return Asks.of(tree, counted, {left: Question((wide,), (None,)), right: Question((narrow, wide), ((0, 500),))})


def tasks(words: Ints, ends: Sequence[int]) -> list[list[pa.RecordBatch]]:
    """Rows as several tasks have them, each in a batch or two."""
    made = []
    for part in np.split(words, sorted(min(end, len(words)) for end in ends)):
        halves = (part[: len(part) // 3], part[len(part) // 3 :])
        made.append([pa.RecordBatch.from_arrays([cells_of(half)], ["words"]) for half in halves])
    return made


@given(rows=st.integers(0, 3000), width=st.integers(1, 5), begin=st.integers(0, 3), seed=st.integers(0, 99))
@settings(max_examples=examples(60))
def test_cells_hold_all_rows(rows: int, width: int, begin: int, seed: int) -> None:
    words = np.random.default_rng(seed).integers(0, 1 << 62, (rows, width))
    cells = cells_of(words)
    each = rows_in_cell(width)
    assert len(cells) == -(-rows // each)
    assert np.array_equal(words_in(cells, width), words)
    assert np.array_equal(words_in(cells.slice(begin), width), words[begin * each :])
    assert np.array_equal(words_in(cells.cast(pa.large_binary()), width), words)


@given(seed=st.integers(0, 2**16), rows=st.integers(0, 900), ends=st.lists(st.integers(0, 900), max_size=4))
@settings(max_examples=examples(60))
def test_answers_of_tasks_add_up_to_that_of_all_rows(seed: int, rows: int, ends: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "_PIECE", 37)  # so that there are several
        words, asks = drawn(rows, seed), asked()
        answers = [batch for task in tasks(words, ends) for batch in tallying(asks, 2)(iter(task))]
        whole = pa.Table.from_batches(answers).to_pylist() if answers else []
        groups = [[row for row in whole if row["piece"] % 3 == group] for group in range(3)]
        schema = answers[0].schema if answers else pa.schema([])
        added = [
            batch
            for group in groups
            if group
            for batch in adding()(iter(pa.Table.from_pylist(group, schema).to_batches()))
        ]
        told = put_together(asks, pa.Table.from_batches(added) if added else pa.table({}))
        expected = count(asks, [(words, None)])
    for name in ("cells", "low", "high"):
        assert np.array_equal(getattr(told, name), getattr(expected, name))
    assert isinstance(told, Tallied) and told.cells.sum() >= rows


@given(seed=st.integers(0, 2**16), sizes=st.lists(st.integers(1, 400), min_size=3, max_size=3), row=st.integers(1, 9))
@settings(max_examples=examples(60))
def test_leaves_are_fetched_whole_and_no_more_at_a_time_than_is_allowed(seed: int, sizes: list[int], row: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "_AT_ONCE", 1000)
        found = store._Fetches.of(sizes, row)
    taken: dict[int, int] = {}
    for first, times, size in zip(found.first.tolist(), found.times.tolist(), sizes, strict=True):
        assert times == -(-size * row // 1000)
        for number in range(first, first + times):
            taken[number] = taken.get(number, 0) + size * row // times
    assert sorted(taken) == list(range(found.count))
    assert all(bytes_ <= 1000 for bytes_ in taken.values())


def test_words_are_dealt_to_the_leaves_of_their_rows() -> None:
    words = np.repeat(drawn(2000, 7), 2, axis=0)
    leaves = CutTree.start(FIELDS).cut([(0, 1, 3)]).cut([(2, 0, 511)]).numbered([1, 3, 4])
    first, times = np.array([0, 0, 1]), np.array([1, 1, 3])
    batches = [each for task in tasks(words, [900, 2500]) for each in dealing(leaves, first, times, 2)(iter(task))]
    found: dict[int, list[Ints]] = {0: [], 1: [], 2: []}
    fetches: dict[int, set[int]] = {0: set(), 1: set(), 2: set()}
    for batch in batches:
        for fetch, leaf, cell in zip(*(batch.column(at) for at in range(3)), strict=True):
            words_, counts = np.split(np.frombuffer(cell.as_py(), np.int64).reshape(-1, 3), [2], axis=1)
            found[leaf.as_py()].append(np.repeat(words_, counts[:, 0], axis=0))
            fetches[leaf.as_py()].add(fetch.as_py())
    assert fetches == {0: {0}, 1: {0}, 2: {1, 2, 3}}
    low, left = (words[:, 0] >> 10) <= 3, (words[:, 0] & 1023) <= 511
    for leaf, mine in enumerate((low, ~low & left, ~low & ~left)):
        made = np.concatenate(found[leaf])
        assert sorted(map(tuple, made.tolist())) == sorted(map(tuple, words[mine].tolist()))


def maker(table: pl.DataFrame) -> Maker:
    given_ = stream(table, policy())
    fields = [Field(name, f"c{at}", "string") for at, name in enumerate(given_.read)]
    return Maker(fields, given_.coder, WordLayout.of_table(given_.tuples), given_.digest(), sf.__version__)


def batches(table: pl.DataFrame, made: Maker, rows: int) -> list[pa.RecordBatch]:
    wanted = table.select(field.name for field in made.fields).rename({each.name: each.alias for each in made.fields})
    return list(wanted.to_arrow().to_batches(max_chunksize=rows))


@pytest.mark.parametrize("at_once", [1, 100, 1 << 17])
def test_words_and_digest_are_those_of_the_table(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_ROWS", at_once)
    table = people(300)
    made = maker(table)
    parts = [pa.Table.from_batches(made.work()(iter(batches(some, made, 40)))) for some in (table[:120], table[120:])]
    found = pa.concat_tables(parts)
    beside = found.filter(pa.compute.is_valid(found.column("sums")))
    whole = sf.read(table, policy())
    assert made.told(beside).told == whole.digest
    words = np.concatenate([words_in(chunk, made.layout.words) for chunk in found.column("words").chunks])
    raw: dict[str, Any] = {name: table[name] for name in made.coder.values}
    assert np.array_equal(words, made.layout.pack(made.coder.coded(columns_of(raw))[0]))


def test_a_worker_with_another_sfumato_does_nothing() -> None:
    made = maker(people(20))
    with pytest.raises(sf.TableError, match="another version"):
        next(replace(made, version="0").work()(iter(batches(people(20), made, 9))))


def test_a_value_that_was_not_there_before_is_told_without_it() -> None:
    made = maker(people(20))
    other = people(20).with_columns(ill=pl.lit("plague"))
    with pytest.raises(sf.TableError, match="column 'ill' is not the same every time") as told:
        list(made.work()(iter(batches(other, made, 9))))
    assert "plague" not in str(told.value)


def test_what_a_library_says_of_cells_is_not_repeated() -> None:
    made = maker(people(20))
    broken = [pa.RecordBatch.from_arrays([pa.array(["plague"])], ["c9"])]
    with pytest.raises(RuntimeError) as told:
        list(made.work()(iter(broken)))
    assert "plague" not in str(told.value) and told.value.__suppress_context__
