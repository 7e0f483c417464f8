"""Skewness: a class whose values are spread otherwise than the table's tells something, however many they are.

One in a hundred of a table has a disease, one in two of a class: whoever is in that class is fifty times as likely to
have it as anybody, though two values stand there. For every person and value the chance by the release is laid beside
the value's share of the table, which the adversary knows. Ratio and gain say how far it rises.

Reference: Li, Li, Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity. ICDE 2007, section 3.
https://doi.org/10.1109/ICDE.2007.367856
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.adversaries.contract import Arms, Exposure, Persona
from sfumato.adversaries.guesses import Guesses
from sfumato.adversaries.ranked import NEAR
from sfumato.errors import InputError
from sfumato.release.subject import Subject

__all__ = ["Skewness"]


@dataclass(frozen=True)
class Skewness:
    """Exposed is for whom some value is `factor` times as likely as in the table, and has a chance of `least`."""

    factor: float = 5.0
    least: float = 0.0
    name: ClassVar[str] = "skewness"
    persona: ClassVar[Persona] = Persona(
        title="an insurer who knows how common values are",
        assumes="knows everybody's quasi-identifiers, and the share of every value in the table",
        exposes="a value is several times as likely for them as for anybody",
        reference="Li, Li, Venkatasubramanian, ICDE 2007, section 3, https://doi.org/10.1109/ICDE.2007.367856",
    )

    def __post_init__(self) -> None:
        if self.factor <= 1:
            raise InputError(f"skewness: factor must be above 1 (got {self.factor})")

    def attack(self, subject: Subject, arms: Arms) -> tuple[Exposure, ...]:
        return tuple(self._of(subject, name) for name in subject.sensitive)

    def _of(self, subject: Subject, name: str) -> Exposure:
        guesses = Guesses.of(subject, name)
        counts = subject.domain(name).counts
        total = (counts / max(counts.sum(), 1))[guesses.chances.values]
        chance, owner = guesses.chances.chances, guesses.chances.owner
        ratio = np.divide(chance, total, out=np.ones(len(chance)), where=total > 0)
        risen = (ratio >= self.factor * (1 - NEAR)) & (chance >= self.least - NEAR)
        moved = np.bincount(owner, weights=np.maximum(chance - total, 0), minlength=len(guesses.known.counts))
        exposed = np.bincount(owner[risen], minlength=len(moved)) > 0
        details = {
            "largest ratio": float(ratio.max(initial=1.0)),
            "largest gain": float((chance - total).max(initial=0.0)),
            "mean distance from the totals": float(guesses.known.counts @ moved / max(guesses.people, 1)),
        }
        return guesses.exposure(exposed, details)
