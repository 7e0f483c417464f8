"""The loop of the search: a few near classes are dissolved and built anew, and it stays so if it costs no more."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.partition.boxes.loops.choosing import (
    ANYONE,
    MOVED,
    NEVER,
    POOL,
    WORK,
    Bench,
    Offers,
    assembled,
    drawn,
    entered,
    from_around,
)
from sfumato.partition.boxes.loops.classes import Bundles, OpenBoxes, Rules, can_spare, enter, leave
from sfumato.partition.boxes.loops.rebuild import rebuilt

__all__ = ["improve"]

Ints = NDArray[np.int64]

_NOTHING = np.int64(0)
_TRIES = 12
"""Looks around for classes to dissolve."""
_CLASSES = 3, 8
"""How many of them, at least and at most."""
_BIG = 20
"""Bundles of a class that is not dissolved, but may give one that it can spare."""
_POOL = 30
"""Bundles that are given new boxes at a time, about."""
_NOISE = 20
_ASIDE = 64
"""Bundles that are left out, to choose from."""
_AIMED = 80
"""In a hundred: steps that begin with one box that is cheaper for a bundle, rather than with classes around it."""
_DRAWN = 6
"""Bundles to choose the one from that pays most beyond its price."""


@inner
def _pooled(bundles: Bundles, classes: OpenBoxes, bench: Bench, bundle: int) -> Any:
    """Take a bundle out of its box and into the pool; what it cost."""
    size = bench.numbers[POOL]
    bench.pool[size], bench.was[size] = bundle, classes.box[bundle]
    bench.numbers[POOL] += 1
    cost = classes.paid[bundle] * bundles.rows[bundle]
    leave(classes, bundles, bundle)
    return cost


@inner
def _all_pooled(bundles: Bundles, classes: OpenBoxes, bench: Bench, box: int) -> Any:
    """Take a whole class into the pool; what it cost."""
    cost, member = _NOTHING, classes.head[box]
    while member >= 0:
        following = classes.after[member]
        cost += _pooled(bundles, classes, bench, member)
        member = following
    return cost


@inner
def _released(bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int) -> Any:
    """Take a bundle into the pool, with all of its class if that cannot be without it; what they cost, or less than
    nothing if they are too many."""
    box = classes.box[bundle]
    if can_spare(classes, bundles, rules, bundle):
        return _pooled(bundles, classes, bench, bundle)
    if classes.bundles[box] > _BIG:
        return np.int64(-1)
    return _all_pooled(bundles, classes, bench, box)


@inner
def _dissolved(offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int) -> Any:
    """Take bundles around one into the pool: its class, and some that hold what could be in a box with it."""
    item, hidden, cost, found = bundles.item[bundle], len(classes.cost) - 1, np.int64(0), 0
    wanted, box, near = _CLASSES[0] + drawn(bench, np.int64(_CLASSES[1] - _CLASSES[0] + 1)), classes.box[bundle], bundle
    count = offers.start[item + 1] - offers.start[item]
    for _ in range(_TRIES):
        size = bench.numbers[POOL]
        if found == wanted or size >= _POOL:
            break
        if box == hidden or (box >= 0 and classes.bundles[box] > _BIG):
            if can_spare(classes, bundles, rules, near):
                cost += _pooled(bundles, classes, bench, near)
        elif box >= 0 and size + classes.bundles[box] <= _POOL:
            found += 1
            cost += _all_pooled(bundles, classes, bench, box)
        chosen = offers.box[offers.start[item] + min(drawn(bench, count), drawn(bench, count))]
        first, end = offers.boxes.start[chosen], offers.boxes.start[chosen + 1]
        other = offers.boxes.member[first + drawn(bench, end - first)]
        near = bundles.first[other] + drawn(bench, bundles.first[other + 1] - bundles.first[other])
        box = classes.box[near]
    return cost


@inner
def _undone(bundles: Bundles, classes: OpenBoxes, bench: Bench) -> None:
    """Everything where it was."""
    for place in range(bench.numbers[POOL]):
        if classes.box[bench.pool[place]] >= 0:
            leave(classes, bundles, bench.pool[place])
    for place in range(bench.numbers[MOVED] - 1, -1, -1):
        bundle = bench.moved[place]
        if classes.box[bundle] >= 0:
            leave(classes, bundles, bundle)
        enter(classes, bundles, bundle, bench.moved_from[place])
    for place in range(bench.numbers[POOL]):
        if classes.box[bench.pool[place]] >= 0:
            leave(classes, bundles, bench.pool[place])
    for place in range(bench.numbers[POOL]):
        enter(classes, bundles, bench.pool[place], bench.was[place])


@inner
def _aimed(offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, bundle: int) -> Any:
    """Put a bundle into a cheaper box with those that gain most from it, and what cannot be without them into the pool.

    What all of these cost before, and what those in the box cost now; nothing if it cannot gain by prices.
    """
    item, paid = bundles.item[bundle], classes.paid[bundle]
    first = offers.start[item]
    low, high = first, offers.start[item + 1]
    while low < high:
        middle = (low + high) // 2
        if classes.cost[offers.box[middle]] < paid:
            low = middle + 1
        else:
            high = middle
    if low == first:
        return np.int64(0), np.int64(0)
    box = np.int64(offers.box[first + min(drawn(bench, low - first), drawn(bench, low - first))])
    rise = (classes.cost[box] - paid) * bundles.rows[bundle]
    count = from_around(offers, bundles, classes, rules, bench, bundle, box, ANYONE)
    if assembled(bundles, classes, rules, bench, bundle, box, count, rise, np.int64(0), ANYONE) == NEVER:
        return np.int64(0), np.int64(0)
    before = _released(bundles, classes, rules, bench, bundle)
    kept = before >= 0
    for at in range(count):
        if kept and bench.chosen[at] > 0 and classes.box[bench.candidate[at]] >= 0:
            cost = _released(bundles, classes, rules, bench, bench.candidate[at])
            before, kept = before + cost, cost >= 0
    after: Any = np.int64(0)
    if kept:
        after = entered(bundles, classes, bench, bundle, box, count)
    fair = after
    for place in range(bench.numbers[POOL]):
        if classes.box[bench.pool[place]] < 0:
            fair += bundles.price[bench.pool[place]] * bundles.rows[bench.pool[place]]
    if kept and fair < before:
        return before, after
    bench.numbers[MOVED] = 0
    _undone(bundles, classes, bench)
    bench.numbers[POOL] = 0
    return np.int64(0), np.int64(0)


@inner
def _chosen(bundles: Bundles, classes: OpenBoxes, bench: Bench) -> Any:
    """A bundle that is left out, every other time; or the one of some that pays most beyond its price."""
    count, hidden = len(bundles.item), classes.head[-1]
    if hidden >= 0 and drawn(bench, np.int64(2)) == 0:
        for _ in range(drawn(bench, min(_ASIDE, classes.bundles[-1]))):
            hidden = classes.after[hidden] if classes.after[hidden] >= 0 else hidden
        return hidden
    bundle = drawn(bench, count)
    for _ in range(_DRAWN - 1):
        other = drawn(bench, count)
        if classes.paid[other] - bundles.price[other] > classes.paid[bundle] - bundles.price[bundle]:
            bundle = other
    return bundle


@compiled
def improve(
    offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench, steps: int, work: int
) -> Any:
    """Try so many times, or until so much work is done; how much less it costs.

    With no steps at all, those of the pool get their first boxes, in its order; then how much these cost, below 0.
    """
    gained, first = np.int64(0), steps == 0
    for _ in range(max(steps, 1)):
        if bench.numbers[WORK] >= work:
            break
        before, after, worth, noise = np.int64(0), np.int64(0), NEVER, np.int64(0)
        if not first:
            bundle = _chosen(bundles, classes, bench)
            bench.numbers[POOL] = 0
            if drawn(bench, np.int64(100)) < _AIMED:
                before, after = _aimed(offers, bundles, classes, rules, bench, bundle)
            else:
                before = _dissolved(offers, bundles, classes, rules, bench, bundle)
            worth, noise = before - after + 1, np.int64(_NOISE)
        if bench.numbers[POOL] == 0:
            continue
        after += rebuilt(offers, bundles, classes, rules, bench, noise, worth)
        if first or after <= before:
            gained += before - after
        else:
            _undone(bundles, classes, bench)
    return gained
