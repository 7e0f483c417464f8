"""A table as strips: columns that stand side by side, row by row, and what leads from one strip to another.

A generalized release is one strip. Where quasi-identifiers are exact, they are a strip, each sensitive column is
another, and all that leads from one to the other is the group; the slices of a sliced release are strips as well. The
original table is one strip, of values that stand for themselves. Whoever counts or draws rows by strips need not know
which form a release has.

Different rows of a strip are counted, and stand in an order that follows from what they show: where the rows of a
release stand in its files makes no difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.release.codes import Codes
from sfumato.release.spans import CellSpans
from sfumato.release.subject import Lacking, Subject
from sfumato.table.domain import SetDomain
from sfumato.table.packing import Packed
from sfumato.table.sets import separator_of

__all__ = ["Strip", "Strips", "secrets_of", "vocabulary"]

Ints = NDArray[np.int64]

Cells = tuple[Ints, CellSpans]
"""Per row a cell, in the order of their texts, and what each stands for."""


@dataclass(frozen=True, eq=False)
class Strip:
    """Different rows of columns that stand side by side.

    cells    a row per column: the cell of each; see `Strips.spans`
    counts   how often each is there
    begins   class g has those from ``begins[g]`` to ``begins[g + 1]``
    """

    names: tuple[str, ...]
    cells: NDArray[np.int32]
    counts: Ints
    begins: Ints

    @classmethod
    def of(cls, columns: Mapping[str, Cells], classes: Ints, count: int) -> Strip:
        parts = [(cells, len(spans)) for cells, spans in columns.values()]
        packed = Packed.of_rows([*parts, (classes, count)])
        made = np.empty((len(parts), len(packed.counts)), dtype=np.int32)
        for place in range(len(parts)):
            made[place] = packed.codes(place)
        begins = np.searchsorted(packed.codes(len(parts)), np.arange(count + 1))
        return cls(tuple(columns), made, packed.counts, begins.astype(np.int64))

    @property
    def sizes(self) -> Ints:
        """Rows of each class."""
        summed = np.concatenate(([0], np.cumsum(self.counts)))
        return np.asarray(summed[self.begins[1:]] - summed[self.begins[:-1]])

    @property
    def once(self) -> Strip:
        """The same, each counted once."""
        return Strip(self.names, self.cells, np.ones_like(self.counts), self.begins)


@dataclass(frozen=True, eq=False)
class Strips:
    """A table as strips, whose rows belong together by class and otherwise by chance.

    spans    per column what its cells stand for: codes of the original's domain, or terms (`vocabulary`) of a set
    sets     columns of terms
    kept     where sensitive values were changed at random, the probability that one was not
    """

    strips: tuple[Strip, ...]
    spans: Mapping[str, CellSpans]
    sets: frozenset[str] = frozenset()
    kept: float | None = None

    @classmethod
    def original(cls, subject: Subject, names: Sequence[str]) -> Strips:
        """The table that the release was made from."""
        found = subject.tuples.count(names)
        cells = np.zeros((len(names), len(found.counts)), dtype=np.int32)
        for place, codes in enumerate(found.codes):
            cells[place] = codes
        strip = Strip(tuple(names), cells, found.counts, np.array([0, len(found.counts)]))
        return cls((strip,), {name: _themselves(subject, name) for name in names}, _sets(subject, names))

    @classmethod
    def published(cls, subject: Subject, names: Sequence[str]) -> Strips:
        """A release."""
        columns = {name: _cells(subject, name) for name in names}
        spans = {name: found for name, (_, found) in columns.items()}
        sets, rows, one = _sets(subject, names), subject.seen.table.height, ([*names],)
        if not subject.seen.exact:
            return cls(_cut(columns, one, [np.zeros(rows, dtype=np.int64)], 1), spans, sets)
        people, secrets, count = _groups(subject)
        if subject.seen.changed:
            return cls(_cut(columns, one, [people], count), spans, sets, _kept(subject))
        parts = _slices(subject, names)
        classes = [people if set(part) & set(subject.quasi) else secrets for part in parts]
        return cls(_cut(columns, parts, classes, count), spans, sets)

    def of(self, names: Sequence[str]) -> Strips:
        """As if some columns stood in a strip of their own, and all others in another: what classes say by chance."""
        made = []
        for strip in self.strips:
            inside = [place for place, name in enumerate(strip.names) if name in names]
            outside = [place for place in range(len(strip.names)) if place not in inside]
            made += [_narrowed(self.spans, strip, part) for part in (inside, outside) if part]
        return Strips(tuple(made), self.spans, self.sets)


def secrets_of(subject: Subject) -> tuple[str, ...]:
    """Sensitive and quasi-sensitive columns that are published."""
    return (*subject.sensitive, *(name for name in subject.policy.sets if name in subject.seen.table.columns))


def _sets(subject: Subject, names: Sequence[str]) -> frozenset[str]:
    return frozenset(name for name in names if isinstance(subject.domain(name), SetDomain))


def vocabulary(domain: SetDomain) -> list[str]:
    """The terms that the rows of a table have, in order."""
    return sorted({term for terms in domain.sets for term in terms})


def _cut(
    columns: Mapping[str, Cells], parts: Sequence[Sequence[str]], classes: Sequence[Ints], count: int
) -> tuple[Strip, ...]:
    each = zip(parts, classes, strict=True)
    return tuple(Strip.of({name: columns[name] for name in part}, mine, count) for part, mine in each)


def _narrowed(spans: Mapping[str, CellSpans], strip: Strip, places: Sequence[int]) -> Strip:
    """Some columns of a strip."""
    classes = np.repeat(np.arange(len(strip.begins) - 1), np.diff(strip.begins))
    parts = [(strip.cells[place], len(spans[strip.names[place]])) for place in places]
    packed = Packed.of([*parts, (classes, len(strip.begins) - 1)], strip.counts, canonical=True)
    cells = np.empty((len(places), len(packed.counts)), dtype=np.int32)
    for place in range(len(places)):
        cells[place] = packed.codes(place)
    begins = np.searchsorted(packed.codes(len(places)), np.arange(len(strip.begins))).astype(np.int64)
    return Strip(tuple(strip.names[place] for place in places), cells, packed.counts, begins)


def _slices(subject: Subject, names: Sequence[str]) -> list[list[str]]:
    """Which columns stand side by side, where only a group leads from some to others."""
    parts = [[name for name in names if name in frame.columns] for frame in subject.seen.parts]
    named = {name for part in parts for name in part}
    return [part for part in (*parts, *([name] for name in names if name not in named)) if part]


def _groups(subject: Subject) -> tuple[Ints, Ints, int]:
    """The group of every row of people and of every row of secrets, in the order of their ids; how many there are."""
    people, table, name = subject.people[0], subject.seen.table, subject.received.evidence.group_id
    if name is None or name not in people.columns or name not in table.columns:
        return np.zeros(people.height, dtype=np.int64), np.zeros(table.height, dtype=np.int64), 1
    found = [Codes.of(frame[name]) for frame in (people, table)]
    ids = sorted({str(text) for _, texts in found for text in texts})
    place = {text: number for number, text in enumerate(ids)}
    one, other = (np.array([place[str(text)] for text in texts], np.int64)[codes.rows] for codes, texts in found)
    return one, other, len(ids)


def _kept(subject: Subject) -> float:
    if subject.seen.retention is None:
        raise Lacking("the probability with which values were kept")
    return float(subject.seen.retention)


def _cells(subject: Subject, name: str) -> Cells:
    """A published column."""
    domain = subject.domain(name)
    if isinstance(domain, SetDomain):
        codes, texts = Codes.of(subject.seen.table[name].cast(pl.String))
        separator = separator_of(subject.policy.columns[name])
        sets = [() if text is None else tuple(text.split(separator)) for text in texts]
        rows, spans = codes.rows.astype(np.int64), _terms(sets, vocabulary(domain))
    else:
        found = subject.cells(name)
        rows, texts, spans = found.codes, list(found.texts), found.spans
    order = sorted(range(len(texts)), key=lambda code: (texts[code] is None, texts[code] or ""))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[rows], _ordered(spans, np.array(order, dtype=np.int64))


def _themselves(subject: Subject, name: str) -> CellSpans:
    """Values of the original, which stand for themselves."""
    domain = subject.domain(name)
    if isinstance(domain, SetDomain):
        return _terms(domain.sets, vocabulary(domain))
    codes = np.arange(domain.size)
    none = np.zeros(domain.size + 1, dtype=np.int64)
    return CellSpans(codes, codes, np.ones_like(codes), none, np.zeros(0, dtype=np.int64))


def _terms(sets: Sequence[Sequence[str]], terms: Sequence[str]) -> CellSpans:
    """Sets by the numbers of their terms. What no row of the table has is none, such as the mark of a term left out."""
    place = {term: number for number, term in enumerate(terms)}
    found = [sorted({place[term] for term in each if term in place}) for each in sets]
    values = np.array([len(each) for each in found], dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(values))).astype(np.int64)
    members = np.array([number for each in found for number in each], dtype=np.int64)
    return CellSpans(np.zeros_like(values), np.full_like(values, -1), values, starts, members)


def _ordered(spans: CellSpans, order: Ints) -> CellSpans:
    """The same cells in another order."""
    length = np.diff(spans.starts)[order]
    starts = np.concatenate(([0], np.cumsum(length))).astype(np.int64)
    place = np.arange(starts[-1]) - np.repeat(starts[:-1] - spans.starts[order], length)
    return CellSpans(spans.low[order], spans.high[order], spans.values[order], starts, spans.members[place])
