"""Forms that show parts of people apart: whether what a group shows in one part and in another is of the same people.

For two parts A and B of a form, x(g, a, b) original rows that look like a in one and like b in the other stand in
group g. Three sums are known: of a in g, of b in g, and at most as many of a and b as the original has. Whether there
are such numbers is a table with given margins in three dimensions, which nobody can decide fast in general; each two of
the three are a flow. So three flows are asked. They are enough where every pair of a and b is in one group alone.

R. W. Irving, M. R. Jerrum, "Three-dimensional statistical data security problems", 1994.
https://doi.org/10.1137/S0097539790191010
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.auditor.exactly import Ints
from sfumato.auditor.matching import MOST, STEPS

__all__ = ["PartOfPeople", "strangers"]


@dataclass(frozen=True, eq=False)
class PartOfPeople:
    """One part of a form.

    groups   the group of every row
    kinds    what every row looks like, as a number; of it there are so many
    seen     per original tuple the kind that it looks like; -1 if none
    loose    kinds that say too little: an original row may look like one of them and like another kind
    """

    groups: Ints
    kinds: Ints
    seen: Ints
    loose: NDArray[np.bool_]


def strangers(
    one: PartOfPeople, other: PartOfPeople, counts: Ints, most: int = MOST, steps: int = STEPS
) -> tuple[int, bool]:
    """Rows that no original row accounts for in both parts, at least; and whether that is all that can be said.

    counts   rows of every original tuple
    """
    groups = int(max(one.groups.max(initial=-1), other.groups.max(initial=-1))) + 1
    vague = np.zeros(groups, dtype=np.bool_)
    for part in (one, other):
        vague[part.groups[part.loose[part.kinds]]] = True
    (g, a, shown_a), (h, b, shown_b) = (_slots(part, vague) for part in (one, other))
    first, second = (np.searchsorted(each, np.arange(groups + 1)) for each in (g, h))
    if int((np.diff(first) * np.diff(second)).sum()) > most:
        return 0, False
    slot_a, slot_b = _crossed(first, second)
    pair, rows = _joint(one, other, counts)
    wanted = a[slot_a] * len(other.loose) + b[slot_b]
    place = np.minimum(np.searchsorted(pair, wanted), max(len(pair) - 1, 0))
    there = pair[place] == wanted if len(pair) else np.zeros(len(wanted), dtype=np.bool_)
    slot_a, slot_b, place = slot_a[there], slot_b[there], place[there]
    sides = ((slot_a, shown_a), (slot_b, shown_b), (place, rows))
    found, finished = list[int](), True
    for left, right, third in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        lacking, done = _lacking(sides[left], sides[right], sides[third][1][sides[third][0]], steps)
        found, finished = [*found, lacking if done else 0], finished and done
    alone = np.bincount(place, minlength=len(rows)).max(initial=0) < 2
    return max(found), bool(finished and alone and not vague.any())


def _slots(part: PartOfPeople, vague: NDArray[np.bool_]) -> tuple[Ints, Ints, Ints]:
    """Groups with their kinds, ascending, and the rows of each; vague groups left out."""
    told = ~vague[part.groups]
    size = max(len(part.loose), 1)
    keys, counts = np.unique(part.groups[told] * size + part.kinds[told], return_counts=True)
    return keys // size, keys % size, counts


def _crossed(first: Ints, second: Ints) -> tuple[Ints, Ints]:
    """All pairs of a slot of one part and a slot of the other, in the same group."""
    one, other = np.diff(first), np.diff(second)
    group = np.repeat(np.arange(len(one)), one * other)
    at = np.arange(len(group)) - np.repeat(np.cumsum(one * other) - one * other, one * other)
    width = np.maximum(other[group], 1)
    return first[group] + at // width, second[group] + at % width


def _joint(one: PartOfPeople, other: PartOfPeople, counts: Ints) -> tuple[Ints, Ints]:
    """What original rows look like in both parts, ascending, and how many do."""
    known = (one.seen >= 0) & (other.seen >= 0)
    pair, at = np.unique(one.seen[known] * len(other.loose) + other.seen[known], return_inverse=True)
    return pair, np.bincount(at.reshape(-1), weights=counts[known], minlength=len(pair)).astype(np.int64)


def _lacking(one: tuple[Ints, Ints], other: tuple[Ints, Ints], room: Ints, steps: int) -> tuple[int, bool]:
    """Rows of one side that find none on the other, along pairs of them which each have so much room."""
    from sfumato.auditor.loops.flow import unmatched

    (place, wanted), (target, supply) = one, other
    order = np.argsort(place, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(place, minlength=len(wanted))))).astype(np.int64)
    left, done = unmatched(starts, target[order].astype(np.int32), room[order], wanted, supply, steps)
    return int(left.sum()), bool(done)
