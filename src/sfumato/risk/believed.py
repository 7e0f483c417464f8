"""The best guess of a secret: how sure of one value somebody may be who knows a person's quasi-identifiers.

Of a group it is the share of its commonest value; of a person the largest chance over all rows that may be theirs, in
whichever classes these are (002, Theorem 3: fitting several keeps what holds of each). Before the release it is the
share of the commonest value among the rows of the original with the same quasi-identifiers. Who knows nothing but the
totals guesses the commonest value of the whole table, and so does who looks for somebody whom no row fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.exact import as_text
from sfumato.release.codes import Codes
from sfumato.release.fits import Chances
from sfumato.release.shares import Shares
from sfumato.release.subject import Subject
from sfumato.risk.thresholds import Threshold
from sfumato.table.packing import Packed
from sfumato.table.tuples import Tuples

__all__ = ["SURE", "BestGuess", "Guessed", "Surer", "by_classes", "by_kept", "by_people", "by_rows", "by_shown"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SURE: tuple[str, ...] = ("1/2", "0.8", "1")
"""How sure a guess may be before it is counted, beside the thresholds that were given."""

_BANDS = 10


@dataclass(frozen=True)
class Surer:
    """Of how many people a guess is so sure, or surer."""

    at_least: str
    people: int
    share: float


@dataclass(frozen=True)
class BestGuess:
    """How sure the best guess is.

    people     whose values are guessed
    by_tenth   people by how sure it is: below 0.1, from 0.1 to below 0.2, …, from 0.9 to below 1, and 1
    """

    people: int
    largest: float
    mean: float
    surer: tuple[Surer, ...]
    by_tenth: tuple[int, ...]

    @classmethod
    def of(cls, chances: Floats, people: Ints, sure: Sequence[Threshold]) -> BestGuess:
        """
        >>> from sfumato.risk.thresholds import thresholds_of
        >>> found = BestGuess.of(np.array([0.5, 1.0]), np.array([3, 1]), thresholds_of(["1/2", "1"]))
        >>> found.largest, found.mean, [(each.at_least, each.people) for each in found.surer]
        (1.0, 0.625, [('1', 1), ('0.5', 4)])
        >>> found.by_tenth
        (0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1)
        """
        whole = int(people.sum())
        counts = [int(people[each.reached(chances)].sum()) for each in sure]
        surer = [
            Surer(as_text(each.value), count, count / max(whole, 1)) for each, count in zip(sure, counts, strict=True)
        ]
        tenth = np.floor(np.clip(chances, 0, 1) * _BANDS + 1e-9).astype(np.int64)
        by_tenth = np.bincount(tenth, weights=people, minlength=_BANDS + 1).astype(np.int64)
        mean = float(chances @ people) / max(whole, 1)
        return cls(whole, float(chances.max(initial=0.0)), mean, tuple(surer), tuple(by_tenth.tolist()))


@dataclass(frozen=True)
class Guessed:
    """The best guess of one sensitive column.

    totals   how sure who knows the totals alone is
    before   by the original table; None without it
    groups   by each group of the release alone, counted by its rows
    people   by all classes that each person fits; None without the original table
    lacks    what is needed for what is None
    """

    column: str
    totals: float | None
    before: BestGuess | None
    groups: BestGuess | None
    people: BestGuess | None
    lacks: str = ""


def by_rows(tuples: Tuples, names: Sequence[str], secret: str, sure: Sequence[Threshold]) -> BestGuess:
    """By rows of the original with the same quasi-identifiers."""
    found = tuples.count([*names, secret])
    starts = np.flatnonzero(found.fresh(len(names)))
    people = np.add.reduceat(found.counts, starts)
    return BestGuess.of(np.maximum.reduceat(found.counts, starts) / people, people, sure)


def by_classes(shares: Shares, sizes: Ints, sure: Sequence[Threshold]) -> BestGuess:
    """By the classes of a release, each by itself."""
    some = np.diff(shares.starts) > 0
    top = np.maximum.reduceat(shares.shares, shares.starts[:-1][some]) if some.any() else np.zeros(0)
    return BestGuess.of(top, sizes[some], sure)


def by_people(chances: Chances, people: Ints, totals: float, sure: Sequence[Threshold]) -> BestGuess:
    """By all that may be believed of everybody."""
    best = np.full(len(people), totals)
    some = np.diff(chances.starts) > 0
    if some.any():
        best[some] = np.maximum.reduceat(chances.chances, chances.starts[:-1][some])
    return BestGuess.of(best, people, sure)


def by_shown(subject: Subject, secret: str, sure: Sequence[Threshold]) -> BestGuess:
    """By the groups of a release alone, as what it shows: without the original a vaguer value is a value of its own."""
    _, rows, sizes = subject.classes
    codes = Codes.alone(subject.seen.table[secret])
    counted = Packed.of_rows([(codes.rows, codes.size), (rows, len(sizes))])
    starts = np.flatnonzero(np.diff(counted.codes(1), prepend=-1))
    people = np.add.reduceat(counted.counts, starts)
    return BestGuess.of(np.maximum.reduceat(counted.counts, starts) / people, people, sure)


def by_kept(subject: Subject, secret: str, sure: Sequence[Threshold]) -> BestGuess | None:
    """By a value that was kept with a known probability, and is otherwise any of the release; None if it is not known.

    Whoever knows the row of a person believes what it shows, or what is commonest in the whole release.
    """
    retention = subject.seen.retention
    if retention is None:
        return None
    codes = Codes.alone(subject.seen.table[secret])
    counts = np.bincount(codes.rows, minlength=codes.size)
    others = (1 - float(retention)) * counts / max(counts.sum(), 1)
    return BestGuess.of(np.maximum(float(retention) + others, others.max(initial=0.0)), counts, sure)
