"""Bayes: an adversary who knows how secrets go with quasi-identifiers in the population, and draws every conclusion.

f(q, s) is the share of the population with quasi-identifiers q and secret s, f(s | q) and f(s | q*) those among people
with q and among all whom a class q* covers. Before the release, somebody with q is believed to have s with alpha(q, s)
= f(s | q). If n(q*, s) rows of their class have s, then afterwards with

    beta(q, s) = n(q*, s) f(s|q)/f(s|q*)  /  sum over s' of n(q*, s') f(s'|q)/f(s'|q*)

(001, Theorem 3.1; its second fraction prints f(s'|q*) twice). Positive disclosure: beta > 1 - delta for a true value.
Negative: beta < epsilon for a value that is not theirs. A (rho1, rho2) breach: alpha < rho1 and beta > rho2, or
alpha > 1 - rho1 and beta < 1 - rho2.

Deviations. Somebody may fit several classes: beta is then in proportion to the sum over them of n(q*, s) f(q, s) /
f(q*, s), the rows with q and s that each is expected to hold; with one class it is the theorem's. Where
quasi-identifiers are exact, everybody in a group is known: f(s | q*) is the mean of f(s | q) over its rows, a first
step towards the exact answer (a permanent). Negative disclosures do not count where alpha < epsilon: they are no news.

Reference: Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: l-diversity: privacy beyond k-anonymity. TKDD 1, 2007,
section 3. https://doi.org/10.1145/1217299.1217302
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.adversaries.contract import Arms, Exposure, Persona
from sfumato.adversaries.entries import Entries
from sfumato.adversaries.guesses import Guesses
from sfumato.adversaries.population import Population
from sfumato.adversaries.ranked import NEAR
from sfumato.errors import InputError
from sfumato.release.fits import Chances
from sfumato.release.subject import Lacking, Subject

__all__ = ["Bayes"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Prior = tuple[Ints, Ints, Floats]
"""People, values and masses of the population."""


@dataclass(frozen=True)
class Bayes:
    """Exposed is for whom there is a positive disclosure of their true value."""

    delta: float = 0.1
    epsilon: float = 0.01
    rho1: float = 0.1
    rho2: float = 0.5
    name: ClassVar[str] = "bayes"
    persona: ClassVar[Persona] = Persona(
        title="a statistician who knows the population",
        assumes="knows everybody's quasi-identifiers, and how secrets go with them in the population",
        exposes="their true value is believed with more than 1 - delta",
        reference="Machanavajjhala et al., TKDD 2007, Theorem 3.1, https://doi.org/10.1145/1217299.1217302",
        needs=("the original table", "the population (population=)"),
    )

    def __post_init__(self) -> None:
        wrong = [name for name in ("delta", "epsilon", "rho1", "rho2") if not 0 <= getattr(self, name) <= 1]
        if wrong:
            raise InputError(f"bayes: {', '.join(wrong)} must be from 0 to 1")

    def attack(self, subject: Subject, arms: Arms) -> tuple[Exposure, ...]:
        if subject.tuples.rows and arms.population is None:
            raise Lacking("the population that people are from: population=, --population")
        if len(subject.people) > 1 or subject.seen.changed:
            raise Lacking("a form whose rows stand side by side, with values as they are")
        return tuple(
            self._of(subject, name, Population.of(subject, arms.population, name)) for name in subject.sensitive
        )

    def _of(self, subject: Subject, secret: str, population: Population) -> Exposure:
        guesses = Guesses.of(subject, secret, population.names)
        prior = population.prior(guesses.known)
        guesses = guesses.believing(_posterior(subject, guesses, population, prior))
        moved = _Moved.of(guesses, prior)
        counts, people = guesses.known.counts, len(guesses.known.counts)
        strangers = np.bincount(prior[0], minlength=people) == 0
        silent = ~strangers & (np.diff(guesses.chances.starts) == 0)
        details: dict[str, Any] = {
            "negative disclosures, people": moved.denied(guesses, self.epsilon),
            "breaches, people": int(counts[moved.breached(self.rho1, self.rho2)].sum()),
            "largest change of belief": float(np.abs(moved.after - moved.before)[moved.told].max(initial=0.0)),
            "guesses right by the population alone": guesses.right(moved.guess(people)),
        }
        if strangers.any():
            details["people whom nobody of the population is like"] = int(counts[strangers].sum())
        if silent.any():
            details["people whose class the population contradicts"] = int(counts[silent].sum())
        if population.outside > NEAR:
            details["share of the population left out"] = population.outside
        own = guesses.chances.of(guesses.truth.people, guesses.truth.values)
        positive = int(guesses.truth.counts[own > 1 - self.delta + NEAR].sum())
        return replace(guesses.exposure(np.zeros(people, np.bool_), details), exposed=positive)


@dataclass(frozen=True, eq=False)
class _Moved:
    """Beliefs before and after, of every person and value that the population has with their quasi-identifiers.

    told   whether the release says anything of the person
    """

    owner: Ints
    value: Ints
    before: Floats
    after: Floats
    told: Flags

    @classmethod
    def of(cls, guesses: Guesses, prior: Prior) -> _Moved:
        owner, value, mass = prior
        chances = guesses.chances
        before = mass / np.bincount(owner, weights=mass, minlength=len(guesses.known.counts))[owner]
        after = chances.of(owner, np.minimum(value, chances.size - 1)) * (value < chances.size)
        return cls(owner, value, np.asarray(before), after, np.diff(chances.starts)[owner] > 0)

    def denied(self, guesses: Guesses, epsilon: float) -> int:
        """People of whom a value was ruled out that is not theirs: all but those who have the only one that was."""
        out = self.told & (self.after < epsilon - NEAR) & (self.before >= epsilon)
        truth, size = guesses.truth, max(guesses.chances.size, int(self.value.max(initial=0)) + 1)
        many = np.bincount(self.owner[out], minlength=len(guesses.known.counts))
        mine = np.isin(truth.people * size + truth.values, (self.owner * size + self.value)[out])
        return int(truth.counts[many[truth.people] > mine].sum())

    def breached(self, rho1: float, rho2: float) -> Ints:
        """People of whom a belief rose from below rho1 to above rho2, or fell the other way round."""
        rose = (self.before < rho1 - NEAR) & (self.after > rho2 + NEAR)
        fell = (self.before > 1 - rho1 + NEAR) & (self.after < 1 - rho2 - NEAR)
        return np.unique(self.owner[self.told & (rose | fell)])

    def guess(self, people: int) -> Ints:
        """The likeliest value of everybody before."""
        order = np.lexsort((self.value, -self.before, self.owner))
        first = np.searchsorted(self.owner[order], np.arange(people))
        there = np.bincount(self.owner, minlength=people) > 0
        return np.where(there, np.append(self.value[order], -1)[first], -1)


def _posterior(subject: Subject, guesses: Guesses, population: Population, prior: tuple[Ints, Ints, Floats]) -> Chances:
    """Beliefs after the release."""
    numbered = subject.numbered(guesses.secret)
    entries = Entries.of(guesses, numbered)
    owner, value, mass = prior
    size = max(entries.size, int(population.secret.max(initial=0)) + 1)
    order = np.argsort(owner * size + value)
    keys = np.append((owner * size + value)[order], -1)
    wanted = entries.person[entries.pair] * size + entries.value
    at = np.searchsorted(keys[:-1], wanted)
    f = np.where(keys[at] == wanted, np.append(mass[order], 0.0)[at], 0.0)
    if subject.seen.exact:
        whole = np.bincount(owner, weights=mass, minlength=entries.people)[entries.person[entries.pair]]
        f = np.divide(f, whole, out=np.zeros(len(f)), where=whole > 0)
        cover = np.bincount(entries.held, weights=f * entries.weight[entries.pair])[entries.held]
        weights = np.divide(entries.rows * f, cover, out=np.zeros(len(f)), where=cover > 0)
        each = entries.by_pair(weights)[entries.pair]
        return entries.chances(entries.weight[entries.pair] * np.divide(weights, each, out=weights, where=each > 0))
    held, inside = population.within(subject, numbered.people, size)
    held = np.append(held, -1)
    wanted = entries.group[entries.pair] * size + entries.value
    at = np.searchsorted(held[:-1], wanted)
    cover = np.where(held[at] == wanted, np.append(inside, 0.0)[at], 0.0)
    return entries.chances(np.divide(entries.rows * f, cover, out=np.zeros(len(f)), where=cover > 0))
