"""Several releases together: what each leaves believable of everybody, and what all of them leave.

Whoever fits rows of several releases has a value that all of them allow. How likely each of these is: as the releases
were made independently, given the secret, and a table's totals are what was believed before, the product of what each
says, over the totals for all but one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.adversaries.whose import numbered_rows
from sfumato.release.fits import Chances, Fits, Known
from sfumato.release.subject import Lacking, Numbered, Subject
from sfumato.table.packing import Packed
from sfumato.taxonomy.text import text_of

__all__ = ["Composed", "values_as_in"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Composed:
    """What may be believed of one secret, in codes of the first release's domain.

    counts   how many people there are of each kind: those of a kind are alike in all that any release shows of them
    alone    by each release
    totals   the share of every value in the table
    truth    what people of each kind really have: kind, value, how many
    """

    secret: str
    counts: Ints
    alone: tuple[Chances, ...]
    totals: Floats
    truth: tuple[Ints, Ints, Ints]

    @classmethod
    def of(cls, subjects: Sequence[Subject], secret: str) -> Composed:
        """By releases that stand beside the same rows."""
        first, size = subjects[0], subjects[0].domain(secret).size
        tables = [subject.original for subject in subjects]
        if first.original is None or any(table is None or table.rows != first.original.rows for table in tables):
            raise Lacking("the original table")
        whose = [numbered_rows(table, subject.quasi) for table, subject in zip(tables, subjects, strict=True) if table]
        kinds = Packed.of_rows([(each, int(each.max(initial=0)) + 1) for each in whose])
        numbers = np.arange(len(whose[0])) if kinds.numbers is None else kinds.numbers.astype(np.int64)
        alone = tuple(
            _renamed(_spread(_every(subject, secret), kinds.codes(place)), values_as_in(first, subject, secret), size)
            for place, subject in enumerate(subjects)
        )
        values = numbered_rows(first.original, [secret])
        codes = first.tuples.joint([secret])[1][:, 0].astype(np.int64)[values]
        held = Packed.of_rows([(numbers, len(kinds.counts)), (codes, size)])
        totals = np.bincount(codes, minlength=size) / max(len(codes), 1)
        return cls(secret, kinds.counts, alone, totals, (held.codes(0), held.codes(1), held.counts))

    @property
    def people(self) -> int:
        return int(self.counts.sum())

    @cached_property
    def telling(self) -> NDArray[np.bool_]:
        """Which releases say anything of each kind of people, release by release: those that they fit a row of."""
        return np.stack([np.diff(each.starts) > 0 for each in self.alone])

    @cached_property
    def _possible(self) -> Ints:
        """Kinds and values that every release which says something of them allows, as keys in ascending order."""
        size = self.alone[0].size
        keys = [_keys(each) for each in self.alone]
        every, many = np.unique(np.concatenate(keys), return_counts=True)
        return np.asarray(every[many == self.telling.sum(axis=0)[every // size]])

    @cached_property
    def contradicted(self) -> Flags:
        """Of whom the releases allow no value together: they are not in all of them, or their secret has changed."""
        left = np.bincount(self._possible // self.alone[0].size, minlength=len(self.counts)) > 0
        return np.asarray(self.telling.any(axis=0) & ~left)

    @cached_property
    def together(self) -> Chances:
        """What all releases leave; of people whom they contradict each other about, what the first says."""
        size, keys = self.alone[0].size, self._possible
        logs = np.zeros(len(keys))
        for each in self.alone:
            logs += np.where(self._told(each, keys), np.log(np.maximum(self._at(each, keys), 1e-300)), 0.0)
        more = np.maximum(self.telling.sum(axis=0) - 1, 0)[keys // size]
        logs -= more * np.log(np.maximum(self.totals[keys % size], 1e-300))
        return self._filled(keys, logs)

    def restricted(self, place: int) -> Chances:
        """What one release says of the values that all of them leave: no assumption but that secrets are the same."""
        keys = self._possible
        said = self._at(self.alone[place], keys)
        told = self._told(self.alone[place], keys)
        return self._filled(keys[told], np.log(np.maximum(said[told], 1e-300)))

    def _told(self, chances: Chances, keys: Ints) -> Flags:
        """Of which keys the release says something of their people."""
        return np.asarray((np.diff(chances.starts) > 0)[keys // chances.size])

    def _at(self, chances: Chances, keys: Ints) -> Floats:
        return chances.of(keys // chances.size, keys % chances.size)

    def _filled(self, keys: Ints, logs: Floats) -> Chances:
        """Chances by their logarithms, those of a kind summing to 1; of contradicted people as the first has them."""
        size, first = self.alone[0].size, self.alone[0]
        owner = keys // size
        highest = np.full(len(self.counts), -np.inf)
        np.maximum.at(highest, owner, logs)
        mass = np.exp(logs - highest[owner])
        whole = np.bincount(owner, weights=mass, minlength=len(self.counts))
        kept = self.contradicted[first.owner]
        every = np.concatenate((keys, _keys(first)[kept]))
        shares = np.concatenate((mass / whole[owner], first.chances[kept]))
        order = np.argsort(every, kind="stable")
        starts = np.searchsorted(every[order] // size, np.arange(len(self.counts) + 1)).astype(np.int64)
        return Chances(starts, every[order] % size, shares[order], size)

    def true_within(self, chances: Chances) -> Ints:
        """Per kind, how many of its people really have one of the values that these chances allow."""
        kind, value, many = self.truth
        within = chances.of(kind, value) > 0
        return np.bincount(kind[within], weights=many[within], minlength=len(self.counts)).astype(np.int64)

    def right(self, chances: Chances) -> float:
        """The share of people whose value is the likeliest one."""
        kind, value, many = self.truth
        hit = chances.best()[0][kind] == value
        return float(many[hit].sum() / max(self.people, 1))


def _keys(chances: Chances) -> Ints:
    return np.asarray(chances.owner * chances.size + chances.values)


def _every(subject: Subject, secret: str) -> Chances:
    """What a release says of everybody, however many pairs of people and classes there are: part by part."""
    numbered = subject.numbered(secret)
    known = Known.of(subject.tuples, subject.quasi)
    parts = [*_parts(subject, known, numbered)]
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    return Chances(
        np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.chances for part in parts]),
        parts[0].size,
    )


def _parts(subject: Subject, known: Known, numbered: Numbered) -> list[Chances]:
    fits = Fits.of(subject, known, numbered)
    if fits.looked == 1:
        return [fits.chances(numbered.shares)]
    half = len(known.counts) // 2
    halves = (slice(None, half), slice(half, None))
    return [
        part
        for each in halves
        for part in _parts(subject, Known(known.names, known.codes[each], known.counts[each]), numbered)
    ]


def _spread(chances: Chances, which: Ints) -> Chances:
    """Of each of some people, who may be asked for several times."""
    length = np.diff(chances.starts)[which]
    starts = np.concatenate(([0], np.cumsum(length))).astype(np.int64)
    place = np.arange(starts[-1]) - np.repeat(starts[:-1] - chances.starts[which], length)
    return Chances(starts, chances.values[place], chances.chances[place], chances.size)


def values_as_in(first: Subject, other: Subject, secret: str) -> Ints:
    """The code in the first release's domain of every code of another one's, by how values are written."""
    place = {None if value is None else text_of(value): code for code, value in enumerate(first.domain(secret).values)}
    texts = (None if value is None else text_of(value) for value in other.domain(secret).values)
    return np.array([place.get(text, -1) for text in texts], dtype=np.int64)


def _renamed(chances: Chances, places: Ints, size: int) -> Chances:
    """In other codes, ascending again; values that have none are no value of the table."""
    values = places[chances.values]
    kept = values >= 0
    owner, values, shares = chances.owner[kept], values[kept], chances.chances[kept]
    keys, at = np.unique(owner * size + values, return_inverse=True)
    summed = np.bincount(at.reshape(-1), weights=shares, minlength=len(keys)).astype(np.float64)
    starts = np.searchsorted(keys // size, np.arange(len(chances.starts))).astype(np.int64)
    return Chances(starts, keys % size, summed, size)
