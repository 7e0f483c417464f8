"""Information utility: a cell published as node v is worth 1/leaves(v), a table the mean of its cells.

All columns count, quasi-identifiers and sensitive ones. It is 1 minus the loss of that name.

Reference: Tian, Zhang: Extending ℓ-diversity to generalize sensitive data. Data & Knowledge Engineering 70, 2011,
Definition 14. https://doi.org/10.1016/j.datak.2010.09.001
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.loss.information import InformationUtility
from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.recounted import WeightsLike, recounted, weights_of
from sfumato.release.subject import Subject

__all__ = ["InformationKept"]


@dataclass(frozen=True)
class InformationKept:
    """Weighted mean over rows and columns of one over the values that a cell could be."""

    weights: WeightsLike = None
    name: ClassVar[str] = "information-utility"
    about: ClassVar[About] = About(
        title="what cells are worth, sensitive ones counted too",
        formula="mean over rows, quasi-identifiers and sensitive columns of 1/leaves of the node; a suppressed row: 0",
        range="0 (nothing is told) to 1 (all)",
        better="higher",
        reference="Tian, Zhang, DKE 70, 2011, Definition 14, https://doi.org/10.1016/j.datak.2010.09.001",
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        names = (*subject.policy.quasi, *subject.policy.sensitive)
        found = recounted(subject, InformationUtility(weights_of(subject, self.weights)), names)
        return Figure(1 - found.value, {name: 1 - mean for name, mean in found.means.items()})
