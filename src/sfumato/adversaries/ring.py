"""Rings: which rows may be whose is told by what all of them cover, and by the order in which they stand.

A row of a ring covers L people and carries the values of one of them. If one of L rotations was drawn, each with the
same probability, somebody has each of L values with 1/L: that is the promise. Three who learn more:

*matchings*   Whoever does not know the ring finds every matching of people and rows as likely in which each row covers
              its person. A row that covers more people than its ring has in mind (an interval does) makes these
              unequal: of ages 20, 30, 40, 50 shown as [20, 30], [30, 40], [40, 50], [20, 50], three of four matchings
              give the first row to the first person: 3/4, where 1/2 was promised.
*order*       Rows that stand in the order of the ring, everybody's own value first, tell everything to who knows it:
              the i-th person has the i-th row. Who is i-th is found by what L neighbouring rows have in common.
*one leak*    Where the whole ring was turned, one known value tells by how far, and so everybody's.

Matchings are counted exactly in parts of up to `most` rows that hang together; where all of a part fit all its rows,
however large it is, every row is as likely. Other parts are left out, and counted. How to publish in this form so that
none of it helps, and what cannot be helped: see the form's own page.

Reference: Wong, Mamoulis, Cheung: Non-homogeneous generalization in privacy preserving data publishing. SIGMOD 2010.
https://doi.org/10.1145/1807167.1807248
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.adversaries.contract import Arms, Exposure, Persona
from sfumato.adversaries.guesses import Guesses, Truth
from sfumato.adversaries.matchings import Component, components, pairs_matched
from sfumato.adversaries.ranked import NEAR
from sfumato.errors import InputError
from sfumato.policy.sections import RingEntry, RingsSealed
from sfumato.progress import Progress
from sfumato.release.fits import Chances
from sfumato.release.subject import Lacking, Subject

__all__ = ["RingReader"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Counts = dict[tuple[int, bytes], Floats]
"""Matchings by what they were counted of."""

_FORM = "ring"
_MOST = 18


@dataclass(frozen=True)
class RingReader:
    """Exposed is of whom a value is believed with more than 1/l.

    l      what rings promise; None: what those of the manifest do, or 2. A bare table is attacked only if it is set
    most   rows of a part whose matchings are counted
    """

    most: int = 12
    l: float | None = None
    name: ClassVar[str] = "ring"
    persona: ClassVar[Persona] = Persona(
        title="a puzzler who lays out people and rows",
        assumes="knows everybody's quasi-identifiers, that rows form rings, and that any matching of them is as likely",
        exposes="a value is believed more than a ring of l promises",
        reference="Wong, Mamoulis, Cheung, SIGMOD 2010, https://doi.org/10.1145/1807167.1807248",
        needs=("the original table", "a release in the form ring, or a bare table"),
    )

    def __post_init__(self) -> None:
        if not 1 <= self.most <= _MOST:
            raise InputError(f"ring: most must be from 1 to {_MOST}: beyond, matchings are too many to count")

    def attack(self, subject: Subject, arms: Arms) -> tuple[Exposure, ...]:
        bare = _FORM if self.l is not None else "of a bare table, of which l says what its rings promise"
        form = subject.received.evidence.form.get("publish", bare)
        if subject.tuples.rows and (form != _FORM or len(subject.people) > 1):
            raise Lacking(f"rows that form rings: the release is in the form {form}")
        counted: Counts = {}
        return tuple(each for name in subject.sensitive for each in self._of(subject, name, counted, arms.progress))

    def _of(self, subject: Subject, secret: str, counted: Counts, progress: Progress) -> Iterator[Exposure]:
        guesses = Guesses.of(subject, secret)
        if guesses.fits.looked > 1:
            raise Lacking("a smaller release: not everybody can be looked at")
        layout = _Layout.of(subject, guesses, self.most)
        work = sum(len(part.rows) ** 2 << len(part.rows) for part in layout.parts)
        progress(f"ring: {work:,} steps for {len(layout.parts):,} parts", 0, len(layout.parts))
        matched = []
        for number, part in enumerate(layout.parts):
            matched.append(part.matched(counted))
            if number % 100 == 99:
                progress(f"ring: {work:,} steps for {len(layout.parts):,} parts", number + 1, len(layout.parts))
        yield self._exposure(layout.believed(guesses, matched), layout, 1 / self._promised(subject))
        yield from layout.in_order(subject, guesses)
        yield from _leaked(subject, guesses)

    def _promised(self, subject: Subject) -> float:
        sealed = subject.received.evidence.sealed(RingsSealed)
        widths = [] if sealed is None else [ring.width for ring in sealed.rings]
        return self.l if self.l is not None else min(widths, default=2)

    def _exposure(self, found: Guesses, layout: _Layout, promised: float) -> Exposure:
        looked = np.diff(found.chances.starts) > 0
        people = int(found.known.counts[looked].sum())
        kept = looked[found.truth.people]
        truth = Truth(found.truth.people[kept], found.truth.values[kept], found.truth.counts[kept])
        own = found.chances.of(truth.people, truth.values)
        details: dict[str, Any] = {
            "who": "matchings",
            "promised": promised,
            "mean belief in the truth": float(truth.counts @ own / max(people, 1)),
            "people in parts that are too large": int(found.known.counts[~looked].sum()),
        }
        if layout.torn:
            details["people whom no matching fits"] = layout.torn
        made = replace(found, truth=truth).exposure(looked & (found.chance > promised + NEAR), details)
        right = float(truth.counts[found.value[truth.people] == truth.values].sum() / max(people, 1))
        return replace(made, people=people, right=right if people else None)


@dataclass(frozen=True, eq=False)
class _Piece:
    """People one by one (by the number of their combination), rows one by one, and who fits which."""

    people: Ints
    rows: Ints
    fits: Flags

    def matched(self, counted: Counts) -> Floats:
        """Per person and row the share of matchings with both; parts of one shape are counted once."""
        if self.fits.all():
            return np.full(self.fits.shape, 1 / max(self.fits.shape))
        shape = len(self.rows), self.fits.tobytes()
        if shape not in counted:
            counted[shape] = pairs_matched(self.fits)
        return counted[shape]


@dataclass(frozen=True, eq=False)
class _Layout:
    """Parts that can be looked at; per row of the release its value, and how many people no matching fits."""

    parts: tuple[_Piece, ...]
    values: Ints
    torn: int

    @classmethod
    def of(cls, subject: Subject, guesses: Guesses, most: int) -> _Layout:
        numbered, fits = subject.numbered(guesses.secret), guesses.fits
        cells = subject.cells(guesses.secret)
        values = np.where(cells.spans.values == 1, cells.spans.low, -1)[cells.codes]
        owner = np.repeat(np.arange(len(fits.starts) - 1), np.diff(fits.starts))
        found = components(owner, fits.classes, len(fits.known.counts), len(numbered.sizes))
        order = np.argsort(numbered.people, kind="stable")
        begins = np.concatenate(([0], np.cumsum(numbered.sizes)))
        parts, torn = [], 0
        for part in found:
            piece = cls._piece(part, guesses, order, begins, most)
            if piece is not None and len(piece.people) >= len(piece.rows):
                parts.append(piece)
            elif piece is not None:
                torn += len(piece.people)
        return cls(tuple(parts), values, torn)

    @staticmethod
    def _piece(part: Component, guesses: Guesses, order: Ints, begins: Ints, most: int) -> _Piece | None:
        fits, counts = guesses.fits, guesses.known.counts
        rows = np.concatenate([order[begins[group] : begins[group + 1]] for group in part.classes])
        group = np.repeat(np.arange(len(part.classes)), begins[part.classes + 1] - begins[part.classes])
        place = {int(each): at for at, each in enumerate(part.classes)}
        reach = np.zeros((len(part.people), len(part.classes)), dtype=np.bool_)
        for at, person in enumerate(part.people):
            reach[at, [place[int(each)] for each in fits.classes[fits.starts[person] : fits.starts[person + 1]]]] = True
        people = np.repeat(np.arange(len(part.people)), counts[part.people])
        small = len(rows) <= most and len(people) <= 2 * most
        if not small and not (reach.all() and len(rows) * len(people) <= 1 << 22):
            return None
        return _Piece(part.people[people], rows, reach[people][:, group])

    def believed(self, guesses: Guesses, matched: list[Floats]) -> Guesses:
        """What matchings make believe; nothing of people in parts that were left out."""
        keys, mass, size = [], [], guesses.chances.size
        for part, shares in zip(self.parts, matched, strict=True):
            person, row = np.nonzero(shares)
            known = self.values[part.rows[row]] >= 0
            keys.append((part.people[person] * size + self.values[part.rows[row]])[known])
            mass.append(shares[person, row][known])
        key, at = np.unique(np.concatenate([np.zeros(0, np.int64), *keys]), return_inverse=True)
        summed = np.bincount(at.reshape(-1), weights=np.concatenate([np.zeros(0), *mass]), minlength=len(key))
        owner = key // size
        whole = np.bincount(owner, weights=summed, minlength=len(guesses.known.counts))
        starts = np.searchsorted(owner, np.arange(len(guesses.known.counts) + 1))
        return guesses.believing(Chances(starts, key % size, np.asarray(summed / whole[owner]), size))

    def in_order(self, subject: Subject, guesses: Guesses) -> Iterator[Exposure]:
        """Who takes the rows of a part to stand in the order of their ring, everybody's own value first."""
        rings = _rings(subject)
        known = {frozenset(ring.rows): ring for ring in rings}
        held = _values_of(guesses.truth)
        people = right = 0
        for part in self.parts:
            ring = known.get(frozenset(part.rows.tolist()))
            if rings and ring is None:
                continue
            rows = np.sort(part.rows) if ring is None else np.array(ring.rows)
            width = int(part.fits.sum(axis=0).min()) if ring is None else ring.width
            place = _placed(part, rows, width)
            if place is None:
                continue
            people += len(rows)
            hit = [int(self.values[rows[at]]) in held.get(int(person), ()) for at, person in enumerate(place)]
            right += sum(hit)
        if people:
            yield Exposure(people, right, 1.0, right / people, guesses.baseline, guesses.secret, {"who": "order"})


def _leaked(subject: Subject, guesses: Guesses) -> Iterator[Exposure]:
    """Who learns one value in every ring that was turned as a whole: L neighbours differ, so it tells by how far."""
    rings = _rings(subject)
    if rings and subject.received.evidence.form.get("draw") == "rotation":
        people = sum(len(ring.rows) for ring in rings)
        told = {"who": "one leak", "rings": len(rings)}
        yield Exposure(people, people - len(rings), 1.0, 1.0, guesses.baseline, guesses.secret, told)


def _values_of(truth: Truth) -> dict[int, set[int]]:
    made: dict[int, set[int]] = {}
    for person, value in zip(truth.people.tolist(), truth.values.tolist(), strict=True):
        made.setdefault(person, set()).add(value)
    return made


def _rings(subject: Subject) -> tuple[RingEntry, ...]:
    """The holder's, if the manifest is there: those that are not shown whole."""
    sealed = subject.received.evidence.sealed(RingsSealed)
    return () if sealed is None else tuple(ring for ring in sealed.rings if ring.width < len(ring.rows))


def _placed(part: _Piece, rows: Ints, width: int) -> Ints | None:
    """Who is in which place of a ring: covered by the rows of this and the places before; None if it is not told."""
    if len(part.people) != len(rows) or width >= len(rows):
        return None
    column = {int(row): at for at, row in enumerate(part.rows)}
    fits = part.fits[:, [column[int(row)] for row in rows]]
    able = np.stack([fits[:, (at - np.arange(width)) % len(rows)].all(axis=1) for at in range(len(rows))], axis=1)
    chance = pairs_matched(able) if len(rows) <= _MOST else np.zeros(able.shape)
    if not (np.isclose(chance, 1.0).any(axis=0)).all():
        return None
    return np.asarray(part.people[chance.argmax(axis=0)])
