"""Which classes of a release somebody fits whose quasi-identifiers are known, and what follows for their secret.

002, Theorem 3: somebody may fit several classes; what may be theirs is then spread over all of them. A row that covers
what is known of them is as likely theirs as any other. Where quasi-identifiers are exact, it is the rows that show them
that are theirs, and each leads to a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.release.shares import Shares
from sfumato.release.spans import CellSpans
from sfumato.release.subject import Numbered, Subject
from sfumato.table.packing import Packed
from sfumato.table.tally import Tally

__all__ = ["Chances", "Fits", "Known"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_MOST = 40_000_000
"""Pairs of people and classes that are looked at; where there are more, some of the people are."""


@dataclass(frozen=True, eq=False)
class Known:
    """People by what is known of them: combinations of codes, and how many people each is.

    names   the quasi-identifiers that are known
    codes   a row per combination, a column per name
    """

    names: tuple[str, ...]
    codes: NDArray[np.int32]
    counts: Ints

    @classmethod
    def of(cls, tally: Tally, names: Sequence[str]) -> Known:
        """Everybody in a table, known by some of its columns."""
        found = tally.count(names)
        codes = np.stack(found.codes, axis=1) if names else np.zeros((len(found.counts), 0))
        return cls(tuple(names), np.ascontiguousarray(codes, dtype=np.int32), found.counts)

    def some(self, share: int) -> Known:
        """One in so many combinations, spread evenly."""
        return Known(self.names, self.codes[::share], self.counts[::share])


@dataclass(frozen=True, eq=False)
class Fits:
    """Person p fits ``classes[starts[p]:starts[p + 1]]``, each with so many rows that may be theirs.

    known    the people looked at
    looked   one in so many of those that were asked for
    """

    known: Known
    starts: Ints
    classes: Ints
    weights: Floats
    looked: int = 1

    @classmethod
    def of(cls, subject: Subject, known: Known, numbered: Numbered, most: int = _MOST) -> Fits:
        """Find them. Where there would be too many pairs, one person in 4, 16, … is looked at."""
        parts = [_part(subject, known.names, frame.columns, numbered.people) for frame in subject.people]
        share = 1
        while True:
            asked = known if share == 1 else known.some(share)
            found = _met(parts, asked, numbered.sizes, most)
            if found is not None:
                people, classes, weights = found
                starts = np.searchsorted(people, np.arange(len(asked.counts) + 1)).astype(np.int64)
                return cls(asked, starts, classes, weights, share)
            share *= 4

    @property
    def rows(self) -> Floats:
        """How many rows may be each person's."""
        summed = np.concatenate(([0.0], np.cumsum(self.weights)))
        return np.asarray(summed[self.starts[1:]] - summed[self.starts[:-1]])

    def chances(self, shares: Shares) -> Chances:
        """What may be believed of everybody."""
        from sfumato.release.loops.beliefs import added

        fitting, telling = (self.starts, self.classes, self.weights), (shares.starts, shares.values, shares.shares)
        starts, values, chances = added(*fitting, *telling, shares.size)
        return Chances(starts, values, chances, shares.size)


@dataclass(frozen=True, eq=False)
class Chances:
    """Person p has one of ``values[starts[p]:starts[p + 1]]``, ascending, each with its chance; nobody fits: none."""

    starts: Ints
    values: Ints
    chances: Floats
    size: int

    @property
    def owner(self) -> Ints:
        """The person of every entry."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def of(self, people: Ints, values: Ints) -> Floats:
        """How likely it is that each of some people has each of some values."""
        keys = np.append(self.owner * self.size + self.values, -1)
        wanted = people * self.size + values
        place = np.searchsorted(keys[:-1], wanted)
        return np.where(keys[place] == wanted, np.append(self.chances, 0.0)[place], 0.0)

    def best(self) -> tuple[Ints, Floats]:
        """The likeliest value of everybody, the least of several, and its chance; -1 and 0 of who fits nowhere."""
        order = np.lexsort((self.values, -self.chances, self.owner))
        first = np.minimum(self.starts[:-1], max(len(order) - 1, 0))
        told = np.diff(self.starts) > 0
        if not len(order):
            return np.full(len(told), -1), np.zeros(len(told))
        return np.where(told, self.values[order[first]], -1), np.where(told, self.chances[order[first]], 0.0)


@dataclass(frozen=True, eq=False)
class _SideBySide:
    """Different rows of quasi-identifiers that stand side by side: what each stands for, its class, and how often."""

    places: tuple[int, ...]
    low: NDArray[np.int32]
    high: NDArray[np.int32]
    cells: tuple[Ints, ...]
    spans: tuple[CellSpans, ...]
    classes: Ints
    counts: Ints


def _part(subject: Subject, names: Sequence[str], columns: Sequence[str], classes: Ints) -> _SideBySide:
    """The rows of one frame, by the columns that are known."""
    mine = [(place, subject.cells(name)) for place, name in enumerate(names) if name in columns]
    parts = [(cells.codes, len(cells.texts)) for _, cells in mine]
    packed = Packed.of_rows([*parts, (classes, int(classes.max(initial=-1)) + 1)])
    codes = [packed.codes(at) for at in range(len(mine))]
    low = [cells.spans.low[each] for (_, cells), each in zip(mine, codes, strict=True)]
    high = [cells.spans.high[each] for (_, cells), each in zip(mine, codes, strict=True)]
    return _SideBySide(
        tuple(place for place, _ in mine),
        _columns(low, len(packed.counts)),
        _columns(high, len(packed.counts)),
        tuple(codes),
        tuple(cells.spans for _, cells in mine),
        packed.codes(len(mine)),
        packed.counts,
    )


def _columns(parts: Sequence[Ints], rows: int) -> NDArray[np.int32]:
    made = np.stack(parts, axis=1) if parts else np.zeros((rows, 0))
    return np.ascontiguousarray(made, dtype=np.int32)


Met = tuple[Ints, Ints, Floats]
"""People, classes and weights, in ascending order of the first two."""


def _met(parts: Sequence[_SideBySide], known: Known, sizes: Ints, most: int) -> Met | None:
    """Who fits which class by all parts, those first that tell most; None if there are too many pairs."""
    first, *others = sorted(parts, key=lambda part: -len(part.counts))
    found = _met_by(first, known, len(sizes), most)
    for part in others:
        found = None if found is None else _met_too(found, part, known, sizes)
    return found


def _met_by(part: _SideBySide, known: Known, classes: int, most: int) -> Met | None:
    from sfumato.release.loops.boxes import holding

    points = np.ascontiguousarray(known.codes[:, list(part.places)])
    person, box = holding(points, part.low, part.high, most)
    if len(person) > most:
        return None
    person, box = person.astype(np.int64), box.astype(np.int64)
    held = np.ones(len(person), dtype=np.bool_)
    for place, cells, spans in zip(part.places, part.cells, part.spans, strict=True):
        if spans.torn.any():
            held &= spans.has(cells[box], known.codes[person, place].astype(np.int64))
    keys, at = np.unique(person[held] * classes + part.classes[box[held]], return_inverse=True)
    weights = np.bincount(at.reshape(-1), weights=part.counts[box[held]], minlength=len(keys))
    return keys // classes, keys % classes, weights.astype(np.float64)


def _met_too(met: Met, part: _SideBySide, known: Known, sizes: Ints) -> Met:
    """Who fits by one part more, which stands in an order of its own: as many rows as there are pairs by chance."""
    from sfumato.release.loops.boxes import counted_within

    people, classes, weights = met
    points = np.ascontiguousarray(known.codes[:, list(part.places)])
    begins = np.searchsorted(part.classes, np.arange(len(sizes) + 1))
    found = counted_within(people, classes, points, begins, part.low, part.high, part.counts)
    told = found > 0
    return people[told], classes[told], (weights * found / sizes[classes])[told]
