"""Non-uniform entropy: bits that are needed to get the original cells back, of those of a table that says nothing.

Reference: Gionis, Tassa: k-anonymization with minimal loss of information. IEEE TKDE 21(2), 2009.
https://doi.org/10.1109/TKDE.2008.129
Deviation: as `sfumato.loss.entropy` has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.loss.entropy import NonUniformEntropy
from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.recounted import WeightsLike, recounted, weights_of
from sfumato.release.subject import Subject

__all__ = ["BitsLost"]


@dataclass(frozen=True)
class BitsLost:
    """Bits lost over bits that can be lost."""

    weights: WeightsLike = None
    name: ClassVar[str] = "non-uniform-entropy"
    about: ClassVar[About] = About(
        title="bits needed to get the original cells back",
        formula="sum over cells of log2(rows with a value of the cell / rows with the true value),"
        " / the same where every cell says nothing",
        range="0 (all is told) to 1 (nothing)",
        better="lower",
        reference="Gionis, Tassa, TKDE 21(2), 2009, https://doi.org/10.1109/TKDE.2008.129",
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        found = recounted(subject, NonUniformEntropy(weights_of(subject, self.weights)), subject.policy.quasi)
        value = max(found.value, 0.0)  # a sum of rounded bits, above and below the mean
        return Figure(value, found.means, {"bits lost, mean of rows": value * found.weight})
