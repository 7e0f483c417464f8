"""The loops that choose with which others a bundle can be in a box.

What counts is how much more all of them pay than they did, or, if they have no box, than their prices: by fair prices
it is never less than nothing to open a box, so what comes near to it is as good as can be.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import inner
from sfumato.partition.boxes.loops.classes import Bundles, OpenBoxes, Rules, can_spare, crowded, enter, keeps, leave
from sfumato.partition.boxes.loops.walk import Found

__all__ = ["Bench", "Offers", "assembled", "drawn", "drawn_from", "entered", "from_around", "from_pool", "offered"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

NEVER = np.int64(2**62)
ALONE, ANYONE = np.bool_(True), np.bool_(False)
"""Who is chosen: only what other classes can give and still keep the promise, or anyone."""
_NOTHING = np.int64(0)
_CROWD = 256
"""Bundles that a box is opened with, at most; others join when it is open."""
_ALIKE = 3
"""Bundles of one value among which is chosen, where counts are tested."""


class Offers(NamedTuple):
    """The boxes there are, in order of rising cost, and for every item those that it is in."""

    boxes: Found
    start: Ints
    box: Codes


class Bench(NamedTuple):
    """Room for one step.

    pool       bundles that need a box; their boxes before stand in `was`
    moved      bundles of other classes that were taken, and their boxes before
    listing    which step wrote the list of a box; the list begins at `head` and goes on by `next`
    candidate  bundles that a box may be opened with, and in `rise` what a row of each then pays more
    chosen     in which turn each of them was chosen, 0 if it was not
    counts     rows per value of what is chosen
    drawn      rows that a class would give
    numbers    of: pool, moved, step, look, chance, work; what a row may pay beyond its price in a new box; and items
               that are looked at, about, to help one bundle
    """

    pool: Ints
    was: Ints
    moved: Ints
    moved_from: Ints
    key: Ints
    listing: Ints
    head: Ints
    next: Ints
    listed: Ints
    candidate: Ints
    rise: Ints
    chosen: Ints
    counts: Ints
    drawn: Ints
    drawn_at: Ints
    numbers: Ints


POOL, MOVED, LISTING, LOOK, WORK, SLACK, HELP = 0, 1, 2, 3, 5, 6, 7
CHANCE = np.int64(4)


@inner
def drawn_from(states: Ints, place: int, below: int) -> Any:
    """A number by chance, from 0 on; the state of chance is one of some numbers, and never 0."""
    state = np.uint64(states[place])
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    states[place] = np.int64(state)
    return np.int64((state >> np.uint64(33)) % np.uint64(below))


@inner
def drawn(bench: Bench, below: int) -> Any:
    """A number by chance, from 0 on."""
    return drawn_from(bench.numbers, CHANCE, below)


@inner
def offered(bench: Bench, count: int, room: int, bundle: int, rise: int) -> Any:
    """Enter a candidate in order of what it pays more; the last one goes if there is no room. How many there are."""
    at = min(count, room - 1)
    while at > 0 and bench.rise[at - 1] > rise:
        bench.rise[at], bench.candidate[at] = bench.rise[at - 1], bench.candidate[at - 1]
        at -= 1
    bench.rise[at], bench.candidate[at] = rise, bundle
    return min(count + 1, room)


@inner
def from_pool(offers: Offers, bundles: Bundles, classes: OpenBoxes, bench: Bench, bundle: int, box: int) -> Any:
    """Bundles of the pool that have no box yet and may be in this one."""
    cost, count, at = offers.boxes.cost[box], _NOTHING, bench.head[box]
    while at >= 0:
        other = bench.listed[at]
        at = bench.next[at]
        bench.numbers[WORK] += 1
        if other != bundle and classes.box[other] < 0:
            count = offered(bench, count, min(len(bench.rise), _CROWD), other, cost - bundles.price[other])
    return count


@inner
def from_around(
    offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int, box: int, alone: bool
) -> Any:
    """Bundles that may be in this box and are not; the best of every value, if values count.

    alone    only those that have no box, or whose class can spare them
    """
    cost, count = offers.boxes.cost[box], _NOTHING
    alike = _ALIKE if len(rules.tests) > 0 else 1
    room = min(len(bench.rise), 3 * max(rules.rows, rules.values) // 2 + 2)
    if len(rules.tests) > 0:
        room = min(len(bench.rise), 4 * room)
    for place in range(offers.boxes.start[box], offers.boxes.start[box + 1]):
        item = offers.boxes.member[place]
        for other in range(bundles.first[item], bundles.first[item + 1]):
            rise = cost - classes.paid[other]
            if other == bundle or classes.box[other] == box or (count == room and rise >= bench.rise[count - 1]):
                continue
            if alone and classes.box[other] >= 0 and not can_spare(classes, bundles, rules, other):
                continue
            if rules.values > 1:
                known, last = 0, 0
                for at in range(count):
                    if bundles.value[bench.candidate[at]] == bundles.value[other]:
                        known, last = known + 1, at
                if known >= alike:
                    if bench.rise[last] <= rise:
                        continue
                    for at in range(last, count - 1):
                        bench.rise[at], bench.candidate[at] = bench.rise[at + 1], bench.candidate[at + 1]
                    count -= 1
            count = offered(bench, count, room, other, rise)
        bench.numbers[WORK] += 1
    return count


@inner
def _can_go(bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int) -> Any:
    """Whether the class of a candidate can still give it, after what it would already give."""
    box = classes.box[bundle]
    if box < 0 or box == len(classes.cost) - 1:
        return True
    if bench.drawn_at[box] != bench.numbers[LOOK]:
        bench.drawn_at[box], bench.drawn[box] = bench.numbers[LOOK], 0
    elif rules.values > 1 or len(rules.tests) > 0:
        return False
    if classes.rows[box] - bench.drawn[box] - bundles.rows[bundle] < rules.rows:
        return False
    bench.drawn[box] += bundles.rows[bundle]
    return True


@inner
def assembled(
    bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int, box: int, count: int,
    first: int, best: int, alone: bool,
) -> Any:  # fmt: skip
    """Choose among candidates those with which a bundle can be in a box: what all pay more, or never if it cannot be.

    first    what the bundle itself pays more
    best     what is not worth looking at any more
    alone    only what other classes can give and still keep the promise
    """
    counts, tested = bench.counts, len(rules.tests) > 0
    bench.numbers[LOOK] += 1
    paid, rows, values = first, bundles.rows[bundle], np.int64(1)
    if classes.bundles[box] > 0:
        there = classes.counts[classes.place[box]]
        rows, values = rows + classes.rows[box], classes.values[box] + (there[bundles.value[bundle]] == 0)
        for value in range(len(counts)):
            counts[value] = there[value]
    counts[bundles.value[bundle]] += bundles.rows[bundle]
    for at in range(count):
        bench.chosen[at] = 0
    # Those that gain; then new values until there are enough; then the cheapest until there are enough rows; and
    # where counts are tested, those that gain come last, as many as keep the promise.
    for turn in range(1, 5):
        done = turn > 1 and keeps(rules, rows, values, counts)
        if (turn == 1 and tested) or (turn in (2, 3) and done) or (turn == 4 and not (tested and done)):
            continue
        most = 1e300
        if turn == 3 and tested:
            top = crowded(rules, rows, counts)
            most = counts[top] - rows * rules.whole[top]
        sure, sure_paid, sure_rows, sure_values = np.int64(0), paid, rows, values
        for at in range(count):
            other = bench.candidate[at]
            rise, value, more = bench.rise[at], bundles.value[other], bundles.rows[other]
            if (turn == 1 and rise > 0) or (turn == 4 and rise >= 0) or (turn in (2, 3) and paid >= best):
                break
            if bench.chosen[at] > 0 or (turn == 2 and counts[value] > 0):
                continue
            if turn == 3 and counts[value] + more - (rows + more) * rules.whole[value] > most:
                continue
            if alone and not _can_go(bundles, classes, rules, bench, other):
                continue
            counts[value] += more
            values += counts[value] == more
            rows += more
            paid += rise * more
            bench.chosen[at] = turn
            if turn > 1 and keeps(rules, rows, values, counts):
                if turn < 4:
                    break
                sure, sure_paid, sure_rows, sure_values = np.int64(at + 1), paid, rows, values
        if turn == 4:
            for at in range(sure, count):
                if bench.chosen[at] == turn:
                    bench.chosen[at] = 0
                    counts[bundles.value[bench.candidate[at]]] -= bundles.rows[bench.candidate[at]]
            paid, rows, values = sure_paid, sure_rows, sure_values
    kept = paid < best and keeps(rules, rows, values, counts)
    for value in range(len(counts)):
        counts[value] = 0
    bench.numbers[WORK] += count + 1
    return paid if kept else NEVER


@inner
def entered(bundles: Bundles, classes: OpenBoxes, bench: Bench, bundle: int, box: int, count: int) -> Any:
    """Put a bundle and the candidates that were chosen into a box; what all of them pay now, less what they paid
    before in another one."""
    cost = classes.cost[box]
    paid = cost * bundles.rows[bundle]
    enter(classes, bundles, bundle, box)
    for at in range(count):
        if bench.chosen[at] == 0:
            continue
        other = bench.candidate[at]
        if classes.box[other] >= 0:
            moved = bench.numbers[MOVED]
            bench.moved[moved], bench.moved_from[moved] = other, classes.box[other]
            bench.numbers[MOVED] += 1
            paid -= classes.paid[other] * bundles.rows[other]
            leave(classes, bundles, other)
        paid += cost * bundles.rows[other]
        enter(classes, bundles, other, box)
    return paid
