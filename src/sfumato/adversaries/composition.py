"""Composition: several releases about the same people, each of which keeps its promise.

Whoever fits a class of each has a value that all of these classes hold. Classes of different releases hold different
people, so that few values may be left, or one, though no class by itself has fewer than were promised.

The hard count needs no assumption but that everybody's secret is the same in all releases. Chances are products: they
assume that the releases were made independently, given the secrets, and that before them everybody had a value by the
table's totals. Two releases of the same method are not independent; then chances tell too much.

Deviations: who fits no row of another release is not in it. Of people whom two releases leave no value in common, each
tells what it tells alone.

Reference: Ganta, Kasiviswanathan, Smith: Composition attacks and auxiliary information in data privacy. KDD 2008.
https://doi.org/10.1145/1401890.1401926
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.adversaries.composed import Composed
from sfumato.adversaries.contract import Arms, Exposure, Persona
from sfumato.release.subject import Lacking, Subject

__all__ = ["Composition"]


@dataclass(frozen=True)
class Composition:
    """Exposed is whose secret is one of fewer than `least` values, which no release alone tells of them."""

    least: int = 2
    name: ClassVar[str] = "composition"
    persona: ClassVar[Persona] = Persona(
        title="somebody who lays several releases side by side",
        assumes="knows everybody's quasi-identifiers in all releases, and that secrets are the same in them",
        exposes="all releases together leave fewer than `least` values of theirs, and none alone does",
        reference="Ganta et al., KDD 2008, https://doi.org/10.1145/1401890.1401926",
        needs=("the original table", "another release"),
    )

    def attack(self, subject: Subject, arms: Arms) -> tuple[Exposure, ...]:
        if subject.original is None:
            raise Lacking("the original table")
        if not arms.others:
            raise Lacking("another release about the same people (`other`, --other)")
        found = []
        for secret in subject.sensitive:
            others = [other for other in arms.others if secret in other.sensitive]
            if others:
                found.append(self._of(Composed.of([subject, *others], secret)))
        if not found:
            raise Lacking("another release with the same sensitive column")
        return tuple(found)

    def _of(self, composed: Composed) -> Exposure:
        left = np.diff(composed.together.starts)
        each = np.stack([np.diff(alone.starts) for alone in composed.alone])
        told = np.where(composed.telling, each, np.iinfo(np.int64).max).min(axis=0)
        within = composed.true_within(composed.together)
        exposed = within[(left < self.least) & (told >= self.least)].sum()
        some = composed.telling[1:].any(axis=0)
        return Exposure(
            people=composed.people,
            exposed=int(exposed),
            surest=float(composed.together.chances.max(initial=0.0)),
            right=composed.right(composed.together),
            baseline=float(composed.totals.max(initial=0.0)),
            on=composed.secret,
            details={
                "releases": len(composed.alone),
                "exposed by one alone": int(composed.counts[told < self.least].sum()),
                "surest by one alone": round(max(float(each.chances.max(initial=0.0)) for each in composed.alone), 6),
                "fewer values than by any alone": int(within[left < told].sum()),
                "people in another release": int(composed.counts[some].sum()),
                "contradicted": int(composed.counts[composed.contradicted].sum()),
            },
        )
