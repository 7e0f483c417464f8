"""What boxes cost at least: whatever a column may show is covered by a way that costs no more."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.loss.contract import additive
from sfumato.loss.registry import LOSSES, loss_of
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.boxes import floors
from sfumato.partition.boxes.bound import bound_of
from sfumato.partition.boxes.floors import Floors, Necessary
from sfumato.partition.contract import Task
from sfumato.randomness import Randomness
from tests.partition.boxes.test_bound import least_loss, table_of, task_of
from tests.support.examples import examples
from tests.support.handmade import column_with, counted, rows_of

MEANS = [name for name in LOSSES if additive(loss_of(name, {}))]


@st.composite
def lines(draw: st.DrawFn) -> Task:
    """A number of up to thirty values, some of them far apart, some frequent; or texts in its place."""
    gaps = draw(st.lists(st.sampled_from([1.0, 1.0, 2.0, 7.0, 40.0]), min_size=1, max_size=29))
    places = np.concatenate(([0.0], np.cumsum(gaps)))
    missing = draw(st.booleans())
    values = [*places.tolist(), *([None] if missing else [])]
    codes = [*range(len(values)), *draw(st.lists(st.integers(0, len(values) - 1), max_size=40))]
    positions = np.append(places, np.nan) if missing else places
    text = draw(st.booleans())
    column = column_with(
        "q",
        codes,
        pl.Series([None if each is None else str(each) for each in values]) if text else pl.Series(values),
        positions=None if text else positions,
        missing=len(values) - 1 if missing else None,
    )
    table = counted(rows_of((column,)))
    loss = loss_of(draw(st.sampled_from(MEANS)), {"q": Fraction(2)})
    return Task(table, bind(sf.KAnonymity(2), Facts.of(table)), loss, Randomness.fixed(0))


@settings(max_examples=examples(300))
@given(lines(), st.sampled_from([10, 300, 1000, 3000, 10**9]))
def test_every_interval_and_set_is_covered_and_costs_no_less(task: Task, room: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(floors, "_ROOM", room)
        made = Floors.of(task, Necessary(2))
    (column,), heights = task.table.quasi, made.items.heights
    low, high = np.triu_indices(column.size)
    values = np.where(low == high, 1, 2) if column.positions is None else np.ones_like(low)
    paid = (task.loss.cost(column, low, high, values) + made.shift) * made.unit
    first, cost = heights.node[0], heights.cost[0]
    covers = (first[:, low] == first[:, high]) & (first[:, low] >= 0)
    assert (covers & (cost[:, low] <= paid + 1e-3)).any(axis=0).all()
    assert len(first) * len(task.table) <= room or len(first) == 1
    exact = first[np.argmax(covers[:, low == high].all(axis=1) & (len(first) > 1))]
    assert len(first) == 1 or exact.tolist() == list(range(column.size))


@pytest.mark.parametrize("room", [1, 60, 300, 2000])
def test_less_room_is_a_lower_bound_and_one_all_the_same(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, bounds = np.random.default_rng(3), {}
    for turn in range(examples(60)):
        task = task_of(table_of(["line", "tree", "free"], rng.integers(0, 4, (4, 6)).tolist()), sf.KAnonymity(2))
        whole, least = bound_of(task).value, least_loss(task, sf.KAnonymity(2))
        with monkeypatch.context() as patch:
            patch.setattr(floors, "_ROOM", room)
            heights = Floors.of(task, Necessary(2)).items.heights
            assert prod(heights.depths.tolist()) * len(task.table) <= max(room, len(task.table))
            bounds[turn] = bound_of(task).value
        found = bounds[turn]
        assert found is not None and whole is not None and least is not None and 0 <= found <= least + 1e-9
    assert any(bounds.values()) == (room > 1)
