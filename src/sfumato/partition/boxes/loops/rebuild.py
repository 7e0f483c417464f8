"""The loop that gives bundles without a box the boxes that cost them least, with others where it takes others.

The dearest bundle comes first. It may join an open box, or open one with bundles that have none either, or, where
neither can be, with bundles of other classes that can spare them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.compiled import inner
from sfumato.partition.boxes.loops.choosing import (
    ALONE,
    HELP,
    LISTING,
    MOVED,
    NEVER,
    POOL,
    SLACK,
    WORK,
    Bench,
    Offers,
    assembled,
    drawn,
    entered,
    from_around,
    from_pool,
)
from sfumato.partition.boxes.loops.classes import Bundles, OpenBoxes, Rules, admits, can_spare, enter, leave

__all__ = ["rebuilt"]

_NOTHING = np.int64(0)
_LOOKS = 20_000
"""Bundles that are looked at, about, to open a box for one of them."""
_SKIPPED = 50
"""In a hundred: boxes that are not looked at when one is opened with bundles of others, by chance, so that another try
finds another one."""


@inner
def _settled(
    offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int, worth: int
) -> Any:
    """Give a bundle a box; how much more than prices that costs, or never if it would be as much as is not worth it."""
    item, rows, price = bundles.item[bundle], bundles.rows[bundle], bundles.price[bundle]
    chosen: Any = np.int64(-1)
    best, joins = worth, False
    enough = bench.numbers[WORK] + _LOOKS
    for place in range(offers.start[item], offers.start[item + 1]):
        box = np.int64(offers.box[place])
        cost = offers.boxes.cost[box]
        rise = (cost - price) * rows
        if rise >= best or bench.numbers[WORK] > enough:
            break
        if classes.bundles[box] > 0 and admits(classes, bundles, rules, bundle, box):
            best, chosen, joins = rise, box, True
        elif cost <= price + bench.numbers[SLACK] and bench.listing[box] == bench.numbers[LISTING]:
            count = from_pool(offers, bundles, classes, bench, bundle, box)
            paid = assembled(bundles, classes, rules, bench, bundle, box, count, rise, best, ALONE)
            if paid < best:
                best, chosen, joins = paid, box, False
    if joins:
        enter(classes, bundles, bundle, chosen)
        return best
    if chosen >= 0:
        count = from_pool(offers, bundles, classes, bench, bundle, chosen)
        assembled(bundles, classes, rules, bench, bundle, chosen, count, _NOTHING, NEVER, ALONE)
        entered(bundles, classes, bench, bundle, chosen, count)
        return best
    return _helped(offers, bundles, classes, rules, bench, bundle, worth)


@inner
def _helped(
    offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int, worth: int
) -> Any:
    """Find a box for a bundle with what other classes can spare; it is left out if that cannot be."""
    item, rows, hidden = bundles.item[bundle], bundles.rows[bundle], len(classes.cost) - 1
    price = bundles.price[bundle]
    chosen: Any = np.int64(-1)
    best = worth
    enough = bench.numbers[WORK] + bench.numbers[HELP]
    for turn in range(2):
        for place in range(offers.start[item], offers.start[item + 1]):
            box = np.int64(offers.box[place])
            first = (classes.cost[box] - price) * rows
            if bench.numbers[WORK] > enough or first >= best:
                break
            if chosen >= 0 and (turn == 1 or classes.cost[box] > price + bench.numbers[SLACK] // 3):
                break
            if turn == 0 and drawn(bench, np.int64(100)) < _SKIPPED:
                continue
            count = from_around(offers, bundles, classes, rules, bench, bundle, box, ALONE)
            if bench.numbers[MOVED] + count > len(bench.moved):  # more than could be undone
                break
            paid = assembled(bundles, classes, rules, bench, bundle, box, count, first, best, ALONE)
            if paid < best:
                best, chosen = paid, box
    if chosen < 0:
        hiding = (classes.cost[hidden] - price) * rows
        if hiding >= worth:
            return NEVER
        enter(classes, bundles, bundle, hidden)
        return hiding
    count = from_around(offers, bundles, classes, rules, bench, bundle, chosen, ALONE)
    assembled(bundles, classes, rules, bench, bundle, chosen, count, _NOTHING, NEVER, ALONE)
    entered(bundles, classes, bench, bundle, chosen, count)
    return best


@inner
def _shuffled(bundles: Bundles, bench: Bench, noise: int) -> None:
    """Sort the pool by falling price, in which it may err by chance."""
    for place in range(bench.numbers[POOL]):
        bundle, was, at = bench.pool[place], bench.was[place], place
        key = bundles.price[bundle] // 1000 * (1000 + (drawn(bench, np.int64(1000)) - 500) * noise // 100)
        while at > 0 and bench.key[at - 1] < key:
            bench.pool[at], bench.was[at], bench.key[at] = bench.pool[at - 1], bench.was[at - 1], bench.key[at - 1]
            at -= 1
        bench.pool[at], bench.was[at], bench.key[at] = bundle, was, key


@inner
def rebuilt(
    offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, noise: int, worth: int
) -> Any:
    """Give every bundle of the pool that has none a box; what these cost then, and what others cost more.

    noise    in a hundred: how much the order may differ from that of prices, by chance; the first solution has none,
             and its pool is in order
    worth    what it may not cost: it ends as soon as it would, by prices, with bundles that have no box
    """
    bench.numbers[LISTING] += 1
    bench.numbers[MOVED] = 0
    used, size, total = 0, bench.numbers[POOL], np.int64(0)
    for place in range(size):
        bundle = bench.pool[place]
        item, most = bundles.item[bundle], bundles.price[bundle] + bench.numbers[SLACK]
        if classes.box[bundle] < 0:
            total += bundles.price[bundle] * bundles.rows[bundle]
            for at in range(offers.start[item], offers.start[item + 1]):
                box = offers.box[at]
                if offers.boxes.cost[box] > most or used == len(bench.listed):
                    break
                if bench.listing[box] != bench.numbers[LISTING]:
                    bench.listing[box], bench.head[box] = bench.numbers[LISTING], -1
                bench.listed[used], bench.next[used] = bundle, bench.head[box]
                bench.head[box] = used
                used += 1
    bench.numbers[WORK] += used
    if noise > 0:
        _shuffled(bundles, bench, noise)
    for place in range(size):
        if noise == 0:  # nobody undoes the first solution
            bench.numbers[MOVED] = 0
        if classes.box[bench.pool[place]] < 0:
            more = _settled(offers, bundles, classes, rules, bench, bench.pool[place], worth - total)
            if more == NEVER:
                return NEVER
            total += more
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
