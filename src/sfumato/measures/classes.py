"""Measures of the classes alone: how many rows cannot be told apart.

Discernibility is Σ |class|², plus |table| for every suppressed row. The average class size is published rows divided by
classes. C_avg divides that by what the promise asks for at least: 1 would be the best that it allows.

References: Bayardo, Agrawal: Data privacy through optimal k-anonymization. ICDE 2005. https://doi.org/10.1109/ICDE.2005.42
LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006. https://doi.org/10.1109/ICDE.2006.101
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.release.subject import Subject

__all__ = ["ClassSize", "DiscernedRows"]


@dataclass(frozen=True)
class DiscernedRows:
    """Σ |class|² + |table| · suppressed."""

    name: ClassVar[str] = "discernibility"
    about: ClassVar[About] = About(
        title="pairs of rows that cannot be told apart",
        formula="sum over classes of rows², plus rows of the table for every suppressed row",
        range="rows of the table (all different) to its square (all alike)",
        better="lower",
        reference="Bayardo, Agrawal, ICDE 2005, https://doi.org/10.1109/ICDE.2005.42",
        needs=(),
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        sizes = subject.classes[2]
        value = int(sizes @ sizes) + subject.suppressed * subject.rows
        share = value / max(subject.rows, 1) ** 2
        return Figure(float(value), details={"share of the table a row cannot be told from": share})


@dataclass(frozen=True)
class ClassSize:
    """Published rows per class; with `k`, divided by it as well: C_avg."""

    k: int | None = None
    name: ClassVar[str] = "average-class-size"
    about: ClassVar[About] = About(
        title="published rows per class",
        formula="published rows / classes; C_avg divides it by k",
        range="1 to the rows of the table",
        better="lower",
        reference="LeFevre, DeWitt, Ramakrishnan, ICDE 2006, https://doi.org/10.1109/ICDE.2006.101",
        needs=(),
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        sizes = np.sort(subject.classes[2][subject.classes[2] > 0])
        mean = subject.published / max(len(sizes), 1)
        details = {"classes": len(sizes), "smallest": int(sizes[:1].sum()), "largest": int(sizes[-1:].sum())}
        return Figure(mean / (self.k or 1), details=details)
