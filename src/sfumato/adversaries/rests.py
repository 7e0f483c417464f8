"""What is left of the classes of a release when those of an earlier one are taken out of them.

Where nobody left, everybody of an earlier class is still there. If all who may be in it are in one class of the new
release, its values are among those of that class; the others are the values of the other people in it, who are new or
were elsewhere before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.adversaries.composed import values_as_in
from sfumato.adversaries.whose import numbered_rows
from sfumato.release.fits import Fits, Known
from sfumato.release.shares import Shares
from sfumato.release.subject import Lacking, Numbered, Subject
from sfumato.table.packing import Packed

__all__ = ["Rests"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Rests:
    """Rest r holds ``values[starts[r]:starts[r + 1]]``, ascending, each so often, in codes of the new release."""

    starts: Ints
    values: Ints
    counts: Ints

    @property
    def sizes(self) -> Ints:
        """How many people are left of each class."""
        summed = np.concatenate(([0], np.cumsum(self.counts)))
        return np.asarray(summed[self.starts[1:]] - summed[self.starts[:-1]])

    @classmethod
    def of(cls, first: Subject, other: Subject, secret: str) -> Rests:
        """Of a release and an earlier one, which stand beside the same rows; `Lacking` where values are not exact."""
        if first.original is None or other.original is None:
            raise Lacking("the original table")
        wide = first.domain(secret).size + 1
        own, theirs = _held(first, first, secret), _held(first, other, secret)
        home = _homes(first, other)[theirs[0]]
        taken = home >= 0
        keys = np.concatenate((own[0] * wide + own[1], home[taken] * wide + theirs[1][taken]))
        signs = np.repeat((1.0, -1.0), (len(own[0]), int(taken.sum())))
        every, place = np.unique(keys, return_inverse=True)
        left = np.bincount(place.reshape(-1), weights=signs, minlength=len(every)).astype(np.int64)
        whole = np.zeros(len(first.classes[2]), dtype=np.bool_)
        whole[home[taken]] = True
        whole[every[left < 0] // wide] = False
        kept = whole[every // wide] & (left > 0)
        classes, rest = np.unique(every[kept] // wide, return_inverse=True)
        starts = np.searchsorted(rest.reshape(-1), np.arange(len(classes) + 1)).astype(np.int64)
        return cls(starts, every[kept] % wide, left[kept])


def _held(first: Subject, subject: Subject, secret: str) -> tuple[Ints, Ints]:
    """The class and the value of every row, in codes of the first release; what is no value of it is the last code."""
    cells, rows = subject.cells(secret), subject.classes[1]
    spans, places = cells.spans, values_as_in(first, subject, secret)
    if subject.seen.changed or (spans.values > 1).any():
        raise Lacking("secrets that are shown as they are")
    code = np.where(spans.values == 1, places[spans.low], -1)
    return rows, np.where(code < 0, first.domain(secret).size, code)[cells.codes]


def _homes(first: Subject, other: Subject) -> Ints:
    """Per class of the other release, the only class of the first that all who may be in it are in; -1: none is."""
    own, theirs = _fits(first), _fits(other)
    whose = [numbered_rows(each.original, each.quasi) for each in (first, other) if each.original is not None]
    kinds = Packed.of_rows([(each, int(each.max(initial=0)) + 1) for each in whose])
    found = np.append(own.classes, -1)[np.minimum(own.starts[:-1], len(own.classes))]
    only = np.where(np.diff(own.starts) == 1, found, -1)
    length = np.diff(theirs.starts)[kinds.codes(1)]
    begins = np.concatenate(([0], np.cumsum(length)))[:-1]
    place = np.arange(length.sum()) - np.repeat(begins - theirs.starts[kinds.codes(1)], length)
    group, home = theirs.classes[place], np.repeat(only[kinds.codes(0)], length)
    classes = len(other.classes[2])
    lowest, highest = np.full(classes, np.iinfo(np.int64).max), np.full(classes, -1)
    np.minimum.at(lowest, group, home)
    np.maximum.at(highest, group, home)
    return np.where(lowest == highest, highest, -1)


def _fits(subject: Subject) -> Fits:
    people, _, sizes = subject.classes
    nothing = Shares(np.zeros(len(sizes) + 1, np.int64), np.zeros(0, np.int64), np.zeros(0), 1)
    found = Fits.of(subject, Known.of(subject.tuples, subject.quasi), Numbered(people, sizes, nothing))
    if found.looked > 1:
        raise Lacking("fewer classes that people may be in")
    return found
