"""Three attackers, and how likely each is right about who a row is.

prosecutor   knows that a person is in the table, and looks for their row: one over the rows that may be theirs
journalist   does not know it, and has a register of the population: one over its people who fit the row
marketer     wants as many right links as possible, whoever they are of: the expected share of them, which is the mean
             of the others' risks, the journalist's where there is a register

A prosecutor is never less sure of anybody than a journalist, and a journalist's surest link is never less sure than a
marketer's mean one.

Deviation: the papers know classes that no two people share. Where classes overlap, rows that may be somebody's are all
that cover them, be they of one class or several (002, Theorem 3), and a register that shows how few people fit a row
could tell more than these: see `risk/lookup.py`.

Reference: El Emam, Dankar: Protecting privacy using k-anonymity. JAMIA 15, 2008. https://doi.org/10.1197/jamia.M2716
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.risk.thresholds import Threshold

__all__ = ["Above", "Attacker", "attacker"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Above:
    """How many people break a threshold.

    convention   what the risk must be
    k            the least number of rows with which it is that
    """

    threshold: str
    convention: str
    k: int
    people: int
    share: float


@dataclass(frozen=True)
class Attacker:
    """How sure one attacker is: of the most exposed person, on average, and of how many people too sure.

    people     how many were looked at
    nowhere    people whom no row fits: nothing can be linked to them, and their risk is 0
    """

    people: int
    largest: float
    mean: float
    nowhere: int
    above: tuple[Above, ...]


def attacker(rows: Floats, people: Ints, thresholds: Sequence[Threshold]) -> Attacker:
    """From how many rows may be somebody's, and how many people there are of each kind.

    Where it takes chance to say how many (slices in orders of their own), or some of somebody's rows were left out, it
    may be less than one row: nobody is more than sure.

    >>> from sfumato.risk.thresholds import thresholds_of
    >>> found = attacker(np.array([1.0, 4.0]), np.array([1, 4]), thresholds_of(["1/4", "<=1/4"]))
    >>> found.largest, found.mean, [(each.convention, each.k, each.people) for each in found.above]
    (1.0, 0.4, [('at most', 4, 1), ('below', 5, 5)])
    """
    whole, some = int(people.sum()), rows > 0
    risk = np.divide(1.0, np.maximum(rows, 1.0), out=np.zeros(len(rows)), where=some)
    counts = [int(people[some & each.broken(rows)].sum()) for each in thresholds]
    above = tuple(_above(each, count, whole) for each, count in zip(thresholds, counts, strict=True))
    mean = float(risk @ people) / max(whole, 1)
    return Attacker(whole, float(risk.max(initial=0.0)), mean, int(people[~some].sum()), above)


def _above(threshold: Threshold, people: int, whole: int) -> Above:
    convention, _, value = str(threshold).rpartition(" ")
    return Above(value, convention, threshold.k, people, people / max(whole, 1))
