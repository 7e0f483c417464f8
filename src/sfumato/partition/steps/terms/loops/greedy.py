"""A removal of terms that keeps the promise, found quickly: steps of the best gain for their cost, then trimming, then
other options for one row at a time, with the other rows following.

It gives the search an upper bound, and an answer when the work runs out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.sorting import stable_order
from sfumato.knowledge.loops.margin import Aim, Choices, Desk, margin

__all__ = ["greedy"]

Ints = NDArray[np.int64]

_FAR = np.int64(1) << 62


@inner
def _margin(aim: Aim, choices: Choices, chosen: Ints, desk: Desk) -> float:
    linked = 0
    for option in chosen:
        linked += choices.begins[option + 1] > choices.begins[option]
    return float(margin(aim, choices, chosen, len(chosen), np.empty(0), 0, linked, desk))


@inner
def _trim(aim: Aim, choices: Choices, chosen: Ints, work: int, desk: Desk) -> None:
    """Give back what is not needed, dearest rows first, until nothing more can be given back."""
    again = True
    while again:
        again = False
        falling = np.empty(len(chosen), np.int64)
        for row in range(len(chosen)):
            falling[row] = -choices.costs[chosen[row]]
        for row in stable_order(falling):
            now = chosen[row]
            for option in range(choices.rows[row], choices.rows[row + 1]):
                if choices.costs[option] >= choices.costs[now] or desk.counters[0] > work:
                    break
                chosen[row] = option
                if _margin(aim, choices, chosen, desk) <= aim.slack:
                    again = True
                    break
                chosen[row] = now


@inner
def _climb(aim: Aim, choices: Choices, chosen: Ints, fixed: int, upper: int, work: int, desk: Desk) -> bool:
    """Take the step with the best gain for its cost until the promise is kept; below `upper`, leaving a row alone."""
    cost = choices.costs[chosen].sum()
    now = _margin(aim, choices, chosen, desk)
    while now > aim.slack:
        best, best_row, best_option = 0.0, -1, -1
        for row in range(len(chosen)):
            if desk.counters[0] > work:
                return False
            old = chosen[row]
            for option in range(choices.rows[row], choices.rows[row + 1]):
                dearer = choices.costs[option] - choices.costs[old]
                if dearer > 0 and row != fixed and cost + dearer < upper:
                    chosen[row] = option
                    gain = (now - _margin(aim, choices, chosen, desk)) / dearer
                    if gain > best:
                        best, best_row, best_option = gain, row, option
            chosen[row] = old
        if best_row < 0:
            return False
        cost += choices.costs[best_option] - choices.costs[chosen[best_row]]
        chosen[best_row] = best_option
        now = _margin(aim, choices, chosen, desk)
    return True


@inner
def _copy(these: Ints, into: Ints) -> None:
    for at in range(len(these)):
        into[at] = these[at]


@inner
def _exchange(aim: Aim, choices: Choices, chosen: Ints, work: int, desk: Desk) -> None:
    """Give one row after the other another option, and let the others follow, as long as that is cheaper."""
    cost, row, idle = choices.costs[chosen].sum(), 0, 0
    other = chosen.copy()
    while idle < len(chosen) and desk.counters[0] <= work:
        idle += 1
        for option in range(choices.rows[row], choices.rows[row + 1]):
            if desk.counters[0] > work or option == chosen[row]:
                continue
            _copy(chosen, other)
            other[row] = option
            if choices.costs[option] < choices.costs[chosen[row]]:
                if not _climb(aim, choices, other, row, cost, work, desk):
                    continue
            elif _margin(aim, choices, other, desk) > aim.slack:
                continue
            _trim(aim, choices, other, work, desk)
            now = choices.costs[other].sum()
            if now < cost:
                cost, idle = now, 0
                _copy(other, chosen)
        row = (row + 1) % len(chosen)


@inner
def _take(choices: Choices, order: Ints, count: int, chosen: Ints) -> None:
    """The first rows in an order lose everything, which is their last option; the others keep it, their first."""
    for row in range(len(chosen)):
        chosen[row] = choices.rows[row]
    for row in order[:count]:
        chosen[row] = choices.rows[row + 1] - 1


@inner
def _strip(aim: Aim, choices: Choices, chosen: Ints, desk: Desk) -> bool:
    """Take everything from some rows, those first that it costs least: from few if that will do, else from all."""
    costs = np.empty(len(chosen), np.int64)
    for row in range(len(chosen)):
        costs[row] = choices.costs[choices.rows[row + 1] - 1]
    order = stable_order(costs)
    low, high = 0, 1
    while True:  # twice as many, until it will do
        _take(choices, order, high, chosen)
        if _margin(aim, choices, chosen, desk) <= aim.slack:
            break
        if high == len(order):
            return False
        low, high = high + 1, min(2 * high, len(order))
    while low < high:
        middle = (low + high) >> 1
        _take(choices, order, middle, chosen)
        if _margin(aim, choices, chosen, desk) <= aim.slack:
            high = middle
        else:
            low = middle + 1
    _take(choices, order, high, chosen)
    return True


@compiled
def greedy(aim: Aim, choices: Choices, desk: Desk, work: int) -> tuple[bool, Ints]:
    """Whether something was found, and the options.

    Options of a row come cheapest first. Begins with everything kept, and with rows that lose everything; the cheaper
    wins.
    """
    total = len(choices.rows) - 1
    chosen, other = choices.rows[:-1].copy(), np.empty(total, np.int64)
    stripped = _strip(aim, choices, other, desk)
    found = _climb(aim, choices, chosen, -1, _FAR, work, desk)
    if found:
        _trim(aim, choices, chosen, work, desk)
    if stripped:
        _trim(aim, choices, other, work, desk)
        if not found or choices.costs[other].sum() < choices.costs[chosen].sum():
            found, chosen = True, other
    if found:
        _exchange(aim, choices, chosen, work, desk)
    return found, chosen
