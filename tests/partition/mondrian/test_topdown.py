"""Top cuts from counts against the ordinary partitioner on all rows."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import sfumato as sf
from sfumato.errors import Infeasible
from sfumato.loss.contract import Loss
from sfumato.loss.entropy import NonUniformEntropy
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Task
from sfumato.partition.mondrian.asks import Tallied, count
from sfumato.partition.mondrian.topdown import TopCuts, fit_top
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.tree import Node, Taxonomy
from tests.support.examples import examples
from tests.support.handmade import Column, column_with, counted, rows_of
from tests.support.merging import PROMISES, SECRETS, VALUES
from tests.support.topcuts import Chunked, cut, finished, grouped

WIDE = 5000
BUSH = Node("*", (Node("u", (Node("v", (Node("0"), Node("1"))), Node("2"))), Node("3"), Node("4"), Node("5")))
KINDS = ("text", "number", "missing", "wide", "bush", "flat", "mask", "list")
ASKED: list[sf.Promise] = [
    *PROMISES,
    sf.KAnonymity(5),
    sf.DistinctL(3),
    sf.EntropyL("2.5"),
    sf.RecursiveCL(3, 3),
    sf.KAnonymity(3) & sf.EntropyL("1.5") & sf.TCloseness("0.4"),
]


def tree_of(kind: str) -> Taxonomy:
    """Small and unbalanced; all values below the root; or 5,000 values below hundreds, tens and, or below the root."""
    leaves = [f"{code:04}" for code in range(WIDE)]
    if kind == "mask":
        levels = [
            (np.arange(0, WIDE, each), [f"{at}+{each}" for at in range(0, WIDE, each)]) for each in (10, 100, 1000)
        ]
        return Taxonomy.of_levels(leaves, levels)
    if kind == "list":
        return Taxonomy.of_levels(leaves, [])
    return Taxonomy.of(BUSH if kind == "bush" else Node("*", tuple(Node(str(code)) for code in range(6))))


TREES = {kind: tree_of(kind) for kind in ("bush", "flat", "mask", "list")}


def column_of(name: str, kind: str, codes: NDArray[np.int64]) -> Column:
    """Codes from 0 to 4999 as a column of that kind."""
    few = codes * 6 // WIDE
    if kind == "wide":
        return column_with(
            name, codes, pl.Series(np.arange(WIDE)), positions=np.sqrt(np.arange(WIDE, dtype=np.float64))
        )
    if kind in ("mask", "list"):
        return column_with(name, codes, pl.Series(TREES[kind].labels[:WIDE]), TREES[kind])
    if kind in ("bush", "flat"):
        return column_with(name, few, pl.Series(list("012345")), TREES[kind])
    if kind == "missing":
        values = pl.Series([0, 1, 3, 8, 9, None])
        return column_with(name, few, values, positions=np.array([0.0, 1.0, 3.0, 8.0, 9.0, np.nan]), missing=5)
    line = np.array([0.0, 1.0, 3.0, 8.0, 9.0, 20.0]) if kind == "number" else None
    return column_with(name, few, pl.Series([0, 1, 3, 8, 9, 20]), positions=line)


@st.composite
def tables(draw: st.DrawFn, most: int = 300) -> Tuples:
    """Rows by a seed, some columns with few of their values, or with values that go together."""
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    rows, kinds = draw(st.integers(1, most)), draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=5))
    base = rng.integers(0, WIDE, rows)
    quasi = []
    for index, kind in enumerate(kinds):
        codes = rng.choice(rng.integers(0, WIDE, draw(st.sampled_from([1, 2, 5, 40, 1000]))), rows)
        if draw(st.booleans()):
            codes = (base + codes // 9) % WIDE
        quasi.append(column_of(f"q{index}", kind, codes))
    secret = np.minimum(rng.geometric(draw(st.sampled_from([0.3, 0.5])), rows) - 1, 3)
    column = column_with("s", secret, pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
    other = column_with("t", rng.integers(0, 7, rows), pl.Series(list("abcdefg")))
    return rows_of(tuple(quasi), (column,), beside=(other,))


def task_of(table: Tuples, promise: sf.Promise, loss: Loss | None = None) -> Task:
    return Task(table, bind(promise, Facts.of(table)), loss or NCP(), Randomness.fixed(0))


def feasible(table: Tuples, promise: sf.Promise) -> bool:
    try:
        task_of(table, promise).require_feasible()
    except (Infeasible, sf.SfumatoError):
        return False
    return True


@settings(max_examples=examples(400))
@given(
    table=tables(),
    promise=st.sampled_from(ASKED),
    loss=st.sampled_from([NCP(), NCP({"q0": Fraction(3), "q1": Fraction(0)}), NonUniformEntropy()]),
    small=st.sampled_from([1, 2, 7, 30, 100, 1000]),
    room=st.sampled_from([1, 500, 1500, 1 << 20]),
    data=st.data(),
)
def test_groups_are_those_of_the_whole_table(
    table: Tuples, promise: sf.Promise, loss: Loss, small: int, room: int, data: st.DataObject
) -> None:
    if not feasible(table, promise):
        return
    held = data.draw(st.sampled_from([table, counted(table)]))
    ends = data.draw(st.lists(st.integers(0, len(held)), max_size=4))
    task, store = task_of(table, promise, loss), Chunked.of(held, ends, weighted=held is not table)
    top = cut(task, store, small, room)
    assert all(node.rows <= small for node in top.work)
    assert all(node.rows > small for node in top.final)
    assert finished(task, store, top) == grouped(task)


@settings(max_examples=examples(100))
@given(table=tables(), promise=st.sampled_from(ASKED), room=st.sampled_from([1, 1000, 1 << 20]), data=st.data())
def test_whatever_the_chunks_and_their_order_the_same_is_told(
    table: Tuples, promise: sf.Promise, room: int, data: st.DataObject
) -> None:
    if not feasible(table, promise):
        return
    ends = data.draw(st.lists(st.integers(0, len(table)), max_size=5))
    whole, parts = Chunked.of(table), Chunked.of(table, ends, weighted=False)
    order = data.draw(st.permutations(range(len(parts.chunks))))
    top = TopCuts.start(task_of(table, promise), table.rows, whole.layout, 5, room)
    while top.open:
        asks = pickle.loads(pickle.dumps(top.asks()))
        told = whole.tally(asks)
        again = Tallied.all_of(asks, [pickle.loads(pickle.dumps(count(asks, [parts.chunks[at]]))) for at in order])
        at_once = count(asks, [parts.chunks[at] for at in order])
        for name in ("cells", "low", "high"):
            assert getattr(told, name).tolist() == getattr(again, name).tolist() == getattr(at_once, name).tolist()
        top = top.told(told)
    leaves = pickle.loads(pickle.dumps(top.leaves))
    words = whole.chunks[0][0]
    found = np.bincount(leaves.leaf_of(words), minlength=len(top.nodes))
    assert found.tolist() == [node.rows for node in top.nodes]


def spread(rows: int, columns: int, size: int, seed: int = 0) -> Tuples:
    """Numbers, all alike, and a secret."""
    rng = np.random.default_rng(seed)
    quasi = tuple(
        column_with(
            f"q{at}",
            rng.integers(0, size, rows),
            pl.Series(np.arange(size)),
            positions=np.arange(size, dtype=np.float64),
        )
        for at in range(columns)
    )
    return rows_of(quasi, (column_with("s", rng.integers(0, 4, rows), pl.Series(VALUES)),))


@pytest.mark.parametrize("promise", [sf.KAnonymity(5), sf.DistinctL(3), sf.TCloseness("0.5")])
def test_a_level_is_a_pass(promise: sf.Promise) -> None:
    """4,096 rows in two columns are halved six times until 64 are left; the first pass counts the whole table."""
    task, store = task_of(spread(4096, 2, 4096), promise), Chunked.of(spread(4096, 2, 4096))
    top = cut(task, store, 65)
    assert top.passes == 7
    assert not top.final
    assert len(top.work) == 64


def test_a_cut_that_fails_takes_one_pass_for_all_others() -> None:
    """By q0 to q3 the sides have one value each, by q4 both have two: passes for the table, for q0, for q1 to q4."""
    half = np.repeat([0, 1], 32)
    quasi = [column_with(f"q{at}", half, pl.Series([0, 1])) for at in range(4)]
    quasi.append(column_with("q4", np.tile([0, 1], 32), pl.Series([0, 1])))
    table = rows_of(tuple(quasi), (column_with("s", half, pl.Series([0, 1])),))
    task, store = task_of(table, sf.DistinctL(2)), Chunked.of(table)
    top = cut(task, store, 40)
    assert (top.passes, len(top.work), len(top.final)) == (3, 2, 0)
    top = cut(task, store, 10)
    assert (len(top.work), len(top.final)) == (0, 2)
    assert finished(task, store, top) == grouped(task)


@pytest.mark.parametrize("kind", ["wide", "mask", "list"])
def test_a_wide_column_is_taken_apart_in_few_passes(kind: str) -> None:
    """5,000 codes by 64 blocks: blocks, codes of one, and for a tree rows left of its edges."""
    codes = np.random.default_rng(1).permutation(WIDE)
    table = rows_of((column_of("q0", kind, codes),), (column_with("s", codes % 4, pl.Series(VALUES)),))
    task, store = task_of(table, sf.KAnonymity(2)), Chunked.of(table)
    assert cut(task, store, 3000).passes == 2
    narrow = cut(task, store, 3000, room=1)
    assert 3 <= narrow.passes <= 4
    assert finished(task, store, narrow) == grouped(task)


@pytest.mark.thorough
@pytest.mark.parametrize("rows", [2000, 20_000])
def test_answers_take_as_much_room_however_many_rows_there_are(rows: int) -> None:
    table, room = spread(rows, 3, 3000), 4000
    task, store = task_of(table, sf.DistinctL(2)), Chunked.of(table)
    top = TopCuts.start(task, rows, store.layout, 50, room)
    while top.open:
        asks = top.asks()
        assert asks.room <= room
        top = top.told(store.tally(asks))
    assert finished(task, store, top) == grouped(task)


def test_one_node_is_asked_where_there_is_no_room() -> None:
    table = spread(1000, 3, 3000)
    top = TopCuts.start(task_of(table, sf.DistinctL(2)), 1000, Chunked.of(table).layout, 50, 1)
    most = 2 * 3 * 64 + 3 * 4
    while top.open:
        assert top.asks().room <= most
        top = top.told(Chunked.of(table).tally(top.asks()))


def test_a_table_that_cannot_keep_the_promise_is_infeasible() -> None:
    table = spread(100, 2, 50)
    with pytest.raises(Infeasible):
        cut(task_of(table, sf.DistinctL(5)), Chunked.of(table), 10)


def test_without_quasi_identifiers_the_table_is_one_group() -> None:
    table = rows_of((), (column_with("s", np.array([0, 0, 1]), pl.Series(VALUES)),))
    for promise in (sf.DistinctL(2), sf.KAnonymity(1)):
        top = cut(task_of(table, promise), Chunked.of(table), 1)
        assert (top.passes, len(top.work), [node.rows for node in top.final]) == (1, 0, [3])


def test_a_small_table_takes_no_pass() -> None:
    table = spread(10, 2, 50)
    top = cut(task_of(table, sf.KAnonymity(2)), Chunked.of(table), 10)
    assert (top.passes, [node.rows for node in top.work]) == (0, [10])
    assert top.leaves.leaf_of(Chunked.of(table).chunks[0][0]).tolist() == [0] * 10


def test_a_promise_about_several_columns_at_once_is_refused() -> None:
    rng = np.random.default_rng(0)
    secrets = tuple(column_with(name, rng.integers(0, 4, 50), pl.Series(VALUES)) for name in "st")
    table = rows_of((column_of("q0", "text", rng.integers(0, WIDE, 50)),), secrets)
    task = task_of(table, sf.MultiAttribute(sf.DistinctL(1)))
    assert fit_top(task.model).status == "refused"
    with pytest.raises(ValueError, match="a field per column"):
        TopCuts.start(task, 50, Chunked.of(table).layout, 10)


def test_two_statistics_are_judged_side_by_side() -> None:
    rng = np.random.default_rng(0)
    secrets = tuple(column_with(name, rng.integers(0, 4, 400), pl.Series(VALUES)) for name in "st")
    table = rows_of((column_of("q0", "wide", rng.integers(0, WIDE, 400)),), secrets)
    task = task_of(table, sf.EntropyL(3, on="s") & sf.RecursiveCL(2, 2, on="t"))
    store = Chunked.of(table)
    assert finished(task, store, cut(task, store, 20)) == grouped(task)


def test_what_was_told_to_other_questions_is_refused() -> None:
    table = spread(100, 2, 50)
    store = Chunked.of(table)
    first = TopCuts.start(task_of(table, sf.KAnonymity(2)), 100, store.layout, 10)
    told = store.tally(first.asks())
    second = first.told(told)
    with pytest.raises(ValueError, match="other questions"):
        second.told(told)
    with pytest.raises(ValueError, match="do not add up"):
        told + store.tally(second.asks())


def test_words_without_what_is_asked_for_are_refused() -> None:
    table = spread(100, 9, 3000)
    store = Chunked.of(table)
    task = task_of(table, sf.DistinctL(2))
    asks = TopCuts.start(task, 100, store.layout, 10).asks()
    words = store.chunks[0][0]
    with pytest.raises(ValueError, match="fewer words"):
        count(asks, [(words[:, :1], None)])
    with pytest.raises(ValueError, match="for every row"):
        count(asks, [(words, np.ones(3, dtype=np.int64))])
    with pytest.raises(ValueError, match="no field for: 's'"):
        TopCuts.start(task, 100, type(store.layout).of(table.quasi), 10)


def test_a_code_beyond_its_column_is_refused() -> None:
    secret = column_with("s", np.array([0, 1, 2, 4, 0, 1]), pl.Series(list("abcde")))
    table = rows_of((column_of("q0", "text", np.arange(6) * 800),), (secret,))
    store = Chunked.of(table)
    asks = TopCuts.start(task_of(table, sf.DistinctL(2)), 6, store.layout, 2).asks()
    word, shift, mask = store.layout.where(["s"])[0].tolist()
    words = store.chunks[0][0].copy()
    words[0, word] |= mask << shift
    with pytest.raises(ValueError, match="not below the size"):
        count(asks, [(words, None)])


def test_rows_that_are_missing_or_counted_twice_are_noticed() -> None:
    store = Chunked.of(spread(100, 2, 50), [40])
    top = TopCuts.start(task_of(spread(100, 2, 50), sf.KAnonymity(2)), 100, store.layout, 10)
    asks = top.asks()
    with pytest.raises(ValueError, match="60 rows were counted where there are 100"):
        top.told(count(asks, store.chunks[1:]))
    with pytest.raises(ValueError, match="140 rows were counted where there are 100"):
        top.told(store.tally(asks) + count(asks, store.chunks[:1]))
