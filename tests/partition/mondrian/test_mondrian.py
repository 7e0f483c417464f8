"""Mondrian against a slow recursion in whole numbers and fractions, one group and one row at a time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import Infeasible
from sfumato.loss.ncp import NCP
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Task
from sfumato.partition.mondrian import mondrian
from sfumato.policy.methods import Mondrian as Options
from sfumato.randomness import Randomness
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.tree import Node, Taxonomy
from tests.support.definitions import keeps
from tests.support.examples import examples
from tests.support.handmade import Column, column_with, counted, moved, rows_of
from tests.support.merging import PROMISES, SECRETS, VALUES

TREES = (
    Node("*", (Node("x", (Node("0"), Node("1"))), Node("y", (Node("2"), Node("3"))))),
    Node("*", (Node("u", (Node("v", (Node("0"), Node("1"))), Node("2"))), Node("3"))),
    Node("*", (Node("0"), Node("1"), Node("2"), Node("3"))),
)
WIDE = 70_000
"""Codes of a wide column: four of them do not fit into a word."""
STEP = WIDE // 4


KINDS = ("free", "wide", "line", "tree", "bush", "flat")


def column_of(name: str, kind: str, codes: list[int]) -> Column:
    """Codes 0 to 3 as a column of that kind."""
    made = np.array(codes, dtype=np.int32)
    if kind == "wide":
        return column_with(name, made * STEP, pl.Series(np.arange(WIDE)))
    if kind == "line":
        return column_with(name, made, pl.Series([0, 1, 3, 8]), positions=np.array([0.0, 1.0, 3.0, 8.0]))
    if kind == "free":
        return column_with(name, made, pl.Series(list("0123")))
    return column_with(name, made, pl.Series(list("0123")), Taxonomy.of(TREES[("tree", "bush", "flat").index(kind)]))


@st.composite
def tables(draw: st.DrawFn, kinds: tuple[str, ...] = KINDS) -> Tuples:
    rows = draw(st.integers(1, 40))
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))
    lists = st.lists(st.integers(0, 3), min_size=rows, max_size=rows)
    quasi = [column_of(f"q{index}", kind, draw(lists)) for index, kind in enumerate(chosen)]
    secret = np.array(draw(lists), dtype=np.int32)
    column = column_with("s", secret, pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
    return rows_of(tuple(quasi), (column,))


def groups_of(
    table: Tuples,
    promise: sf.Promise,
    relaxed: bool = False,
    weights: dict[str, Fraction] | None = None,
    seed: int = 0,
) -> list[list[int]]:
    """The rows of every group; labels have no gaps."""
    model = bind(promise, Facts.of(table))
    task = Task(table, model, NCP(weights or {}), Randomness.fixed(seed))
    labels = mondrian.MondrianPartitioner(Options(relaxed=relaxed)).partition(task).labels
    assert sorted(set(labels.tolist())) == list(range(labels.max() + 1))
    return [np.flatnonzero(labels == group).tolist() for group in range(labels.max() + 1)]


def kept(promise: sf.Promise, table: Tuples, rows: list[int]) -> bool:
    if isinstance(promise, sf.AllOf):
        return all(kept(part, table, rows) for part in promise.promises)
    secrets = table.codes["s"]
    group, whole = Counter(int(secrets[row]) for row in rows), Counter(map(int, secrets))
    return keeps(promise, group, whole, VALUES, SECRETS)


def cover(tree: Node, codes: set[str]) -> Node:
    """The lowest node with all these leaves below."""
    inside = [child for child in tree.children if codes <= set(child.leaves())]
    return cover(inside[0], codes) if inside and tree.children else tree


@dataclass(frozen=True)
class Slow:
    """The recursion as the docstring of the algorithm tells it."""

    table: Tuples
    promise: sf.Promise
    weights: dict[str, Fraction]

    def groups(self, rows: list[int]) -> list[list[int]]:
        columns = sorted(self.table.quasi, key=lambda column: -self.cost(column, rows))  # stable
        for column in columns:
            sides = self.cut(column, rows)
            if sides is not None and all(kept(self.promise, self.table, side) for side in sides):
                return [group for side in sides for group in self.groups(side)]
        return [rows]

    def cost(self, column: Domain, rows: list[int]) -> Fraction:
        codes = [int(self.table.codes[column.name][row]) for row in rows]
        low, high = min(codes), max(codes)
        weight = self.weights.get(column.name, Fraction(1))
        if column.taxonomy is not None:
            leaves = len(list(cover(column.taxonomy.as_node(), set(map(str, codes))).leaves()))
            return weight * Fraction(leaves - 1, 3)
        if column.positions is not None:
            return weight * Fraction(int(column.positions[high] - column.positions[low]), 8)
        return weight * Fraction(high - low, column.size - 1)

    def cut(self, column: Domain, rows: list[int]) -> tuple[list[int], list[int]] | None:
        """Of all cuts that are allowed, the first of those nearest to two halves."""
        codes = {row: int(self.table.codes[column.name][row]) for row in rows}
        after = sorted(set(codes.values()))[:-1]
        if column.taxonomy is not None:
            node = cover(column.taxonomy.as_node(), set(map(str, codes.values())))
            after = [int(list(child.leaves())[-1]) for child in node.children[:-1]]
        halves = [([row for row in rows if codes[row] <= at], [row for row in rows if codes[row] > at]) for at in after]
        possible = [half for half in halves if half[0] and half[1]]
        return min(possible, key=lambda half: abs(len(half[0]) - len(half[1])), default=None)


def named(promise: sf.Promise) -> set[str]:
    parts = promise.promises if isinstance(promise, sf.AllOf) else (promise,)
    return {value for part in parts for key in ("disclosable", "protected") for value in part.as_dict().get(key, ())}


def possible(table: Tuples, promise: sf.Promise) -> bool:
    return named(promise) <= {VALUES[code] for code in table.codes["s"].tolist()} and kept(
        promise, table, list(range(table.rows))
    )


@settings(max_examples=examples(300))
@given(
    table=tables(),
    promise=st.sampled_from(PROMISES),
    weight=st.sampled_from([Fraction(1), Fraction(3), Fraction(0)]),
    batch=st.sampled_from([1, 7, 1 << 16]),
)
def test_strict_groups_are_those_of_the_slow_recursion(
    table: Tuples, promise: sf.Promise, weight: Fraction, batch: int
) -> None:
    if not possible(table, promise):
        return
    weights = {"q0": weight}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mondrian, "_BATCH", batch)
        found = groups_of(table, promise, weights=weights)
    assert sorted(found) == sorted(map(sorted, Slow(table, promise, weights).groups(list(range(table.rows)))))


@settings(max_examples=examples(200))
@given(table=tables(), promise=st.sampled_from(PROMISES), seed=st.integers(0, 5), batch=st.sampled_from([1, 1 << 16]))
def test_relaxed_groups_keep_the_promise(table: Tuples, promise: sf.Promise, seed: int, batch: int) -> None:
    if not possible(table, promise):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mondrian, "_BATCH", batch)
        found = groups_of(table, promise, relaxed=True, seed=seed)
    assert sorted(row for group in found for row in group) == list(range(table.rows))
    assert all(kept(promise, table, group) for group in found)


@settings(max_examples=examples(100))
@given(table=tables(kinds=("free", "wide", "line")), k=st.integers(1, 5), seed=st.integers(0, 5))
def test_relaxed_cuts_leave_no_large_group_that_could_be_halved(table: Tuples, k: int, seed: int) -> None:
    if table.rows < k:
        return
    for group in groups_of(table, sf.KAnonymity(k), relaxed=True, seed=seed):
        varied = any(len(set(table.codes[column.name][group].tolist())) > 1 for column in table.quasi)
        assert not varied or len(group) < 2 * k


@settings(max_examples=examples(100))
@given(table=tables(), promise=st.sampled_from(PROMISES), relaxed=st.booleans(), data=st.data())
def test_the_order_of_rows_does_not_matter(
    table: Tuples, promise: sf.Promise, relaxed: bool, data: st.DataObject
) -> None:
    if not possible(table, promise):
        return
    order = np.array(data.draw(st.permutations(range(table.rows))), dtype=np.int64)
    other = moved(table, order)

    def contents(of: Tuples) -> Counter[Any]:
        """Groups as what their rows hold."""
        return Counter(
            tuple(sorted(tuple(int(of.codes[name][row]) for name in table.codes) for row in group))
            for group in groups_of(of, promise, relaxed)
        )

    assert contents(table) == contents(other) == contents(counted(table).each())


def test_rows_equal_to_the_median_go_by_their_other_columns() -> None:
    """Of 8 rows, 6 have the median of q0; 3 of these go left: the lowest in q1, which is narrow."""
    first = column_of("q0", "wide", [0, 1, 1, 1, 1, 1, 1, 3])
    second = column_of("q1", "free", [3, 3, 0, 2, 1, 0, 3, 0])
    third = column_of("q2", "wide", [0, 0, 3, 1, 2, 3, 0, 3])
    secret = column_with("s", np.zeros(8, dtype=np.int32), pl.Series(VALUES))
    table = rows_of((first, second, third), (secret,))
    found = groups_of(table, sf.KAnonymity(4), relaxed=True, weights={"q0": Fraction(9)})
    assert sorted(found) == [[0, 2, 4, 5], [1, 3, 6, 7]]


def test_rows_alike_are_shared_out_in_proportion() -> None:
    """The row at one end needs company: every value of the other rows gives as much of itself."""
    codes = [0] * 2 + [3] * 60
    secrets = [0, 1] + [0] * 30 + [1] * 20 + [2] * 10
    secret = column_with("s", np.array(secrets, dtype=np.int32), pl.Series(VALUES))
    table = rows_of((column_of("q0", "free", codes),), (secret,))
    found = groups_of(table, sf.KAnonymity(31), relaxed=True)
    left = next(group for group in found if 0 in group)
    assert len(left) == 31
    shares = Counter(secrets[row] for row in left if row > 1)
    for value, count in ((0, 30), (1, 20), (2, 10)):
        assert abs(shares[value] - count * Fraction(29, 60)) < 1


def test_chance_decides_which_of_equal_rows_go_where() -> None:
    codes, secret = [0] * 2 + [3] * 60, column_with("s", np.zeros(62, dtype=np.int32), pl.Series(VALUES))
    table = rows_of((column_of("q0", "free", codes),), (secret,))
    lefts = set()
    for seed in range(5):
        found = groups_of(table, sf.KAnonymity(31), relaxed=True, seed=seed)
        lefts.add(tuple(next(group for group in found if 0 in group)))
    assert len(lefts) == 5


def test_a_sensitive_column_that_no_promise_counts_does_not_follow_the_order_of_rows() -> None:
    """Two sensitive columns, one counted: rows that differ in the other are still told apart."""
    rows = 40
    rng = np.random.default_rng(3)
    quasi = column_of("q0", "free", rng.integers(0, 2, rows).tolist())
    one = column_with("s", rng.integers(0, 2, rows).astype(np.int32), pl.Series(VALUES))
    two = column_with("t", rng.integers(0, 3, rows).astype(np.int32), pl.Series(VALUES))
    results = set()
    for order in (np.arange(rows), np.arange(rows)[::-1], rng.permutation(rows)):
        table = moved(rows_of((quasi,), (one, two)), order)
        groups = groups_of(table, sf.DistinctL(2, on="s"), relaxed=True)
        shares = (
            Counter((int(table.codes["s"][row]), int(table.codes["t"][row])) for row in group) for group in groups
        )
        results.add(tuple(sorted(tuple(sorted(share.items())) for share in shares)))
    assert len(results) == 1


def test_a_table_that_cannot_keep_the_promise_is_infeasible() -> None:
    table = rows_of(
        (column_of("q0", "free", [0, 1, 2]),),
        (column_with("s", np.array([0, 0, 1], dtype=np.int32), pl.Series(VALUES)),),
    )
    for promise in (sf.KAnonymity(4), sf.DistinctL(3), sf.SimpleL(2)):
        with pytest.raises(Infeasible):
            groups_of(table, promise)


def test_without_quasi_identifiers_all_rows_are_one_group() -> None:
    table = rows_of((), (column_with("s", np.array([0, 0, 1], dtype=np.int32), pl.Series(VALUES)),))
    for promise in (sf.DistinctL(2), sf.KAnonymity(1)):
        for relaxed in (False, True):
            assert groups_of(table, promise, relaxed) == [[0, 1, 2]]


def test_progress_ends_with_all_rows() -> None:
    seen: list[tuple[str, int, int]] = []
    table = rows_of(
        (column_of("q0", "free", [0, 1, 2, 3] * 2),),
        (column_with("s", np.array([0, 1] * 4, dtype=np.int32), pl.Series(VALUES)),),
    )
    model = bind(sf.KAnonymity(2), Facts.of(table))
    task = Task(table, model, NCP(), Randomness.fixed(0), progress=lambda *call: seen.append(call))
    mondrian.MondrianPartitioner(Options()).partition(task)
    assert seen[-1] == ("partition", 8, 8)
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
