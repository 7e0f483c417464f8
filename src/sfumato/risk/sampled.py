"""The register that a sample with weights stands for: nobody has it, and its sizes are estimated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.release.fits import Fits, Known
from sfumato.risk.estimates import mean_share, right_if_unique, uniques_of_population
from sfumato.risk.everybody import Everybody
from sfumato.risk.lookup import Fitting
from sfumato.table.packing import Column, Packed
from sfumato.table.table import Table

__all__ = ["Sampled"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sampled:
    """A table of which every row stands for so many people of the population."""

    table: Table
    weights: Floats

    @classmethod
    def of(cls, table: Table) -> Sampled | None:
        """None, if the table has no column of sampling weights."""
        weights = table.weights
        return None if weights is None else cls(table, weights)

    @property
    def people(self) -> float:
        """How many the weights sum to."""
        return float(self.weights.sum())

    def combinations(self, everybody: Everybody) -> Fitting:
        """Of every combination."""
        return _told(everybody.persons, self._summed(everybody.known))

    def classes(self, fits: Fits, everybody: Everybody, sizes: Ints) -> Fitting:
        """Of every class of a release: all whom it fits in the sample, and how many these stand for."""
        weights = self._summed(everybody.known)
        lengths = np.diff(fits.starts)
        rows = np.bincount(fits.classes, weights=np.repeat(everybody.persons, lengths), minlength=len(sizes))
        summed: Floats = np.bincount(fits.classes, np.repeat(weights, lengths), len(sizes)).astype(np.float64)
        return _told(rows.astype(np.int64) * fits.looked, summed * fits.looked)

    def _summed(self, known: Known) -> Floats:
        """The sum of the weights of every combination's rows."""
        tuples, mine = self.table.encode(), len(known.counts)
        if not known.names:
            return np.full(mine, self.people)
        columns: list[Column] = []
        for at, name in enumerate(known.names):
            every = np.concatenate((known.codes[:, at].astype(np.int64), self._codes(name)))
            columns.append((every, tuples[name].size))
        packed = Packed.of_rows(columns)
        numbers = np.arange(len(columns[0][0])) if packed.numbers is None else packed.numbers
        summed = np.bincount(numbers[mine:], weights=self.weights, minlength=len(packed.counts))
        return np.asarray(summed[numbers[:mine]])

    def _codes(self, name: str) -> Ints:
        """The code of every row in the domain of its column."""
        found = self.table.distinct[name]
        place = {value: code for code, value in enumerate(self.table.encode()[name].values.to_list())}
        codes = [*(place[value] for value in found.values.to_list()), place.get(None, -1)]
        return np.array(codes, dtype=np.int64)[found.codes]


def _told(rows: Ints, weights: Floats) -> Fitting:
    some = rows > 0
    people = np.full(len(rows), np.inf)
    people[some] = 1 / mean_share(rows[some], weights[some])
    return Fitting(people, uniques_of_population(rows, weights), right_if_unique(rows, weights))
