"""The second stage of boxes, where columns show sets or intervals: against every grouping, and step by step."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.partition.boxes.boxes import BoxesPartitioner
from sfumato.partition.boxes.items import BoxItems
from sfumato.partition.boxes.loops.shown import cut
from sfumato.partition.boxes.search import Search, rules_of
from sfumato.partition.boxes.shown import showing_less, shows_less
from sfumato.partition.contract import Partition
from sfumato.partition.partition_loss import measured
from sfumato.partition.uniform import without_gaps
from sfumato.policy.methods import Boxes
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.tree import Taxonomy
from tests.partition.boxes.test_boxes import cheapest, gauged, tables, task_of
from tests.partition.mondrian.test_mondrian import KINDS, column_of, kept
from tests.support.compiled import keeps
from tests.support.examples import examples
from tests.support.handmade import column_with, counted, rows_of
from tests.support.merging import PROMISES, SECRETS, VALUES

SHOWN = ("free", "line", "wide")
"""Kinds of columns without a hierarchy."""


def test_it_comes_near_to_the_least_loss() -> None:
    rng, found, least = np.random.default_rng(6), 0.0, 0.0
    promises = [sf.KAnonymity(2), sf.DistinctL(2), sf.KAnonymity(3), sf.SimpleL(2)]
    for number in range(examples(40)):
        kinds = [SHOWN[(number + place) % len(SHOWN)] for place in range(2)]
        columns = [column_of(f"q{place}", kind, rng.integers(0, 4, 7).tolist()) for place, kind in enumerate(kinds)]
        secret = column_with("s", rng.integers(0, 4, 7), pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
        table, promise = counted(rows_of(tuple(columns), (secret,))), promises[number % len(promises)]
        if not kept(promise, table.each(), list(range(7))):
            continue
        task = task_of(table, promise)
        best = cheapest(task, promise)
        mine = float(measured(task, BoxesPartitioner(Boxes(work=200_000)).partition(task))[1])
        assert mine >= best - 1e-12
        found, least = found + mine, least + best
    assert least > 0
    assert found <= 1.03 * least


@settings(max_examples=examples(100))
@given(tables(40, KINDS), st.sampled_from(PROMISES))
def test_it_never_costs_more_and_keeps_the_promise(table: Tuples, promise: sf.Promise) -> None:
    task = task_of(table, promise)
    gauged(task)
    gauge = task.model.gauge()
    assert gauge is not None
    assume(any(column.size > 1 for column in table.quasi))
    items = BoxItems.of(task, gauge)
    assume(shows_less(items))
    labels = without_gaps(Search.of(task, items, gauge).labels())
    after = showing_less(task, items, gauge, labels, 0, 5_000)
    assert np.array_equal(after < 0, labels < 0)
    rules = rules_of(gauge, int(items.values.max()) + 1)
    values = np.repeat(items.values, items.rows)
    for group in np.unique(after[after >= 0]):
        counts = np.bincount(values[after == group], minlength=len(rules.whole))
        assert keeps(rules, int(counts.sum()), int((counts > 0).sum()), counts)
    if (labels >= 0).all():
        rows = [np.repeat(np.arange(len(items)), items.rows)]
        alike = _as_partitions(table, items, rows[0], (labels, after))
        assert measured(task, alike[1])[0] <= measured(task, alike[0])[0] + 1e-9


def _as_partitions(table: Tuples, items: BoxItems, item: np.ndarray, both: tuple[np.ndarray, ...]) -> list[Partition]:
    """The same labels for the rows of the table: those of one item are interchangeable."""
    mine = np.repeat(items.packed.of_each(np.arange(len(items), dtype=np.int32)), table.counts)
    made = []
    for labels in both:
        given = np.empty(table.rows, dtype=np.int64)
        given[np.argsort(mine, kind="stable")] = labels[np.argsort(item, kind="stable")]
        made.append(Partition.of_each(table, given))
    return made


@settings(max_examples=examples(200))
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30), st.sampled_from(PROMISES))
def test_classes_are_cut_only_where_all_parts_keep_the_promise(
    rows: list[tuple[int, int]], promise: sf.Promise
) -> None:
    rows.sort(key=lambda row: row[0])
    labels, values = (np.array(column) for column in zip(*rows, strict=True))
    codes = column_with("s", values, pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
    gauge = task_of(counted(rows_of((column_of("q", "tree", labels.tolist()),), (codes,))), promise).model.gauge()
    assume(gauge is not None)
    assert gauge is not None
    rules = rules_of(gauge, len(VALUES))

    def holds(chosen: np.ndarray) -> bool:
        counts = np.bincount(values[chosen], minlength=len(rules.whole))
        return bool(keeps(rules, int(counts.sum()), int((counts > 0).sum()), counts))

    made = cut(without_gaps(labels), values.astype(np.int32), rules)
    for part in np.unique(made):
        assert len(set(labels[made == part])) == 1
        whole = labels == labels[made == part][0]
        assert holds(made == part) or not holds(whole) or (made[whole] == part).all()
    for label in np.unique(labels):
        assert np.array_equal(made[labels == label], np.sort(made[labels == label]))
