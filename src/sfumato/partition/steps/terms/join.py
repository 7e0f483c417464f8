"""Joining groups where that saves more terms than it blurs: a group that loses terms is tried with its nearest one.

Removals of the joined group are searched anew. A join is taken if the weighted loss falls; groups are tried in the
order of what they lose, each result again, so that larger groups form where they pay. The order depends on content
alone.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.partition.steps.terms.balance import Balance
from sfumato.partition.steps.terms.gather import GroupBoxes
from sfumato.partition.steps.terms.search import Removal
from sfumato.partition.steps.terms.suppression import Asked, Settling

__all__ = ["join_where_cheaper"]

Ints = NDArray[np.int64]
_TRIES = 4


@dataclass(eq=False)
class _Joiner:
    """Groups by place, with their boxes, and what the terms of each cost by column."""

    step: Settling
    balance: Balance
    places: list[int]
    boxes: GroupBoxes
    wholes: list[float]
    paid: NDArray[np.float64]

    def price(self, asked: Asked, rows: Ints, removal: Removal | None) -> float:
        if removal is None or removal.keep is None:
            return 0.0
        lost = ~np.concatenate([np.zeros(0, np.bool_), *removal.keep])
        return float(self.balance.price(asked.column, asked.codes[rows], lost).sum())

    def join(self, place: int) -> int | None:
        """The place of the joined group if the loss falls by it."""
        other = self.boxes.nearest(place)
        if not np.isfinite(self.boxes.blurred(place)[other]):
            return None
        step, names = self.step, [asked.column.name for asked in self.step.asked]
        rows = np.concatenate([step.groups[self.places[place]], step.groups[self.places[other]]])
        rows = rows[np.argsort(step.task.table.content[rows], kind="stable")]
        removals = [step.removal(asked, rows) for asked in step.asked]
        if any(removal is not None and removal.keep is None for removal in removals):
            return None
        pairs = zip(step.asked, removals, strict=True)
        costs = np.array([self.price(asked, rows, removal) for asked, removal in pairs])
        saved = float(((self.paid[place] + self.paid[other] - costs) / self.wholes).mean())
        blurred = float(self.boxes.blurred(place)[other]) / self.boxes.scale
        if self.balance.weight * saved <= (1 - self.balance.weight) * blurred + 1e-12:
            return None
        kept, gone = min(place, other), max(place, other)
        step.groups[self.places[kept]] = rows
        del step.groups[self.places[gone]]
        for name, removal in zip(names, removals, strict=True):
            step.removals.pop((name, self.places[gone]), None)
            step.removals.pop((name, self.places[kept]), None)
            if removal is not None:
                step.removals[name, self.places[kept]] = removal
        step.joined += 1
        self.paid[kept], self.paid[gone] = costs, 0.0
        self.boxes.join(kept, gone)
        return kept


def join_where_cheaper(step: Settling, balance: Balance) -> int:
    """Join groups of a settled step as long as that lowers the weighted loss; how many joins."""
    places = sorted(each for each in step.groups if each != step.hidden)
    if len(places) < 2 or balance.weight == 0:
        return 0
    wholes = [float(balance.price(each.column, each.codes).sum()) or 1.0 for each in step.asked]
    boxes = GroupBoxes.of(step.task, [step.groups[each] for each in places])
    joiner = _Joiner(step, balance, places, boxes, wholes, np.zeros((len(places), len(step.asked))))
    for at, each in enumerate(places):
        for column, asked in enumerate(step.asked):
            removal = step.removals.get((asked.column.name, each))
            joiner.paid[at, column] = joiner.price(asked, step.groups[each], removal)
    waiting = [(-float((joiner.paid[at] / wholes).sum()), at) for at in range(len(places)) if joiner.paid[at].any()]
    heapq.heapify(waiting)
    joins, tries = 0, _TRIES * len(places)
    while waiting and tries:
        loss, at = heapq.heappop(waiting)
        if loss != -float((joiner.paid[at] / wholes).sum()) or not loss:
            continue  # it was joined meanwhile
        tries -= 1
        kept = joiner.join(at)
        if kept is not None:
            joins += 1
            if joiner.paid[kept].any():
                heapq.heappush(waiting, (-float((joiner.paid[kept] / wholes).sum()), kept))
    return joins
