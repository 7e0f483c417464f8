"""The loop that gives bundles without a box the boxes that cost them least, with others where it takes others.

The dearest bundle comes first. It may join an open box, or open one with bundles that have none either, or, where
neither can be, with bundles of other classes that can spare them. What counts is how much more all of them pay than
their prices, or than they paid before: by fair prices it is never less than nothing to open a box, so what comes near
to it is as good as can be.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import inner
from sfumato.partition.boxes.loops.classes import Bundles, OpenBoxes, Rules, admits, can_spare, enter, keeps, leave
from sfumato.partition.boxes.loops.walk import Found

__all__ = ["Bench", "Offers", "rebuilt"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]

_NEVER, _NOTHING = np.int64(2**62), np.int64(0)
_CROWD = 256
"""Bundles that a box is opened with, at most; others join when it is open."""
_HELP = 5000
"""Items that are looked at, about, to help one bundle."""
_SKIPPED = 70
"""In a hundred: boxes that are not looked at when one is opened with bundles of others, by chance, so that another try
finds another one."""


class Offers(NamedTuple):
    """The boxes there are, in order of rising cost, and for every item those that it is in."""

    boxes: Found
    start: Ints
    box: Codes


class Bench(NamedTuple):
    """Room for one rebuilding.

    pool       bundles that need a box; their boxes before stand in `was`
    moved      bundles of other classes that were taken, and their boxes before
    listing    which rebuilding wrote the list of a box; the list begins at `head` and goes on by `next`
    candidate  bundles that a box may be opened with, and in `rise` what a row of each then pays more
    counts     rows per value of what is chosen of them
    drawn      rows that a class would give
    numbers    of: pool, moved, rebuilding, look, chance, work; and what a row may pay beyond its price in a new box
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
    chosen: NDArray[np.bool_]
    counts: Ints
    drawn: Ints
    drawn_at: Ints
    numbers: Ints


POOL, MOVED, LISTING, LOOK, CHANCE, WORK, SLACK = 0, 1, 2, 3, 4, 5, 6


@inner
def drawn(bench: Bench, below: int) -> Any:
    """A number by chance, from 0 on."""
    state = np.uint64(bench.numbers[CHANCE])
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    bench.numbers[CHANCE] = np.int64(state)
    return np.int64((state >> np.uint64(33)) % np.uint64(below))


@inner
def _offered(bench: Bench, count: int, room: int, bundle: int, rise: int) -> Any:
    """Enter a candidate in order of what it pays more; the last one goes if there is no room. How many there are."""
    at = min(count, room - 1)
    while at > 0 and bench.rise[at - 1] > rise:
        bench.rise[at], bench.candidate[at] = bench.rise[at - 1], bench.candidate[at - 1]
        at -= 1
    bench.rise[at], bench.candidate[at] = rise, bundle
    return min(count + 1, room)


@inner
def _from_pool(offers: Offers, bundles: Bundles, classes: OpenBoxes, bench: Bench, bundle: int, box: int) -> Any:
    """Bundles of the pool that have no box yet and may be in this one."""
    cost, count, at = offers.boxes.cost[box], _NOTHING, bench.head[box]
    while at >= 0:
        other = bench.listed[at]
        at = bench.next[at]
        if other != bundle and classes.box[other] < 0:
            count = _offered(bench, count, min(len(bench.rise), _CROWD), other, cost - bundles.price[other])
    return count


@inner
def _from_around(
    offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int, box: int
) -> Any:
    """Bundles that may be in this box and have none, or whose class can spare them; the best of every value, if values
    count."""
    cost, count, various = offers.boxes.cost[box], _NOTHING, rules.values > 1
    room = min(len(bench.rise), 3 * max(rules.rows, rules.values) // 2 + 2)
    for place in range(offers.boxes.start[box], offers.boxes.start[box + 1]):
        item = offers.boxes.member[place]
        for other in range(bundles.first[item], bundles.first[item + 1]):
            rise = cost - classes.paid[other]
            if other == bundle or (count == room and rise >= bench.rise[count - 1]):
                continue
            if classes.box[other] >= 0 and not can_spare(classes, bundles, rules, other):
                continue
            if various:
                if bundles.value[other] == bundles.value[bundle]:
                    continue
                known = 0
                while known < count and bundles.value[bench.candidate[known]] != bundles.value[other]:
                    known += 1
                if known < count:
                    if bench.rise[known] <= rise:
                        continue
                    for at in range(known, count - 1):
                        bench.rise[at], bench.candidate[at] = bench.rise[at + 1], bench.candidate[at + 1]
                    count -= 1
            count = _offered(bench, count, room, other, rise)
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
def _assembled(
    bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int, count: int, first: int, best: int
) -> Any:
    """Choose among candidates those with which a bundle opens a box: what all pay more, or never if it cannot be.

    first    what the bundle itself pays more
    """
    counts, tested = bench.counts, len(rules.tests) > 0
    bench.numbers[LOOK] += 1
    paid, rows, values = first, bundles.rows[bundle], np.int64(1)
    counts[bundles.value[bundle]] += rows
    bench.chosen[:count] = False
    # Those that gain; then new values until there are enough; then the cheapest until there are enough rows; and
    # where counts are tested, those that gain come last, as long as the promise is kept.
    for turn in range(4):
        done = turn > 0 and keeps(rules, rows, values, counts)
        for at in range(count):
            other = bench.candidate[at]
            rise, value = bench.rise[at], bundles.value[other]
            if turn == 0 and (tested or rise > 0):
                break
            if turn in (1, 2) and done:
                break
            if turn == 3 and (not done or not tested or rise >= 0):
                break
            if bench.chosen[at] or (turn == 1 and counts[value] > 0):
                continue
            if not _can_go(bundles, classes, rules, bench, other):
                continue
            counts[value] += bundles.rows[other]
            if turn == 3 and not keeps(rules, rows + bundles.rows[other], values, counts):
                counts[value] -= bundles.rows[other]
                continue
            values += counts[value] == bundles.rows[other]
            rows += bundles.rows[other]
            paid += rise * bundles.rows[other]
            bench.chosen[at] = True
            if turn > 0:
                done = keeps(rules, rows, values, counts)
            if paid >= best and turn > 0:
                break
    kept = paid < best and keeps(rules, rows, values, counts)
    counts[bundles.value[bundle]] = 0
    for at in range(count):
        counts[bundles.value[bench.candidate[at]]] = 0
    bench.numbers[WORK] += count + 1
    return paid if kept else _NEVER


@inner
def _opened(bundles: Bundles, classes: OpenBoxes, bench: Bench, bundle: int, box: int, count: int) -> Any:
    """Open a box with the candidates that were chosen; what all of them pay now, less what moved ones paid before."""
    cost = classes.cost[box]
    paid = cost * bundles.rows[bundle]
    enter(classes, bundles, bundle, box)
    for at in range(count):
        if not bench.chosen[at]:
            continue
        other = bench.candidate[at]
        if classes.box[other] >= 0:
            moved = bench.numbers[MOVED]
            if moved < len(bench.moved):  # there is room for all, but for the first time, which nobody undoes
                bench.moved[moved], bench.moved_from[moved] = other, classes.box[other]
                bench.numbers[MOVED] += 1
            paid -= classes.paid[other] * bundles.rows[other]
            leave(classes, bundles, other)
        paid += cost * bundles.rows[other]
        enter(classes, bundles, other, box)
    return paid


@inner
def _settled(offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int) -> Any:
    """Give a bundle a box; what that costs."""
    item, rows, price = bundles.item[bundle], bundles.rows[bundle], bundles.price[bundle]
    chosen: Any = np.int64(-1)
    best, joins = _NEVER, False
    for place in range(offers.start[item], offers.start[item + 1]):
        box = np.int64(offers.box[place])
        cost = offers.boxes.cost[box]
        rise = (cost - price) * rows
        if rise >= best:
            break
        if classes.bundles[box] > 0:
            if admits(classes, bundles, rules, bundle, box):
                best, chosen, joins = rise, box, True
        elif cost <= price + bench.numbers[SLACK] and bench.listing[box] == bench.numbers[LISTING]:
            count = _from_pool(offers, bundles, classes, bench, bundle, box)
            paid = _assembled(bundles, classes, rules, bench, bundle, count, rise, best)
            if paid < best:
                best, chosen, joins = paid, box, False
    if joins:
        enter(classes, bundles, bundle, chosen)
        return classes.cost[chosen] * rows
    if chosen >= 0:
        count = _from_pool(offers, bundles, classes, bench, bundle, chosen)
        _assembled(bundles, classes, rules, bench, bundle, count, _NOTHING, _NEVER)
        return _opened(bundles, classes, bench, bundle, chosen, count)
    return _helped(offers, bundles, classes, rules, bench, bundle)


@inner
def _helped(offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int) -> Any:
    """Open a box for a bundle with what other classes can spare; it is left out if that cannot be."""
    item, rows, hidden = bundles.item[bundle], bundles.rows[bundle], len(classes.cost) - 1
    chosen: Any = np.int64(-1)
    best = _NEVER
    enough = bench.numbers[WORK] + _HELP
    for turn in range(2):
        for place in range(offers.start[item], offers.start[item + 1]):
            box = np.int64(offers.box[place])
            first = classes.cost[box] * rows
            if bench.numbers[WORK] > enough:
                break
            if chosen >= 0 and (
                first >= best or turn == 1 or classes.cost[box] > bundles.price[bundle] + bench.numbers[SLACK] // 3
            ):
                break
            if (turn == 0 and drawn(bench, np.int64(100)) < _SKIPPED) or classes.bundles[box] > 0:
                continue
            count = _from_around(offers, bundles, classes, rules, bench, bundle, box)
            paid = _assembled(bundles, classes, rules, bench, bundle, count, first, best)
            if paid < best:
                best, chosen = paid, box
    if chosen < 0:
        enter(classes, bundles, bundle, hidden)
        return classes.cost[hidden] * rows
    count = _from_around(offers, bundles, classes, rules, bench, bundle, chosen)
    _assembled(bundles, classes, rules, bench, bundle, count, _NOTHING, _NEVER)
    return _opened(bundles, classes, bench, bundle, chosen, count)


@inner
def rebuilt(offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, noise: int) -> Any:
    """Give every bundle of the pool a box; what they all cost then, and what others cost more.

    noise    in a hundred: how much the order may differ from that of prices, by chance
    """
    bench.numbers[LISTING] += 1
    bench.numbers[MOVED] = 0
    used, size = 0, bench.numbers[POOL]
    for place in range(size):
        bundle = bench.pool[place]
        item, most = bundles.item[bundle], bundles.price[bundle] + bench.numbers[SLACK]
        for at in range(offers.start[item], offers.start[item + 1]):
            box = offers.box[at]
            if offers.boxes.cost[box] > most or used == len(bench.listed):
                break
            if bench.listing[box] != bench.numbers[LISTING]:
                bench.listing[box], bench.head[box] = bench.numbers[LISTING], -1
            bench.listed[used], bench.next[used] = bundle, bench.head[box]
            bench.head[box] = used
            used += 1
        swing = (drawn(bench, np.int64(1000)) - 500) * noise // 100 if noise > 0 else 0
        bench.key[place] = -(bundles.price[bundle] // 1000 * (1000 + swing))
    bench.numbers[WORK] += used
    total = np.int64(0)
    for place in np.argsort(bench.key[:size]):
        if classes.box[bench.pool[place]] < 0:
            total += _settled(offers, bundles, classes, rules, bench, bench.pool[place])
    for place in range(size):  # to cheaper boxes that were opened since
        bundle = bench.pool[place]
        item, paid = bundles.item[bundle], classes.paid[bundle]
        if not can_spare(classes, bundles, rules, bundle):
            continue
        for at in range(offers.start[item], offers.start[item + 1]):
            box = np.int64(offers.box[at])
            if offers.boxes.cost[box] >= paid:
                break
            if classes.bundles[box] > 0 and admits(classes, bundles, rules, bundle, box):
                leave(classes, bundles, bundle)
                enter(classes, bundles, bundle, box)
                total += (offers.boxes.cost[box] - paid) * bundles.rows[bundle]
                break
    return total
