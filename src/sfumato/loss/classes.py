"""Losses that look at the classes alone: discernibility and average class size.

Discernibility is Σ |class|² plus |table| for every suppressed row; divided by |table|² it is the mean share of the
table that a row cannot be told apart from. Average class size is |table| / number of classes, here divided by |table|.
Weights of columns do not enter; they, and NCP, decide between columns and nodes that are equal otherwise.

References: Bayardo, Agrawal: Data privacy through optimal k-anonymization. ICDE 2005. https://doi.org/10.1109/ICDE.2005.42
LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006. https://doi.org/10.1109/ICDE.2006.101
Deviation: suppressed rows stay in the numerator of the average class size; else to suppress would be to gain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.loss.contract import Floats, Ints
from sfumato.loss.ncp import NCP

__all__ = ["AverageClassSize", "Discernibility"]


@dataclass(frozen=True)
class Discernibility(NCP):
    """Mean share of the table that a row cannot be told apart from."""

    additive: ClassVar[bool] = False

    def least(self, means: Floats, weights: Floats, hidden: Floats) -> Floats:
        return np.broadcast_to(hidden, means.shape[:-1])

    def value(self, means: Floats, weights: Floats, sizes: Ints, rows: int) -> float:
        if not rows:
            return 0.0
        hidden = rows - int(sizes.sum())
        return (int(sizes @ sizes) + hidden * rows) / rows**2


@dataclass(frozen=True)
class AverageClassSize(NCP):
    """One over the number of classes."""

    additive: ClassVar[bool] = False

    def least(self, means: Floats, weights: Floats, hidden: Floats) -> Floats:
        return np.zeros(means.shape[:-1])

    def value(self, means: Floats, weights: Floats, sizes: Ints, rows: int) -> float:
        return 1 / max(len(sizes), 1) if rows else 0.0
