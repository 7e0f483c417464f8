"""Homogeneity: whoever looks somebody up finds one value, or one that is nearly sure.

All that may be somebody's are the rows that cover their quasi-identifiers, be they in one class or in several. Where
all of these hold one value, it is theirs: knowing nothing but the quasi-identifiers was enough.

Reference: Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: l-diversity: privacy beyond k-anonymity. TKDD 1, 2007,
section 2.1. https://doi.org/10.1145/1217299.1217302
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.adversaries.contract import Arms, Exposure, Persona
from sfumato.adversaries.guesses import Guesses
from sfumato.release.subject import Subject

__all__ = ["Homogeneity"]


@dataclass(frozen=True)
class Homogeneity:
    """Exposed is of whom one value is believed with a chance of `sure` or more."""

    sure: float = 1.0
    name: ClassVar[str] = "homogeneity"
    persona: ClassVar[Persona] = Persona(
        title="a neighbour who looks somebody up",
        assumes="knows everybody's quasi-identifiers, and that they are in the table; nothing else",
        exposes="all rows that may be theirs hold one value",
        reference="Machanavajjhala et al., TKDD 2007, section 2.1, https://doi.org/10.1145/1217299.1217302",
    )

    def attack(self, subject: Subject, arms: Arms) -> tuple[Exposure, ...]:
        return tuple(self._of(Guesses.of(subject, name)) for name in subject.sensitive)

    def _of(self, guesses: Guesses) -> Exposure:
        return guesses.exposure(guesses.chance >= self.sure - 1e-9)
