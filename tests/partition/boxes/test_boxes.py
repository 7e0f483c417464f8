"""Boxes against every way to group a small table, and its prices against every choice of rows of every box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts, Groups, Histogram
from sfumato.models.registry import bind
from sfumato.partition.boxes import search
from sfumato.partition.boxes.boxes import BoxesPartitioner
from sfumato.partition.boxes.items import WHOLE, BoxItems
from sfumato.partition.contract import Partition, Task
from sfumato.partition.partition_loss import measured
from sfumato.policy.methods import Boxes
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.tree import Taxonomy
from tests.partition.mondrian.test_mondrian import KINDS, column_of, kept
from tests.support.compiled import keeps as passes
from tests.support.definitions import keeps
from tests.support.examples import examples
from tests.support.handmade import column_with, counted, rows_of
from tests.support.merging import PROMISES, SECRETS, VALUES

TREES = ("tree", "bush", "flat")


@st.composite
def tables(draw: st.DrawFn, most: int, kinds: tuple[str, ...]) -> Tuples:
    rows = draw(st.integers(2, most))
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3))
    lists = st.lists(st.integers(0, 3), min_size=rows, max_size=rows)
    quasi = [column_of(f"q{index}", kind, draw(lists)) for index, kind in enumerate(chosen)]
    secret = column_with("s", np.array(draw(lists)), pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
    return counted(rows_of(tuple(quasi), (secret,)))


def task_of(table: Tuples, promise: sf.Promise) -> Task:
    return Task(table, bind(promise, Facts.of(table)), NCP(), Randomness.fixed(3))


def gauged(task: Task) -> None:
    """Whether it can be searched: a model says how, and the whole table keeps the promise."""
    gauge = task.model.gauge()
    statistics = tuple(columns for columns in task.model.statistics if columns)
    assume(gauge is not None and bool(task.model.holds(Groups.whole(task.table, statistics))[0]))


def groupings(rows: int) -> Iterator[list[int]]:
    """Every way to group so many rows, as labels."""

    def longer(labels: list[int]) -> Iterator[list[int]]:
        if len(labels) == rows:
            yield labels
            return
        for label in range(max(labels, default=-1) + 2):
            yield from longer([*labels, label])

    return longer([])


def cheapest(task: Task, promise: sf.Promise) -> float:
    """The least loss of any local recoding."""
    each = task.each()
    best = 1.0
    for labels in groupings(each.table.rows):
        groups = [[row for row, label in enumerate(labels) if label == group] for group in range(max(labels) + 1)]
        if all(kept(promise, each.table, group) for group in groups):
            best = min(best, float(measured(each, Partition.of(each.table, np.array(labels)))[1]))
    return best


@settings(max_examples=examples(150))
@given(tables(40, KINDS), st.sampled_from(PROMISES))
def test_every_group_keeps_the_promise(table: Tuples, promise: sf.Promise) -> None:
    task = task_of(table, promise)
    gauged(task)
    found = BoxesPartitioner(Boxes(work=20_000)).partition(task)
    each = table.each()
    assert not found.suppressed
    for group in range(int(found.labels.max()) + 1):
        assert kept(promise, each, np.flatnonzero(found.labels == group).tolist())
    again = BoxesPartitioner(Boxes(work=20_000)).partition(task)
    assert np.array_equal(found.labels, again.labels)


def test_it_comes_near_to_the_least_loss() -> None:
    """Of seven rows, every grouping is tried."""
    rng, found, least = np.random.default_rng(5), 0.0, 0.0
    near = [sf.KAnonymity(2), sf.DistinctL(2), sf.KAnonymity(3), sf.DistinctL(3)]
    promises = [*near, sf.RecursiveCL(2, 2), sf.SimpleL(2)]
    for number in range(examples(60)):
        columns = [column_of(f"q{place}", TREES[place % 3], rng.integers(0, 4, 7).tolist()) for place in range(2)]
        secret = column_with("s", rng.integers(0, 4, 7), pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
        table, promise = counted(rows_of(tuple(columns), (secret,))), promises[number % len(promises)]
        task = task_of(table, promise)
        if not kept(promise, table.each(), list(range(7))):
            continue
        best = cheapest(task, promise)
        mine = float(measured(task, BoxesPartitioner(Boxes(work=200_000)).partition(task))[1])
        assert mine >= best - 1e-12
        if promise in near:
            found, least = found + mine, least + best
    assert found <= 1.03 * least


@settings(max_examples=examples(100))
@given(tables(8, TREES), st.sampled_from([sf.KAnonymity(2), sf.KAnonymity(3), sf.DistinctL(2), sf.DistinctL(3)]))
def test_prices_are_fair(table: Tuples, promise: sf.Promise) -> None:
    """No rows that could keep the promise are asked for more than a box over them costs, of the boxes looked at."""
    task = task_of(table, promise)
    gauged(task)
    assume(any(column.size > 1 for column in table.quasi))
    gauge = task.model.gauge()
    assert gauge is not None
    items = BoxItems.of(task, gauge)
    boxes = search.offered(items)
    prices = search.priced(items, boxes)
    assert (prices >= 0).all()
    for box in range(len(boxes.cost)):
        members = boxes.member[boxes.start[box] : boxes.start[box + 1]]
        rows = [item for item in members.tolist() for _ in range(int(items.rows[item]))]
        for size in range(1, len(rows) + 1):
            for chosen in combinations(rows, size):
                if kept(promise, _as_rows(items, chosen), list(range(size))):
                    assert sum(int(prices[item]) for item in chosen) <= size * int(boxes.cost[box])


def _as_rows(items: BoxItems, chosen: tuple[int, ...]) -> Tuples:
    secret = column_with("s", items.values[list(chosen)], pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
    return rows_of((), (secret,))


@settings(max_examples=examples(60))
@given(tables(7, TREES), st.sampled_from([sf.KAnonymity(2), sf.DistinctL(2)]))
def test_prices_are_no_more_than_the_least_loss(table: Tuples, promise: sf.Promise) -> None:
    task = task_of(table, promise)
    gauged(task)
    gauge = task.model.gauge()
    assert gauge is not None
    items = BoxItems.of(task, gauge)
    prices = search.priced(items, search.offered(items))
    assert int(prices @ items.rows) / (WHOLE * table.rows) <= cheapest(task, promise) + 1e-9


@pytest.mark.parametrize("promise", PROMISES, ids=str)
def test_what_passes_the_gauge_keeps_the_promise(promise: sf.Promise) -> None:
    whole = Counter({0: 6, 1: 5, 2: 4, 3: 3})
    codes = np.repeat(np.arange(4), [6, 5, 4, 3])
    secret = column_with("s", codes, pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
    model = bind(promise, Facts.of(rows_of((), (secret,))))
    gauge = model.gauge()
    if gauge is None:
        assert model.uniform_l() is None
        return
    rules, passed = search.rules_of(gauge, 4), 0
    for counts in product(range(5), repeat=4):
        rows, values = sum(counts), sum(count > 0 for count in counts)
        used = np.array(counts if gauge.columns else [rows, 0, 0, 0], dtype=np.int64)
        if not rows or not passes(rules, rows, values, used):
            continue
        passed += 1
        group = {value: count for value, count in enumerate(counts) if count}
        histogram = Histogram.of_counts([group])
        assert model.holds(Groups(np.array([rows]), dict.fromkeys(model.statistics, histogram)))[0]
        parts = promise.promises if isinstance(promise, sf.AllOf) else (promise,)
        assert all(keeps(part, Counter(group), whole, VALUES, SECRETS) for part in parts)
    assert passed


def test_more_work_costs_no_more() -> None:
    rng = np.random.default_rng(1)
    columns = [column_of(f"q{place}", TREES[place % 3], rng.integers(0, 4, 300).tolist()) for place in range(4)]
    secret = column_with("s", rng.integers(0, 4, 300), pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
    task = task_of(counted(rows_of(tuple(columns), (secret,))), sf.KAnonymity(4))
    lost = [float(measured(task, BoxesPartitioner(Boxes(work=work)).partition(task))[1]) for work in (0, 10**4, 10**6)]
    assert lost[2] <= lost[1] <= lost[0] and lost[2] < lost[0]


def test_what_it_cannot_check_is_refused() -> None:
    secret = column_with("s", np.arange(4), pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
    model = bind(sf.PairwiseL(2), Facts.of(rows_of((), (secret,))))
    answer = BoxesPartitioner(Boxes()).fit(model)
    assert answer.status == "refused" and "survive merging" in answer.why
