"""Perfect matchings between a few people and a few rows: how many there are, and in how many each pair is.

People come one by one, and a number says which rows are taken: a bit for each. Ways to get there times ways to go on
are the matchings that have a pair in them, so all pairs are counted in n·n·2^n steps, exactly while n! is below 2^53.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Component", "components", "pairs_matched"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


def pairs_matched(fits: Flags) -> Floats:
    """Per person and row, the share of matchings in which the row is theirs; zeros if there is no matching.

    Every row is somebody's. Where there are more people than rows, some have none.

    >>> pairs_matched(np.array([[True, True], [False, True]])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    >>> pairs_matched(np.array([[True, True], [True, True], [True, True]])).round(3).tolist()
    [[0.333, 0.333], [0.333, 0.333], [0.333, 0.333]]
    """
    people, rows = fits.shape
    sets = np.arange(1 << rows)
    without = [sets[(sets >> row) & 1 == 0] for row in range(rows)]
    ahead = np.zeros((people + 1, 1 << rows))
    ahead[0, 0] = 1.0
    for person in range(people):
        ahead[person + 1] = ahead[person]
        for row in np.flatnonzero(fits[person]):
            ahead[person + 1, without[row] | (1 << row)] += ahead[person, without[row]]
    made = np.zeros(fits.shape)
    behind = np.zeros(1 << rows)
    behind[-1] = 1.0
    for person in range(people - 1, -1, -1):
        before = behind.copy()
        for row in np.flatnonzero(fits[person]):
            after = behind[without[row] | (1 << row)]
            made[person, row] = ahead[person, without[row]] @ after
            before[without[row]] += after
        behind = before
    return made / ahead[-1, -1] if ahead[-1, -1] else np.zeros(fits.shape)


@dataclass(frozen=True, eq=False)
class Component:
    """People and classes that nothing but one another may be matched with, by their numbers."""

    people: Ints
    classes: Ints


def components(person: Ints, group: Ints, people: int, groups: int) -> list[Component]:
    """Parts of the graph of who fits which class that hang together; people who fit none are in no part."""
    label = np.arange(people + groups)
    ends = np.stack((person, group + people), axis=1)
    while True:
        least = label.copy()
        found = np.minimum(label[ends[:, 0]], label[ends[:, 1]])
        np.minimum.at(least, ends[:, 0], found)
        np.minimum.at(least, ends[:, 1], found)
        least = np.minimum(least, least[least])
        if (least == label).all():
            break
        label = least
    joined = np.unique(ends.reshape(-1))
    order = joined[np.argsort(label[joined], kind="stable")]
    cuts = np.flatnonzero(np.diff(label[order])) + 1
    return [
        Component(part[part < people], part[part >= people] - people) for part in np.split(order, cuts) if len(part)
    ]
