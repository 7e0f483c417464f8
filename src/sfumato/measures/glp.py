"""GLP: how likely a release makes, of a person, secrets that go with nobody like them.

NLP of a person is the chance, by what the release shows of whoever has their quasi-identifiers, of all values that no
row with the same quasi-identifiers has in the original table. GLP is its mean over people whose rows are published. A
person fits the rows that cover them; where quasi-identifiers are exact, the groups of the rows that show them. Where
rows do not say which group is a person's (rings, slices) or values are drawn, only who made the release knows GLP as
defined: it is taken from the manifest, if that is there, and found by what a reader can know, if it is not.

Several sensitive columns are one secret where they are shown as they are and side by side; else it is their mean.

Reference: Zhu, Tian, Du, Xie: Anonymization on refining partition: same privacy, more utility. Definition 3.
Deviation: the paper calls GLP "a normalized version" of NLP without saying which; the mean is between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.joined import Secret
from sfumato.measures.recounted import hidden_classes
from sfumato.release.fits import Fits, Known
from sfumato.release.subject import Lacking, Numbered, Subject

__all__ = ["GlobalLossProbability"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class GlobalLossProbability:
    """Mean over people of the chance of values that nobody alike has."""

    name: ClassVar[str] = "glp"
    about: ClassVar[About] = About(
        title="correspondence lost: chance of secrets that nobody alike has",
        formula="mean over published people of the chance, by the rows that may be theirs, of all values that no row"
        " with the same quasi-identifiers has in the original",
        range="0 (whose value is whose is told) to 1",
        better="lower",
        reference="Zhu, Tian, Du, Xie: Anonymization on refining partition, Definition 3",
        needs=("the original table", "a sensitive column"),
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        if not subject.sensitive:
            raise Lacking("a sensitive column")
        found = {name: self._one(subject, (name,)) for name in subject.sensitive}
        joint = self._one(subject, subject.sensitive) if len(found) > 1 else None
        told = [value for value in found.values() if value is not None]
        value, everybody = joint or tuple(np.mean(told, axis=0).tolist())
        columns = {name: each[0] for name, each in found.items() if each is not None}
        details: dict[str, float] = {"suppressed rows by the totals": everybody}
        held = _by_its_maker(subject)
        if held is not None:
            details["by what a reader knows"], value = value, held
        return Figure(value, columns, details)

    def _one(self, subject: Subject, names: Sequence[str]) -> tuple[float, float] | None:
        secret = Secret.of(subject, names)
        return None if secret is None else _nlp(subject, secret)


def _nlp(subject: Subject, secret: Secret) -> tuple[float, float]:
    """The mean over people with rows in the release, and over all, the others believed to have what is told of all."""
    numbered = secret.numbered
    known = Known.of(subject.tuples, subject.quasi)
    fits = Fits.of(subject, known, numbered)
    if subject.seen.exact:
        fits = _without(fits, hidden_classes(subject), numbered)
    person, value, _ = secret.held(subject, known.names)
    if fits.looked > 1:
        kept = person % fits.looked == 0
        person, value = person[kept] // fits.looked, value[kept]
    people = len(fits.known.counts)
    right = np.bincount(person, weights=fits.chances(numbered.shares).of(person, value), minlength=people)
    totals = _totals(numbered)
    guessed = np.bincount(person, weights=totals[value], minlength=people)
    everybody = fits.known.counts.astype(np.float64)
    shown = fits.rows if subject.seen.exact else np.where(fits.rows > 0, everybody, 0.0)
    shown = np.minimum(shown, everybody)
    lost = float(shown @ (1 - right))
    more = lost + float((everybody - shown) @ (1 - guessed))
    return _bounded(lost / max(shown.sum(), 1.0)), _bounded(more / max(everybody.sum(), 1.0))


def _without(fits: Fits, hidden: NDArray[np.bool_], numbered: Numbered) -> Fits:
    """Exact quasi-identifiers are looked up: rows that show none are nobody's."""
    if numbered.sizes.shape != hidden.shape or not hidden.any():
        return fits
    kept = ~hidden[fits.classes]
    starts = np.concatenate(([0], np.cumsum(kept)))[fits.starts]
    return replace(fits, starts=starts, classes=fits.classes[kept], weights=fits.weights[kept])


def _totals(numbered: Numbered) -> Floats:
    """The share of every value in the whole release."""
    shares = numbered.shares
    mass = np.bincount(shares.values, weights=shares.shares * numbered.sizes[shares.owner], minlength=shares.size)
    return np.asarray(mass / max(mass.sum(), 1.0))


def _by_its_maker(subject: Subject) -> float | None:
    """What the manifest says, where the release does not say whose group is whose."""
    seen, manifest = subject.seen, subject.received.evidence.manifest
    drawn = seen.windows is not None or seen.changed or len(seen.people) > 1
    return None if manifest is None or manifest.loss is None or not drawn else manifest.loss.correspondence


def _bounded(value: float) -> float:
    """Sums of rounded numbers may pass 0 and 1 by a little."""
    return min(max(value, 0.0), 1.0)
