"""People from outside by what a register says of them, and the published rows that may be theirs.

A cell of a register may be exact or general: it is read as a published cell is, and a missing one may be anything. A
row may be somebody's if in every column there is a value that both cells stand for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.adversaries.given import given_table
from sfumato.errors import InputError
from sfumato.release.codes import Codes
from sfumato.release.spans import CellSpans
from sfumato.release.subject import Lacking, Subject
from sfumato.table.packing import Packed

__all__ = ["Matches", "Register"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

_MOST = 40_000_000
"""Pairs of people and different rows that are looked at; where there are more, some of the people are."""


@dataclass(frozen=True, eq=False)
class Register:
    """Different rows of a register.

    names    quasi-identifiers that it has
    cells    per name, a number for the cell of each row
    spans    per name, the codes that each cell stands for
    counts   people of each row
    inside   how many rows of the original have the same exact values; -1: not all cells are exact
    """

    names: tuple[str, ...]
    cells: tuple[Ints, ...]
    spans: tuple[CellSpans, ...]
    counts: Ints
    inside: Ints

    @classmethod
    def of(cls, subject: Subject, given: object | None) -> Register:
        """The register that was given; the original's own quasi-identifiers without one."""
        if given is None:
            return cls._original(subject)
        table = given_table(given, subject.policy.input, "register")
        names = tuple(name for name in subject.quasi if name in table.columns)
        if not names:
            raise InputError(f"register: has none of the published quasi-identifiers: {', '.join(subject.quasi)}")
        spans, columns = [], []
        for name in names:
            codes, texts = Codes.of(table[name])
            meant = ["*" if text is None else text for text in texts]  # nothing is known there
            spans.append(CellSpans.of(meant, subject.domain(name), subject.policy.columns[name]))
            columns.append((codes.rows, len(texts)))
        packed = Packed.of_rows(columns)
        cells = tuple(packed.codes(place) for place in range(len(names)))
        made = cls(names, cells, tuple(spans), packed.counts, np.zeros(0, np.int64))
        return cls(names, cells, tuple(spans), packed.counts, made._inside(subject))

    @classmethod
    def _original(cls, subject: Subject) -> Register:
        found = subject.tuples.count(subject.quasi)
        sizes = [subject.domain(name).size for name in subject.quasi]
        none = np.zeros(0, np.int64)
        every = [np.arange(size) for size in sizes]
        spans = [CellSpans(each, each, np.ones_like(each), np.zeros(len(each) + 1, np.int64), none) for each in every]
        return cls(subject.quasi, found.codes, tuple(spans), found.counts, found.counts)

    def _inside(self, subject: Subject) -> Ints:
        """Rows of the original that are equal to each row, by packing both alike."""
        found = subject.tuples.count(self.names)
        exact = np.ones(len(self.counts), dtype=np.bool_)
        columns = []
        for name, cells, spans, codes in zip(self.names, self.cells, self.spans, found.codes, strict=True):
            exact &= (spans.values <= 1)[cells]
            mine = np.where(spans.values == 1, spans.low, subject.domain(name).size)[cells]  # foreign: nobody's
            columns.append((np.concatenate((codes, mine)), subject.domain(name).size + 1))
        packed = Packed.of_rows(columns)
        number = np.arange(len(columns[0][0])) if packed.numbers is None else packed.numbers
        rows = np.zeros(len(packed.counts), np.int64)
        rows[number[: len(found.counts)]] = found.counts
        return np.where(exact, rows[number[len(found.counts) :]], -1)

    def some(self, share: int) -> Register:
        """One in so many rows, spread evenly."""
        cells = tuple(each[::share] for each in self.cells)
        return Register(self.names, cells, self.spans, self.counts[::share], self.inside[::share])


@dataclass(frozen=True, eq=False)
class Matches:
    """Which published rows may be whose.

    register     the people looked at: one in `looked` different rows
    candidates   per row of the register, how many published rows may be theirs
    claimants    per different published row, how many people of the register may be meant
    rows         how many published rows are the same as each
    """

    register: Register
    candidates: Ints
    claimants: Ints
    rows: Ints
    looked: int = 1

    @classmethod
    def of(cls, subject: Subject, register: Register, most: int = _MOST) -> Matches:
        """Find them. Where there would be too many pairs, one in 4, 16, … is looked at."""
        if len(subject.people) > 1:
            raise Lacking("quasi-identifiers that stand side by side: in slices, rows are put together by nobody")
        shown = [subject.cells(name) for name in register.names]
        packed = Packed.of_rows([(cells.codes, len(cells.texts)) for cells in shown])
        codes = [packed.codes(place) for place in range(len(shown))]
        share = 1
        while True:
            asked = register if share == 1 else register.some(share)
            person, box = _meeting(asked, codes, [cells.spans for cells in shown], most)
            if len(person) <= most:
                break
            share *= 4
        candidates = np.bincount(person, weights=packed.counts[box], minlength=len(asked.counts))
        claimants = np.bincount(box, weights=asked.counts[person], minlength=len(packed.counts))
        return cls(asked, candidates.astype(np.int64), claimants.astype(np.int64), packed.counts, share)


def _meeting(
    register: Register, codes: Sequence[Ints], spans: Sequence[CellSpans], most: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Pairs of a row of the register and a different published row that have a value in common in every column.

    Two runs of codes meet if neither begins behind the end of the other: a point of two ends within a box of two sides.
    """
    from sfumato.release.loops.boxes import holding

    points, low, high = [], [], []
    for cells, mine, shown, theirs in zip(register.cells, register.spans, codes, spans, strict=True):
        first, last = mine.low[cells], mine.high[cells]
        points.append(last)
        low.append(theirs.low[shown])
        if (first == last).all():
            high.append(theirs.high[shown])
            continue
        high.append(np.full(len(shown), np.iinfo(np.int32).max))
        points.append(first)
        low.append(np.full(len(shown), -1))
        high.append(theirs.high[shown])
    person, box = holding(_stacked(points), _stacked(low), _stacked(high), most)
    if len(person) > most:
        return person, box
    held = np.ones(len(person), dtype=np.bool_)
    for cells, mine, shown, theirs in zip(register.cells, register.spans, codes, spans, strict=True):
        held &= _common(mine, cells[person], theirs, shown[box])
    return person[held], box[held]


def _stacked(columns: Sequence[Ints]) -> NDArray[np.int32]:
    return np.ascontiguousarray(np.stack(columns, axis=1), dtype=np.int32)


def _common(mine: CellSpans, cells: Ints, theirs: CellSpans, shown: Ints) -> Flags:
    """Whether two cells whose runs meet have a value in common; it is looked at where one has gaps, or none at all."""
    held = (mine.values[cells] > 0) & (theirs.values[shown] > 0)
    doubtful = np.flatnonzero(held & (mine.torn[cells] | theirs.torn[shown]))
    if not len(doubtful):
        return np.asarray(held)
    keys, place = np.unique(cells[doubtful] * len(theirs) + shown[doubtful], return_inverse=True)
    pairs = [(_codes(mine, int(key) // len(theirs)), _codes(theirs, int(key) % len(theirs))) for key in keys]
    met = np.array([not one.isdisjoint(other) for one, other in pairs], dtype=np.bool_)
    held[doubtful] = met[place.reshape(-1)]
    return np.asarray(held)


def _codes(spans: CellSpans, cell: int) -> frozenset[int]:
    members = spans.members[spans.starts[cell] : spans.starts[cell + 1]].tolist()
    return frozenset(members or range(int(spans.low[cell]), int(spans.high[cell]) + 1))
