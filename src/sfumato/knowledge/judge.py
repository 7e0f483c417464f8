"""Judging groups by the labels that their rows are linked to.

Many groups are judged in rounded numbers with a bound on the error, and exactly where that cannot tell.

>>> from sfumato.knowledge.linking import link
>>> from sfumato.knowledge.belief import LabelCL
>>> ill = Knowledge.of([("flu", ["cough", "headache"]), ("hepatitis", ["vomiting"])])
>>> sets = TermSets.of(ill, [["cough"], ["vomiting"], ["cough", "vomiting"]])
>>> found = judge(LabelCL(1, 2), ill, sets, link(ill, sets), np.array([0, 2, 3]), np.array([0, 1, 2]))
>>> found.holds.tolist(), found.unlinked.tolist(), found.unlinked_only.tolist(), found.levels.tolist()
([True, True], [0, 1], [False, True], [2.0, 0.0])
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.knowledge.belief import LabelPromise, Mass
from sfumato.knowledge.linking import Links, TermSets, exact_chances
from sfumato.knowledge.table import Knowledge

__all__ = ["Judgement", "estimated_prior", "group_mass", "judge"]

Ints = NDArray[np.int64]
_SAFE = 1 << 62
_GRID = 10**15
_FEW = 20_000


@dataclass(frozen=True, eq=False)
class Judgement:
    """Per group: whether it keeps the promise, its linked and unlinked rows, and the level it reaches.

    The level is the largest l, or the distance; rounded, for people to read. It is 0 where no row is linked.
    """

    holds: NDArray[np.bool_]
    linked: Ints
    unlinked: Ints
    levels: NDArray[np.float64]

    @property
    def unlinked_only(self) -> NDArray[np.bool_]:
        """Groups that keep the promise only because nothing in them is linked."""
        return np.equal(self.linked, 0)


def judge(
    promise: LabelPromise, knowledge: Knowledge, sets: TermSets, links: Links, ends: Ints, members: Ints
) -> Judgement:
    """Judge groups: group g holds the sets `members[ends[g]:ends[g + 1]]`; equal rows repeat their set."""
    from sfumato.knowledge.aim import aim_at, spread
    from sfumato.knowledge.loops.judging import judge_groups
    from sfumato.knowledge.loops.margin import Choices, desk_for

    rows = np.diff(ends)
    aim = aim_at(promise, knowledge, int(rows.max(initial=1)))
    none = np.zeros(1, np.int64)
    choices = spread(promise, Choices(none, none, links.offsets, links.labels, links.chances))
    desk = desk_for(len(aim.prior), 1, 1)
    margins, linked, levels = judge_groups(
        aim, choices, np.asarray(ends, np.int64), np.asarray(members, np.int64), desk
    )
    holds = margins <= 0
    for group in np.flatnonzero(np.abs(margins) <= aim.slack):
        holds[group] = promise.holds(group_mass(knowledge, sets, links, members[ends[group] : ends[group + 1]]))
    return Judgement(holds, linked, rows - linked, levels)


def group_mass(knowledge: Knowledge, sets: TermSets, links: Links, members: Iterable[int]) -> Mass:
    """The exact mass of one group."""
    rows = [int(row) for row in members]
    if not knowledge.weighted:
        return Mass.of(((links[row], None) for row in rows), len(rows))
    return Mass.of(((links[row], exact_chances(knowledge, sets[row], links[row])) for row in rows), len(rows))


def estimated_prior(
    knowledge: Knowledge, sets: TermSets, links: Links, counts: Ints | None = None
) -> tuple[Fraction, ...]:
    """How likely every label is in a table, over its linked rows; `counts` says how often every set occurs.

    Exact if its denominator is handy, else rounded to fifteen decimals that sum to 1. Take it once, from the original
    table: estimated again after terms were removed it would follow them.
    """
    often = np.ones(len(sets), np.int64) if counts is None else np.asarray(counts, np.int64)
    if not (often * links.linked).any():
        raise InputError("no row is linked to a label, so there is no prior to estimate; give label priors")
    if len(links.labels) <= _FEW and int(often.sum()) <= _FEW:
        mass = group_mass(knowledge, sets, links, np.repeat(np.arange(len(sets)), often))
        if mass.scale * mass.linked < _SAFE:
            found = dict(zip(mass.labels.tolist(), mass.parts.tolist(), strict=True))
            return tuple(Fraction(found.get(at, 0), mass.scale * mass.linked) for at in range(len(knowledge.labels)))
    weights = links.chances * np.repeat(often, links.counts)
    sums = np.bincount(links.labels, weights, len(knowledge.labels))
    parts = [round(each * _GRID / math.fsum(sums)) for each in sums.tolist()]
    parts[int(np.argmax(sums))] += _GRID - sum(parts)
    return tuple(Fraction(part, _GRID) for part in parts)
