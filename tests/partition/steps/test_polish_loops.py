"""The kernels of polish against slow references."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.kernels.box_prices import Prices
from sfumato.loss.ncp import NCP
from sfumato.partition.prices import prices_of
from sfumato.partition.steps.loops.changes import apply_moves, apply_splits, moved, moves, splits
from sfumato.partition.steps.loops.crowds import Crowds, differ, gather
from sfumato.partition.steps.loops.rebuild import Sharing, pools, rebuild, regroup
from sfumato.partition.steps.polish import _whole_numbers
from sfumato.table.tuples import Tuples
from tests.support.compiled import move, price, price_with, price_without
from tests.support.examples import examples
from tests.support.tasks import random_table

Array = np.ndarray[Any, Any]


def matrix(table: Tuples) -> Array:
    return np.ascontiguousarray(np.stack([table.codes[column.name] for column in table.quasi], axis=1))


def start(seed: int, rows: int = 60, size: int = 3, hidden: int = 0) -> tuple[Array, Array, Prices, Array, float]:
    """Codes, labels of groups of so many rows, prices, sensitive codes and the price of a suppressed row."""
    rng = np.random.default_rng(seed)
    table = random_table(rng, rows, 8, size)
    prices, whole = _whole_numbers(prices_of(table.quasi, NCP(), "loss"))
    labels = rng.permutation(np.arange(rows) // size).astype(np.int64)
    labels[rng.permutation(rows)[:hidden]] = -1
    return matrix(table), labels, prices, table.codes["s"], whole


def cost_of(codes: Array, rows: Array, prices: Prices) -> float:
    """The price of a box, from its rows."""
    if not len(rows):
        return 0.0
    low, high = codes[rows].min(axis=0), codes[rows].max(axis=0)
    return float(sum(price(prices, column, low[column], high[column]) for column in range(codes.shape[1])))


def total(codes: Array, labels: Array, prices: Prices) -> float:
    groups = [np.flatnonzero(labels == group) for group in range(int(labels.max()) + 1)]
    return sum(len(rows) * cost_of(codes, rows, prices) for rows in groups)


def check(crowds: Crowds, labels: Array, prices: Prices) -> None:
    """All that is kept of groups is what their rows say."""
    assert crowds.group.tolist() == labels.tolist()
    for group in range(len(crowds.size)):
        rows = np.flatnonzero(labels == group)
        assert crowds.size[group] == len(rows)
        assert crowds.cost[group] == cost_of(crowds.codes, rows, prices)
        ring: list[int] = []
        row = crowds.first[group]
        while len(ring) < len(rows):
            ring.append(int(row))
            assert crowds.before[crowds.after[row]] == row
            row = crowds.after[row]
        assert sorted(ring) == rows.tolist()
        if len(rows):
            low, high = crowds.codes[rows].min(axis=0), crowds.codes[rows].max(axis=0)
            assert (crowds.low[group] == low).all() and (crowds.high[group] == high).all()
            assert (crowds.lows[group] == (crowds.codes[rows] == low).sum(axis=0)).all()
            assert (crowds.highs[group] == (crowds.codes[rows] == high).sum(axis=0)).all()


def rules_of(crowds: Crowds, secrets: Array, apart: bool) -> Sharing:
    keys = np.ascontiguousarray(secrets.reshape(-1, 1))
    flags = differ(crowds, keys) if apart else np.zeros(len(crowds.size), dtype=np.bool_)
    return Sharing(secrets.copy(), keys, 1, flags, np.zeros(len(crowds.size), dtype=np.bool_))


@settings(max_examples=examples(20))
@given(st.integers(0, 10**6), st.integers(0, 20))
def test_groups_are_what_their_rows_say(seed: int, hidden: int) -> None:
    codes, labels, prices, _, _ = start(seed, hidden=hidden)
    rng, groups = np.random.default_rng(seed), int(labels.max()) + 1
    crowds = gather(codes, labels, groups, prices)
    check(crowds, labels, prices)
    box = np.empty(2 * codes.shape[1], dtype=np.int32)
    for _ in range(30):
        row, group = int(rng.integers(len(labels))), int(rng.integers(groups))
        home = labels[row]
        rows, mates = (
            np.flatnonzero(labels == group),
            np.flatnonzero((labels == home) & (np.arange(len(labels)) != row)),
        )
        if home != group and len(rows):
            assert price_with(crowds, group, row, prices) == cost_of(codes, np.append(rows, row), prices)
        if home >= 0 and len(mates):
            assert price_without(crowds, row, box, prices) == cost_of(codes, mates, prices)
            assert box[::2].tolist() == codes[mates].min(axis=0).tolist()
            assert box[1::2].tolist() == codes[mates].max(axis=0).tolist()
        if home != group:
            move(crowds, row, group, prices)
            labels[row] = group
            check(crowds, labels, prices)


def test_groups_that_differ() -> None:
    codes, labels, prices, secrets, _ = start(4)
    keys = np.ascontiguousarray(np.stack([secrets, np.arange(60) % 7], axis=1).astype(np.int32))
    found = differ(gather(codes, labels, 22, prices), keys)
    expected = [
        all(len(set(keys[labels == group, column].tolist())) == (labels == group).sum() for column in (0, 1))
        for group in range(22)
    ]
    assert found.tolist() == expected and True in expected and False in expected[:20]


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_groups_dealt_anew(seed: int, apart: bool) -> None:
    """Never dearer; sizes stay; groups apart stay so, all others hold the values they held."""
    codes, labels, prices, secrets, _ = start(seed, hidden=5 * (seed % 2))
    if apart:  # a third of the values in each of three runs, so that groups differ
        order = np.argsort(secrets, kind="stable")
        labels[order] = np.arange(60) % 20
    crowds = gather(codes, labels, int(labels.max()) + 1, prices)
    rules = rules_of(crowds, secrets, apart)
    assert rules.apart.all() == apart
    before = total(codes, labels, prices)
    state = np.array([seed + 1], dtype=np.uint64)
    near = np.lexsort(codes.T)
    work = rebuild(crowds, rules, prices, near, state, 2000, 10**9)
    assert work > 2000
    after = crowds.group.copy()
    check(crowds, after, prices)
    assert total(codes, after, prices) < before
    assert (np.bincount(after[after >= 0]) == np.bincount(labels[labels >= 0])).all()
    assert ((after < 0) == (labels < 0)).all()
    for group in range(len(crowds.size)):
        held, holds = Counter(secrets[labels == group].tolist()), Counter(secrets[after == group].tolist())
        assert max(holds.values()) == 1 if apart else holds == held
    assert rebuild(crowds, rules, prices, near, state, 2000, 0) == 0
    assert (crowds.group == after).all()


@pytest.mark.parametrize("seed", range(4))
def test_pools_gain_what_they_say(seed: int) -> None:
    codes, labels, prices, secrets, _ = start(seed)
    crowds = gather(codes, labels, 20, prices)
    rules = rules_of(crowds, secrets, False)
    state = np.array([seed], dtype=np.uint64)
    rows, names, groups, _ = pools(crowds, rules, prices, np.lexsort(codes.T), state, 200)
    assert len(set(rows.tolist())) == len(rows) and len(set(groups[:, 0].tolist())) == len(groups) > 2
    dealt = labels.copy()
    dealt[rows] = groups[names, 0]
    for pool in np.unique(groups[:, 1]):
        mine = np.isin(labels, groups[groups[:, 1] == pool, 0])
        assert (np.isin(dealt, groups[groups[:, 1] == pool, 0]) == mine).all()
        inside = np.where(mine, dealt, -1), np.where(mine, labels, -1)
        assert total(codes, inside[0], prices) < total(codes, inside[1], prices)
    fine = np.ones(int(groups[:, 1].max()) + 1, dtype=np.bool_)
    fine[0] = False
    regroup(crowds, prices, rows, names, groups, fine)
    check(crowds, np.where(np.isin(labels, groups[groups[:, 1] == 0, 0]), labels, dealt), prices)


@pytest.mark.parametrize("seed", range(4))
def test_moves_gain_what_they_say(seed: int) -> None:
    codes, labels, prices, secrets, whole = start(seed, hidden=8)
    crowds = gather(codes, labels, 20, prices)
    near = np.lexsort(codes.T)
    place = np.argsort(near)
    rules = rules_of(crowds, secrets, False)
    seen = np.full(len(crowds.size), -1)
    found = moves(crowds, rules, prices, np.arange(60), near, place, 5, 2, whole, seen)
    rows, targets, gains = (each[: found[3]] for each in found[:3])
    assert len(rows) > 5 and (labels[rows] < 0).any() and (gains > 0).all()
    assert max(Counter(rows.tolist()).values()) <= 2
    now = total(codes, labels, prices) + whole * (labels < 0).sum()
    members, names = moved(crowds, rows, targets)
    for number, (row, target, gain) in enumerate(zip(rows, targets, gains, strict=True)):
        after = labels.copy()
        after[row] = target
        assert now - total(codes, after, prices) - whole * (after < 0).sum() == gain
        assert labels[row] < 0 or (labels == labels[row]).sum() > 2
        home = np.flatnonzero((labels == labels[row]) & (labels >= 0) & (after != target))
        assert sorted(members[names == 2 * number].tolist()) == home.tolist()
        assert sorted(members[names == 2 * number + 1].tolist()) == np.flatnonzero(after == target).tolist()
    apply_moves(crowds, prices, rows, targets)
    check(crowds, crowds.group.copy(), prices)
    changed = np.flatnonzero(crowds.group != labels)
    touched = [*crowds.group[changed].tolist(), *(group for group in labels[changed].tolist() if group >= 0)]
    assert len(changed) > 2 and len(set(touched)) == len(touched)


@pytest.mark.parametrize("seed", range(4))
def test_splits_gain_what_they_say(seed: int) -> None:
    codes, labels, prices, secrets, _ = start(seed, rows=90, size=15)
    room = 40
    crowds = gather(codes, labels, room, prices)
    rules = rules_of(crowds, secrets, False)
    rows, names, owners, gains, end, work = splits(crowds, rules, prices, 0, 6, 4, 10**6)
    assert end == 6 and work > 0 and set(owners.tolist()) == set(range(6))
    fair = 0
    for cut, (owner, gain) in enumerate(zip(owners, gains, strict=True)):
        one, other = rows[names == 2 * cut], rows[names == 2 * cut + 1]
        both = np.concatenate((one, other))
        assert sorted(both.tolist()) == np.flatnonzero(labels == owner).tolist()
        assert min(len(one), len(other)) >= 4
        parts = len(one) * cost_of(codes, one, prices) + len(other) * cost_of(codes, other, prices)
        assert gain == len(both) * cost_of(codes, both, prices) - parts > 0
        halves = Counter(secrets[one].tolist()), Counter(secrets[other].tolist())
        fair += all(abs(halves[0][value] - halves[1][value]) <= 1 for value in secrets[both].tolist())
    assert fair >= 6
    best = np.array([gains[owners == owner].max() == gain for owner, gain in zip(owners, gains, strict=True)])
    chosen = best & np.array([owner not in owners[:place][best[:place]] for place, owner in enumerate(owners)])
    free = np.array([30, 7, 8, 9, 10, 11, 39], dtype=np.int64)
    with pytest.raises(ValueError, match="fewer free numbers"):
        apply_splits(crowds, prices, rows, names, chosen, owners, free[:5])
    check(crowds, labels, prices)
    apply_splits(crowds, prices, rows, names, chosen, owners, free)
    assert sorted(np.unique(crowds.group).tolist()) == [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 30]
    check(crowds, crowds.group.copy(), prices)
    assert total(codes, labels, prices) - total(codes, crowds.group, prices) == gains[chosen].sum()


def test_the_cheapest_cut_of_a_column() -> None:
    codes = np.array([[0], [1], [2], [7], [8], [9]], dtype=np.int32)
    kind, offset, size, missing = (np.array([number], dtype=np.int64) for number in (1, 0, 10, -1))
    nothing = np.zeros(10, dtype=np.int64)
    prices = Prices(kind, offset, size, missing, np.array([9.0]), np.arange(10.0), nothing, nothing)
    crowds = gather(codes, np.zeros(6, dtype=np.int64), 3, prices)
    rules = rules_of(crowds, np.array([0, 1, 0, 1, 0, 1], dtype=np.int32), False)
    rows, names, _, gains, _, _ = splits(crowds, rules, prices, 0, 1, 1, 100)
    assert gains[0] == 6 * 9 - 3 * 2 - 3 * 2
    assert sorted(rows[names == 0].tolist()) in ([0, 1, 2], [3, 4, 5])
