"""Difference: earlier classes are taken out of the new ones that hold all of their people, and what is left is of the
others in these: people who are new, or who were elsewhere before.

Of a table that grew these are few, and what is left may be one value.

Deviations: classes are compared one by one, where all who may be in an earlier class are in one class of the new
release; unions of classes are not. It is taken for granted that nobody left and no secret changed; where values
contradict that, nothing is concluded.

Reference: Byun, Sohn, Bertino, Li: Secure anonymization for incremental datasets. SDM 2006, LNCS 4165.
https://doi.org/10.1007/11844662_4
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.adversaries.contract import Arms, Exposure, Persona
from sfumato.adversaries.rests import Rests
from sfumato.release.subject import Lacking, Subject

__all__ = ["Difference"]


@dataclass(frozen=True)
class Difference:
    """Exposed are people who are left of a class with fewer than `least` values."""

    least: int = 2
    name: ClassVar[str] = "difference"
    persona: ClassVar[Persona] = Persona(
        title="somebody who knows who came in between",
        assumes="knows everybody's quasi-identifiers, that the earlier table's people are all still there, and who is"
        " new",
        exposes="of their class, without earlier classes that are in it, fewer than `least` values are left",
        reference="Byun et al., SDM 2006, https://doi.org/10.1007/11844662_4",
        needs=("the original table", "an earlier release"),
    )

    def attack(self, subject: Subject, arms: Arms) -> tuple[Exposure, ...]:
        if subject.original is None:
            raise Lacking("the original table")
        if not arms.others:
            raise Lacking("an earlier release about the same people (`other`, --other)")
        pairs = [(name, other) for name in subject.sensitive for other in arms.others if name in other.sensitive]
        if not pairs:
            raise Lacking("an earlier release with the same sensitive column")
        return tuple(self._of(subject, other, name) for name, other in pairs)

    def _of(self, subject: Subject, other: Subject, name: str) -> Exposure:
        rests = Rests.of(subject, other, name)
        sizes, many = rests.sizes, np.diff(rests.starts)
        highest = np.maximum.reduceat(rests.counts, rests.starts[:-1]) if len(sizes) else np.zeros(0)
        return Exposure(
            people=subject.rows,
            exposed=int(sizes[many < self.least].sum()),
            surest=float((highest / np.maximum(sizes, 1)).max(initial=0.0)),
            on=name,
            details={"people left of a class": int(sizes.sum()), "classes that some are left of": len(sizes)},
        )
