"""The loops that go down a tree of cuts with rows that are packed into words, and count at its end.

A node is a line `WORD, BITS, BOUND, LEFT, SLOT`. Rows whose bits in that word are no more than the bound go to the line
LEFT, others to the next one; a node that is not cut has no bits, and is its own. SLOT is the place of what is asked of
its rows; -1: nothing.

A window is a line `WORD, SHIFT, MASK, BASE, BLOCK, SIZE, AT`: rows are counted by blocks of codes, 2^BLOCK codes from
BASE on in the first of SIZE blocks, from the cell AT on. A side is a line `WORD, SHIFT, MASK, CODE, SIDE_AT`: what is
counted of rows with a code up to CODE. Something counted is a line `WORD, SHIFT, MASK, OFFSET, VALUES`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, inner

__all__ = ["AskedCells", "count_rows", "slots_of_rows"]

Ints = NDArray[np.int64]
Words = NDArray[np.int64]

WORD = 0
BITS, BOUND, LEFT, SLOT = range(1, 5)  # of nodes
SHIFT, MASK = 1, 2
BASE, BLOCK, SIZE, AT = range(3, 7)  # of windows
CODE, SIDE_AT = 3, 4
OFFSET, VALUES = 3, 4

_TOGETHER = 64
"""Rows that go down side by side: the next steps of all are under way while one is waited for."""


class AskedCells(NamedTuple):
    """What a pass counts: windows and sides slot by slot, where those of each begin, and the statistics of sides."""

    tree: Ints
    windows: Ints
    window_from: Ints
    sides: Ints
    side_from: Ints
    counted: Ints


@inner
def _descend(words: Words, first: int, stop: int, tree: Ints, nodes: Ints) -> None:
    """The nodes at which rows end, written into `nodes`."""
    for at in range(stop - first):
        nodes[at] = 0
    moved = 1
    while moved != 0:
        moved = 0
        for at in range(stop - first):
            node = nodes[at]
            # No branch: which half it is cannot be foretold.
            following = tree[node, LEFT] + (
                (words[first + at, tree[node, WORD]] & tree[node, BITS]) > tree[node, BOUND]
            )
            moved |= following ^ node
            nodes[at] = following


@inner
def _read(lines: Ints, words: int) -> bool:
    """Whether all fields are in the words there are."""
    inside = True
    for line in range(len(lines)):
        inside = inside and 0 <= lines[line, WORD] < words
    return inside


@inner
def _room(asked: AskedCells, words: int, cells: Ints, low: Ints, high: Ints) -> bool:
    """Whether all that is asked has its place."""
    windows, span = asked.windows, 0
    fits = _read(asked.tree, words) and _read(windows, words) and _read(asked.sides, words)
    fits = fits and _read(asked.counted, words) and len(low) == len(high) == len(windows)
    for at in range(len(windows)):
        fits = fits and windows[at, AT] >= 0 and windows[at, AT] + windows[at, SIZE] <= len(cells)
    for index in range(len(asked.counted)):
        span = max(span, asked.counted[index, OFFSET] + asked.counted[index, VALUES])
    for at in range(len(asked.sides)):
        fits = fits and asked.sides[at, SIDE_AT] >= 0 and asked.sides[at, SIDE_AT] + span <= len(cells)
    slots = len(asked.window_from) - 1
    return fits and slots == len(asked.side_from) - 1 and _down(asked.tree, slots)


@inner
def _down(tree: Ints, slots: int) -> bool:
    """Whether every node leads to a later one or to itself, and has one of so many slots."""
    leads = len(tree) > 0
    for node in range(len(tree)):
        left = tree[node, LEFT]
        later = node < left < len(tree) - 1
        itself = left == node and tree[node, BITS] == 0 and tree[node, BOUND] >= 0
        leads = leads and (later or itself) and tree[node, SLOT] < slots
    return leads


@compiled
def count_rows(words: Words, counts: Ints, asked: AskedCells, cells: Ints, low: Ints, high: Ints) -> None:
    """Add rows, or combinations of which each stands for so many of them, to what is asked of their nodes.

    Where a block has several codes, the least and the highest that are met in a window are kept as well.
    """
    if not _room(asked, words.shape[1], cells, low, high):
        raise ValueError("fewer words or cells than are asked for")
    if 0 < len(counts) != len(words):
        raise ValueError("a count for every row, or none")
    tree, windows, sides, counted = asked.tree, asked.windows, asked.sides, asked.counted
    window_from, side_from, nodes = asked.window_from, asked.side_from, np.empty(_TOGETHER, np.int64)
    for row in range(len(words)):
        if row % _TOGETHER == 0:
            _descend(words, row, min(row + _TOGETHER, len(words)), tree, nodes)
        slot = tree[nodes[row % _TOGETHER], SLOT]
        if slot < 0:
            continue
        rows = counts[row] if len(counts) else np.int64(1)
        for at in range(window_from[slot], window_from[slot + 1]):
            code = (words[row, windows[at, WORD]] >> windows[at, SHIFT]) & windows[at, MASK]
            block = (code - windows[at, BASE]) >> windows[at, BLOCK]
            if 0 <= block < windows[at, SIZE]:
                cells[windows[at, AT] + block] += rows
                if windows[at, BLOCK] > 0:
                    low[at], high[at] = min(low[at], code), max(high[at], code)
        for at in range(side_from[slot], side_from[slot + 1]):
            if (words[row, sides[at, WORD]] >> sides[at, SHIFT]) & sides[at, MASK] > sides[at, CODE]:
                continue
            for index in range(len(counted)):
                value = (words[row, counted[index, WORD]] >> counted[index, SHIFT]) & counted[index, MASK]
                if value >= counted[index, VALUES]:
                    raise ValueError("a code is not below the size of its column")
                cells[sides[at, SIDE_AT] + counted[index, OFFSET] + value] += rows


@compiled
def slots_of_rows(words: Words, tree: Ints) -> NDArray[np.int32]:
    """The slot of every row's node."""
    if not (_read(tree, words.shape[1]) and _down(tree, len(tree))):
        raise ValueError("fewer words than are asked for")
    slots, nodes = np.empty(len(words), np.int32), np.empty(_TOGETHER, np.int64)
    for first in range(0, len(words), _TOGETHER):
        stop = min(first + _TOGETHER, len(words))
        _descend(words, first, stop, tree, nodes)
        for row in range(first, stop):
            slots[row] = tree[nodes[row - first], SLOT]
    return slots
