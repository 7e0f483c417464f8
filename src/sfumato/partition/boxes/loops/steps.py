"""The loop of the search: a few near classes are dissolved and built anew, and it stays so if it costs no more."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.partition.boxes.loops.classes import Bundles, OpenBoxes, Rules, can_spare, enter, leave
from sfumato.partition.boxes.loops.rebuild import MOVED, POOL, SLACK, WORK, Bench, Offers, drawn, rebuilt

__all__ = ["begin", "improve"]

Ints = NDArray[np.int64]

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
_DRAWN = 4
"""Bundles to choose the one from that pays most beyond its price."""


@compiled
def begin(offers: Offers, bundles: Bundles, classes: OpenBoxes, rules: Rules, bench: Bench) -> Any:
    """Give all bundles their first boxes; what it costs."""
    bench.numbers[POOL] = len(bundles.item)
    bench.pool[: len(bundles.item)] = np.arange(len(bundles.item))
    usual = bench.numbers[SLACK]
    bench.numbers[SLACK] = classes.cost[-1]
    cost = rebuilt(offers, bundles, classes, rules, bench, np.int64(0))
    bench.numbers[SLACK] = usual
    return cost


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
            member = classes.head[box]
            while member >= 0:
                following = classes.after[member]
                cost += _pooled(bundles, classes, bench, member)
                member = following
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
    """Try so many times, or until so much work is done; how much less it costs."""
    gained = np.int64(0)
    for _ in range(steps):
        if bench.numbers[WORK] >= work:
            break
        bundle = _chosen(bundles, classes, bench)
        bench.numbers[POOL] = 0
        before = _dissolved(offers, bundles, classes, rules, bench, bundle)
        if bench.numbers[POOL] == 0:
            continue
        after = rebuilt(offers, bundles, classes, rules, bench, np.int64(_NOISE))
        if after <= before:
            gained += before - after
        else:
            _undone(bundles, classes, bench)
    return gained
