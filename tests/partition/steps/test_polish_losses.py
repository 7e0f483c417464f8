"""Polish under every loss: no step makes groups dearer, and numbers of groups that were dissolved are used again."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.loss.registry import LOSSES, loss_of
from sfumato.models.contract import Facts
from sfumato.models.registry import bind
from sfumato.partition.contract import Partition, Task
from sfumato.partition.steps.loops.crowds import gather
from sfumato.partition.steps.polish import _Polishing
from sfumato.policy.promises import Promise
from sfumato.randomness import Randomness
from sfumato.table.tuples import Tuples
from tests.support.handmade import rows_of
from tests.support.tasks import column


def task_of(table: Tuples, promise: Promise, metric: str, seed: int) -> Task:
    return Task(table, bind(promise, Facts.of(table)), loss_of(metric, {}), Randomness.fixed(seed))


def uneven(rng: np.random.Generator, rows: int, size: int, tree: bool) -> Tuples:
    """One column of values that are far from equally frequent, and a sensitive one."""
    codes = np.minimum(rng.geometric(4 / size, rows) - 1, size - 1).tolist()
    tens = [(np.arange(0, size, 10), tuple(f"from {low}" for low in range(0, size, 10)))]
    taxonomy = sf.Taxonomy.of_levels([str(code) for code in range(size)], tens) if tree else None
    secrets = rng.choice(3, rows, p=[0.7, 0.2, 0.1]).tolist()
    return rows_of((column("q", codes, size, taxonomy),), (column("s", secrets, 3),))


def cost(search: _Polishing) -> float:
    """What groups cost by prices, counted from the rows."""
    crowds = gather(search.crowds.codes, search.crowds.group, len(search.crowds.size), search.prices)
    return float(crowds.size @ crowds.cost)


@pytest.mark.parametrize("metric", sorted(LOSSES))
@pytest.mark.parametrize("size", [6, 130, 150])
def test_no_step_makes_groups_dearer(metric: str, size: int) -> None:
    """Of groups down to a single row each, in a column looked up in a table, on a line, and in a tree."""
    changed = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        table = uneven(rng, 60, size, tree=size == 150)
        labels = rng.permutation(np.sort(rng.integers(0, 40, 60)))
        labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
        search = _Polishing.of(task_of(table, sf.KAnonymity(1), metric, seed), Partition.of(table, labels), 10**6)
        for number in range(4):
            near = search._near(number)
            for step in (search._regroup, search._rebuild, search._move):
                before = cost(search)
                step(near, number)
                assert cost(search) <= before
                assert search._cost() == cost(search)
                changed += cost(search) < before
            before = cost(search)
            search._split()
            assert cost(search) <= before
    assert changed


def test_numbers_of_dissolved_groups_are_used_again() -> None:
    """Two groups are cut and dissolved over and over: there is always a number for the next."""
    table = uneven(np.random.default_rng(0), 40, 6, tree=False)
    search = _Polishing.of(
        task_of(table, sf.KAnonymity(4), "non-uniform-entropy", 0),
        Partition.of(table, np.zeros(40, dtype=np.int64)),
        10**6,
    )
    room = len(search.crowds.size)
    for _ in range(3 * room):
        search._split()
        assert len(np.unique(search.crowds.group)) > 1
        search.crowds = gather(search.crowds.codes, np.full(40, room - 1), room, search.prices)
    assert len(search.crowds.size) == room


def test_room_grows_where_there_are_more_groups_than_was_said() -> None:
    table = uneven(np.random.default_rng(1), 40, 6, tree=False)
    search = _Polishing.of(
        task_of(table, sf.KAnonymity(1), "ncp", 0), Partition.of(table, np.zeros(40, dtype=np.int64)), 10**6
    )
    search.crowds = gather(search.crowds.codes, np.zeros(40, dtype=np.int64), 1, search.prices)
    flags = np.zeros(1, dtype=np.bool_)
    search.rules = search.rules._replace(apart=flags, fixed=flags.copy())
    before = cost(search)
    search._split()
    assert len(np.unique(search.crowds.group)) > 1 and cost(search) < before
    assert len(search.rules.fixed) == len(search.rules.apart) == len(search.crowds.size)


def published(seed: int) -> Any:
    rows = pl.DataFrame({"q": [3, 4, 1, 3, 5, 3, 2, 6, 2, 5], "s": list("aabcaaabaa")})
    policy = {
        "columns": {"q": {"role": "quasi", "type": "integer"}, "s": {"role": "sensitive"}},
        "privacy": [{"model": "t-closeness", "t": 0.3}],
        "partition": {"method": "mondrian", "polish": True},
        "loss": {"metric": "non-uniform-entropy"},
    }
    return sf.publish(rows, policy=policy, seed=seed)


@pytest.mark.parametrize("seed", range(12, 18))
def test_a_polished_release_by_entropy(seed: int) -> None:
    release = published(seed)
    assert release.judged().holds and release.table.height == 10
    assert release.table.equals(published(seed).table)
