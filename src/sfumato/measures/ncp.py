"""NCP of a release: how much of its domain a cell could stand for, on average over rows and quasi-identifiers.

That mean is also called GCP. Xu and others, and Ye and others after them, print the sum over rows and columns instead:
it stands among the details.

Reference: Xu, Wang, Pei, Wang, Shi, Fu: Utility-based anonymization using local recoding. KDD 2006.
https://doi.org/10.1145/1150402.1150504
Deviation: as `sfumato.loss.ncp` has it, one is taken from both counts of leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.loss.ncp import NCP
from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.recounted import WeightsLike, recounted, weights_of
from sfumato.release.subject import Subject

__all__ = ["CertaintyPenalty"]


@dataclass(frozen=True)
class CertaintyPenalty:
    """Weighted mean over rows and quasi-identifiers."""

    weights: WeightsLike = None
    name: ClassVar[str] = "ncp"
    about: ClassVar[About] = About(
        title="share of its domain that a cell could stand for",
        formula="mean over rows and quasi-identifiers of (leaves of the node - 1)/(leaves - 1), of numbers"
        " (high - low)/range, of sets (values - 1)/(all values - 1)",
        range="0 (all is told) to 1 (nothing)",
        better="lower",
        reference="Xu et al., KDD 2006, https://doi.org/10.1145/1150402.1150504",
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        found = recounted(subject, NCP(weights_of(subject, self.weights)), subject.policy.quasi)
        total = found.value * found.weight * subject.rows
        return Figure(found.value, found.means, {"sum over rows and columns": total})
