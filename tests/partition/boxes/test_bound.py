"""The bound against the least loss of every way to group a small table, and its judge against every choice of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import sfumato as sf
from sfumato.loss.contract import additive
from sfumato.loss.registry import LOSSES, loss_of
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.boxes import bound
from sfumato.partition.boxes.bound import Bound, bound_of
from sfumato.partition.boxes.fair import fair, unfair
from sfumato.partition.boxes.floors import Floors, Necessary
from sfumato.partition.boxes.items import WHOLE
from sfumato.partition.boxes.search import offered, priced
from sfumato.partition.contract import Partition, Task
from sfumato.partition.partition_loss import measured
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples
from sfumato.taxonomy.tree import Node, Taxonomy
from tests.partition.mondrian.test_mondrian import KINDS, column_of, kept
from tests.support.examples import examples, some
from tests.support.handmade import Column, column_with, counted, rows_of
from tests.support.merging import PROMISES, SECRETS, VALUES

Ints = NDArray[np.int64]

TREES = ("tree", "bush", "flat")
GAPS = ("line, missing", "free, missing", "tree, missing")
APART = [sf.PairwiseL(2), sf.UniqueDistinctL(2), sf.UniqueDistinctLiteral(2)]
MEANS = [name for name in LOSSES if additive(loss_of(name, {}))]
BOUNDED = [
    sf.KAnonymity(2),
    sf.KAnonymity(3),
    sf.DistinctL(2),
    sf.DistinctL(3),
    sf.EntropyL("1.8"),
    sf.RecursiveCL(2, 2),
    sf.SimpleL(2),
    sf.AlphaK("2/3", 3),
    sf.TCloseness("0.3"),
    *APART,
]


def column(name: str, kind: str, codes: Sequence[int]) -> Column:
    """Codes 0 to 3 as a column of that kind; the last one may be a missing value."""
    if kind not in GAPS:
        return column_of(name, kind, list(codes))
    values, place = pl.Series([0, 1, 8, None]), np.array([0.0, 1.0, 8.0, np.nan])
    if kind == "line, missing":
        return column_with(name, list(codes), values, positions=place, missing=3)
    tree = Taxonomy.of(Node("*", (Node("01", (Node("0"), Node("1"))), Node("2"), Node("?"))))
    return column_with(name, list(codes), values.cast(pl.String), tree if kind == "tree, missing" else None, missing=3)


def table_of(kinds: Sequence[str], codes: Sequence[Sequence[int]]) -> Tuples:
    """The last codes are those of a sensitive column."""
    quasi = [column(f"q{place}", kind, codes[place]) for place, kind in enumerate(kinds)]
    secret = column_with("s", list(codes[-1]), pl.Series(VALUES), Taxonomy.of(SECRETS), ordered=True)
    return counted(rows_of(tuple(quasi), (secret,)))


@st.composite
def tables(draw: st.DrawFn, most: int, kinds: Sequence[str]) -> Tuples:
    rows, chosen = draw(st.integers(2, most)), draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3))
    codes = st.lists(st.integers(0, 3), min_size=rows, max_size=rows)
    return table_of(chosen, [draw(codes) for _ in range(len(chosen) + 1)])


def task_of(
    table: Tuples, promise: sf.Promise, metric: str = "ncp", weights: dict[str, int] | None = None, limit: int = 0
) -> Task:
    loss = loss_of(metric, {name: Fraction(weight) for name, weight in (weights or {}).items()})
    return Task(table, bind(promise, Facts.of(table)), loss, Randomness.fixed(3), limit=Fraction(limit))


def least_loss(task: Task, promise: sf.Promise) -> float | None:
    """Of every way to cut the rows into classes that keep the promise, and to leave some out where that is allowed."""
    each = task.each()
    rows = each.table.rows
    cost: dict[int, float] = {}
    for mask in range(1, 1 << rows):
        members = [row for row in range(rows) if mask >> row & 1]
        if kept(promise, each.table, members):
            labels = np.full(rows, -1)
            labels[members] = 0
            alone = float(measured(each, Partition.of(each.table, labels))[0])
            cost[mask] = rows * alone - (rows - len(members))
        elif len(members) == 1 and task.limit:
            cost[mask] = 1.0
    best = {0: 0.0}
    for mask in range(1, 1 << rows):
        mine = [
            best[mask ^ part] + paid
            for part, paid in cost.items()
            if part & -part == mask & -mask and _in(part, mask, best)
        ]
        if mine:
            best[mask] = min(mine)
    whole = best.get((1 << rows) - 1)
    return None if whole is None else whole / rows


def _in(part: int, mask: int, best: dict[int, float]) -> bool:
    return part & mask == part and mask ^ part in best


@pytest.mark.thorough
@settings(max_examples=examples(400))
@given(
    tables(6, (*KINDS, *GAPS)),
    st.sampled_from([*PROMISES, *APART]),
    st.sampled_from(MEANS),
    st.sampled_from([{}, {"q0": 3}, {"q0": 0}]),
    st.booleans(),
)
def test_no_release_loses_less(
    table: Tuples, promise: sf.Promise, metric: str, weights: dict[str, int], suppress: bool
) -> None:
    task = task_of(table, promise, metric, weights, int(suppress))
    found, least = bound_of(task), least_loss(task, promise)
    if found.value is None:
        assert found.reason
    elif least is not None:
        assert 0 <= found.value <= least + 1e-9


@pytest.mark.parametrize(
    ("kinds", "share"), some([(("tree", "bush"), 0.8), (("line", "free"), 0.65), (("tree", "line"), 0.75)]), ids=str
)
def test_it_is_not_far_below(kinds: tuple[str, ...], share: float) -> None:
    """On average over tables of seven rows and all promises that are bounded."""
    rng, bounds, losses = np.random.default_rng(11), 0.0, 0.0
    for number in range(examples(240, 60)):
        promise = BOUNDED[number % len(BOUNDED)]
        task = task_of(table_of(kinds, rng.integers(0, 4, (3, 7)).tolist()), promise)
        least, found = least_loss(task, promise), bound_of(task)
        if least is not None:
            bounds, losses = bounds + (found.value or 0.0), losses + least
    assert bounds >= share * losses > 0


def test_it_does_not_rest_on_how_prices_were_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that asks for far too much is judged, and lowered."""
    monkeypatch.setattr(bound, "priced", lambda items, boxes: 3 * priced(items, boxes) + WHOLE // 7)
    rng = np.random.default_rng(5)
    for _ in range(examples(50)):
        task = task_of(table_of(["tree", "flat"], rng.integers(0, 4, (3, 6)).tolist()), sf.KAnonymity(2))
        least, found = least_loss(task, sf.KAnonymity(2)), bound_of(task).value
        assert found is not None and least is not None and 0 < found <= least + 1e-9


def boxes_of(floors: Floors) -> list[tuple[int, Ints]]:
    """What every box costs, and its items: one way to show every column, all items that it shows alike."""
    items, found = floors.items, []
    for depths in product(*(range(int(depth)) for depth in items.heights.depths)):
        shown = np.stack([items.heights.node[place, depth][items.codes[place]] for place, depth in enumerate(depths)])
        cost = sum(items.heights.cost[place, depth][items.codes[place]] for place, depth in enumerate(depths))
        for look in np.unique(shown, axis=1).T:
            mine = np.flatnonzero((shown == look[:, None]).all(axis=0))
            if (look >= 0).all():
                found.append((int(np.asarray(cost)[mine[0]]), mine))
    return found


def wrong(floors: Floors, prices: Ints) -> bool:
    """Whether some rows of a box that could keep the promise are asked for more than it costs."""
    needs, items = floors.items.needs, floors.items
    for cost, mine in boxes_of(floors):
        for taken in product(*(range(int(items.rows[item]) + 1) for item in mine)):
            chosen = [item for item, rows in zip(mine.tolist(), taken, strict=True) if rows]
            enough = sum(taken) >= needs.rows and len({int(items.values[item]) for item in chosen}) >= needs.values
            if enough and sum(rows * (int(prices[item]) - cost) for item, rows in zip(mine, taken, strict=True)) > 0:
                return True
    return False


def floors_of(table: Tuples, needed: Necessary) -> Floors:
    return Floors.of(task_of(table, sf.KAnonymity(2)), needed)


@st.composite
def priced_tables(draw: st.DrawFn) -> tuple[Floors, Ints]:
    """Prices of all kinds: any, and those that some boxes cost, which are fair by a hair or not."""
    rows, values = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    floors = floors_of(draw(tables(7, (*TREES, "line", "free"))), Necessary(rows, values, ("s",)))
    costs = [cost for cost, _ in boxes_of(floors)]
    price = st.sampled_from([0, 1, WHOLE, *costs]) | st.sampled_from(costs).map(lambda cost: cost + 1)
    count = len(floors.items)
    return floors, np.array(draw(st.lists(price, min_size=count, max_size=count)), dtype=np.int64)


@settings(max_examples=examples(400))
@given(priced_tables())
def test_the_judge_finds_what_is_unfair_and_nothing_else(given: tuple[Floors, Ints]) -> None:
    floors, prices = given
    assert bool(unfair(floors.items, prices)) == wrong(floors, prices)
    made = fair(floors.items, prices)
    assert not wrong(floors, made) and not unfair(floors.items, made)
    assert (made <= prices).all() and (made >= 0).all()


@settings(max_examples=examples(150))
@given(tables(8, (*TREES, "line")), st.sampled_from([sf.KAnonymity(2), sf.KAnonymity(3), sf.DistinctL(2)]))
def test_one_price_too_high_is_found(table: Tuples, promise: sf.Promise) -> None:
    """However high the others are, the root is a box of every item."""
    needed = Necessary.of(bind(promise, Facts.of(table)), edits=True)
    floors = floors_of(table, needed)
    assume(table.rows >= needed.rows and len({*table.codes["s"].tolist()}) >= needed.values)
    items = floors.items
    prices = fair(items, priced(items, offered(items)))
    assert not unfair(items, prices)
    found = 0
    for item in range(len(items)):
        higher = prices.copy()
        higher[item] += WHOLE * (needed.rows + needed.values)
        found += bool(unfair(items, higher)) and wrong(floors, higher)
        lowered = fair(items, higher)
        assert not wrong(floors, lowered)
    assert found == len(items)


def test_one_look_at_all_boxes_is_enough() -> None:
    """Also where boxes overlap, and one is lowered after another: prices are far too high, and of all heights."""
    rng, several, number = np.random.default_rng(7), 0, examples(300)
    for _ in range(number):
        table = table_of(["flat", "tree", "flat"], rng.integers(0, 4, (4, 12)).tolist())
        floors = floors_of(table, Necessary(int(rng.integers(1, 5)), int(rng.integers(1, 4)), ("s",)))
        prices = rng.integers(0, 2 * WHOLE, len(floors.items))
        made = fair(floors.items, prices)
        assert not unfair(floors.items, made)
        several += unfair(floors.items, prices) > 1
    assert several > 0.9 * number


def test_lowering_takes_no_more_than_it_must() -> None:
    floors = floors_of(table_of(["flat"], [[0, 0, 1, 1], [0, 1, 2, 3]]), Necessary(2))
    items = floors.items
    assert len(items) == 2 and items.rows.tolist() == [2, 2]
    leaf, root = 0, int(items.heights.cost[0].max())
    assert fair(items, np.array([leaf, leaf])).tolist() == [0, 0]
    assert fair(items, np.array([leaf, 1])).tolist() == [0, 0]  # two rows alike pay nothing
    lone = floors_of(table_of(["flat"], [[0, 1, 1], [0, 1, 2]]), Necessary(2))
    assert fair(lone.items, np.array([2 * root, 0])).tolist() == [2 * root, 0]  # with one more row, each pays the root
    for beyond in (1, 5):
        assert fair(lone.items, np.array([2 * root + beyond, 0])).tolist() == [2 * root, 0]


def test_a_row_that_fills_up_values_does_not_fill_up_rows_again() -> None:
    """Three rows and two values: the second row is another value, the third is neither."""
    floors = floors_of(table_of(["flat"], [[0, 1, 2], [0, 1, 2]]), Necessary(3, 2, ("s",)))
    root = int(floors.items.heights.cost[0].max())
    assert floors.items.rows.tolist() == [1, 1, 1]
    assert not unfair(floors.items, np.array([2 * root, root, 0]))
    assert unfair(floors.items, np.array([2 * root + 1, root, 0]))


@pytest.mark.parametrize("limit", [0, 1])
def test_a_row_that_may_be_left_out_costs_no_more_than_all(limit: int) -> None:
    """One row unlike three others: with one of them at `*`, or left out."""
    task = task_of(table_of(["flat"], [[0, 1, 1, 1], [0, 1, 2, 3]]), sf.KAnonymity(2), limit=limit)
    least, found = least_loss(task, sf.KAnonymity(2)), bound_of(task)
    assert least == (0.25 if limit else 0.5)
    assert found.value == pytest.approx(least)


def test_weights_of_columns_of_one_value_count() -> None:
    """They lose nothing, unless a row is left out."""
    same = column_with("one", [0, 0, 0], pl.Series(["x"]), Taxonomy.of(Node("x")))
    other = column("q", "flat", [0, 1, 1])
    task = task_of(counted(rows_of((same, other))), sf.KAnonymity(3))
    assert bound_of(task).value == pytest.approx(0.5)


@pytest.mark.parametrize("metric", LOSSES)
def test_losses_that_are_means_are_bounded_and_others_say_why_not(metric: str) -> None:
    task = task_of(table_of(["tree", "line"], [[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]), sf.KAnonymity(2), metric)
    means, weights = np.random.default_rng(2).random((20, 2)), np.array([3.0, 1.0])
    values = [task.loss.value(mean, weights, np.array([4]), 4) for mean in means]
    assert additive(task.loss) == np.allclose(values, means @ weights / 4)
    found = bound_of(task)
    assert (found.value is not None) == additive(task.loss)
    assert found.value or "not a mean" in found.reason


@pytest.mark.parametrize(
    ("promise", "reason"),
    [
        (sf.TauL("1/2", 2), "generalizing sensitive values"),
        (sf.KAnonymity(2, of=(("q0",), ("q1",))), "some quasi-identifiers at a time"),
        (sf.PdRecursive(2, 2), "not say how many"),
        (sf.KAnonymity(9), "not even the whole table"),
        (sf.DistinctL(5), "not even the whole table"),
    ],
    ids=str,
)
def test_where_nothing_is_known_it_says_why(promise: sf.Promise, reason: str) -> None:
    task = task_of(table_of(["tree", "flat"], [[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]), promise)
    found = bound_of(task)
    assert found.value is None and reason in found.reason and reason in str(found)
    assert found.as_dict() == {"value": None, "over": None, "uses": None, "reason": found.reason}


def test_of_several_promises_the_parts_are_used_that_say_something() -> None:
    table = table_of(["tree", "flat"], [[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]])
    both = bound_of(task_of(table, sf.TauL("1/2", 2) & sf.KAnonymity(2)))
    assert both == bound_of(task_of(table, sf.KAnonymity(2))) and both.value
    untouched = task_of(table, sf.TauL("1/2", 2))
    assert bound_of(replace(untouched, edits=False)).value


@pytest.mark.parametrize(
    ("kinds", "over"),
    [
        (["tree", "flat"], "any local recoding with these hierarchies"),
        (["tree", "line"], "any local recoding with these hierarchies, intervals and sets"),
        (["free", "line"], "any local recoding with intervals and sets"),
    ],
)
def test_it_says_what_it_ranges_over(kinds: list[str], over: str) -> None:
    found = bound_of(task_of(table_of(kinds, [[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]]), sf.DistinctL(2)))
    assert over == found.over and over in str(found)
    assert found.uses == "every class has at least 2 rows and 2 different values of 's'"


def test_words_never_promise_too_much() -> None:
    found = Bound(0.04149, "any", "every class has 2 rows")
    assert found.compared(0.0475) == "loss 0.0475: within 15% of the least loss that any can have (at least 0.0414)"
    assert "within 1.3%" in found.compared(0.04149 * 1.01201)
    assert "within 10.0%" in found.compared(0.04149 * 1.0999) and "within 11%" in found.compared(0.04149 * 1.1001)
    assert "at most 2.6 times the least loss" in found.compared(0.04149 * 2.501)
    assert ": the least loss that" in found.compared(0.04149)
    assert "nothing is known" in Bound(0.0, "any").compared(0.1)
    assert ": the least loss that" in Bound(0.0, "any").compared(0.0)
    assert Bound(0.0).beyond(0.0) == 0 and Bound(None).beyond(0.2) is None
