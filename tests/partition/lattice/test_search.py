"""The lattice search against going through every node by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.loss.ncp import NCP
from sfumato.loss.registry import LOSSES, loss_of
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Task
from sfumato.partition.lattice.grid import Grid
from sfumato.partition.lattice.incognito import minimal, survivors
from sfumato.partition.lattice.levels import Ladder, Node
from sfumato.partition.lattice.search import LatticeSearch
from sfumato.randomness import Randomness
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.tree import Node as Tree
from sfumato.taxonomy.tree import Taxonomy
from tests.support.definitions import keeps
from tests.support.examples import examples
from tests.support.handmade import column_with, rows_of
from tests.support.merging import PROMISES, SECRETS, VALUES

TREES = (
    Tree("*", (Tree("x", (Tree("0"), Tree("1"))), Tree("y", (Tree("2"), Tree("3"))))),
    Tree("*", (Tree("u", (Tree("v", (Tree("0"), Tree("1"))), Tree("2"))), Tree("3"))),
    None,
)


@st.composite
def tables(draw: st.DrawFn) -> Tuples:
    width = draw(st.integers(1, 3))
    rows = draw(st.integers(1, 25))
    quasi = []
    for index in range(width):
        tree = draw(st.sampled_from(TREES))
        codes = draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows))
        taxonomy = None if tree is None else Taxonomy.of(tree)
        quasi.append(column_with(f"q{index}", np.array(codes, dtype=np.int32), pl.Series(list("0123")), taxonomy))
    secrets = draw(st.lists(st.integers(0, 3), min_size=rows, max_size=rows))
    column = column_with("s", np.array(secrets, dtype=np.int32), pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
    return rows_of(tuple(quasi), (column,))


def searched(
    table: Tuples, promise: sf.Promise, limit: Fraction = Fraction(0), keep: bool = False, metric: str = "ncp"
) -> LatticeSearch:
    model = bind(promise, Facts.of(table))
    return LatticeSearch.whole(Task(table, model, loss_of(metric, {}), Randomness.fixed(0), limit=limit, keep=keep))


def shown(column: Domain, code: int, level: int) -> tuple[int, int]:
    """First and last code that a row shows at a level, by walking up the tree."""
    tree = column.taxonomy
    if tree is None:
        return (code, code) if level == 0 else (0, 3)
    node = code
    while tree.depth[node] > tree.height - level:
        node = int(tree.parent[node])
    return int(tree.first[node]), int(tree.last[node])


def classes(table: Tuples, node: Node) -> dict[Any, list[int]]:
    """Rows by what they show, one by one."""
    made: dict[Any, list[int]] = {}
    for row in range(table.rows):
        key = tuple(
            shown(column, int(table.codes[column.name][row]), level)
            for column, level in zip(table.quasi, node, strict=True)
        )
        made.setdefault(key, []).append(row)
    return made


def kept(promise: sf.Promise, table: Tuples, rows: list[int]) -> bool:
    secrets = table.codes["s"]
    if isinstance(promise, sf.AllOf):
        return all(kept(part, table, rows) for part in promise.promises)
    group = Counter(int(secrets[row]) for row in rows)
    whole = Counter(map(int, secrets))
    return keeps(promise, group, whole, VALUES, SECRETS)


def by_hand(promise: sf.Promise, table: Tuples, node: Node) -> tuple[int, Fraction]:
    """Rows to suppress at a node, and its loss with them suppressed."""
    suppressed, loss = 0, Fraction(0)
    for key, rows in classes(table, node).items():
        if kept(promise, table, rows):
            loss += len(rows) * sum((Fraction(high - low, 3) for low, high in key), Fraction(0)) / len(table.quasi)
        else:
            suppressed += len(rows)
            loss += len(rows)
    return suppressed, loss / table.rows


def named(promise: sf.Promise) -> set[str]:
    parts = promise.promises if isinstance(promise, sf.AllOf) else (promise,)
    return {value for part in parts for key in ("disclosable", "protected") for value in part.as_dict().get(key, ())}


def below(one: Node, other: Node) -> bool:
    return one != other and all(map(int.__le__, one, other))


@pytest.mark.parametrize("promise", PROMISES, ids=str)
@settings(max_examples=examples(25))
@given(
    table=tables(),
    limit=st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(1)]),
    keep=st.booleans(),
)
def test_optimum_and_minimal_nodes_are_those_of_every_node(
    promise: sf.Promise, table: Tuples, limit: Fraction, keep: bool
) -> None:
    if not named(promise) <= {VALUES[code] for code in table.codes["s"]}:
        return
    search = searched(table, promise, limit, keep)
    nodes = list(product(*(range(height + 1) for height in search.grid.high)))
    outcome = {node: by_hand(promise, table, node) for node in nodes}
    passing = [node for node in nodes if outcome[node][0] == 0]
    least = [node for node in passing if not any(below(other, node) for other in passing)]
    assert search.minimal() == least
    assert survivors(search) == passing
    assert minimal(passing) == least
    allowed = [
        node
        for node in nodes
        if outcome[node][0] <= limit * table.rows
        and outcome[node][0] < table.rows
        and (not keep or outcome[node][0] == 0 or kept(promise, table, failing(promise, table, node)))
    ]
    assert search.allowed() == allowed
    best = search.best()
    if best is None:
        assert not allowed
    else:
        assert best.node in allowed
        lowest = min(outcome[node][1] for node in allowed)
        assert best.loss == pytest.approx(float(lowest), abs=1e-12)
        assert float(outcome[best.node][1]) == pytest.approx(float(lowest), abs=1e-12)


def failing(promise: sf.Promise, table: Tuples, node: Node) -> list[int]:
    """The rows of all groups that do not keep the promise."""
    groups = classes(table, node).values()
    return [row for rows in groups if not kept(promise, table, rows) for row in rows]


@pytest.mark.parametrize("metric", LOSSES)
@settings(max_examples=examples(40))
@given(
    table=tables(),
    promise=st.sampled_from([sf.KAnonymity(3), sf.DistinctL(2), sf.SimpleL(2)]),
    limit=st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1)]),
)
def test_every_loss_has_its_optimum_found(metric: str, table: Tuples, promise: sf.Promise, limit: Fraction) -> None:
    """What bounds leave out never was the best."""
    search = searched(table, promise, limit, metric=metric)
    best = search.best()
    judged = [search.judged(node) for node in product(*(range(height + 1) for height in search.grid.high))]
    allowed = [each for each in judged if each.allowed]
    assert (best is None) == (not allowed)
    if best is not None:
        assert best.loss == pytest.approx(min(each.loss for each in allowed), abs=1e-12)


@settings(max_examples=examples(100))
@given(table=tables(), promise=st.sampled_from(PROMISES), data=st.data())
def test_of_a_hopeless_group_no_part_keeps_the_promise(table: Tuples, promise: sf.Promise, data: st.DataObject) -> None:
    if not named(promise) <= {VALUES[code] for code in table.codes["s"]}:
        return
    search = searched(table, promise)
    node = tuple(data.draw(st.integers(0, height)) for height in search.grid.high)
    hopeless = search.judged(node).hopeless
    groups = [rows for rows in classes(table, node).values() if len(rows) <= 9]
    saved = 0
    for rows in groups:
        parts = [[row for place, row in enumerate(rows) if chosen >> place & 1] for chosen in range(1, 1 << len(rows))]
        saved += len(rows) if any(kept(promise, table, part) for part in parts) else 0
    assert hopeless <= table.rows - saved


@settings(max_examples=examples(50))
@given(table=tables(), data=st.data())
def test_frequency_sets_and_labels_are_those_of_the_rows(table: Tuples, data: st.DataObject) -> None:
    search = searched(table, sf.DistinctL(2))
    for _ in range(3):
        node = tuple(data.draw(st.integers(0, height)) for height in search.grid.high)
        found = search.frequencies.at(node)
        wanted = Counter(tuple(sorted(rows)) for rows in classes(table, node).values())
        labels, _ = search.frequencies.labels(node)
        groups: dict[int, list[int]] = {}
        for row, label in enumerate(labels.tolist()):
            groups.setdefault(label, []).append(row)
        assert Counter(tuple(rows) for rows in groups.values()) == wanted
        histogram = found.groups[("s",)]
        counted = [
            dict(zip(*(part.tolist() for part in histogram.row(group)), strict=True)) for group in range(len(found))
        ]
        secrets = table.codes["s"]
        assert Counter(tuple(sorted(each.items())) for each in counted) == Counter(
            tuple(sorted(Counter(int(secrets[row]) for row in rows).items())) for rows in classes(table, node).values()
        )
        assert sorted(found.groups.sizes.tolist()) == sorted(map(len, classes(table, node).values()))


def test_levels_may_be_bounded() -> None:
    codes = np.array([0, 1, 2, 3], dtype=np.int32)
    column = column_with("q0", codes, pl.Series(list("0123")), Taxonomy.of(TREES[0] or SECRETS))
    secret = column_with("s", codes, pl.Series(VALUES))
    search = searched(rows_of((column,), (secret,)), sf.KAnonymity(1))
    best, bounded = search.best(), LatticeSearch(search.task, search.frequencies, Grid((1,), (2,)))
    assert best is not None
    assert best.node == (0,)
    assert bounded.minimal() == [(1,)]
    assert bounded.allowed() == [(1,), (2,)]
    best = bounded.best()
    assert best is not None
    assert best.node == (1,)


def test_suppression_breaks_monotonicity_and_the_search_knows() -> None:
    """Level 0 has {a,b} and {a,a,a}: three rows to suppress. Level 1 has {a,a,a,a,b}: five."""
    quasi = column_with("q0", np.array([0, 0, 1, 1, 1], dtype=np.int32), pl.Series(["p", "q"]))
    secret = column_with("s", np.array([0, 1, 0, 0, 0], dtype=np.int32), pl.Series(["a", "b"]))
    table = rows_of((quasi,), (secret,))
    search = searched(table, sf.SimpleL(2), Fraction(3, 5))
    assert [search.judged((level,)).suppressed for level in (0, 1)] == [3, 5]
    assert search.minimal() == []
    best = search.best()
    assert best is not None
    assert best.node == (0,)
    assert searched(table, sf.SimpleL(2), Fraction(1, 2)).best() is None


def test_many_columns_do_not_overflow() -> None:
    rng = np.random.default_rng(0)
    quasi = tuple(
        column_with(f"q{index}", rng.integers(0, 1000, 200).astype(np.int32), pl.Series(range(1000)))
        for index in range(12)
    )
    secret = column_with("s", np.zeros(200, dtype=np.int32), pl.Series(["a"]))
    frequencies = searched(rows_of(quasi, (secret,)), sf.KAnonymity(2)).frequencies
    assert len(frequencies.bottom) == 200
    top = frequencies.ladders.top
    assert len(frequencies.at(top)) == 1
    half = tuple(level if axis % 2 else 0 for axis, level in enumerate(top))
    wanted = {tuple(int(column.codes[row]) for column in quasi[::2]) for row in range(200)}
    assert len(frequencies.at(half)) == len(wanted)


def test_a_ladder_repeats_short_branches_at_the_bottom() -> None:
    column = column_with("q", np.arange(4, dtype=np.int32), pl.Series(list("0123")), Taxonomy.of(TREES[1] or SECRETS))
    ladder = Ladder.of(column.domain, NCP())
    assert [step.tolist() for step in ladder.steps] == [[0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 0, 1], [0, 0, 0, 0]]
    assert ladder.lift(1, 2).tolist() == [0, 0, 1]
    assert ladder.costs[2].tolist() == pytest.approx([2 / 3, 0])
