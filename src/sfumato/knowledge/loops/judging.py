"""The loops that judge many groups at once, in rounded numbers; what is too close to tell is left to exact ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.compiled import compiled, spliced
from sfumato.knowledge.loops.margin import CL, EUCLID, Aim, Choices, Desk, margin, rising_mass

__all__ = ["judge_groups"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_NEAR = 1e-9


@spliced
def _labels_reached(aim: Aim, choices: Choices, members: Ints, desk: Desk) -> int:
    """The largest l that holds, near misses counted."""
    rising = rising_mass(choices, members, len(members), desk)
    held = len(rising)
    tail, reached = 0.0, 0
    for place in range(held):
        tail += rising[place]
        reached += rising[held - 1] <= aim.c * tail * (1 + _NEAR)
    return reached


@compiled
def judge_groups(aim: Aim, choices: Choices, ends: Ints, members: Ints, desk: Desk) -> tuple[Floats, Ints, Floats]:
    """Per group its margin, its linked rows, and the level reached: labels, or the distance."""
    total = len(ends) - 1
    margins, linked, levels = np.empty(total), np.zeros(total, np.int64), np.zeros(total)
    nobody, none = np.int64(0), np.empty(0)
    for group in range(total):
        rows = members[ends[group] : ends[group + 1]]
        for row in rows:
            linked[group] += choices.begins[row + 1] > choices.begins[row]
        M = linked[group]
        margins[group] = margin(aim, choices, rows, len(rows), none, nobody, M, desk)
        if aim.kind == CL:
            levels[group] = _labels_reached(aim, choices, rows, desk)
        elif M > 0 and aim.kind == EUCLID:
            levels[group] = np.sqrt(max(0.0, margins[group] / (M * M) + aim.t * aim.t))
        elif M > 0:
            levels[group] = margins[group] / M + aim.t
    return margins, linked, levels
