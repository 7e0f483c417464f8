"""The paper's search: a tree in which every node removes one more term, depth first.

A node's children remove the terms of its tail, each inheriting what stands behind it, so that no set of terms comes up
twice. A node that costs no less than the best found is cut off, one that keeps the promise ends its branch. Adaptive:
the tail is put in order of gain for cost, by trying every term. Otherwise it stays as given.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.kernels.sorting import stable_order
from sfumato.knowledge.loops.margin import CL, Aim, Choices, Desk, margin, rising_mass

__all__ = ["Removable", "option_table", "search_tree"]

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]


class Removable(NamedTuple):
    """Terms that may go: of which row, at which place; what rows cost by number lost, terms by themselves; and
    `table[begins[i] + kept]`, the option that row i becomes, or -1 if it may not stay so."""

    rows: Ints
    bits: Ints
    by_count: Ints
    by_term: Ints
    begins: Ints
    table: Codes


@compiled
def option_table(kept: Ints, sizes: Ints, first: int, width: int, known: int, drop: bool) -> Codes:
    """For every kept set of a row the option with the same labels.

    The smallest closed set around it is that of one more term with the most labels, unless it is closed itself.
    """
    table = np.full(1 << width, -1, np.int32)
    unknown = ((1 << width) - 1) & ~known
    for at in range(len(kept) - 1, -1, -1):
        table[kept[at]] = first + at
    for mask in range((1 << width) - 1, -1, -1):
        if table[mask] >= 0:
            continue
        if drop and mask != 0 and mask & known == 0:
            continue
        if drop and table[mask | unknown] >= 0:
            table[mask] = table[mask | unknown]
            continue
        most = 0
        for bit in range(width):
            if mask >> bit & 1 == 0:
                above = table[mask | (1 << bit)]
                if above >= 0 and sizes[above - first] > most:
                    most = sizes[above - first]
                    table[mask] = above
    return table


@inner
def _look(aim: Aim, choices: Choices, options: Ints, desk: Desk, some: Ints) -> tuple[bool, float, float]:
    """Whether the promise is kept, how good the group is (labels reached, or less distance), its largest mass."""
    count, linked, allowed = 0, 0, True
    for option in options:
        if option < 0:
            allowed = False
            continue
        some[count] = option
        count += 1
        linked += choices.begins[option + 1] > choices.begins[option]
    left = margin(aim, choices, some, count, np.empty(0), 0, linked, desk)
    kept = allowed and left <= aim.slack
    if aim.kind != CL:
        return kept, -left / max(linked * linked, 1), 0.0
    rising = rising_mass(choices, some, count, desk)
    held = len(rising)
    tail, reached = 0.0, 0
    for place in range(held):
        tail += rising[place]
        reached += rising[held - 1] <= aim.c * tail + aim.slack
    desk.counters[0] += 2 * held
    return kept, float(reached), rising[held - 1] if held > 0 else 0.0


@inner
def _step(terms: Removable, term: int, masks: Ints, lost: Ints) -> int:
    """What removing a term costs now."""
    row = terms.rows[term]
    return int(terms.by_count[row, lost[row] + 1] - terms.by_count[row, lost[row]] + terms.by_term[term])


@inner
def _order(
    aim: Aim,
    choices: Choices,
    terms: Removable,
    tail: Ints,
    masks: Ints,
    lost: Ints,
    options: Ints,
    good: float,
    desk: Desk,
    some: Ints,
) -> Ints:
    """The tail by gain for cost, then by the smaller largest mass, then as given."""
    ratios, tops = np.empty(len(tail)), np.empty(len(tail))
    for place in range(len(tail)):
        term = tail[place]
        row = terms.rows[term]
        before = options[row]
        options[row] = terms.table[terms.begins[row] + (masks[row] ^ (np.int64(1) << terms.bits[term]))]
        _, score, tops[place] = _look(aim, choices, options, desk, some)
        options[row] = before
        ratios[place] = (score - good) / max(_step(terms, term, masks, lost), 1)
    by_top = stable_order(tops)
    falling = np.empty(len(tail))
    for place in range(len(tail)):
        falling[place] = -ratios[by_top[place]]
    by_ratio, ordered = stable_order(falling), np.empty(len(tail), np.int64)
    for place in range(len(tail)):
        ordered[place] = tail[by_top[by_ratio[place]]]
    return ordered


@compiled
def search_tree(
    aim: Aim, choices: Choices, terms: Removable, masks: Ints, desk: Desk, adaptive: bool, work: int
) -> tuple[bool, int, Ints, bool]:
    """Whether anything was found, its cost, what every row keeps, whether the tree was searched whole."""
    total, count = len(masks), len(terms.rows)
    some = np.empty(total, np.int64)
    lost, options, found = np.zeros(total, np.int64), np.empty(total, np.int64), masks.copy()
    tails, lengths = np.empty((count + 1, count), np.int64), np.zeros(count + 1, np.int64)
    places, costs = np.full(count + 1, -1, np.int64), np.zeros(count + 1, np.int64)
    for row in range(total):
        options[row] = terms.table[terms.begins[row] + masks[row]]
    lengths[0] = count
    for place in range(count):
        tails[0, place] = place
    best, level, whole = np.int64(-1), 0, True
    while level >= 0:
        if places[level] < 0:
            kept, good, _ = _look(aim, choices, options, desk, some)
            if desk.counters[0] > work:
                whole = False
                break
            if kept:
                best = costs[level]
                found[:] = masks
                places[level] = lengths[level]
            else:
                places[level] = 0
                if adaptive:
                    tail = tails[level, : lengths[level]]
                    tails[level, : lengths[level]] = _order(
                        aim, choices, terms, tail, masks, lost, options, good, desk, some
                    )
        else:
            places[level] += 1
        # On to the next child that is cheap enough, or back up.
        went = False
        while places[level] < lengths[level] and not went:
            term = tails[level, places[level]]
            cost = costs[level] + _step(terms, term, masks, lost)
            if best >= 0 and cost >= best:
                places[level] += 1
                continue
            row = terms.rows[term]
            masks[row] ^= np.int64(1) << terms.bits[term]
            lost[row] += 1
            options[row] = terms.table[terms.begins[row] + masks[row]]
            lengths[level + 1] = lengths[level] - places[level] - 1
            tails[level + 1, : lengths[level + 1]] = tails[level, places[level] + 1 : lengths[level]]
            costs[level + 1], places[level + 1] = cost, -1
            level, went = level + 1, True
        if not went:
            level -= 1
            if level >= 0:
                term = tails[level, places[level]]
                row = terms.rows[term]
                masks[row] ^= np.int64(1) << terms.bits[term]
                lost[row] -= 1
                options[row] = terms.table[terms.begins[row] + masks[row]]
    return bool(best >= 0), int(best), found, whole
