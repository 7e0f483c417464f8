"""One group laid out for a search: its rows in an order of their own, and what each may become at what cost."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.knowledge.aim import aim_at, spread
from sfumato.knowledge.belief import LabelPromise, Mass
from sfumato.knowledge.linking import UNKNOWN, TermSets, Unknown, exact_chances
from sfumato.knowledge.loops.links import chances_of
from sfumato.knowledge.loops.margin import CL, Aim, Choices, Desk, desk_for
from sfumato.knowledge.table import Knowledge
from sfumato.partition.steps.terms.costs import Cost, TermPrices
from sfumato.partition.steps.terms.loops.bounds import OptionClasses, counted_worths, worths
from sfumato.partition.steps.terms.loops.options import LONGEST, OptionTable, options_of

__all__ = ["TermGroup"]

Ints = NDArray[np.int64]
_OPTIONS, _ROOM = 1 << 13, 1 << 21
_ALL = 1 << 24
_UNITS = 1 << 61


@dataclass(frozen=True, eq=False)
class TermGroup:
    """Rows of a group with their options, cheapest first.

    `order[i]` is the place in the given group of the i-th row here: unlinked rows first, then by content, so that a
    result does not depend on the order of rows or terms. Row i's terms are `sets[i]`, and `places[i]` says where each
    stood in the given row. `links` are `choices` before labels were spread over the nodes of a tree. Costs are in units
    of 1 / `prices.scale`, or of `coarse` times that where they would not fit otherwise (rounded down).
    """

    knowledge: Knowledge
    promise: LabelPromise
    aim: Aim
    order: Ints
    sets: TermSets
    places: tuple[Ints, ...]
    kept: Ints
    links: Choices
    choices: Choices
    classes: OptionClasses
    complete: bool
    prices: TermPrices
    coarse: int

    @classmethod
    def of(
        cls,
        knowledge: Knowledge,
        sets: TermSets,
        promise: LabelPromise,
        cost: Cost,
        unknown: Unknown,
        lengths: Ints | None,
    ) -> TermGroup:
        least = np.zeros(len(sets), np.int64) if lengths is None else np.asarray(lengths, np.int64)
        places = [np.argsort(sets[row], kind="stable") for row in range(len(sets))]
        keys = [(*sets[row][places[row]].tolist(), -2, int(least[row])) for row in range(len(sets))]
        order = sorted(range(len(sets)), key=keys.__getitem__)
        ends = np.concatenate([[0], np.cumsum(sets.lengths[order])]).astype(np.int64)
        codes = np.concatenate([np.empty(0, np.int32), *(sets[row][places[row]] for row in order)])
        listed = _listed(knowledge, TermSets(ends, codes), least[order], unknown)
        loose = listed.begins[listed.rows[:-1] + 1] == listed.begins[listed.rows[:-1]]
        ranks = np.argsort(np.argsort(~loose, kind="stable"))
        prices = cost.priced(np.diff(ends).tolist(), [codes[a:b].tolist() for a, b in itertools.pairwise(ends)])
        coarse = -(-prices.whole // _UNITS) or 1
        costs = _costs(listed, prices, np.diff(ends), coarse)
        aim = aim_at(promise, knowledge, len(sets))
        kept, links = _sorted(listed, costs, ranks, aim, promise, int(loose.sum()))
        choices = spread(promise, links)
        settled = np.argsort(ranks)
        alike = np.zeros(len(sets), np.bool_)
        for row in range(1, len(sets)):
            alike[row] = keys[order[settled[row]]] == keys[order[settled[row - 1]]]
        final = TermSets(ends, codes).take(settled)
        return cls(
            knowledge,
            promise,
            aim,
            np.array(order, np.int64)[settled],
            final,
            tuple(places[order[row]] for row in settled),
            kept,
            links,
            choices,
            _classes(choices, aim, int(loose.sum()), alike),
            bool(listed.complete.all()),
            TermPrices(
                tuple(prices.by_count[row] for row in settled),
                tuple(prices.by_term[row] for row in settled),
                prices.scale,
            ),
            coarse,
        )

    @property
    def rows(self) -> int:
        return len(self.order)

    def desk(self) -> Desk:
        """Room for a search."""
        return desk_for(len(self.aim.prior), self.rows, self.aim.l)

    def mass(self, chosen: Ints) -> Mass:
        """The group's mass under some options, exactly."""
        links: list[tuple[NDArray[np.int32], Sequence[Fraction] | None]] = []
        for row, option in enumerate(chosen):
            labels = self.links.labels[self.links.begins[option] : self.links.begins[option + 1]]
            chances = None
            if self.knowledge.weighted and len(labels):
                chances = exact_chances(self.knowledge, self.sets[row][self.stays(row, int(option))], labels)
            links.append((labels, chances))
        return Mass.of(links, self.rows)

    def stays(self, row: int, option: int) -> NDArray[np.bool_]:
        """Which terms of a row, in its order here, stay under an option."""
        return np.asarray(_stays(self.kept[option : option + 1], int(self.sets.lengths[row]))[0])

    def units(self, chosen: Ints) -> int:
        """The exact cost of some options, in units of 1 / `prices.scale`."""
        total = 0
        for row, option in enumerate(chosen):
            gone = ~self.stays(row, int(option))
            total += self.prices.by_count[row][int(gone.sum())]
            total += sum(price for price, lost in zip(self.prices.by_term[row], gone, strict=True) if lost)
        return total


class _Listed(NamedTuple):
    """Options of all rows, one after the other: what is kept, the labels linked, how likely each is.

    Row i has the options `rows[i]..rows[i + 1] - 1`, option o the labels `labels[begins[o]:begins[o + 1]]`. The first
    option of a row is to keep everything. `complete[i]` says that no cheaper or other option was left out.
    """

    rows: Ints
    kept: Ints
    begins: Ints
    labels: NDArray[np.int32]
    chances: NDArray[np.float64]
    complete: NDArray[np.bool_]


def _listed(knowledge: Knowledge, sets: TermSets, least: Ints, unknown: Unknown) -> _Listed:
    table = OptionTable(*knowledge.postings, knowledge.row_labels, knowledge.row_lengths)
    room = min(_ROOM, _ALL // max(len(sets), 1))  # labels of all options of a row; of all rows, what memory bears
    subsets = len(knowledge.likelihood) > 0
    rows, kept, begins, labels, complete = options_of(
        table, sets.offsets, sets.codes, least, unknown == "strict", subsets, _OPTIONS, room
    )
    kept, begins, labels = kept[: rows[-1]], begins[: rows[-1] + 1], labels[: begins[rows[-1]]]
    stay = _kept_terms(sets, rows, kept) if subsets else TermSets(np.zeros(len(begins), np.int64), sets.codes[:0])
    chances = chances_of(begins, labels, stay.offsets, stay.codes, knowledge.prior_weights, knowledge.likelihood)
    return _Listed(rows, kept, begins, labels, chances, complete)


def _kept_terms(sets: TermSets, rows: Ints, kept: Ints) -> TermSets:
    """The terms that every option of every row keeps, with gaps where others went."""
    counts = np.diff(rows)
    codes = [
        np.where(_stays(kept[rows[at] : rows[at + 1]], len(sets[at])), sets[at], UNKNOWN) for at in range(len(sets))
    ]
    ends = np.concatenate([[0], np.cumsum(np.repeat(sets.lengths, counts))]).astype(np.int64)
    return TermSets(ends, np.concatenate([np.empty(0, np.int32), *(each.ravel() for each in codes)], dtype=np.int32))


def _stays(kept: Ints, width: int) -> NDArray[np.bool_]:
    """Which terms of a row stay, for every kept set of it: of a row with more terms than bits, all or none."""
    bits = np.arange(width) if width <= LONGEST else np.zeros(width, np.int64)
    return np.asarray(kept[:, None] >> bits & 1, np.bool_)


def _costs(listed: _Listed, prices: TermPrices, widths: Ints, coarse: int) -> Ints:
    """What every option costs, in whole coarse units."""
    costs = np.empty(len(listed.kept), np.int64)
    for row, width in enumerate(widths):
        first, stop = listed.rows[row], listed.rows[row + 1]
        lost = ~_stays(listed.kept[first:stop], int(width))
        costs[first:stop] = np.array([price // coarse for price in prices.by_count[row]], np.int64)[lost.sum(axis=1)]
        if any(prices.by_term[row]):
            costs[first:stop] += lost @ np.array([price // coarse for price in prices.by_term[row]], np.int64)
    return costs


def _sorted(
    listed: _Listed, costs: Ints, ranks: Ints, aim: Aim, promise: LabelPromise, loose: int
) -> tuple[Ints, Choices]:
    """Rows by rank; within a row options by cost, then the best for the promise, then what they keep."""
    rows = np.diff(listed.rows)
    choices = Choices(listed.rows, costs, listed.begins, listed.labels, listed.chances)
    ease = worths(aim, spread(promise, choices), len(rows) - loose, len(rows) - loose)[0]
    order = np.lexsort((-listed.kept, ease, costs, np.repeat(ranks, rows)))
    sizes = np.diff(listed.begins)[order]
    begins = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    places = np.arange(begins[-1]) + np.repeat(listed.begins[:-1][order] - begins[:-1], sizes)
    firsts = np.concatenate([[0], np.cumsum(rows[np.argsort(ranks)])]).astype(np.int64)
    return listed.kept[order], Choices(firsts, costs[order], begins, listed.labels[places], listed.chances[places])


def _classes(choices: Choices, aim: Aim, loose: int, alike: NDArray[np.bool_]) -> OptionClasses:
    """Options of equal cost together; keeping an unlinked row as it is stands alone, even if removing is free."""
    total = len(choices.rows) - 1
    new = np.diff(choices.costs, prepend=-1) != 0
    new[choices.rows[:-1]] = True
    sizes = np.diff(choices.begins)
    new[1:] |= (sizes[1:] > 0) != (sizes[:-1] > 0)
    firsts = np.flatnonzero(new)
    rows, costs = np.searchsorted(firsts, choices.rows).astype(np.int64), choices.costs[firsts]
    most = np.maximum.reduceat(sizes, firsts).astype(np.float64)
    if aim.kind == CL:
        table = counted_worths(aim, rows, most)
    else:
        table = np.minimum.reduceat(worths(aim, choices, total - loose, total), firsts, axis=1)
    change = np.full(total + 1, _UNITS // (total + 1))
    wide = np.zeros(total + 1)
    for row in range(total - 1, -1, -1):
        change[row] = min(change[row + 1], costs[rows[row] + 1 : rows[row + 1]].min(initial=change[row + 1]))
        wide[row] = max(wide[row + 1], most[rows[row]])
    ends = np.append(firsts, len(choices.costs)).astype(np.int64)
    widest, least = np.maximum.reduceat(most, rows[:-1]), np.minimum.reduceat(table, rows[:-1], axis=1)
    return OptionClasses(rows, ends, costs, most, table, widest, least, loose, alike, change, wide)
