"""What may be believed of everybody, from the likeliest value down: what is left when some values are ruled out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.adversaries.guesses import Truth
from sfumato.release.fits import Chances

__all__ = ["NEAR", "Left", "Ranked"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NEAR = 1e-9
"""Chances that are nearer to one another than this are taken for equal."""


@dataclass(frozen=True, eq=False)
class Left:
    """After values were ruled out, for every person and true value.

    belief   the chance of the true value
    right    how often a guess of the likeliest is right; of several that are equally likely, one is taken at random
    """

    belief: Floats
    right: Floats


@dataclass(frozen=True, eq=False)
class Ranked:
    """Person p believes in values with the chances ``falling[starts[p]:starts[p + 1]]``."""

    chances: Chances
    falling: Floats
    summed: Floats
    keys: Floats

    @classmethod
    def of(cls, chances: Chances) -> Ranked:
        owner = chances.owner
        falling = chances.chances[np.lexsort((-chances.chances, owner))]
        return cls(chances, falling, np.concatenate(([0.0], np.cumsum(falling))), 2.0 * owner + 1.0 - falling)

    @property
    def people(self) -> Ints:
        return np.arange(len(self.chances.starts) - 1)

    def nth(self, people: Ints, place: int) -> Floats:
        """The chance in that place, from 0 on; 0 behind the last."""
        at = self.chances.starts[people] + place
        there = at < self.chances.starts[people + 1]
        return np.where(there, np.append(self.falling, 0.0)[np.minimum(at, len(self.falling))], 0.0)

    def first(self, people: Ints, many: int) -> Floats:
        """The sum of so many of the largest chances."""
        begin, end = self.chances.starts[people], self.chances.starts[people + 1]
        return np.asarray(self.summed[np.minimum(begin + many, end)] - self.summed[begin])

    def surest(self, out: int) -> Floats:
        """The largest chance that a value of each can get if so many others are ruled out."""
        top = self.nth(self.people, 0)
        rest = 1.0 - self.first(self.people, out + 1)
        return np.divide(top, top + np.maximum(rest, 0.0), out=np.zeros(len(top)), where=top > 0)

    def left(self, truth: Truth, out: int) -> Left:
        """What is believed if the likeliest so many values but for the true one are ruled out."""
        people, own = truth.people, self.chances.of(truth.people, truth.values)
        among = own >= self.nth(people, out) - NEAR  # the true value is one of the likeliest out + 1
        gone = np.where(among, self.first(people, out + 1) - own, self.first(people, out))
        rest = np.where(own > 0, np.maximum(1.0 - gone, own), 1.0)
        rival = self.nth(people, out + 1)
        end = np.searchsorted(self.keys, 2.0 * people + 1.0 - own + NEAR, side="right")
        equal = np.maximum(end - (self.chances.starts[people] + out + 1), 0)
        right = np.where(own > rival + NEAR, 1.0, 1.0 / (1 + equal))
        return Left(own / rest, np.where((own > 0) & among, right, 0.0))
