"""Cyclic orders in which any L neighbours have different values, and who carries whose value.

A group of n rows has such an order if and only if no value occurs more than R = ⌊n/L⌋ times. Construction: fill a
matrix of R rows column by column with the values, the most frequent first, and read it row by row. A value is at most
once in a matrix row; one that runs over into the next column has fewer than R rows, so that its end and its beginning
are two matrix rows apart.

Which row takes which of the places of its value is drawn at random, so the order says nothing of who has what: turn
all values by one place, or exchange them within a matrix row, and the same order is as likely as before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.randomness import Randomness

__all__ = ["Rings", "carried", "matching", "ring_order", "rings_of"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rings:
    """Ring g has ``rows[starts[g]:starts[g+1]]`` in its order, and each shows `width[g]` rows, from itself on.

    Where the width is all of the ring, all rows show the same.
    """

    rows: Ints
    starts: Ints
    width: Ints

    @property
    def length(self) -> Ints:
        return np.diff(self.starts)

    def windows(self) -> tuple[Ints, Ints, Ints]:
        """What is shown: window w has ``rows[starts[w]:starts[w+1]]``; and the window that every place shows.

        >>> rings = Rings(np.array([7, 8, 9, 4, 5]), np.array([0, 3, 5]), np.array([2, 2]))
        >>> [each.tolist() for each in rings.windows()]
        [[7, 8, 8, 9, 9, 7, 4, 5], [0, 2, 4, 6, 8], [0, 1, 2, 3, 3]]
        """
        length = self.length
        ring = np.repeat(np.arange(len(length)), length)
        place = np.arange(len(ring)) - self.starts[ring]
        shows = np.cumsum((place == 0) | (self.width[ring] < length[ring])) - 1
        first = np.flatnonzero(np.diff(shows, prepend=-1))
        starts = np.concatenate(([0], np.cumsum(self.width[ring[first]])))
        at = np.repeat(np.arange(len(first)), np.diff(starts))
        step = np.arange(len(at)) - starts[at]
        owner = ring[first[at]]
        return self.rows[self.starts[owner] + (place[first[at]] + step) % length[owner]], starts, shows


def ring_order(counts: Sequence[int], size: int) -> list[int] | None:
    """The values, by their place in `counts`, in an order of which any `size` neighbours differ; None: there is none.

    >>> ring_order([3, 2, 1], 2)
    [0, 1, 0, 1, 0, 2]
    >>> ring_order([2, 1], 2)
    """
    labels = np.zeros(sum(counts), dtype=np.int64)
    values = np.repeat(np.arange(len(counts)), counts)
    made = rings_of(labels, [values], size, Randomness.fixed(0), cut=False)
    return values[made.rows].tolist() if sum(counts) == 0 or _can_turn(labels, [values], size)[0] else None


def rings_of(group: Ints, columns: Sequence[Ints], size: int, randomness: Randomness, cut: bool) -> Rings:
    """Rings of every group, rows of group -1 left out; a group that has none is one ring that is shown whole.

    columns   codes per row; neighbours differ in the first, and in the others if the rows of a group all do
    cut       every matrix row is a ring of its own, of `size` to 2·`size` - 1 rows that all differ
    """
    shuffled = randomness.shuffle(len(group), "places in rings")
    rows = shuffled[group[shuffled] >= 0]
    if not columns or not len(rows):
        return _whole(rows, group)
    turning = _can_turn(group, columns, size)
    values, label = columns[0].astype(np.int64), group[rows]
    _, pair, counts = np.unique(label * (int(values.max()) + 1) + values[rows], return_inverse=True, return_counts=True)
    ties = randomness.shuffle(int(values.max()) + 1, "ties of values")[values[rows]]
    rows = rows[np.lexsort((ties, -counts[pair.reshape(-1)], label))]
    label = group[rows]
    length = np.bincount(label, minlength=len(turning))
    nth = np.arange(len(rows)) - (np.cumsum(length) - length)[label]
    deep = np.where(turning, length // size, np.maximum(length, 1))[label]  # one column, if it is shown whole
    column, line = nth // deep, nth % deep
    wide, more = length[label] // deep, length[label] % deep
    if cut:
        line = np.where(turning[label], line, 0)
        order = np.lexsort((randomness.numbers(len(rows), "order in rings"), line, label))
        ring = np.cumsum(np.diff(label[order], prepend=-1).astype(bool) | np.diff(line[order], prepend=0).astype(bool))
    else:
        order = np.lexsort((line * wide + np.minimum(line, more) + column, label))
        ring = np.cumsum(np.diff(label[order], prepend=-1).astype(bool))
    starts = np.append(np.flatnonzero(np.diff(ring, prepend=0)), len(rows))
    owner = label[order][starts[:-1]]
    return Rings(rows[order], starts, np.where(turning[owner], size, np.diff(starts)))


def _whole(rows: Ints, group: Ints) -> Rings:
    rows = rows[np.argsort(group[rows], kind="stable")]
    starts = np.append(np.flatnonzero(np.diff(group[rows], prepend=-1)), len(rows))
    return Rings(rows, starts, np.diff(starts))


def _can_turn(group: Ints, columns: Sequence[Ints], size: int) -> NDArray[np.bool_]:
    """Which groups have a ring: by the counts of one column, or because all rows differ in each of several."""
    shown = group >= 0
    label = group[shown]
    length = np.bincount(label, minlength=int(group.max(initial=-1)) + 1)
    most = length // size if len(columns) == 1 else np.minimum(length // size, 1)
    able = length >= size
    for column in columns:
        keys, counts = np.unique(
            label * (int(column.max(initial=0)) + 1) + column[shown].astype(np.int64), return_counts=True
        )
        owner = keys // (int(column.max(initial=0)) + 1)
        able[owner[counts > most[owner]]] = False
    return np.asarray(able)


def carried(rings: Rings, randomness: Randomness, turn: bool) -> Ints:
    """For every place, the row whose values it carries: one of those that it shows, each with the same probability.

    turn   every ring by one rotation for all its places; else by a random perfect matching
    """
    length = rings.length
    ring = np.repeat(np.arange(len(length)), length)
    place = np.arange(len(ring)) - rings.starts[ring]
    mixed = np.lexsort((randomness.numbers(len(ring), "values in rings"), ring))
    narrow = rings.width < length
    step = randomness.numbers(len(length), "rotations") % np.maximum(rings.width, 1).astype(np.uint64)
    turned = rings.starts[ring] + (place + step.astype(np.int64)[ring]) % np.maximum(length, 1)[ring]
    source = np.where(narrow[ring], turned, mixed)
    if not turn:
        sizes = length * rings.width + 1
        wanted = np.flatnonzero(narrow)
        ends = np.cumsum(sizes[wanted])
        numbers = randomness.numbers(int(sizes[wanted].sum()), "matchings")
        for each, end in zip(wanted.tolist(), ends.tolist(), strict=True):
            begin, keys = int(rings.starts[each]), numbers[end - sizes[each] : end]
            found = matching(int(length[each]), int(rings.width[each]), keys)
            source[begin : begin + len(found)] = begin + np.array(found)
    return rings.rows[source]


def matching(length: int, width: int, keys: NDArray[np.uint64]) -> list[int]:
    """One of `width` disjoint perfect matchings of place j with j .. j + width - 1, modulo `length`.

    Together they hold every pair once, and which of them it is is drawn apart from how they were found: so every pair
    is matched with probability exactly 1/width, whatever the matchings. `keys`: a random number per pair, and one more.
    """
    chosen = int(keys[-1] % np.uint64(width))
    ranks = np.argsort(keys[:-1].reshape(length, width), axis=1)
    left = [[(place + step) % length for step in steps] for place, steps in enumerate(ranks.tolist())]
    order = np.argsort(keys[: length * width : width]).tolist()
    for turn in range(width):
        found = _perfect(left, order)
        if turn == chosen:
            return found
        left = [[other for other in others if other != found[place]] for place, others in enumerate(left)]
    raise AssertionError("as many matchings as the width")


def _perfect(left: Sequence[Sequence[int]], order: Sequence[int]) -> list[int]:
    """A perfect matching, by augmenting paths; a regular graph has one."""
    taken: dict[int, int] = {}
    for start in order:
        came: dict[int, int] = {}
        queue, end = deque([start]), None
        while queue and end is None:
            place = queue.popleft()
            for other in left[place]:
                if other not in came:
                    came[other] = place
                    if other not in taken:
                        end = other
                        break
                    queue.append(taken[other])
        while end is not None:
            place = came[end]
            before = next((other for other, owner in taken.items() if owner == place), None)
            taken[end] = place
            end = before if place != start else None
    made = [0] * len(left)
    for other, place in taken.items():
        made[place] = other
    return made
