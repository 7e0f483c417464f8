"""Height and precision: how far up their hierarchies cells stand.

Height counts levels, precision divides them by the height of each hierarchy. Both are losses here; Sweeney's Prec is
one minus the second, and stands among its details.

References: Sweeney: Achieving k-anonymity privacy protection using generalization and suppression. IJUFKS 10(5), 2002.
https://doi.org/10.1142/S021848850200165X
Samarati: Protecting respondents' identities in microdata release. IEEE TKDE 13(6), 2001.
https://doi.org/10.1109/69.971193
Deviation: as `sfumato.loss.precision` has it; a column without a hierarchy has two levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.loss.precision import Height, Precision
from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.recounted import WeightsLike, recounted, weights_of
from sfumato.release.subject import Subject

__all__ = ["LevelsClimbed", "PrecisionLost"]


@dataclass(frozen=True)
class LevelsClimbed:
    """Levels climbed over levels there are."""

    weights: WeightsLike = None
    name: ClassVar[str] = "height"
    about: ClassVar[About] = About(
        title="levels climbed of those there are",
        formula="mean over rows of levels climbed, summed over quasi-identifiers, / sum of the hierarchies' heights",
        range="0 (all is told) to 1 (nothing)",
        better="lower",
        reference="Samarati, TKDE 13(6), 2001, https://doi.org/10.1109/69.971193",
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        found = recounted(subject, Height(weights_of(subject, self.weights)), subject.policy.quasi)
        return Figure(found.value, found.means, {"levels climbed, mean of rows": found.value * found.weight})


@dataclass(frozen=True)
class PrecisionLost:
    """Level of a cell over the height of its hierarchy."""

    weights: WeightsLike = None
    name: ClassVar[str] = "precision"
    about: ClassVar[About] = About(
        title="precision lost: levels climbed over the height of the hierarchy",
        formula="mean over rows and quasi-identifiers of level/height; Prec is 1 minus it",
        range="0 (all is told) to 1 (nothing)",
        better="lower",
        reference="Sweeney, IJUFKS 10(5), 2002, https://doi.org/10.1142/S021848850200165X",
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        found = recounted(subject, Precision(weights_of(subject, self.weights)), subject.policy.quasi)
        return Figure(found.value, found.means, {"Prec": 1 - found.value})
