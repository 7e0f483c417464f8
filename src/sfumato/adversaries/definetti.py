"""DeFinetti: learn from the release how secrets go with quasi-identifiers, and use it against each of its people.

That every assignment of a group's values to its people is as likely as any other (*random worlds*) is wrong if the
table as a whole says otherwise: where groups with many smokers hold much cancer, a smoker in a group of two is likelier
to be the one. Nothing but the release is needed. The adversary builds a classifier from what it says of everybody, and
applies it to those it was built from.

Here: beliefs begin as random worlds have them. A round learns from them, for every secret s and quasi-identifier a, how
a is spread among people with s (naive Bayes, with `smoothing` people more for every value); then weighs everybody's
values in their group by how well s explains them, such that everybody still has one value and every value its rows
(scaled in turn, a few times). Rounds go on until nothing moves.

Deviations from the paper: beliefs stay soft, where it draws assignments and exchanges values between two people at a
time; a quasi-identifier with more than `bins` values is cut into runs of its order with about as many people each.
Somebody who fits several classes has a share in each.

Reference: Kifer: Attacks on privacy and deFinetti's theorem. SIGMOD 2009. https://doi.org/10.1145/1559845.1559861
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.adversaries.contract import Arms, Exposure, Persona
from sfumato.adversaries.entries import Entries
from sfumato.adversaries.guesses import Guesses
from sfumato.adversaries.ranked import NEAR
from sfumato.errors import InputError
from sfumato.progress import Progress
from sfumato.release.subject import Subject

__all__ = ["DeFinetti"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_TURNS = 5
"""How often rows and columns are scaled in a round."""
_STILL = 1e-4
"""The largest change of a belief by which nothing moves any more."""


@dataclass(frozen=True)
class DeFinetti:
    """Exposed is of whom a value is believed with a chance of `sure` or more."""

    rounds: int = 20
    bins: int = 20
    smoothing: float = 1.0
    sure: float = 0.9
    name: ClassVar[str] = "definetti"
    persona: ClassVar[Persona] = Persona(
        title="a learner who has nothing but the release",
        assumes="knows everybody's quasi-identifiers, and that what goes together in the table does so everywhere",
        exposes="a value is nearly sure by what was learnt",
        reference="Kifer, SIGMOD 2009, https://doi.org/10.1145/1559845.1559861",
    )

    def __post_init__(self) -> None:
        if self.rounds < 1 or self.bins < 2 or self.smoothing <= 0:
            raise InputError("definetti: rounds must be 1 or more, bins 2 or more, smoothing above 0")

    def attack(self, subject: Subject, arms: Arms) -> tuple[Exposure, ...]:
        return tuple(self._of(subject, name, arms.progress) for name in subject.sensitive)

    def _of(self, subject: Subject, secret: str, progress: Progress) -> Exposure:
        worlds = Guesses.of(subject, secret)
        entries = Entries.of(worlds, subject.numbered(secret))
        beliefs, rounds = self._learnt(worlds, entries, progress)
        guesses = worlds.believing(entries.chances(beliefs))
        truth, people = guesses.truth, max(guesses.people, 1)
        after, before = (each.chances.of(truth.people, truth.values) for each in (guesses, worlds))
        exposed = guesses.chance >= self.sure - NEAR
        hit = exposed[truth.people] & (guesses.value[truth.people] == truth.values)
        details = {
            "of these rightly": int(truth.counts[hit].sum()),
            "expected right": float(truth.counts @ after / people),
            "expected right in random worlds": float(truth.counts @ before / people),
            "guesses right in random worlds": worlds.right(worlds.value),
            "rounds": rounds,
        }
        return guesses.exposure(exposed, details)

    def _learnt(self, worlds: Guesses, entries: Entries, progress: Progress) -> tuple[Floats, int]:
        """The share of every entry, and after how many rounds nothing moved."""
        work = len(entries.pair)
        progress(f"definetti: {work:,} beliefs in up to {self.rounds} rounds", 0, self.rounds)
        mass = worlds.known.counts[entries.person] * entries.weight / np.maximum(worlds.fits.rows, NEAR)[entries.person]
        cuts = [_cut(worlds.known.codes[:, place], worlds.known.counts, self.bins) for place in range(_width(worlds))]
        _, held = np.unique(entries.held, return_inverse=True)
        shares = entries.rows / np.maximum(entries.by_pair(entries.rows), NEAR)[entries.pair]
        beliefs = mass[entries.pair] * shares
        wanted = np.asarray(np.bincount(held.reshape(-1), weights=beliefs), dtype=np.float64)
        for number in range(1, self.rounds + 1):
            likely = self._likelihood(entries, beliefs, cuts)
            moved = _scaled(entries, likely * shares, mass, held.reshape(-1), wanted)
            change = np.abs(moved - beliefs).max(initial=0.0)
            beliefs = moved
            progress(f"definetti: {work:,} beliefs, change {change:.1g}", number, self.rounds)
            if change < _STILL:
                return beliefs, number
        return beliefs, self.rounds

    def _likelihood(self, entries: Entries, beliefs: Floats, cuts: list[Ints]) -> Floats:
        """How well the value of every entry explains the quasi-identifiers of its person, the best of a pair as 1."""
        logs = np.zeros(len(beliefs))
        for cut in cuts:
            many = int(cut.max(initial=0)) + 1
            place = entries.value * many + cut[entries.person][entries.pair]
            found = (
                np.bincount(place, weights=beliefs, minlength=entries.size * many).reshape(-1, many) + self.smoothing
            )
            logs += np.log(found / found.sum(axis=1, keepdims=True)).reshape(-1)[place]
        top = np.full(len(entries.person), -np.inf)
        np.maximum.at(top, entries.pair, logs)
        return np.asarray(np.exp(logs - top[entries.pair]))


def _width(worlds: Guesses) -> int:
    return len(worlds.known.names)


def _cut(codes: NDArray[np.int32], counts: Ints, bins: int) -> Ints:
    """A column as at most so many runs of its codes, with about as many people each."""
    held = np.bincount(codes, weights=counts)
    if np.count_nonzero(held) <= bins:
        return np.asarray((np.cumsum(held > 0) - 1)[codes], dtype=np.int64)
    middle = np.cumsum(held) - held / 2
    return np.asarray(np.minimum(middle * bins // held.sum(), bins - 1)[codes], dtype=np.int64)


def _scaled(entries: Entries, weights: Floats, mass: Floats, held: Ints, wanted: Floats) -> Floats:
    """Weights such that every value of a class has its rows, and every pair its mass: pairs first and last."""
    weights = _by_rows(entries, weights, mass)
    for _ in range(_TURNS):
        columns = np.bincount(held, weights=weights, minlength=len(wanted))
        weights = weights * np.divide(wanted, columns, out=np.zeros(len(wanted)), where=columns > 0)[held]
        weights = _by_rows(entries, weights, mass)
    return weights


def _by_rows(entries: Entries, weights: Floats, mass: Floats) -> Floats:
    rows = entries.by_pair(weights)
    return np.asarray(weights * np.divide(mass, rows, out=np.zeros(len(mass)), where=rows > 0)[entries.pair])
