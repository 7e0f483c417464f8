"""Everybody's share in every class that they fit, value by value: what is weighed anew by who knows more.

A *pair* is a person (a combination of quasi-identifiers) and a class that they fit, with so many rows. An *entry* is a
pair and a value that the class holds. Without more knowledge an entry weighs what the class says: the pair's rows times
the value's share. Whoever knows more weighs entries by it, and adds them up person by person.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.adversaries.guesses import Guesses
from sfumato.release.fits import Chances
from sfumato.release.subject import Lacking, Numbered

__all__ = ["Entries"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_MOST = 60_000_000
"""Entries that are looked at."""


@dataclass(frozen=True, eq=False)
class Entries:
    """Entry e is of the pair `pair[e]`, and has the value `value[e]`, of which the class holds `rows[e]` rows.

    person, group, weight   of every pair: who, which class, and with how many rows
    people, size            how many there are, of people and of values
    """

    pair: Ints
    value: Ints
    rows: Floats
    person: Ints
    group: Ints
    weight: Floats
    people: int
    size: int

    @classmethod
    def of(cls, guesses: Guesses, numbered: Numbered) -> Entries:
        """All of them; `Lacking` if they are too many, or not everybody was looked at."""
        fits, shares = guesses.fits, numbered.shares
        many = np.diff(shares.starts)[fits.classes]
        if fits.looked > 1 or many.sum() > _MOST:
            found = "too many" if fits.looked > 1 else f"{int(many.sum()):,}"
            raise Lacking(
                f"a release with fewer values that people may have: there are {found}, and room for {_MOST:,}"
            )
        pair = np.repeat(np.arange(len(many)), many)
        place = np.arange(len(pair)) - np.repeat(np.cumsum(many) - many, many) + shares.starts[fits.classes][pair]
        rows = shares.shares[place] * numbered.sizes[fits.classes][pair]
        person = np.repeat(np.arange(len(fits.starts) - 1), np.diff(fits.starts))
        return cls(
            pair,
            shares.values[place],
            rows,
            person,
            fits.classes,
            fits.weights,
            len(guesses.known.counts),
            shares.size,
        )

    @property
    def held(self) -> Ints:
        """A number for the class and value of every entry."""
        return self.group[self.pair] * self.size + self.value

    def by_pair(self, weights: Floats) -> Floats:
        """The sum of every pair."""
        return np.bincount(self.pair, weights=weights, minlength=len(self.person)).astype(np.float64)

    def chances(self, weights: Floats) -> Chances:
        """What is believed of everybody: entries with their weights, added up; nothing of whom nothing weighs."""
        keys, place = np.unique(self.person[self.pair] * self.size + self.value, return_inverse=True)
        summed = np.bincount(place.reshape(-1), weights=weights, minlength=len(keys))
        keys, summed = keys[summed > 0], summed[summed > 0]
        owner = keys // self.size
        whole = np.bincount(owner, weights=summed, minlength=self.people)
        starts = np.searchsorted(owner, np.arange(self.people + 1))
        return Chances(starts, keys % self.size, np.asarray(summed / whole[owner]), self.size)
