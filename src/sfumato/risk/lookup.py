"""Registers of the population: whom a journalist may look up, and how many people of it fit what a release shows.

A register has the quasi-identifiers, or some of them, a row per person. A row of a release fits everybody whom its
cells cover. Of a person who fits several classes, the one that fewest people fit counts; a journalist, who does not
know that the person is in the table, is never taken to be surer than a prosecutor.

Limit: where classes overlap, somebody with a register of exactly the people in the table could match all rows with all
people, and rule out more than this counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError, one_line
from sfumato.policy.document import Policy
from sfumato.policy.load import read_policy
from sfumato.release.fits import Fits, Known
from sfumato.release.shares import Shares
from sfumato.release.subject import Numbered, Subject
from sfumato.risk.everybody import Everybody
from sfumato.table.formats.source import read_raw
from sfumato.table.frames import from_frame
from sfumato.table.packing import Column, Packed
from sfumato.table.read import read
from sfumato.table.table import Table
from sfumato.table.tuples import Tuples

__all__ = ["Fitting", "Lookup", "nothing_said"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Fitting:
    """What a register tells of some units, be they combinations or classes.

    people    how many people of the population fit each; where it is estimated, one over the mean of one over it
    uniques   an estimate of how many rows are unique in the population too; None: they can be counted
    right     an estimate of how likely a match with a unique row is right
    """

    people: Floats
    uniques: float | None = None
    right: float | None = None

    def of(self, fits: Fits) -> Floats:
        """Of the classes that each person fits, the least; infinite for who fits none."""
        found = np.full(len(fits.starts) - 1, np.inf)
        some = np.diff(fits.starts) > 0
        if some.any():
            found[some] = np.minimum.reduceat(self.people[fits.classes], fits.starts[:-1][some])
        return found


@dataclass(frozen=True, eq=False)
class Lookup:
    """A population, by the quasi-identifiers that it has."""

    table: Table
    names: tuple[str, ...]

    @classmethod
    def of(cls, given: object, policy: Policy) -> Lookup:
        """Read a file or a frame; of its columns those count that the policy calls quasi-identifiers."""
        frame = read_raw(given, policy.input) if isinstance(given, (str, Path)) else from_frame(given, "population")[0]
        names = [name for name in policy.quasi if name in frame.columns]
        if not names:
            raise InputError(
                "the population has none of the quasi-identifiers; name its columns as in the policy:"
                f" {', '.join(map(one_line, policy.quasi))}"
            )
        return cls(read(frame.select(names), _reading(policy, names)), tuple(names))

    @property
    def people(self) -> float:
        """How many there are."""
        return float(self.table.rows)

    def combinations(self, everybody: Everybody, tuples: Tuples) -> Fitting:
        """Who has each combination that a table has, as far as the register tells."""
        known, coded = everybody.known, self.table.encode()
        names = [name for name in known.names if name in self.names]
        own = Known.of(coded, names)
        columns: list[Column] = []
        for at, name in enumerate(names):
            theirs = _codes(coded, tuples, name)[own.codes[:, at]]
            mine = known.codes[:, known.names.index(name)].astype(np.int64)
            columns.append((np.concatenate((mine, theirs)), tuples[name].size))
        if not columns:
            return Fitting(np.full(len(known.counts), self.people))
        packed = Packed.of_rows(columns, least=-1)  # who has a value that the table lacks is nobody there
        numbers = np.arange(len(columns[0][0])) if packed.numbers is None else packed.numbers
        counts = np.bincount(numbers[len(known.counts) :], weights=own.counts, minlength=len(packed.counts))
        return Fitting(np.asarray(counts[numbers[: len(known.counts)]]))

    def classes(self, subject: Subject, people: Ints, sizes: Ints) -> tuple[Fitting, int]:
        """Who fits each class of a release, and one in how many people was looked at."""
        seen = Subject(subject.received, self.table, subject.blank)
        names = [name for name in subject.quasi if name in self.names]
        fits = Fits.of(seen, Known.of(seen.tuples, names), Numbered(people, sizes, nothing_said()))
        each = np.repeat(fits.known.counts, np.diff(fits.starts))
        found: Floats = np.bincount(fits.classes, weights=each, minlength=len(sizes)).astype(np.float64)
        return Fitting(found * fits.looked), fits.looked


def _reading(policy: Policy, names: Sequence[str]) -> Policy:
    """How to read a register: quasi-identifiers as in the table. Every policy promises something; here it is idle."""
    columns = {
        name: {**policy.columns[name].model_dump(mode="json", exclude_defaults=True), "missing": "category"}
        for name in names
    }
    idle = [{"model": "k-anonymity", "k": 2}]
    plain = {"columns": columns, "privacy": idle, "input": policy.input.model_dump(mode="json")}
    return read_policy(plain, base=policy.base)


def _codes(own: Tuples, other: Tuples, name: str) -> Ints:
    """Per code of a column the code of the same value in another table; -1: it does not have it."""
    place = {value: code for code, value in enumerate(other[name].values.to_list())}
    return np.array([place.get(value, -1) for value in own[name].values.to_list()], dtype=np.int64)


def nothing_said() -> Shares:
    """Of no secret, for who asks only which classes people fit."""
    return Shares(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0), 0)
