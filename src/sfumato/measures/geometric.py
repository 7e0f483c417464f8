"""Loss as ARX reports it: the geometric mean of the columns' NCP, each raised by one, less one.

Reference: Prasser, Kohlmayer: Putting statistical disclosure control into practice: The ARX data anonymization tool.
Medical Data Privacy Handbook, Springer 2015. https://doi.org/10.1007/978-3-319-23633-9_6
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.loss.geometric import Geometric
from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.recounted import WeightsLike, recounted, weights_of
from sfumato.release.subject import Subject

__all__ = ["GeometricLoss"]


@dataclass(frozen=True)
class GeometricLoss:
    """Π (1 + NCP of the column)^(w/Σw) − 1."""

    weights: WeightsLike = None
    name: ClassVar[str] = "loss"
    about: ClassVar[About] = About(
        title="Loss of ARX: columns' NCP, joined by their geometric mean",
        formula="product over quasi-identifiers of (1 + NCP of the column)^(weight/weights), minus 1",
        range="0 (all is told) to 1 (nothing)",
        better="lower",
        reference="Prasser, Kohlmayer, 2015, https://doi.org/10.1007/978-3-319-23633-9_6",
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        found = recounted(subject, Geometric(weights_of(subject, self.weights)), subject.policy.quasi)
        return Figure(found.value, found.means)
