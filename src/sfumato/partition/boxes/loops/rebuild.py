"""The loop that gives bundles without a box the boxes that cost them least, with others where it takes others.

The dearest bundle comes first. It may join an open box, or open one with bundles that have none either, or, where
neither can be, with bundles of other classes that can spare them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sfumato.compiled import inner
from sfumato.partition.boxes.loops.choosing import (
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
_HELP = 5000
"""Items that are looked at, about, to help one bundle."""
_SKIPPED = 70
"""In a hundred: boxes that are not looked at when one is opened with bundles of others, by chance, so that another try
finds another one."""


@inner
def _settled(offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int) -> Any:
    """Give a bundle a box; what that costs."""
    item, rows, price = bundles.item[bundle], bundles.rows[bundle], bundles.price[bundle]
    chosen: Any = np.int64(-1)
    best, joins = NEVER, False
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
            paid = assembled(bundles, classes, rules, bench, bundle, box, count, rise, best, True)
            if paid < best:
                best, chosen, joins = paid, box, False
    if joins:
        enter(classes, bundles, bundle, chosen)
        return classes.cost[chosen] * rows
    if chosen >= 0:
        count = from_pool(offers, bundles, classes, bench, bundle, chosen)
        assembled(bundles, classes, rules, bench, bundle, chosen, count, _NOTHING, NEVER, True)
        return entered(bundles, classes, bench, bundle, chosen, count)
    return _helped(offers, bundles, classes, rules, bench, bundle)


@inner
def _helped(offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int) -> Any:
    """Find a box for a bundle with what other classes can spare; it is left out if that cannot be."""
    item, rows, hidden = bundles.item[bundle], bundles.rows[bundle], len(classes.cost) - 1
    chosen: Any = np.int64(-1)
    best = NEVER
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
            if turn == 0 and drawn(bench, np.int64(100)) < _SKIPPED:
                continue
            count = from_around(offers, bundles, classes, rules, bench, bundle, box, True)
            if bench.numbers[MOVED] + count > len(bench.moved):  # more than could be undone
                break
            paid = assembled(bundles, classes, rules, bench, bundle, box, count, first, best, True)
            if paid < best:
                best, chosen = paid, box
    if chosen < 0:
        enter(classes, bundles, bundle, hidden)
        return classes.cost[hidden] * rows
    count = from_around(offers, bundles, classes, rules, bench, bundle, chosen, True)
    assembled(bundles, classes, rules, bench, bundle, chosen, count, _NOTHING, NEVER, True)
    return entered(bundles, classes, bench, bundle, chosen, count)


@inner
def rebuilt(offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, noise: int) -> Any:
    """Give every bundle of the pool that has none a box; what these cost then, and what others cost more.

    noise    in a hundred: how much the order may differ from that of prices, by chance; none in the first solution
    """
    bench.numbers[LISTING] += 1
    bench.numbers[MOVED] = 0
    used, size = 0, bench.numbers[POOL]
    for place in range(size):
        bundle = bench.pool[place]
        item, most = bundles.item[bundle], bundles.price[bundle] + bench.numbers[SLACK]
        if classes.box[bundle] < 0:
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
        if noise == 0:  # nobody undoes the first solution
            bench.numbers[MOVED] = 0
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
