"""Geometric loss: Π (1 + xᵢ)^(wᵢ/Σw) − 1 over the mean NCPs xᵢ of the columns with weights wᵢ.

One column that says nothing hurts less than in the arithmetic mean, two that say little hurt more. This is the loss
that ARX minimises by default, with its suppressed rows costing 1.

Reference: Prasser, Kohlmayer: Putting statistical disclosure control into practice: The ARX data anonymization tool.
Medical Data Privacy Handbook, Springer 2015. https://doi.org/10.1007/978-3-319-23633-9_6
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.loss.contract import Floats
from sfumato.loss.ncp import NCP

__all__ = ["Geometric"]


@dataclass(frozen=True)
class Geometric(NCP):
    """Geometric mean of the columns' NCP, each raised by one."""

    additive: ClassVar[bool] = False

    def least(self, means: Floats, weights: Floats, hidden: Floats) -> Floats:
        total = weights.sum()
        if not total:
            return np.broadcast_to(hidden, means.shape[:-1])
        return np.asarray(np.exp(np.log1p(means) @ weights / total) - 1)
