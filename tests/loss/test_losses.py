"""Every loss against its definition, row by row."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log2, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.loss.registry import LOSSES, loss_of
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Task
from sfumato.partition.lattice.levels import Node
from sfumato.partition.lattice.search import LatticeSearch
from sfumato.randomness import Randomness
from sfumato.table.domain import Domain
from sfumato.table.tuples import Tuples
from tests.partition.lattice.test_search import classes, kept, shown, tables
from tests.support.examples import examples
from tests.support.handmade import column_with, rows_of

Weights = dict[str, Fraction]


def cell(table: Tuples, node: Node, cost: Callable[[Domain, int, tuple[int, int]], float]) -> list[float]:
    """Mean cost of each column where every row is published."""
    return [
        sum(cost(column, code, shown(column, code, level)) for code in table.codes[column.name].tolist()) / table.rows
        for column, level in zip(table.quasi, node, strict=True)
    ]


def weighted(means: list[float], weights: list[float]) -> float:
    return sum(mean * weight for mean, weight in zip(means, weights, strict=True)) / (sum(weights) or 1)


def height(column: Domain) -> int:
    return column.taxonomy.height if column.taxonomy is not None else 1


def level(column: Domain, code: int, box: tuple[int, int]) -> float:
    """How far up its hierarchy the interval stands: how many levels of the tree have smaller ones above the code."""
    if column.taxonomy is None:
        return float(box[0] < box[1])
    if box[0] == box[1]:
        return 0
    return max(step for step in range(height(column) + 1) if shown(column, code, step) == box) / height(column)


def bits(column: Domain) -> float:
    counts: list[int] = column.counts.tolist()
    rows = sum(counts)
    return sum(count / rows * log2(rows / count) for count in counts if count)


def lost_bits(column: Domain, code: int, box: tuple[int, int]) -> float:
    counts: list[int] = column.counts.tolist()
    return log2(sum(counts[each] for each in range(box[0], box[1] + 1)) / counts[code])


def by_hand(metric: str, table: Tuples, node: Node, weights: Weights, sizes: list[int]) -> float:
    """The loss of a node at which nothing is suppressed."""
    given = [float(weights.get(column.name, 1)) for column in table.quasi]
    ncp = cell(table, node, lambda column, code, box: (box[1] - box[0]) / 3)
    heights = [weight * height(column) for weight, column in zip(given, table.quasi, strict=True)]
    entropies = [weight * bits(column) for weight, column in zip(given, table.quasi, strict=True)]
    if metric == "ncp":
        return weighted(ncp, given)
    if metric == "geometric":
        powers: list[float] = [
            (1 + mean) ** (weight / (sum(given) or 1)) for mean, weight in zip(ncp, given, strict=True)
        ]
        return prod(powers) - 1
    if metric == "precision":
        return weighted(cell(table, node, level), given)
    if metric == "height":
        return weighted(cell(table, node, level), heights)
    if metric == "information-utility":
        return weighted(cell(table, node, lambda column, code, box: 1 - 1 / (box[1] - box[0] + 1)), given)
    if metric == "non-uniform-entropy":
        lost = [mean * weight for mean, weight in zip(cell(table, node, lost_bits), given, strict=True)]
        return sum(lost) / (sum(entropies) or 1)
    if metric == "discernibility":
        return sum(size**2 for size in sizes) / table.rows**2
    assert metric == "average-class-size"
    return 1 / len(sizes)


@pytest.mark.parametrize("metric", LOSSES)
@settings(max_examples=examples(40))
@given(table=tables(), data=st.data())
def test_the_loss_of_a_node_is_that_of_its_rows(metric: str, table: Tuples, data: st.DataObject) -> None:
    weights = {
        column.name: data.draw(st.sampled_from([Fraction(1), Fraction(3), Fraction(0)])) for column in table.quasi
    }
    loss = loss_of(metric, weights)
    search = LatticeSearch.whole(Task(table, bind(sf.KAnonymity(1), Facts.of(table)), loss, Randomness.fixed(0)))
    node = tuple(data.draw(st.integers(0, top)) for top in search.grid.high)
    sizes = [len(rows) for rows in classes(table, node).values()]
    wanted = by_hand(metric, table, node, weights, sizes)
    assert search.judged(node).loss == pytest.approx(wanted, abs=1e-9)
    assert -1e-9 <= wanted <= 1 + 1e-9


@pytest.mark.parametrize("metric", LOSSES)
@settings(max_examples=examples(40))
@given(table=tables(), data=st.data())
def test_a_suppressed_row_costs_one(metric: str, table: Tuples, data: st.DataObject) -> None:
    promise = sf.KAnonymity(2)
    task = Task(table, bind(promise, Facts.of(table)), loss_of(metric, {}), Randomness.fixed(0), limit=Fraction(1))
    search = LatticeSearch.whole(task)
    node = tuple(data.draw(st.integers(0, top)) for top in search.grid.high)
    groups = classes(table, node).values()
    kept_rows = [row for rows in groups if kept(promise, table, rows) for row in rows]
    sizes = [len(rows) for rows in groups if kept(promise, table, rows)]
    found = search.judged(node)
    assert found.suppressed == table.rows - len(kept_rows)
    hidden = found.suppressed / table.rows
    if metric == "discernibility":
        assert found.loss == pytest.approx(sum(size**2 for size in sizes) / table.rows**2 + hidden)
    elif metric == "average-class-size":
        assert found.loss == pytest.approx(1 / max(len(sizes), 1))
    elif metric in ("ncp", "precision", "information-utility") and kept_rows:
        part = rows_of(
            [
                column_with(column.name, table.codes[column.name][kept_rows], column.values, column.taxonomy)
                for column in table.quasi
            ]
        )
        assert found.loss == pytest.approx((1 - hidden) * by_hand(metric, part, node, {}, sizes) + hidden)
    elif not kept_rows:
        assert found.loss == pytest.approx(1)
