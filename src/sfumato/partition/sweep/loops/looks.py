"""The loop of looks: which classes of a level vector are closed as they are, or with sensitive values generalized."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner
from sfumato.partition.sweep.loops.classes import Items
from sfumato.partition.sweep.loops.judging import Caps, Tree, fits, raised

__all__ = ["Way", "weigh_classes"]

Ints = NDArray[np.int64]


class Way(NamedTuple):
    """What the way up from a vector loses.

    codes   of items, in the column that climbs next
    lost    of a row by the next step, per code
    most    the most of these
    steps   that are reckoned with
    dear    how many times as dear a generalized sensitive value is
    """

    codes: Ints
    lost: NDArray[np.float64]
    most: float
    steps: int
    dear: float


@inner
def _most(rows: int, spent: float, way: Way) -> float:
    """What a class may lose by generalized sensitive values."""
    return rows * spent * way.steps / way.dear


@compiled
def weigh_classes(
    items: Items,
    place: Ints,
    below: NDArray[np.int32],
    roots: int,
    opens: Ints,
    owner: Ints,
    groups: int,
    codes: int,
    way: Way,
    tree: Tree,
    bounds: Caps,
) -> tuple[int, Ints]:
    """How many classes keep the bounds as they are, or generalized for less than the way up loses; `owner` knows them
    alone.

    Also the node of every base value, for each of them; the first is -1 if it stays as it is. For few codes: all
    classes are counted at once, in the order in which items are stored.
    """
    cells, member = np.zeros(groups * codes, np.int64), np.empty(groups, np.int64)
    for at in range(len(opens)):
        if owner[at] >= 0:
            base, item = owner[at] * codes, opens[at]
            member[owner[at]] = item
            for run in range(items.starts[item], items.starts[item + 1]):
                cells[base + items.values[run]] += items.counts[run]
    width = tree.shares.shape[1]
    cuts, kept = np.empty((16, width), np.int64), 0
    touched, top = np.empty(codes, np.int64), np.empty(len(bounds.top), np.int64)
    sums, room = np.empty(width, tree.shares.dtype), np.empty(len(bounds.top), tree.shares.dtype)
    for group in range(groups):
        have = cells[group * codes : (group + 1) * codes]
        rows, dominant = np.int64(0), np.int64(0)
        for code in range(codes):
            rows += have[code]
            dominant = max(dominant, have[code])
        if kept == len(cuts):
            more = np.empty((2 * kept, width), np.int64)
            more[:kept] = cuts
            cuts = more
        keeps, cut = fits(have, 0, codes, rows, bounds, top), cuts[kept]
        cut[0] = -1 if keeps else 0
        if not keeps and dominant <= 2 * _most(rows, way.most, way):
            item = member[group]
            while item >= roots:
                item = np.int64(below[place[item - roots]])
            most = _most(rows, way.lost[way.codes[item]], way)
            if dominant <= 2 * most:  # a value joins at least one other
                fresh = 0
                for code in range(codes):
                    if have[code]:
                        touched[fresh] = code
                        fresh += 1
                keeps = raised(have, touched[:fresh], tree, bounds, most, sums, room, cut)
        member[group] = kept if keeps else -1
        kept += keeps
    for at in range(len(opens)):
        if owner[at] >= 0:
            owner[at] = member[owner[at]]
    return kept, cuts[:kept]
