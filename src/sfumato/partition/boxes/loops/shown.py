"""The loop of the second stage: a few near classes are dissolved and built anew by what they then show.

A column with a hierarchy shows a node, a number an interval, a text without a hierarchy the set of values that are
there. What a class costs follows from its rows, so a class is built row by row: from one on, always with the row that
costs least together with those already there, until the promise is kept. Rows that are left over join the class that
they cost least. It stays so if it costs no more than before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.box_prices import Prices, price
from sfumato.partition.boxes.loops.choosing import drawn_from
from sfumato.partition.boxes.loops.classes import Rules, crowded, keeps

__all__ = ["LARGEST", "POOL", "Cells", "ClassesShown", "Pool", "cut", "dealt_anew", "priced"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]

LARGEST = 24
"""Rows of a class that is dissolved, at most."""
POOL = 2 * LARGEST
_CLASSES = 2, 6
"""How many of them, at least and at most."""
_LOOK = 40
"""Rows from the first on that are searched for classes."""
_EACH = 3
"""Rows compared with classes that are one piece of work."""
_NEVER = 1e300
_STATE = np.int64(0)


class Cells(NamedTuple):
    """What cells cost.

    prices    of intervals of codes, for columns that show one
    sets      [column, values]: what a set of so many values costs; -1 throughout if a column shows no set
    start     where the codes of a column begin among all
    """

    prices: Prices
    sets: Floats
    start: Ints


class ClassesShown(NamedTuple):
    """Rows, and the class that each is in; -1 for none, which stays so.

    after     the next row of the same class, -1 for none; the first one stands in `first`
    cost      of a row of every class
    """

    codes: Codes
    value: Codes
    group: Ints
    after: Ints
    first: Ints
    size: Ints
    cost: Floats


class Pool(NamedTuple):
    """Room for the rows of some classes, and for the classes they are dealt to.

    present   rows of every class by code, column after column
    many      different codes of every class and column, and the lowest and the highest of them
    """

    row: Ints
    target: Ints
    group: Ints
    size: Ints
    cost: Floats
    different: Ints
    counts: Ints
    present: Ints
    many: Ints
    low: Ints
    high: Ints
    chance: Ints


@compiled
def priced(cells: Cells, column: int, low: Ints, high: Ints) -> Floats:
    """What intervals of a column cost."""
    made = np.empty(len(low))
    for place in range(len(low)):
        made[place] = price(cells.prices, column, low[place], high[place])
    return made


@inner
def _cleared(counts: Ints) -> None:
    for place in range(len(counts)):
        counts[place] = 0


@compiled
def cut(labels: Ints, values: Codes, rules: Rules) -> Ints:
    """New labels for rows in order of their classes: whenever those since the last cut keep the promise, they are cut
    off, unless the rest of the class does not keep it with any of them."""
    made, counts, number = np.empty(len(labels), np.int64), np.zeros(len(rules.whole), np.int64), np.int64(-1)
    begin = 0
    while begin < len(labels):
        end = begin
        while end < len(labels) and labels[end] == labels[begin]:
            end += 1
        _cleared(counts)
        size, different, since = 0, 0, begin
        number += 1
        for place in range(begin, end):
            made[place] = number
            different += counts[values[place]] == 0
            counts[values[place]] += 1
            size += 1
            if keeps(rules, size, different, counts):
                _cleared(counts)
                size, different, since = 0, 0, place + 1
                number += place + 1 < end
        while since > begin and since < end:  # the rest does not keep it: it goes with what was cut off before
            last = made[since - 1]
            while since > begin and made[since - 1] == last:
                since -= 1
            _cleared(counts)
            different = 0
            for place in range(since, end):
                made[place] = last
                different += counts[values[place]] == 0
                counts[values[place]] += 1
            if keeps(rules, end - since, different, counts):
                break
        number = made[end - 1]
        begin = end
    return made


@inner
def _with(shown: ClassesShown, cells: Cells, pool: Pool, target: int, row: int) -> Any:
    """What a row of a class costs with one row more."""
    total, empty = 0.0, pool.size[target] == 0
    for column in range(shown.codes.shape[1]):
        code = np.int64(shown.codes[row, column])
        if cells.sets[column, 0] >= 0:
            many = pool.many[target, column] + (pool.present[target, cells.start[column] + code] == 0)
            total += cells.sets[column, many]
        elif empty:
            total += price(cells.prices, column, code, code)
        else:
            total += price(
                cells.prices, column, min(pool.low[target, column], code), max(pool.high[target, column], code)
            )
    return total


@inner
def _put(shown: ClassesShown, pool: Pool, cells: Cells, target: int, place: int, cost: float) -> None:
    """Deal a row to a class, of which each row then costs so much."""
    row, empty = pool.row[place], pool.size[target] == 0
    for column in range(shown.codes.shape[1]):
        code = np.int64(shown.codes[row, column])
        if cells.sets[column, 0] >= 0:
            pool.many[target, column] += pool.present[target, cells.start[column] + code] == 0
            pool.present[target, cells.start[column] + code] += 1
        elif empty:
            pool.low[target, column], pool.high[target, column] = code, code
        else:
            pool.low[target, column] = min(pool.low[target, column], code)
            pool.high[target, column] = max(pool.high[target, column], code)
    value = shown.value[row]
    pool.different[target] += pool.counts[target, value] == 0
    pool.counts[target, value] += 1
    pool.size[target] += 1
    pool.cost[target], pool.target[place] = cost, target


@inner
def _emptied(shown: ClassesShown, pool: Pool, cells: Cells, target: int, filled: int) -> None:
    """Nobody is in a class any more."""
    for place in range(filled):
        if pool.target[place] == target:
            row = pool.row[place]
            pool.counts[target, shown.value[row]] = 0
            for column in range(shown.codes.shape[1]):
                if cells.sets[column, 0] >= 0:
                    pool.present[target, cells.start[column] + shown.codes[row, column]] = 0
            pool.target[place] = -1
    pool.size[target], pool.different[target], pool.cost[target] = 0, 0, 0.0
    _cleared(pool.many[target])


@inner
def _collected(shown: ClassesShown, pool: Pool, near: Ints, start: int, wanted: int) -> Any:
    """Take classes of rows near one another into the pool: how many there are, their rows, and what these cost."""
    count, filled, cost = np.int64(0), np.int64(0), 0.0
    for step in range(_LOOK):
        if count == wanted:
            break
        group = shown.group[near[(start + step) % len(near)]]
        if group < 0 or shown.size[group] > min(LARGEST, POOL - filled):
            continue
        known = False
        for place in range(count):
            known = known or pool.group[place] == group
        if known:
            continue
        pool.group[count] = group
        row = shown.first[group]
        while row >= 0:
            at = drawn_from(pool.chance, _STATE, filled + 1)
            pool.row[filled] = pool.row[at]
            pool.row[at] = row
            filled += 1
            row = shown.after[row]
        cost += shown.size[group] * shown.cost[group]
        count += 1
    for place in range(filled):
        pool.target[place] = -1
    return count, filled, cost


@inner
def _built(shown: ClassesShown, cells: Cells, rules: Rules, pool: Pool, target: int, seed: int, filled: int) -> Any:
    """Build a class from one row on; whether it keeps the promise, and how many rows were compared."""
    compared, tested = np.int64(0), len(rules.tests) > 0
    _put(shown, pool, cells, target, seed, _with(shown, cells, pool, target, pool.row[seed]))
    while not keeps(rules, pool.size[target], pool.different[target], pool.counts[target]):
        counts, size = pool.counts[target], pool.size[target]
        top = crowded(rules, size, counts) if tested else np.int64(0)
        most = counts[top] - size * rules.whole[top]
        chosen: Any = np.int64(-1)
        best = _NEVER
        for place in range(filled):
            if pool.target[place] >= 0:
                continue
            value = shown.value[pool.row[place]]
            if pool.different[target] < rules.values and counts[value] > 0:
                continue
            if tested and counts[value] + 1 - (size + 1) * rules.whole[value] > most:
                continue
            cost = _with(shown, cells, pool, target, pool.row[place])
            compared += 1
            if cost < best:
                chosen, best = place, cost
        if chosen < 0:
            return False, compared
        _put(shown, pool, cells, target, chosen, best)
    return True, compared


@inner
def _joined(shown: ClassesShown, cells: Cells, rules: Rules, pool: Pool, classes: int, place: int) -> Any:
    """Deal a row that is left over to the class that it costs least; whether there is one."""
    row = pool.row[place]
    chosen: Any = np.int64(-1)
    value, best, with_it = shown.value[row], _NEVER, 0.0
    for target in range(classes):
        size = pool.size[target]
        cost = _with(shown, cells, pool, target, row)
        more = (size + 1) * cost - size * pool.cost[target]
        if more < best:
            pool.counts[target, value] += 1
            different = pool.different[target] + (pool.counts[target, value] == 1)
            kept = keeps(rules, size + 1, different, pool.counts[target])
            pool.counts[target, value] -= 1
            if kept:
                chosen, best, with_it = target, more, cost
    if chosen >= 0:
        _put(shown, pool, cells, chosen, place, with_it)
    return chosen >= 0


@inner
def _taken_over(shown: ClassesShown, pool: Pool, count: int, classes: int, filled: int) -> None:
    """What was built takes the places of the classes that were dissolved."""
    for target in range(count):
        group = pool.group[target]
        shown.first[group], shown.size[group], shown.cost[group] = -1, 0, 0.0
        if target < classes:
            shown.size[group], shown.cost[group] = pool.size[target], pool.cost[target]
    for place in range(filled):
        row, group = pool.row[place], pool.group[pool.target[place]]
        shown.after[row], shown.first[group], shown.group[row] = shown.first[group], row, group


@compiled
def dealt_anew(shown: ClassesShown, cells: Cells, rules: Rules, pool: Pool, near: Ints, steps: int, spare: Ints) -> Any:
    """Try so many times; how much less it costs, and the work that it was.

    near     rows, those beside one another alike
    spare    numbers that no class has, for when there are more classes than before; how many there are comes first
    """
    gained, compared = 0.0, np.int64(0)
    for _ in range(steps):
        wanted = _CLASSES[0] + drawn_from(pool.chance, _STATE, _CLASSES[1] - _CLASSES[0] + 1)
        count, filled, before = _collected(shown, pool, near, drawn_from(pool.chance, _STATE, len(near)), wanted)
        if filled == 0 or before == 0.0:
            continue
        classes, after, fine = np.int64(0), 0.0, True
        for seed in range(filled):
            if pool.target[seed] >= 0 or classes == len(pool.size):
                continue
            kept, more = _built(shown, cells, rules, pool, classes, seed, filled)
            compared += more
            if kept:
                classes += 1
            else:
                _emptied(shown, pool, cells, classes, filled)
        for place in range(filled):
            if fine and pool.target[place] < 0:
                fine = _joined(shown, cells, rules, pool, classes, place)
                compared += classes
        for target in range(classes):
            after += pool.size[target] * pool.cost[target]
        if fine and after <= before and classes - count <= spare[0]:
            while count < classes:
                pool.group[count] = spare[spare[0]]
                spare[0] -= 1
                count += 1
            _taken_over(shown, pool, count, classes, filled)
            for target in range(classes, count):
                spare[0] += 1
                spare[spare[0]] = pool.group[target]
            gained += before - after
        for target in range(classes):
            _emptied(shown, pool, cells, target, filled)
    return gained, compared // _EACH
