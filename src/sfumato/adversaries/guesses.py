"""What an adversary who knows everybody's quasi-identifiers would guess of each, and how often that is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.adversaries.contract import Exposure
from sfumato.release.fits import Chances, Fits, Known
from sfumato.release.subject import Subject

__all__ = ["Guesses", "Truth"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Truth:
    """Who has what: combinations of quasi-identifiers (by their number among the people), values, and how many rows."""

    people: Ints
    values: Ints
    counts: Ints

    @classmethod
    def of(cls, subject: Subject, known: Known, secret: str) -> Truth:
        """Of the people who are looked at, by the original table."""
        found = subject.tuples.count([*known.names, secret])
        number = np.cumsum(found.fresh(len(known.names))) - 1  # combinations ascend here as they do in `Known.of`
        return cls(number, found.codes[-1], found.counts)

    def total(self, size: int) -> Floats:
        """The share of every value."""
        held = np.bincount(self.values, weights=self.counts, minlength=size)
        return np.asarray(held / max(held.sum(), 1))


@dataclass(frozen=True, eq=False)
class Guesses:
    """Per person (a combination of quasi-identifiers) the likeliest value and its chance.

    chances   all that may be believed of each
    truth     what they really have
    """

    secret: str
    known: Known
    fits: Fits
    chances: Chances
    truth: Truth
    value: Ints
    chance: Floats

    @classmethod
    def of(cls, subject: Subject, secret: str, names: Sequence[str] | None = None) -> Guesses:
        """Everybody in the original table, guessed by the release; known by these columns alone, if they are named."""
        numbered = subject.numbered(secret)
        known = Known.of(subject.tuples, subject.quasi if names is None else names)
        fits = Fits.of(subject, known, numbered)
        chances = fits.chances(numbered.shares)
        truth = Truth.of(subject, known, secret)
        if fits.looked > 1:
            kept = truth.people % fits.looked == 0
            truth = Truth(truth.people[kept] // fits.looked, truth.values[kept], truth.counts[kept])
        return cls(secret, fits.known, fits, chances, truth, *chances.best())

    def believing(self, chances: Chances) -> Guesses:
        """The same people, of whom something else is believed."""
        value, chance = chances.best()
        return replace(self, chances=chances, value=value, chance=chance)

    @property
    def people(self) -> int:
        """How many people were looked at."""
        return int(self.known.counts.sum())

    def right(self, value: Ints) -> float:
        """The share of people whose value is the one guessed."""
        hit = self.truth.values == value[self.truth.people]
        return float(self.truth.counts[hit].sum() / max(self.people, 1))

    @property
    def baseline(self) -> float:
        """What guessing everybody to have the commonest value gets right."""
        return float(self.truth.total(self.chances.size).max(initial=0.0))

    def exposure(self, exposed: NDArray[np.bool_], details: Mapping[str, Any] | None = None) -> Exposure:
        """As an answer: which combinations of quasi-identifiers are exposed."""
        more = {} if self.fits.looked == 1 else {"looked at one person in": self.fits.looked}
        return Exposure(
            people=self.people,
            exposed=int(self.known.counts[exposed].sum()),
            surest=float(self.chance.max(initial=0.0)),
            right=self.right(self.value),
            baseline=self.baseline,
            on=self.secret,
            details={**(details or {}), **more},
        )
