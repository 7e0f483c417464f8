"""Correspondence loss: how likely a release makes a sensitive value that goes with nobody like the person.

NLP of a person is the probability, by what is shown of them, of all values that no row with the same quasi-identifiers
has in the original table. GLP is its mean over all people: 0 if the release says nothing of anybody that is not true of
somebody alike, up to 1 - 1/l.

Deviations from the paper: none is known; it calls GLP "a normalized version" of NLP without saying which, and the mean
is between 0 and 1.

Reference: Zhu, Tian, Du, Xie: Anonymization on refining partition: same privacy, more utility. Definition 3.

>>> nsa, sa = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 2])
>>> [glp(nlp_of_groups(nsa, sa, np.array(groups))) for groups in ([0, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 0])]
[Fraction(0, 1), Fraction(1, 4), Fraction(1, 4)]
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.table.tuples import Tuples

__all__ = ["alike", "glp", "nlp_of_groups", "nlp_of_rings"]

Ints = NDArray[np.int64]

NLP = tuple[Ints, Ints]
"""Per person, how many of the rows that they may be have a value of nobody alike, and how many rows these are."""


def alike(table: Tuples) -> Ints:
    """A number per tuple; those with the same quasi-identifiers share it."""
    if not table.quasi:
        return np.zeros(len(table), dtype=np.int64)
    return table.joint([column.name for column in table.quasi])[0].astype(np.int64)


def nlp_of_groups(
    people: Ints,
    values: Ints,
    labels: Ints,
    *,
    once: bool = False,
    counts: Ints | None = None,
    among: tuple[Ints, Ints] | None = None,
) -> NLP:
    """Where a person may be any row of their group: generalized, permuted, anatomized, sliced. Suppressed rows: -1.

    people   a number per row that rows alike share; see `alike`
    counts   how many rows each stands for, where equal ones are counted; else 1
    once     every value of a group counts once: what `randomized` draws from, where it does not keep the true one;
             its correspondence loss is this one times the probability of that
    among    people and values of all rows of the table, where these are some of them
    """
    whole = (people, values) if among is None else among
    span, kinds = (int(each.max(initial=0)) + 1 for each in reversed(whole))
    same = np.unique(whole[0] * span + whole[1])
    shown = labels >= 0
    people, values, labels = people[shown], values[shown], labels[shown]
    each = np.ones(len(labels), dtype=np.int64) if counts is None else counts[shown]
    pairs, place = np.unique(labels * span + values, return_inverse=True)
    held = np.ones_like(pairs) if once else np.bincount(place.reshape(-1), weights=each).astype(np.int64)
    sizes = np.bincount(pairs // span, weights=held).astype(np.int64)
    # Every kind of people in every group, with each value that somebody alike has: how often is it in the group?
    kind, inverse = np.unique(labels * kinds + people, return_inverse=True)
    first = np.searchsorted(same, (kind % kinds) * span)
    many = np.searchsorted(same, (kind % kinds + 1) * span) - first
    owner = np.repeat(np.arange(len(kind)), many)
    step = np.arange(len(owner)) - np.repeat(np.cumsum(many) - many, many)
    wanted = (kind[owner] // kinds) * span + same[first[owner] + step] % span
    place = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    found = np.where(pairs[place] == wanted, held[place], 0)
    right = np.bincount(owner, weights=found, minlength=len(kind)).astype(np.int64)[inverse.reshape(-1)]
    return sizes[labels] - right, sizes[labels]


def nlp_of_rings(people: Ints, values: Ints, order: Ints, starts: Ints, width: Ints) -> NLP:
    """Where a person may be `width` neighbours of a ring, from themselves on: the form `ring`.

    order, starts   ring g has rows ``order[starts[g]:starts[g+1]]``
    """
    span = int(values.max(initial=0)) + 1
    same = np.unique(people * span + values)
    length = np.diff(starts)
    ring = np.repeat(np.arange(len(length)), length)
    place = np.arange(len(order)) - starts[ring]
    wrong = np.zeros(len(order), dtype=np.int64)
    for step in range(int(width.max(initial=0))):
        wanted = people[order] * span + values[order[starts[ring] + (place + step) % length[ring]]]
        at = np.minimum(np.searchsorted(same, wanted), len(same) - 1)
        wrong += (step < width[ring]) & (same[at] != wanted)
    return wrong, width[ring]


def glp(nlp: NLP, counts: Ints | None = None) -> Fraction:
    """The mean over all people, so many of each if they are counted."""
    wrong, rows = nlp
    counts = np.ones(len(rows), dtype=np.int64) if counts is None else counts
    sizes, place = np.unique(rows, return_inverse=True)
    sums = np.zeros(len(sizes), dtype=np.int64)
    np.add.at(sums, place.reshape(-1), wrong * counts)
    total = sum(
        (Fraction(amount, size) for amount, size in zip(sums.tolist(), sizes.tolist(), strict=True)), Fraction(0)
    )
    return total / max(int(counts.sum()), 1)
