"""Terms that betray a label: symptoms that lead to a disease which is nowhere in the table.

The adversary has the knowledge table that the policy names: which terms go with which label. They look somebody up,
find the rows that may be theirs, and link the terms of each: a row may stand for every label that has all its terms.
The labels of one row are equally likely, or as likely as priors and P(term | label) make them; so are the rows that may
be theirs. A row whose terms fit no label says nothing, and is a row all the same.

Truth is known where the original terms of a person fit one label only.

Reference: Shi, Xiong, Fung: Anonymizing data with quasi-sensitive attribute values. CIKM 2010, Definition 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.adversaries.contract import Arms, Exposure, Persona
from sfumato.adversaries.guesses import Truth
from sfumato.adversaries.ranked import NEAR
from sfumato.errors import InputError
from sfumato.knowledge.linking import Links, TermSets, link
from sfumato.release.codes import Codes
from sfumato.release.fits import Chances, Fits, Known
from sfumato.release.opening import JOINT
from sfumato.release.shares import Shares
from sfumato.release.subject import Lacking, Numbered, Subject
from sfumato.table.domain import SetDomain
from sfumato.table.packing import Packed
from sfumato.table.sets import separator_of

__all__ = ["QuasiSensitive"]

Ints = NDArray[np.int64]

_MARK = "*"


@dataclass(frozen=True)
class QuasiSensitive:
    """Exposed is of whom one label is believed with a chance above `above`."""

    above: float = 0.5
    name: ClassVar[str] = "quasi-sensitive"
    persona: ClassVar[Persona] = Persona(
        title="a nurse who knows which terms go with which label",
        assumes="knows everybody's quasi-identifiers, and the knowledge table of the policy",
        exposes="one label is believed more than the setting allows",
        reference="Shi, Xiong, Fung, CIKM 2010, Definition 2",
        needs=("the original table", "a published quasi-sensitive column"),
    )

    def __post_init__(self) -> None:
        if not 0 <= self.above < 1:
            raise InputError(f"quasi-sensitive: above must be from 0 to 1 (got {self.above})")

    def attack(self, subject: Subject, arms: Arms) -> tuple[Exposure, ...]:
        shown = [domain for domain in subject.tuples.sets if domain.name in subject.seen.table.columns]
        if not shown:
            raise Lacking("a published quasi-sensitive column")
        return tuple(self._of(subject, domain) for domain in shown)

    def _of(self, subject: Subject, domain: SetDomain) -> Exposure:
        people, rows, sizes = subject.classes
        codes, links = _linked(subject, domain)
        shares = _shares(rows, codes, links, sizes, len(domain.told.labels))
        known = Known.of(subject.tuples, subject.quasi)
        fits = Fits.of(subject, known, Numbered(people, sizes, shares))
        chances = _labels(fits.chances(shares))
        label, chance = chances.best()
        truth = _truth(subject, domain, known, fits.looked)
        counts, scored = fits.known.counts, int(truth.counts.sum())
        own = chances.of(truth.people, truth.values)
        total = truth.total(chances.size)
        details: dict[str, Any] = {
            "people whose terms fit one label only": scored,
            "of these believed rightly above it": int(truth.counts[own > self.above + NEAR].sum()),
        }
        if scored:
            details["mean belief in the true label"] = float(truth.counts @ own / scored)
        if fits.looked > 1:
            details["looked at one person in"] = fits.looked
        return Exposure(
            people=int(counts.sum()),
            exposed=int(counts[chance > self.above + NEAR].sum()),
            surest=float(chance.max(initial=0.0)),
            right=float(truth.counts[label[truth.people] == truth.values].sum() / scored) if scored else None,
            baseline=float(total.max(initial=0.0)) if scored else None,
            on=domain.name,
            details=details,
        )


def _linked(subject: Subject, domain: SetDomain) -> tuple[Ints, Links]:
    """The cell of every published row, and the labels that its terms may stand for."""
    name = domain.name
    separator = JOINT if name in subject.received.evidence.lists else separator_of(subject.policy.columns[name])
    codes, texts = Codes.of(subject.seen.table[name].cast(pl.String))
    parts = [[part.strip() for part in (text or "").split(separator)] for text in texts]
    sets = TermSets.of(domain.told, [[part for part in each if part not in ("", _MARK)] for each in parts])
    marks = np.array([each.count(_MARK) for each in parts], dtype=np.int64)
    lengths = sets.lengths - (sets.unknown if domain.unknown == "drop" else 0) + marks if domain.known else None
    return codes.rows.astype(np.int64), link(domain.told, sets, domain.unknown, lengths)


def _shares(rows: Ints, cells: Ints, links: Links, sizes: Ints, labels: int) -> Shares:
    """How likely labels are in every class; behind the last, that a row says nothing."""
    counted = Packed.of_rows([(cells, len(links)), (rows, len(sizes))])
    owner, cell = counted.codes(1), counted.codes(0)
    many = links.counts[cell]
    which = np.repeat(np.arange(len(cell)), many)
    place = np.arange(len(which)) - np.repeat(np.cumsum(many) - many, many) + links.offsets[cell][which]
    silent = np.flatnonzero(many == 0)
    keys = np.concatenate((owner[which] * (labels + 1) + links.labels[place], owner[silent] * (labels + 1) + labels))
    mass = np.concatenate((counted.counts[which] * links.chances[place], counted.counts[silent]))
    keys, at = np.unique(keys, return_inverse=True)
    summed = np.bincount(at.reshape(-1), weights=mass, minlength=len(keys)) / sizes[keys // (labels + 1)]
    starts = np.searchsorted(keys // (labels + 1), np.arange(len(sizes) + 1)).astype(np.int64)
    return Shares(starts, keys % (labels + 1), np.asarray(summed), labels + 1)


def _labels(chances: Chances) -> Chances:
    """Without what says nothing."""
    kept = chances.values < chances.size - 1
    starts = np.concatenate(([0], np.cumsum(np.bincount(chances.owner[kept], minlength=len(chances.starts) - 1))))
    return Chances(starts, chances.values[kept], chances.chances[kept], chances.size - 1)


def _truth(subject: Subject, domain: SetDomain, known: Known, looked: int) -> Truth:
    """People whose original terms fit one label, and that label."""
    found = Truth.of(subject, known, domain.name)
    links = domain.links
    first = np.append(links.labels, 0)[np.minimum(links.offsets[:-1], len(links.labels))].astype(np.int64)
    kept = (links.counts[found.values] == 1) & (found.people % looked == 0)
    return Truth(found.people[kept] // looked, first[found.values[kept]], found.counts[kept])
