"""How far a group is from its promise when some rows are settled and of the others only the best case is known.

For QS (c,l) the promise is max m + c top_(l-1)(m) - c M <= 0, with top_k(m) the sum of the k largest masses. Let every
open row i be linked to at most s_i labels. Then top_k of the whole mass is at least top_k of the settled mass laid
beside s_i entries of 1/s_i per open row: the k largest entries of that list belong to at most k labels, on which the
whole mass is at least their sum; and of all ways to spread a unit over at most s labels the even one has the smallest
top_k, falling with s.

For QS t, with q(m) = |m|^2 - 2 M <m, prior>, the promise is q(m) + M^2 (|prior|^2 - t^2) <= 0, and q of a sum is at
least the sum of the q, since masses are not negative. With the equal distance it is sum (m - M prior)+ - t M <= 0, and
(x + y - a)+ >= (x - a)+ + (y - a)+ for x, y, a >= 0.

So a margin above 0 with the best case of every open row is a margin above 0 whatever they become. Sums of n
non-negative numbers are off by less than n units in the last place; `slack` covers that, so nothing that is possible
is ruled out; what passes is checked exactly by the caller.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import inner
from sfumato.kernels.sorting import ascending

__all__ = ["CL", "EQUAL", "EUCLID", "Aim", "Choices", "Desk", "desk_for", "margin", "rising_mass", "top_sum"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]

CL, EUCLID, EQUAL = 0, 1, 2


class Aim(NamedTuple):
    """A promise: `kind`, its numbers, the prior with its square, and how much rounding may hide per row squared."""

    kind: int
    c: float
    l: int
    t: float
    prior: Floats
    square: float
    slack: float


class Choices(NamedTuple):
    """Options of the rows: row i has `rows[i]..rows[i + 1] - 1`; option o costs `costs[o]` and has the labels
    `labels[begins[o]:begins[o + 1]]` with `chances`. No labels: unlinked."""

    rows: Ints
    costs: Ints
    begins: Ints
    labels: Codes
    chances: Floats


class Desk(NamedTuple):
    """Room to work in: a mass per label (zero between uses), the labels touched, and values to choose from.

    `counters[0]` is the work done: masses added and values looked at.
    """

    mass: Floats
    touched: Ints
    values: Floats
    counters: Ints


def desk_for(labels: int, rows: int, l: int) -> Desk:
    """Room for so many labels, and rows whose best case is known as up to l of them."""
    listed = labels + rows * min(l, labels)
    return Desk(np.zeros(labels), np.empty(labels, np.int64), np.empty(listed), np.zeros(2, np.int64))


@inner
def top_sum(values: Floats, count: int, k: int) -> float:
    """The sum of the k largest of the first values, which are rearranged."""
    if k <= 0:
        return 0.0
    low, high = 0, count - 1
    while k < count and low < high:
        pivot = values[(low + high) >> 1]
        left, right = low, high
        while left <= right:
            while values[left] > pivot:
                left += 1
            while values[right] < pivot:
                right -= 1
            if left <= right:
                values[left], values[right] = values[right], values[left]
                left += 1
                right -= 1
        if k - 1 <= right:
            high = right
        elif k - 1 >= left:
            low = left
        else:
            break
    total = 0.0
    for place in range(min(k, count)):
        total += values[place]
    return total


@inner
def rising_mass(choices: Choices, chosen: Ints, count: int, desk: Desk) -> Floats:
    """What the first of the chosen options give every label that they link to, the least first."""
    held = 0
    for place in range(count):
        for at in range(choices.begins[chosen[place]], choices.begins[chosen[place] + 1]):
            label = choices.labels[at]
            if desk.mass[label] == 0.0:
                desk.touched[held] = label
                held += 1
            desk.mass[label] += choices.chances[at]
    for place in range(held):
        desk.values[place] = desk.mass[desk.touched[place]]
        desk.mass[desk.touched[place]] = 0.0
    rising = desk.values[:held].copy()
    ascending(rising)
    return rising


@inner
def margin(
    aim: Aim, choices: Choices, settled: Ints, count: int, open_: Floats, others: int, M: int, desk: Desk
) -> float:
    """The promise's left side for the first `count` settled options and the best case of `others` open rows.

    `open_` holds, per linked open row, s for QS (c,l), else its least q (or its least part of the equal distance).
    """
    mass, touched, values = desk.mass, desk.touched, desk.values
    held = np.int64(0)
    for place in range(count):
        for at in range(choices.begins[settled[place]], choices.begins[settled[place] + 1]):
            label = choices.labels[at]
            if mass[label] == 0.0:
                touched[held] = label
                held += 1
            mass[label] += choices.chances[at]
        desk.counters[0] += choices.begins[settled[place] + 1] - choices.begins[settled[place]]
    desk.counters[0] += held + others + 4
    result = 0.0
    if aim.kind == CL:
        top = 0.0
        for place in range(held):
            values[place] = mass[touched[place]]
            top = max(top, values[place])
            mass[touched[place]] = 0.0
        listed = held
        for place in range(others):
            top = max(top, 1.0 / open_[place])
            for _ in range(min(int(open_[place]), aim.l - 1)):
                values[listed] = 1.0 / open_[place]
                listed += 1
        desk.counters[0] += listed - held
        return float(top + aim.c * top_sum(values, listed, aim.l - 1) - aim.c * M)
    if aim.kind == EUCLID:
        for place in range(held):
            each = mass[touched[place]]
            result += each * (each - 2.0 * M * aim.prior[touched[place]])
            mass[touched[place]] = 0.0
        result += M * M * (aim.square - aim.t * aim.t)
    else:
        for place in range(held):
            result += max(0.0, mass[touched[place]] - M * aim.prior[touched[place]])
            mass[touched[place]] = 0.0
        result -= aim.t * M
    for place in range(others):
        result += open_[place]
    return result
