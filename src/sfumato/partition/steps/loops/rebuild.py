"""A few near groups are dissolved and dealt anew, nearest rows first; kept if that costs no more.

Steps that neither gain nor lose are kept as well: they lead to others that gain. Groups whose rows all differ may hold
any rows that differ; other groups get rows that hold what is promised about as before, value by value, so that no
promise can tell the difference.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inlined, inner
from sfumato.kernels.box_prices import Prices, price
from sfumato.partition.steps.loops.crowds import Crowds, empty, enter, price_of, settle

__all__ = ["LARGEST", "Sharing", "pools", "rebuild", "regroup"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

LARGEST = 48
"""Rows of a group that can take part; two make a pool, at least."""
_POOL = 2 * LARGEST
_MOST = 8
"""Groups of a pool."""
_ROWS = 20
"""Rows that a pool should have, about."""
_LOOK = 60
"""Rows from the first on that are searched for groups."""
_NO_END = 1 << 62
_MULTIPLY, _ADD = np.uint64(6364136223846793005), np.uint64(1442695040888963407)


class Sharing(NamedTuple):
    """What rows may share a group.

    values     what is promised about, as one number per row: rows of one number may change places in any group
    keys       the same column by column, then whose each row is, if several may be one person's
    persons    where the latter begins: in these columns the rows of every group differ
    apart      groups whose rows differ in all keys, which is enough to keep the promise
    fixed      groups that stay as they are
    """

    values: Codes
    keys: Codes
    persons: int
    apart: NDArray[np.bool_]
    fixed: NDArray[np.bool_]


class _Pool(NamedTuple):
    """Room for the rows of some groups: row by row, group by group, value by value."""

    rows: Ints
    codes: Codes
    value: Ints
    old: Ints
    new: Ints
    groups: Ints
    sizes: Ints
    left: Ints
    wanted: Ints
    slot: Ints
    low: Codes
    high: Codes


def _room(width: int, values: int) -> _Pool:
    rows, value, old, new, left = (np.empty(_POOL, dtype=np.int64) for _ in range(5))
    return _Pool(
        rows,
        np.empty((_POOL, width), dtype=np.int32),
        value,
        old,
        new,
        np.empty(_MOST, dtype=np.int64),
        np.empty(_MOST, dtype=np.int64),
        left,
        np.zeros((_MOST, _POOL), dtype=np.int64),
        np.full(values, -1, dtype=np.int64),
        np.empty(width, dtype=np.int32),
        np.empty(width, dtype=np.int32),
    )


@inlined
def _chance(state: NDArray[np.uint64], below: int) -> Any:
    """A random number from 0 on."""
    state[0] = state[0] * _MULTIPLY + _ADD
    return np.int64((state[0] >> np.uint64(32)) * np.uint64(below) >> np.uint64(32))


@inner
def _collect(
    crowds: Crowds, fixed: NDArray[np.bool_], near: Ints, start: int, wanted: int, pool: _Pool
) -> tuple[int, int, float]:
    """Groups of rows near one another: how many there are, their rows, and what these cost."""
    count = filled = 0
    cost = 0.0
    for step in range(_LOOK):
        if count == wanted:
            break
        group = crowds.group[near[(start + step) % len(near)]]
        if group < 0 or fixed[group] or crowds.size[group] > min(LARGEST, _POOL - filled):
            continue
        known = False
        for place in range(count):
            known = known or pool.groups[place] == group
        if known:
            continue
        pool.groups[count], pool.sizes[count] = group, crowds.size[group]
        first = row = crowds.first[group]
        while True:
            pool.rows[filled], pool.old[filled] = row, count
            filled += 1
            row = crowds.after[row]
            if row == first:
                break
        cost += crowds.size[group] * crowds.cost[group]
        count += 1
    return count, filled, cost


@inner
def _prepare(crowds: Crowds, values: Codes, pool: _Pool, count: int, filled: int, state: NDArray[np.uint64]) -> int:
    """Rows in random order, their codes side by side, their values numbered and counted; how many values there are."""
    for place in range(filled - 1, 0, -1):
        other = _chance(state, place + 1)
        pool.rows[place], pool.rows[other] = pool.rows[other], pool.rows[place]
        pool.old[place], pool.old[other] = pool.old[other], pool.old[place]
    different = 0
    for place in range(filled):
        row = pool.rows[place]
        slot = pool.slot[values[row]]
        if slot < 0:
            slot = different
            pool.slot[values[row]] = slot
            pool.left[slot] = 0
            for group in range(count):
                pool.wanted[group, slot] = 0
            different += 1
        pool.value[place] = slot
        pool.left[slot] += 1
        pool.wanted[pool.old[place], slot] += 1
        pool.new[place] = -1
        for column in range(crowds.codes.shape[1]):
            pool.codes[place, column] = crowds.codes[row, column]
    for place in range(filled):
        pool.slot[values[pool.rows[place]]] = -1
    return different


@inlined
def _clashes(keys: Codes, first: int, pool: _Pool, place: int, group: int, filled: int) -> bool:
    for other in range(filled):
        if pool.new[other] == group:
            for column in range(first, keys.shape[1]):
                if keys[pool.rows[other], column] == keys[pool.rows[place], column]:
                    return True
    return False


@inlined
def _with(pool: _Pool, prices: Prices, place: int) -> float:
    """What the box costs with a row; without a branch, as in `nearest`."""
    total = 0.0
    for column in range(len(pool.low)):
        code = pool.codes[place, column]
        total += price(prices, column, min(pool.low[column], code), max(pool.high[column], code))
    return total


@inner
def _cover(pool: _Pool, place: int, alone: bool) -> None:
    for column in range(len(pool.low)):
        code = pool.codes[place, column]
        pool.low[column] = code if alone else min(pool.low[column], code)
        pool.high[column] = code if alone else max(pool.high[column], code)


@inner
def _deal(
    pool: _Pool, rules: Sharing, prices: Prices, count: int, filled: int, different: int, apart: bool, most: float
) -> tuple[float, int]:
    """New groups of the same sizes, one after the other, each the nearest rows to a random one; infinite if that fails
    or costs more than `most`. Also how many rows were looked at."""
    total, looks = 0.0, 0
    keys, first = rules.keys, 0 if apart else rules.persons
    further = 1 if apart else first
    for group in range(count):
        slots, others = pool.sizes[group], count - group
        due = 0  # values that every group from here on must have
        if apart:
            for value in range(different):
                pool.wanted[group, value] = 1 if pool.left[value] else 0
                due += pool.left[value] == others
        cost = 0.0
        for taken in range(pool.sizes[group]):
            chosen: Any = np.int64(-1)
            best = np.inf
            for place in range(filled):
                value = pool.value[place]
                if pool.new[place] >= 0 or not pool.wanted[group, value]:
                    continue
                if apart and due >= slots and pool.left[value] < others:
                    continue
                if further < keys.shape[1] and _clashes(keys, further, pool, place, group, filled):
                    continue
                if taken == 0:
                    _cover(pool, place, taken == 0)
                else:
                    looks += 1
                added = _with(pool, prices, place)
                if added < best:
                    chosen, best = place, added
                    if taken == 0 or added == cost:
                        break
            if chosen < 0 or total + pool.sizes[group] * best > most:
                return np.inf, looks
            value = pool.value[chosen]
            due -= pool.left[value] == others
            pool.wanted[group, value] -= 1
            pool.new[chosen] = group
            _cover(pool, chosen, chosen < 0)
            cost = best
            slots -= 1
            if not apart:
                pool.left[value] -= 1
        if apart:
            for place in range(filled):
                pool.left[pool.value[place]] -= pool.new[place] == group
        total += pool.sizes[group] * cost
    return total, looks


@inner
def _same(pool: _Pool, count: int, filled: int) -> bool:
    """Whether the new groups are the old ones."""
    for group in range(count):
        was = -1
        for place in range(filled):
            if pool.new[place] == group:
                if was >= 0 and pool.old[place] != was:
                    return False
                was = pool.old[place]
    return True


@inner
def _resize(pool: _Pool, count: int, way: int) -> int:
    """Other sizes for new groups, in one way of four: the last of several dissolved, a row from one to another, or
    twice none. How many groups there are to be."""
    if way == 0 and count > 2:
        count -= 1
        for place in range(pool.sizes[count]):
            pool.sizes[place % count] += 1
    elif way == 1 and pool.sizes[1] > 1:
        pool.sizes[0] += 1
        pool.sizes[1] -= 1
    for group in range(count):
        pool.wanted[group, 0] = pool.sizes[group]
    return count


def rebuild(
    crowds: Crowds, rules: Sharing, prices: Prices, near: Ints, state: NDArray[np.uint64], steps: int, budget: int
) -> int:
    """Try some pools of groups that are near in an order of rows; how much work it was: rows looked at."""
    distinguishing = np.ascontiguousarray(rules.keys[:, 0]) if rules.keys.shape[1] else rules.values
    pool = _room(crowds.codes.shape[1], int(max(rules.values.max(), distinguishing.max())) + 1)
    none = np.empty(0, dtype=np.int64)
    room = pool, rules.values, distinguishing, rules.fixed, none, none, none.reshape(0, 2)
    work: int = try_pools(*room, crowds, rules, prices, near, state, steps, budget, True)[2]
    return work


def pools(
    crowds: Crowds, rules: Sharing, prices: Prices, near: Ints, state: NDArray[np.uint64], steps: int
) -> tuple[Ints, Ints, Ints, int]:
    """Groups dealt anew without regard to values, for others to judge: only what costs less, no group twice.

    Rows with the number of their new group, and for each such number the group it is and the pool it belongs to, groups
    without a row included; at last the work. Pools of groups apart are left out: `rebuild` knows what they may hold.
    """
    alike, pool = np.zeros(len(rules.values), dtype=np.int32), _room(crowds.codes.shape[1], 1)
    members, labels = np.empty(len(near), dtype=np.int64), np.empty(len(near), dtype=np.int64)
    groups = np.empty((len(crowds.size), 2), dtype=np.int64)
    room = pool, alike, alike, rules.fixed.copy(), members, labels, groups
    filled, made, work = try_pools(*room, crowds, rules, prices, near, state, steps, _NO_END, False)
    return members[:filled], labels[:filled], groups[:made], work


@compiled
def try_pools(
    pool: _Pool,
    values: Codes,
    distinguishing: Codes,
    touched: NDArray[np.bool_],
    members: Ints,
    labels: Ints,
    groups: Ints,
    crowds: Crowds,
    rules: Sharing,
    prices: Prices,
    near: Ints,
    state: NDArray[np.uint64],
    steps: int,
    budget: int,
    at_once: bool,
) -> tuple[int, int, int]:
    """What `rebuild` does (`at_once`: groups change) and `pools` (they are written down), into room that is given.

    values            what rows are to be dealt by; all the same if others judge
    distinguishing    the first key, in which the rows of groups apart differ
    touched           groups that stay as they are

    Answers how many rows and how many groups were written down, and the work.
    """
    if min(len(rules.apart), len(rules.fixed)) < len(crowds.size):
        raise ValueError("rules of fewer groups than there are")
    filled = made = count = work = 0
    begin = _chance(state, len(near)) if at_once else np.int64(0)
    for step in range(steps):
        if work >= budget:
            break
        work += 1
        start = (begin + step) % len(near) if at_once else _chance(state, len(near))
        home = crowds.group[near[start]]
        luck = _chance(state, np.int64(1 << 20))
        if home < 0 or touched[home] or crowds.size[home] > LARGEST:
            continue
        wanted = 2 + luck % min(max(_ROWS // crowds.size[home] - 1, 2), _MOST - 1)
        found, size, cost = _collect(crowds, touched, near, start, wanted, pool)
        work += 3 * size
        apart = found > 0
        for place in range(found):
            apart = apart and rules.apart[pool.groups[place]]
        if found < 2 or cost == 0 or (apart and not at_once):
            continue
        different = _prepare(crowds, distinguishing if apart else values, pool, found, size, state)
        kept = found if at_once else _resize(pool, found, _chance(state, np.int64(4)))
        less, looks = _deal(pool, rules, prices, kept, size, different, apart, cost)
        work += looks
        if less > cost or (less == cost and (not at_once or _same(pool, found, size))):
            continue
        if at_once:
            for place in range(found):
                empty(crowds, pool.groups[place])
            for place in range(size):
                enter(crowds, pool.rows[place], pool.groups[pool.new[place]])
            for place in range(found):
                crowds.cost[pool.groups[place]] = price_of(crowds, pool.groups[place], prices)
            continue
        for place in range(size):
            members[filled], labels[filled] = pool.rows[place], made + pool.new[place]
            filled += 1
        for place in range(found):
            groups[made, 0], groups[made, 1] = pool.groups[place], count
            touched[pool.groups[place]] = True
            made += 1
        count += 1
    return filled, made, work


def regroup(crowds: Crowds, prices: Prices, members: Ints, labels: Ints, groups: Ints, fine: NDArray[np.bool_]) -> None:
    """Deal rows as `pools` says, where all is fine."""
    chosen = fine[groups[:, 1]]
    dealt = chosen[labels]
    settle(crowds, prices, groups[chosen, 0], members[dealt], groups[labels[dealt], 0])
