"""Paper 003 on a small table: groups as the paper draws them, every method, and what randomization may keep."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from benchmarks.comparison import QUASI, SENSITIVE
from experiments.contract import Experiment, Found, Row
from experiments.paper003 import blocks, facts, losses, randomized, times
from experiments.paper003.data import LINES, drawn_groups, ran, strengths, table_of

ROWS = 120


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    chance = np.random.default_rng(5)
    columns = {name: chance.choice(["a", "b", "c"], ROWS) for name in QUASI if name != "age"}
    secret = np.array(list("opqrst") * (ROWS // 6))
    columns["sex"] = np.where(np.isin(secret, list("opq")), "f", "m")  # what tells most of the secret
    return pl.DataFrame({"age": chance.integers(20, 24, ROWS), **columns, SENSITIVE: secret}).select(*QUASI, SENSITIVE)


@pytest.mark.parametrize("seed", range(5))
def test_anatomy_draws_groups_of_different_values(seed: int) -> None:
    chance = np.random.default_rng(seed)
    values = chance.permutation(np.repeat(np.arange(5), [9, 8, 7, 6, 3]))  # 33 rows, groups of 3: n1·l <= n
    labels = drawn_groups(values, 3, seed)
    sizes = np.bincount(labels)
    assert sizes.sum() == 33 and len(sizes) == 11 and sizes.min() >= 3
    for group in range(len(sizes)):
        assert len({*values[labels == group].tolist()}) == sizes[group]


def test_what_goes_with_the_secret_comes_last(frame: pl.DataFrame) -> None:
    found = strengths(frame)
    assert [*found][-1] == "sex" and [*found.values()] == sorted(found.values())
    assert found["sex"] == pytest.approx(1.0)  # decided by the secret: two values, min(2, 6) - 1 = 1


@pytest.mark.parametrize("name", LINES)
def test_every_method_is_measured(frame: pl.DataFrame, name: str) -> None:
    (row,) = losses.measure(frame, {"method": name, "l": 2, "n": ROWS})
    assert isinstance(row["glp"], float) and 0 <= row["glp"] <= 1 - 1 / 6
    assert isinstance(row["groups"], float) and 1 <= row["groups"] <= ROWS / 2


def test_one_column_in_blocks_of_its_own_loses_nothing(frame: pl.DataFrame) -> None:
    assert losses.settled(frame, {"d": 1, "order": "descending"})[3] == ["sex"]
    table = table_of(frame, ROWS, ["sex"])
    for name in ("AIP", "ARP", "NG"):
        found = ran(table, name, 2, 0)
        assert found.glp == 0  # each of a block's values is one that somebody alike has


def test_facts_are_counted(frame: pl.DataFrame) -> None:
    (row,) = facts.measure(frame, {"column": "age"})
    assert row["rows"] == ROWS and row["values"] == 4


def test_randomization_keeps_nothing_of_groups_of_l_values(frame: pl.DataFrame) -> None:
    table = table_of(frame, ROWS)
    plain, same = randomized.lost_at(table, "ARP", 2, 0), randomized.lost_at(table, "ARP, randomized", 2, 0)
    assert same[1] == 0 and same[0] == pytest.approx(plain[0])
    assert randomized.lost_at(table, "ARP of l + 1, randomized", 2, 0)[1] > 0


def test_time_is_measured(frame: pl.DataFrame) -> None:
    (row,) = times.measure(frame, {"method": "ARP", "l": 2, "n": ROWS})
    assert isinstance(row["ms"], float) and row["ms"] >= 0


@pytest.mark.parametrize("timed", times.TIMES, ids=lambda each: each.name)
def test_claims_of_times_are_judged(timed: Experiment[pl.DataFrame]) -> None:
    """Of made-up milliseconds: those that the paper draws, and the same upside down."""
    (chart,) = timed.charts
    axis = chart.x
    weight = {method: place for place, method in enumerate(times.METHODS, 1)}
    high = max(float(point.get(axis) or 0) for point in timed.points)

    def made(point: Row, rising: bool) -> Row:
        method, at = str(point["method"]), float(point[axis] or 0) / high
        if timed.name == "fig5":
            at = {"AT, dealt": 0.5, "AIP": at}.get(method, (at - 0.5) ** 2)
        return {**point, "ms": weight[method] + (at if rising else -at) * 0.9}

    drawn = Found(tuple(made(point, True) for point in timed.points))
    assert [claim.judged(drawn).holds for claim in timed.claims] == [True] * len(timed.claims)
    other = Found(tuple({**row, "ms": -float(row["ms"] or 0) + 20} for row in drawn.rows))
    assert not all(claim.judged(other).holds for claim in timed.claims)


def test_blocks_and_what_they_hold(frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "WOMEN", "f")
    (row,) = blocks.measure(frame, {"method": "AIP, repaired", "l": 6})
    assert row == {"blocks": 1, "values": 6.0, "among_women": round(1 / 3, 6)}  # of six values all are in each block
    (finer,) = blocks.measure(frame, {"method": "AIP, repaired", "l": 2})
    assert float(finer["blocks"] or 0) > 1 and 2 <= float(finer["values"] or 0) < 6
    with pytest.raises(LookupError):
        blocks.measure(frame, {"method": "AT", "l": 2})
