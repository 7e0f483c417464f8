"""The trees find the same rows as a look at every row; the curve is a curve; greed alone gets stuck."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import sfumato as sf
from sfumato.loss.ncp import NCP
from sfumato.partition.apart.loops import bsgi
from sfumato.partition.apart.loops.hilbert import curve
from sfumato.partition.apart.loops.nearest import BEGIN, END
from sfumato.partition.prices import prices_of
from sfumato.policy.methods import Method
from tests.support.compiled import price
from tests.support.examples import examples
from tests.support.tasks import grouped, random_table, table_of, task_of


def brute_force(
    forest: Any,
    tree: int,
    points: Any,
    others: Any,
    home: Any,
    live: Any,
    opened: Any,
    bits: int,
    prices: Any,
    group: Any,
    count: int,
) -> int:
    """Every row is looked at; of equals the first."""
    best, least = -1, np.inf
    first, last = points[group.members[:count]].min(axis=0), points[group.members[:count]].max(axis=0)
    root = forest.root[tree]
    for point in range(forest.nodes[root, BEGIN], forest.nodes[root, END]) if root >= 0 else ():
        if not live[point] or not opened[home[point]]:
            continue
        if any((others[member] == others[point]).any() for member in group.members[:count]):
            continue
        cost = 0.0
        for column, code in enumerate(points[point].tolist()):
            cost += price(prices, column, min(int(first[column]), code), max(int(last[column]), code))
        if cost < least:
            best, least = point, cost
    return best


@pytest.mark.parametrize(
    "method", [sf.Bsgi(), sf.BsgiFree(), sf.Bsgi(information="heights"), sf.BsgiFree(information="heights")], ids=str
)
@pytest.mark.parametrize("seed", range(6))
def test_the_same_groups_as_brute_force(method: Method, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    size = 2 + seed % 4
    task = task_of(random_table(np.random.default_rng(seed), 150 + seed, 7, size), sf.PairwiseL(size), seed)
    fast = grouped(method, task)
    for name in ("_any", "_fullest", "select"):
        monkeypatch.setattr(bsgi, name, getattr(bsgi, name).py_func)
    monkeypatch.setattr(bsgi, "nearest", brute_force)
    assert grouped(method, task).tolist() == fast.tolist()


def test_free_choice_costs_less() -> None:
    """What it is for: the nearest row of any value."""
    task = task_of(random_table(np.random.default_rng(5), 900, 7, 4), sf.PairwiseL(3), 5)
    assert cost(task, grouped(sf.BsgiFree(), task)) < 0.8 * cost(task, grouped(sf.Bsgi(), task))
    assert cost(task, grouped(sf.Bsgi(), task)) < cost(task, grouped(sf.Anatomy(), task))


def cost(task: Any, labels: NDArray[np.int64]) -> float:
    loss, total = NCP(), 0.0
    for column in task.table.quasi:
        for group in range(int(labels.max()) + 1):
            codes = task.table.codes[column.name][labels == group].astype(np.int64)
            total += len(codes) * float(loss.cost(column, codes.min(keepdims=True), codes.max(keepdims=True))[0])
    return total


def test_prices_of_the_papers() -> None:
    """Leaves over leaves, or levels over levels: cde has three of six leaves and one of two levels."""
    table = random_table(np.random.default_rng(0), 10, 7, 2)
    shares, levels = (prices_of(table.quasi, NCP(), each) for each in ("ncp", "heights"))
    for prices, expected in ((shares, (0, 1 / 3, 1 / 2, 1)), (levels, (0, 1 / 2, 1 / 2, 1))):
        spans = ((3, 3), (0, 1), (2, 4), (1, 2))
        assert [price(prices, 0, *span) for span in spans] == pytest.approx(expected)
        assert price(prices, 1, 2, 6) == pytest.approx(4 / 8)
        assert price(prices, 2, 100, 200) == pytest.approx(100 / 399)


@pytest.mark.parametrize(("sides", "bits"), [(2, 3), (3, 2), (4, 2), (5, 1)])
def test_the_curve_visits_every_point_once_and_steps_to_a_neighbour(sides: int, bits: int) -> None:
    points = np.array(list(product(range(1 << bits), repeat=sides)), dtype=np.int64)
    fields = np.array([(side, 0, (1 << bits) - 1) for side in range(sides)], dtype=np.int64)
    index = curve(points, fields, np.full(sides, 1 << bits), bits)[:, 0]
    assert sorted(index.tolist()) == list(range(len(points)))
    assert (np.abs(np.diff(points[np.argsort(index)], axis=0)).sum(axis=1) == 1).all()


def test_many_columns_need_many_words() -> None:
    rng = np.random.default_rng(0)
    points = rng.integers(0, 64, (50, 40))
    fields = np.array([(side, 0, 63) for side in range(40)], dtype=np.int64)
    index = curve(points, fields, np.full(40, 64), 6)
    assert index.shape == (50, 4)
    assert len(np.unique(index, axis=0)) == 50
    table = table_of(points.T.tolist(), [(np.arange(50) % 5).tolist()])
    assert np.bincount(grouped(sf.Hilbert(), task_of(table, sf.PairwiseL(5)))).tolist() == [5] * 10


@settings(max_examples=examples(30))
@given(st.permutations([0, 0, 1, 2]))
def test_greed_alone_would_get_stuck(values: list[int]) -> None:
    """b c a a along the curve at l = 2: {b, c} first would leave {a, a}."""
    labels = grouped(sf.Hilbert(), task_of(table_of([range(4)], [values]), sf.PairwiseL(2)))
    assert all(len({values[row] for row in np.flatnonzero(labels == group)}) == 2 for group in range(2))
