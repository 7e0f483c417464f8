"""The classes that a search changes: which rows are published as which box, and whether that keeps the promise.

Rows of an item that move together are a bundle. A box that has bundles is open, and its bundles are a class. The last
box is that of rows left out: it is always open, everybody may leave it, and nobody need be in it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import inner

__all__ = [
    "DISTANCE",
    "ENTROPY",
    "MOST",
    "TOPS",
    "Bundles",
    "OpenBoxes",
    "Rules",
    "admits",
    "can_spare",
    "crowded",
    "enter",
    "keeps",
    "leave",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Codes = NDArray[np.int32]


MOST, TOPS, ENTROPY, DISTANCE = 1, 2, 3, 4
"""What a test asks; `sfumato.models.gauge` says it in full."""


class Rules(NamedTuple):
    """What every class has to keep: rows, different values, and tests of how often each value occurs.

    tests    a kind and three numbers each
    whole    per value, its share of the whole table
    """

    rows: int
    values: int
    tests: Floats
    whole: Floats


class Bundles(NamedTuple):
    """Rows that move together: the item they are of, how many, their value, and their price. Those of item i are
    numbered from first[i] on."""

    item: Codes
    rows: Ints
    value: Codes
    price: Ints
    first: Ints


class OpenBoxes(NamedTuple):
    """Which box every bundle is in, -1 for none; and per open box its bundles as a list, its rows and its values.

    paid      what a row of the bundle costs where it is; its price where it is nowhere
    counts    rows per value, in a place that a box has while it is open
    free      places that no box has: how many, and which
    known     per place and value, whether one row of it can go, and whether one more can come: yes 1, no 2, not known 0
    """

    box: Ints
    paid: Ints
    after: Ints
    before: Ints
    head: Ints
    bundles: Ints
    rows: Ints
    values: Ints
    place: Ints
    counts: Ints
    free: Ints
    cost: Ints
    known: NDArray[np.int8]


@inner
def _forgotten(known: NDArray[np.int8]) -> None:
    """Nothing is known of a place any more."""
    for value in range(known.shape[1]):
        known[0, value], known[1, value] = 0, 0


@inner
def enter(classes: OpenBoxes, bundles: Bundles, bundle: int, box: int) -> None:
    """Publish a bundle that is in no box as this one."""
    rows, value = bundles.rows[bundle], bundles.value[bundle]
    if classes.bundles[box] == 0:
        classes.free[0] -= 1
        classes.place[box] = classes.free[classes.free[0] + 1]
        classes.rows[box], classes.values[box], classes.head[box] = 0, 0, -1
    head, place = classes.head[box], classes.place[box]
    classes.after[bundle], classes.before[bundle] = head, -1
    if head >= 0:
        classes.before[head] = bundle
    classes.head[box] = bundle
    classes.rows[box] += rows
    classes.bundles[box] += 1
    classes.values[box] += classes.counts[place, value] == 0
    classes.counts[place, value] += rows
    _forgotten(classes.known[place])
    classes.box[bundle], classes.paid[bundle] = box, classes.cost[box]


@inner
def leave(classes: OpenBoxes, bundles: Bundles, bundle: int) -> None:
    """Take a bundle out of its box."""
    box, rows, value = classes.box[bundle], bundles.rows[bundle], bundles.value[bundle]
    before, after, place = classes.before[bundle], classes.after[bundle], classes.place[box]
    if before >= 0:
        classes.after[before] = after
    else:
        classes.head[box] = after
    if after >= 0:
        classes.before[after] = before
    classes.rows[box] -= rows
    classes.bundles[box] -= 1
    classes.counts[place, value] -= rows
    classes.values[box] -= classes.counts[place, value] == 0
    _forgotten(classes.known[place])
    classes.box[bundle], classes.paid[bundle] = -1, bundles.price[bundle]
    if classes.bundles[box] == 0:
        classes.free[classes.free[0] + 1] = place
        classes.free[0] += 1


@inner
def _most(counts: Ints) -> Any:
    most = counts[0]
    for count in counts:
        most = max(most, count)
    return most


@inner
def _passes(kind: float, first: float, second: float, third: float, rows: int, counts: Ints, whole: Floats) -> Any:
    """Whether one test is passed by a class of so many rows with these counts of values."""
    if kind == MOST:
        return _most(counts) * second <= rows * first
    if kind == ENTROPY:
        spread = 0.0
        for count in counts:
            if count > 1:
                spread += count * np.log(count)
        return spread + rows * first <= rows * np.log(rows)
    if kind == DISTANCE:
        work = 0.0
        for value in range(len(counts)):
            work += max(0.0, counts[value] - rows * whole[value])
        return work <= rows * first
    # TOPS: the most frequent values, one after the other, those that are equally frequent at once
    top, most, last, left = 0, _most(counts), 2**62, int(third) - 1
    while left > 0:
        highest, ties = 0, 0
        for count in counts:
            if highest < count < last:
                highest, ties = count, 0
            ties += count == highest
        if highest == 0:
            break
        top += min(ties, left) * highest
        left, last = left - ties, highest
    return most * second < first * (rows - top)


@inner
def keeps(rules: Rules, rows: int, values: int, counts: Ints) -> Any:
    """Whether a class keeps the promise."""
    if rows < rules.rows or values < rules.values:
        return False
    kept = True
    for test in rules.tests:
        kept = kept and _passes(test[0], test[1], test[2], test[3], rows, counts, rules.whole)
    return kept


@inner
def can_spare(classes: OpenBoxes, bundles: Bundles, rules: Rules, bundle: int) -> Any:
    """Whether the class of a bundle keeps the promise without it."""
    box, rows, value = classes.box[bundle], bundles.rows[bundle], bundles.value[bundle]
    if box == len(classes.cost) - 1:
        return True
    left = classes.rows[box] - rows
    if left < rules.rows or (rules.values <= 1 and len(rules.tests) == 0):
        return left >= rules.rows
    counts = classes.counts[classes.place[box]]
    values = classes.values[box] - (counts[value] == rows)
    if len(rules.tests) == 0:
        return values >= rules.values
    known = classes.known[classes.place[box], 0]
    if rows == 1 and known[value] > 0:
        return known[value] == 1
    counts[value] -= rows
    kept = keeps(rules, left, values, counts)
    counts[value] += rows
    if rows == 1:
        known[value] = 1 if kept else 2
    return kept


@inner
def crowded(rules: Rules, rows: int, counts: Ints) -> Any:
    """The value of which there is most, compared with its share of the whole table where a test does."""
    most, found = counts[0] - rows * rules.whole[0], np.int64(0)
    for value in range(1, len(counts)):
        here = counts[value] - rows * rules.whole[value]
        if here > most:
            most, found = here, np.int64(value)
    return found


@inner
def admits(classes: OpenBoxes, bundles: Bundles, rules: Rules, bundle: int, box: int) -> Any:
    """Whether an open box keeps the promise with one bundle more."""
    if len(rules.tests) == 0:
        return True
    rows, value = bundles.rows[bundle], bundles.value[bundle]
    counts, known = classes.counts[classes.place[box]], classes.known[classes.place[box], 1]
    if rows == 1 and known[value] > 0:
        return known[value] == 1
    values = classes.values[box] + (counts[value] == 0)
    counts[value] += rows
    kept = keeps(rules, classes.rows[box] + rows, values, counts)
    counts[value] -= rows
    if rows == 1:
        known[value] = 1 if kept else 2
    return kept
