"""The search for classes: boxes that could be used, prices of rows, a first solution, and steps that make it better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.models.contract import Gauge
from sfumato.partition.boxes.items import WHOLE, BoxItems
from sfumato.partition.contract import Task

if TYPE_CHECKING:
    from sfumato.partition.boxes.loops.choosing import Bench, Offers
    from sfumato.partition.boxes.loops.classes import Bundles, OpenBoxes, Rules
    from sfumato.partition.boxes.loops.walk import Found

__all__ = ["Search", "offered", "priced", "rules_of"]

Ints = NDArray[np.int64]

_MORE, _BEYOND, _MEAN, _CROWDED = 1.5, 0.3 / 8, 2, 1.2
"""Boxes are looked at that cost an item no more than so many times its cheapest one, and so much of a row beside, but
no more than so many times the mean; or so many times the cheapest in which there is room for its value."""
_ROOM = 60_000_000
"""BoxItems of all boxes together, at most."""
_NARROWER = 0.6
"""What is beyond the cheapest is cut down to, as often as it takes."""
_SLACK = WHOLE // 27
"""What a row may pay beyond its price in a box that is opened."""
_FIRST = 3
"""How many times more that is when all boxes are new."""
_FIRST_HELP, _HELP, _LATE_HELP = 5000, 300, 1000
"""Items that are looked at, about, to find a place for a row: in the first solution, in a step, and in one after so
much work for each item that little is gained by less."""
_LATE = 2000
_ENDLESS = 1 << 62
_SINGLE = 4
"""Rows of an item beyond those a class needs that move one by one; the others move together, unless counts matter."""
_CHUNK = 1000
"""Steps from one word about progress to the next, at most; no more than there are bundles."""
_PATIENCE = 30
"""Steps for every bundle in which no chunk gains a ten-thousandth, before it ends."""


def offered(items: BoxItems) -> Found:
    """Boxes that are worth looking at, in order of rising cost."""
    from sfumato.partition.boxes.loops.walk import Found, walk

    least, roomy = np.full((2, len(items)), WHOLE + 1, dtype=np.int64)
    given = items.codes, items.values, items.rows, items.heights, items.needs, items.shares, least
    walk(*given, roomy, True, 0)
    mean = np.average(least, weights=items.rows)
    beyond = least * (_MORE - 1) + min(_BEYOND * WHOLE, _MEAN * mean)
    beyond = np.maximum(beyond, roomy * _CROWDED - least)
    while True:
        found = walk(*given, (least + beyond).astype(np.int64), False, _ROOM)
        if len(found.start) == len(found.cost) + 1:
            break
        beyond = beyond * _NARROWER
    order = np.argsort(found.cost, kind="stable")
    sizes = np.diff(found.start)[order]
    start = np.concatenate(([0], np.cumsum(sizes)))
    places = np.repeat(found.start[:-1][order] - start[:-1], sizes) + np.arange(start[-1])
    return Found(found.cost[order], start, found.member[places])


def priced(items: BoxItems, boxes: Found) -> Ints:
    """Fair prices, as far as these boxes go."""
    from sfumato.partition.boxes.loops.raising import raised

    room = int(np.diff(boxes.start).max(initial=1))
    prices: Ints = raised(boxes, items.values, items.rows, items.needs, room, len(items.shares))
    return prices


@dataclass(eq=False)
class Search:
    """OpenBoxes that change."""

    items: BoxItems
    offers: Offers
    bundles: Bundles
    classes: OpenBoxes
    rules: Rules
    bench: Bench
    cost: int

    @classmethod
    def of(cls, task: Task, items: BoxItems, gauge: Gauge) -> Search:
        from sfumato.partition.boxes.loops.choosing import HELP, SLACK, Offers
        from sfumato.partition.boxes.loops.raising import listed
        from sfumato.partition.boxes.loops.steps import improve

        boxes = offered(items)
        offers = Offers(boxes, *listed(boxes, len(items)))
        rules = rules_of(gauge, int(items.values.max()) + 1)
        most = int(items.rows.max()) if gauge.tests else max(rules.rows, rules.values) + _SINGLE
        bundles = _bundled(items, priced(items, boxes), most)
        classes = _none_open(bundles, boxes.cost, len(rules.whole))
        chance = task.randomness.numbers(1, "boxes")
        bench = _bench(
            bundles, offers, len(rules.whole), max(rules.rows, rules.values), int(chance[0] >> np.uint64(1)) | 1
        )
        bench.numbers[SLACK], bench.numbers[HELP] = _FIRST * _SLACK, _FIRST_HELP
        cost = -int(improve(offers, bundles, classes, rules, bench, 0, _ENDLESS))
        bench.numbers[SLACK] = _SLACK
        return cls(items, offers, bundles, classes, rules, bench, cost)

    def improve(self, task: Task, work: int, whole: int) -> None:
        """Steps until so much of the whole work is done, or nothing is gained any more."""
        from sfumato.partition.boxes.loops.choosing import HELP, WORK
        from sfumato.partition.boxes.loops.steps import improve

        idle, numbers, chunk = 0, self.bench.numbers, min(_CHUNK, len(self.bundles.item))
        numbers[WORK] = 0
        while numbers[WORK] < work and idle < _PATIENCE * len(self.bundles.item):
            numbers[HELP] = _HELP if numbers[WORK] < _LATE * len(self.items) else _LATE_HELP
            gained = int(improve(self.offers, self.bundles, self.classes, self.rules, self.bench, chunk, work))
            self.cost -= gained
            idle = 0 if gained * 10_000 > self.cost else idle + chunk
            task.progress("boxes", min(int(numbers[WORK]), work), whole)

    def labels(self) -> Ints:
        """The box of every row of every item, item after item; -1 if it is left out."""
        box = np.where(self.classes.box == len(self.classes.cost) - 1, -1, self.classes.box)
        return np.repeat(box, self.bundles.rows)


def rules_of(gauge: Gauge, values: int) -> Rules:
    from sfumato.partition.boxes.loops.classes import DISTANCE, ENTROPY, MOST, TOPS, Rules

    kinds = {"most": MOST, "tops": TOPS, "entropy": ENTROPY, "distance": DISTANCE}
    tests = np.array([(kinds[kind], *numbers) for kind, *numbers in gauge.tests], dtype=np.float64).reshape(-1, 4)
    whole = np.zeros(values) if gauge.whole is None else np.asarray(gauge.whole / max(int(gauge.whole.sum()), 1))
    return Rules(gauge.rows, gauge.values, tests, whole)


def _bundled(items: BoxItems, prices: Ints, single: int) -> Bundles:
    """So many rows of an item one by one, and what is more with the first of them."""
    from sfumato.partition.boxes.loops.classes import Bundles

    number = np.minimum(items.rows, single)
    item = np.repeat(np.arange(len(items)), number)
    first = np.concatenate(([0], np.cumsum(number)))
    rows = np.ones(len(item), dtype=np.int64)
    rows[first[:-1]] += items.rows - number
    return Bundles(item.astype(np.int32), rows, items.values[item], prices[item], first)


def _none_open(bundles: Bundles, cost: Ints, values: int) -> OpenBoxes:
    from sfumato.partition.boxes.loops.classes import OpenBoxes

    count, boxes = len(bundles.item), len(cost) + 1
    room = count + 1
    free = np.concatenate(([room - 1], np.arange(1, room), [0]))
    box, after, before = np.full((3, count), -1, dtype=np.int64)
    open_, rows, different, place = np.zeros((4, boxes), dtype=np.int64)
    made = OpenBoxes(
        box, bundles.price.copy(), after, before, np.full(boxes, -1), open_, rows, different, place,
        np.zeros((room, values), dtype=np.int64), free, np.append(cost, 2 * WHOLE),
        np.zeros((room, 2, values), dtype=np.int8),
    )  # fmt: skip
    made.bundles[-1], made.rows[-1], made.values[-1] = 1, 1 << 50, 1 << 50  # always open
    return made


def _bench(bundles: Bundles, offers: Offers, values: int, needed: int, chance: int) -> Bench:
    from sfumato.partition.boxes.loops.choosing import CHANCE, POOL, Bench

    count, boxes = len(bundles.item), len(offers.boxes.cost)
    was, key, candidate, rise, chosen = np.zeros((5, count), dtype=np.int64)
    pool = np.argsort(-bundles.price, kind="stable")
    moved, moved_from = np.zeros((2, 64 * (2 * needed + 8)), dtype=np.int64)
    listing, head, drawn, drawn_at = np.zeros((4, boxes + 1), dtype=np.int64)
    room = int(np.diff(offers.start)[bundles.item].sum())
    following, entries = np.zeros((2, max(room, 1)), dtype=np.int64)
    numbers = np.zeros(8, dtype=np.int64)
    numbers[CHANCE], numbers[POOL] = chance, count
    return Bench(
        pool, was, moved, moved_from, key, listing, head, following, entries, candidate, rise,
        chosen, np.zeros(values, dtype=np.int64), drawn, drawn_at, numbers,
    )  # fmt: skip
