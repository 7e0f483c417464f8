"""Changes of groups that would lower the price, for others to judge: a row moves, a group is split in two."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.box_prices import Prices, price
from sfumato.kernels.sorting import ascending
from sfumato.partition.steps.loops.crowds import Crowds, move, price_with, price_without, settle
from sfumato.partition.steps.loops.rebuild import Sharing

__all__ = ["apply_moves", "apply_splits", "moved", "moves", "splits"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]

_BEST = 2
"""Groups that a row is suggested to move to, at most."""
_PLACE = (1 << 32) - 1
"""The lower half of a number, whose upper half it is sorted by first."""


@inner
def _clash(crowds: Crowds, rules: Sharing, row: int, group: int) -> bool:
    """Whether a row is too like one of a group to join it."""
    first = 0 if rules.apart[group] else rules.persons
    if first == rules.keys.shape[1]:
        return False
    start = member = crowds.first[group]
    while True:
        for column in range(first, rules.keys.shape[1]):
            if rules.keys[row, column] == rules.keys[member, column]:
                return True
        member = crowds.after[member]
        if member == start:
            return False


@compiled
def moves(
    crowds: Crowds,
    rules: Sharing,
    prices: Prices,
    rows: Ints,
    near: Ints,
    place: Ints,
    window: int,
    least: int,
    whole: float,
    seen: Ints,
) -> tuple[Ints, Ints, Floats, int, int]:
    """Rows, the groups that they may move to, what that gains, all with room to spare; how many, and the work done.

    near, place    an order of all rows, and where each is in it
    least          rows that every group keeps
    whole          the price of a row in no group; 0: such rows stay
    seen           -1 for every group
    """
    if min(len(rules.apart), len(rules.fixed), len(seen)) < len(crowds.size):
        raise ValueError("rules of fewer groups than there are")
    found, targets = np.empty(_BEST * len(rows), np.int64), np.empty(_BEST * len(rows), np.int64)
    gains = np.empty(_BEST * len(rows))
    box = np.empty(2 * crowds.codes.shape[1], np.int32)
    count = work = 0
    for each in range(len(rows)):
        row, begin = rows[each], count
        home = crowds.group[row]
        if home < 0:
            left = whole
        elif rules.fixed[home] or crowds.size[home] <= least:
            continue
        else:
            size = crowds.size[home]
            left = size * crowds.cost[home] - (size - 1) * price_without(crowds, row, box, prices)
        work += 1
        if left <= 0:
            continue
        for shift in range(2 * window):
            at = place[row] + (shift // 2 + 1) * (1 if shift % 2 else -1)
            if at < 0 or at >= len(near):
                continue
            group = crowds.group[near[at]]
            if group < 0 or group == home or rules.fixed[group] or seen[group] == row:
                continue
            seen[group] = row
            work += 1
            size = crowds.size[group]
            gain = left + size * crowds.cost[group] - (size + 1) * price_with(crowds, group, row, prices)
            if gain <= 0 or _clash(crowds, rules, row, group):
                continue
            if count - begin == _BEST:
                worst = begin
                for other in range(begin + 1, count):
                    if gains[other] < gains[worst]:
                        worst = other
                if gains[worst] < gain:
                    found[worst], targets[worst], gains[worst] = row, group, gain
                continue
            found[count], targets[count], gains[count] = row, group, gain
            count += 1
    return found, targets, gains, count, work


@compiled
def moved(crowds: Crowds, rows: Ints, targets: Ints) -> tuple[Ints, Ints]:
    """What groups would hold after each move: rows, and the move's number twice over, plus one for the target."""
    total = 0
    for place in range(len(rows)):
        home = crowds.group[rows[place]]
        total += crowds.size[targets[place]] + 1 + (crowds.size[home] - 1 if home >= 0 else 0)
    members, labels = np.empty(total, np.int64), np.empty(total, np.int64)
    filled = 0
    for place in range(len(rows)):
        row = rows[place]
        if crowds.group[row] >= 0:
            member = crowds.after[row]
            while member != row:
                members[filled], labels[filled] = member, 2 * place
                filled += 1
                member = crowds.after[member]
        first = member = crowds.first[targets[place]]
        while True:
            members[filled], labels[filled] = member, 2 * place + 1
            filled += 1
            member = crowds.after[member]
            if member == first:
                break
        members[filled], labels[filled] = row, 2 * place + 1
        filled += 1
    return members, labels


@compiled
def apply_moves(crowds: Crowds, prices: Prices, rows: Ints, targets: Ints) -> None:
    """The moves in their order, except those that touch a group again."""
    touched = np.zeros(len(crowds.size), np.bool_)
    gone = np.zeros(len(crowds.group), np.bool_)
    for place in range(len(rows)):
        row, target = rows[place], targets[place]
        home = crowds.group[row]
        if touched[target] or gone[row] or (home >= 0 and touched[home]):
            continue
        touched[target] = gone[row] = True
        if home >= 0:
            touched[home] = True
        move(crowds, row, target, prices)


@inner
def _sides(
    codes: Codes, rows: Ints, values: Codes, column: int, fair: bool, prices: Prices, least: int, low: Ints
) -> Any:
    """The rows of one half of a group, marked, and what the halves cost less than the whole; 0 if there is no cut.

    fair    every value is cut in two, as near to half as can be; otherwise the cheapest cut of the column
    """
    count, width = len(rows), codes.shape[1]
    order, only = np.empty(count, np.int64), 0
    for at in range(count):
        order[at] = np.int64(codes[rows[at], column]) << 32 | at
    ascending(order)
    for at in range(count):
        order[at] &= _PLACE
    if fair:
        again = np.empty(count, np.int64)
        for at in range(count):
            again[at] = np.int64(values[rows[order[at]]]) << 32 | at
        ascending(again)
        for at in range(count):
            again[at] = order[again[at] & _PLACE]
        odd = begin = 0
        for end in range(1, count + 1):
            if end == count or values[rows[again[end]]] != values[rows[again[begin]]]:
                half = (end - begin + odd) // 2
                odd = (odd + (end - begin)) % 2 if (end - begin) % 2 else odd
                for at in range(begin, end):
                    low[again[at]] = at - begin < half
                only += half
                begin = end
        before, behind = 0, only
        for at in range(count):
            if low[again[at]]:
                order[before] = again[at]
                before += 1
            else:
                order[behind] = again[at]
                behind += 1
    ahead, lowest, highest = np.zeros(count), np.empty(width, np.int32), np.empty(width, np.int32)
    for at in range(count):
        for other in range(width):
            code = codes[rows[order[at]], other]
            lowest[other] = code if at == 0 else min(lowest[other], code)
            highest[other] = code if at == 0 else max(highest[other], code)
            ahead[at] += price(prices, other, lowest[other], highest[other])
    best, cut = 0.0, 0
    for at in range(count - 1, max(least, only) - 1, -1):
        rest = 0.0
        for other in range(width):
            code = codes[rows[order[at]], other]
            lowest[other] = code if at == count - 1 else min(lowest[other], code)
            highest[other] = code if at == count - 1 else max(highest[other], code)
            rest += price(prices, other, lowest[other], highest[other])
        apart = codes[rows[order[at]], column] != codes[rows[order[at - 1]], column]
        if count - at < least or not (at == only if fair else apart):
            continue
        gain = count * ahead[count - 1] - at * ahead[at - 1] - (count - at) * rest
        if gain > best:
            best, cut = gain, at
    for at in range(count):
        low[order[at]] = at < cut
    return best


def splits(
    crowds: Crowds, rules: Sharing, prices: Prices, begin: int, end: int, least: int, most: int
) -> tuple[Ints, Ints, Ints, Floats, int, int]:
    """Cuts of groups from `begin` on: rows and numbers as of moves, the group and the gain of each; where it ended,
    having written down `most` rows or a little more; and the work done."""
    if end > min(len(crowds.size), len(rules.fixed)):
        raise ValueError("rules of fewer groups than there are")
    sizes = crowds.size[begin:end]
    ways = 2 * crowds.codes.shape[1]
    rows = min(ways * int(sizes.sum()), most + ways * int(sizes.max(initial=0)))
    cuts = min(ways * len(sizes), rows)
    members, labels, owners = (np.empty(room, dtype=np.int64) for room in (rows, rows, cuts))
    gains = np.empty(cuts)
    filled, made, end, work = splits_in(crowds, rules, prices, begin, end, least, most, members, labels, owners, gains)
    return members[:filled], labels[:filled], owners[:made], gains[:made], end, work


@compiled
def splits_in(
    crowds: Crowds,
    rules: Sharing,
    prices: Prices,
    group: int,
    end: int,
    least: int,
    most: int,
    members: Ints,
    labels: Ints,
    owners: Ints,
    gains: Floats,
) -> tuple[int, int, int, int]:
    """The same into room that is given: how many rows and cuts were written down, where it ended, and the work."""
    filled = work = made = 0
    while group < end and filled < most:
        size = crowds.size[group]
        if not rules.fixed[group] and size >= 2 * least and crowds.cost[group] > 0:
            rows, low = np.empty(size, np.int64), np.zeros(size, np.int64)
            row = crowds.first[group]
            for at in range(size):
                rows[at] = row
                row = crowds.after[row]
            ascending(rows)
            for way in range(2 * crowds.codes.shape[1]):
                column, fair = way // 2, way % 2 == 1
                if crowds.low[group, column] == crowds.high[group, column]:
                    continue
                work += size
                gain = _sides(crowds.codes, rows, rules.values, column, fair, prices, least, low)
                if gain > 0:
                    for at in range(size):
                        members[filled + at], labels[filled + at] = rows[at], 2 * made + low[at]
                    owners[made], gains[made] = group, gain
                    made += 1
                    filled += size
        group += 1
    return filled, made, group, work


def apply_splits(
    crowds: Crowds, prices: Prices, members: Ints, labels: Ints, chosen: NDArray[np.bool_], owners: Ints, free: Ints
) -> None:
    """Cut groups as chosen; new ones get the numbers of `free`, which nobody has, in their order."""
    cuts = np.flatnonzero(chosen)
    if len(cuts) > len(free):
        raise ValueError("fewer free numbers than groups to be cut")
    others = np.full(len(chosen), -1, dtype=np.int64)
    others[cuts] = free[: len(cuts)]
    moving = chosen[labels // 2]
    cut, high = labels[moving] // 2, labels[moving] % 2 == 1
    targets = np.where(high, others[cut], owners[cut])
    settle(crowds, prices, np.concatenate((owners[cuts], others[cuts])), members[moving], targets)
