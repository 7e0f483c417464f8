"""Adult and Nursery as the paper uses them, and the three algorithms that it compares.

Figure 8, which lists the attributes, is lost: Adult has the seven quasi-identifiers of paper 001 and occupation,
Nursery its eight attributes and the class. Hierarchies of Adult are ours; values of Nursery are shown or not.

SWEEP is the paper's own variant (`faithful`). For 1DLD, along a Hilbert curve, and CLD, Incognito under recursive
(c,l)-diversity, all parameters are tried, and of the outputs that keep the (τ,l) asked for the one with the least
excessive protection counts, as in the paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import sfumato as sf
from benchmarks.losses import Adult, made
from sfumato import datasets
from sfumato.errors import NoneFound, SfumatoError
from sfumato.measures.protection import excesses
from sfumato.policy.methods import Method
from sfumato.policy.promises import Promise, RecursiveCL, SimpleL

__all__ = ["ADULT_QUASI", "Candidate", "People", "adult", "caps_of", "counted", "nursery"]

Ints = NDArray[np.int64]
ADULT_QUASI = ("age", "sex", "race", "marital-status", "education", "native-country", "workclass")
SEED = 1
_CS = (1, 2, 4, 10, 10_000)


@dataclass(frozen=True)
class Candidate:
    """Groups that one of the other algorithms makes: with which promise, and how often each has each value."""

    method: Method
    promise: Promise
    words: str
    counts: Ints

    def excess(self, caps: tuple[Fraction, ...]) -> float | None:
        """Of the groups the least; None if one breaks (τ,l)."""
        owner, value = np.nonzero(self.counts)
        found, broken = excesses(caps, owner, self.counts[owner, value], self.counts.sum(axis=1))
        return None if broken.any() else float(found.min())


@dataclass(frozen=True)
class People:
    """A table, what its columns are, and what others make of it."""

    frame: pl.DataFrame
    columns: Mapping[str, Mapping[str, Any]]
    sensitive: str
    largest: int
    """The largest l that is tried with recursive (c,l)-diversity."""

    def policy(self) -> dict[str, Any]:
        return {"version": 1, "columns": dict(self.columns), "privacy": [{"model": "simple-l", "l": 1}]}

    @cached_property
    def coded(self) -> Adult:
        return Adult.of(sf.read(self.frame, self.policy()))

    @cached_property
    def hilbert(self) -> tuple[Candidate, ...]:
        """1DLD for every l that the table allows."""
        counts = self.coded.coded[self.sensitive].counts
        most = int(counts.sum()) // int(counts.max())
        return tuple(self._tried(sf.Hilbert(), ((SimpleL(l), f"l = {l}") for l in range(2, most + 1))))

    @cached_property
    def incognito(self) -> tuple[Candidate, ...]:
        """CLD for every c and l that may serve."""
        asked = ((RecursiveCL(c, l), f"c = {c}, l = {l}") for l in range(2, self.largest + 1) for c in _CS)
        return tuple(self._tried(sf.Incognito(), asked))

    def _tried(self, method: Method, asked: Iterator[tuple[Promise, str]]) -> Iterator[Candidate]:
        for promise, words in asked:
            try:
                labels = made(self.coded, method, promise, SEED).partition.labels
            except (NoneFound, SfumatoError):
                continue
            yield Candidate(method, promise, words, counted(self.coded, labels, self.sensitive))

    def best(self, method: str, caps: tuple[Fraction, ...]) -> Candidate | None:
        """That with the least excessive protection, of those that keep (τ,l)."""
        tried = self.hilbert if method == "1DLD" else self.incognito
        found = [(excess, each) for each in tried if (excess := each.excess(caps)) is not None]
        return min(found, key=lambda pair: pair[0])[1] if found else None


def counted(adult: Adult, labels: Ints, sensitive: str) -> Ints:
    """How often each group has each value."""
    values = adult.coded.each().codes[sensitive]
    counts = np.zeros((int(labels.max()) + 1, adult.coded[sensitive].size), np.int64)
    np.add.at(counts, (labels, values), 1)
    return counts


def caps_of(tau: Fraction, l: int) -> tuple[Fraction, ...]:
    """ψ(1) to ψ(l - 1), beyond which it is 1.

    >>> [str(most) for most in caps_of(Fraction(1, 2), 3)]
    ['1/2', '3/4']
    """
    return tuple(tau + (1 - tau) * Fraction(k - 1, l - 1) for k in range(1, l))


def adult(sensitive: str = "occupation") -> People:
    """The 45,222 rows in which nothing is missing."""
    how = datasets.adult_hierarchies()
    columns: dict[str, Mapping[str, Any]] = {name: {"role": "quasi", **how[name]} for name in ADULT_QUASI}
    if sensitive != "occupation":
        columns["occupation"] = {"role": "quasi", **how["occupation"]}
    columns[sensitive] = {"role": "sensitive", **how[sensitive]}
    return People(datasets.adult_complete().select(*columns), columns, sensitive, 8)


def nursery() -> People:
    """All 12,960 rows."""
    return flat(datasets.nursery(), "class", 4)


def flat(frame: pl.DataFrame, sensitive: str, largest: int) -> People:
    """Values are shown or not."""
    columns = {
        name: {"role": "sensitive" if name == sensitive else "quasi", "hierarchy": "flat"} for name in frame.columns
    }
    return People(frame, columns, sensitive, largest)
