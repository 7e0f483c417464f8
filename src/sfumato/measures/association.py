"""phi² that is kept: how much of the association of quasi-identifiers with a sensitive column a release still shows.

phi²(A, S) = 1/(min(|A|, |S|) − 1) · Σ (f(a,s) − f(a)f(s))² / (f(a)f(s)), between 0 (independent) and 1; 0 where one of
the two has a single value. What the release says of pairs is in `spread`; a suppressed row adds to no association. The
value is the sum of the release's over that of the original's; of every column it is the same for itself.

Reference: Zhu, Tian, Du, Xie: Anonymization on refining partition: same privacy, more utility. Section 4.1.
Chosen: numbers and dates with more than `bins` values are put in bins of as many rows. A release may show more than the
original had, where cells are spread over values that do not occur together; then it is above 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.spread import CodeRuns, original_pairs, published_pairs
from sfumato.release.subject import Lacking, Subject

__all__ = ["AssociationKept", "phi2"]

Floats = NDArray[np.float64]


def phi2(pairs: Floats) -> float:
    """The mean-square contingency coefficient of counted pairs.

    >>> phi2(np.array([[2.0, 0.0], [0.0, 2.0]])), phi2(np.array([[1.0, 1.0], [1.0, 1.0]])), phi2(np.array([[1.0, 3.0]]))
    (1.0, 0.0, 0.0)
    """
    rows, columns = pairs.sum(axis=1), pairs.sum(axis=0)
    pairs = pairs[rows > 0][:, columns > 0]
    least, whole = min(pairs.shape), pairs.sum()
    if least < 2:
        return 0.0
    found = pairs / whole
    expected = np.outer(found.sum(axis=1), found.sum(axis=0))
    return float(((found - expected) ** 2 / expected).sum() / (least - 1))


@dataclass(frozen=True)
class AssociationKept:
    """phi² of the release over that of the original."""

    bins: int = 100
    name: ClassVar[str] = "phi2-kept"
    about: ClassVar[About] = About(
        title="association of quasi-identifiers with secrets that is kept",
        formula="sum over pairs of columns of phi² in the release / the same in the original",
        range="0 (none is kept) to 1 (all); above 1 where the release shows some that was not there",
        better="higher",
        reference="Zhu, Tian, Du, Xie: Anonymization on refining partition, section 4.1",
        needs=("the original table", "a sensitive column"),
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        if self.bins < 2:
            raise InputError(f"measure {self.name!r}: there must be 2 bins or more")
        if not subject.quasi or not subject.sensitive:
            raise Lacking("a quasi-identifier and a sensitive column in the release")
        told = (subject.published / max(subject.rows, 1)) ** 2
        before, after = dict.fromkeys(subject.quasi, 0.0), dict.fromkeys(subject.quasi, 0.0)
        for secret in subject.sensitive:
            for name in subject.quasi:
                bins = CodeRuns.few(subject.domain(name), self.bins), CodeRuns.few(subject.domain(secret), self.bins)
                before[name] += phi2(original_pairs(subject, name, secret, bins))
                after[name] += phi2(published_pairs(subject, name, secret, bins)) * told
        columns = {name: _ratio(after[name], before[name]) for name in subject.quasi}
        details = {"phi² of the original": before, "phi² of the release": after}
        return Figure(_ratio(sum(after.values()), sum(before.values())), columns, details)


def _ratio(after: float, before: float) -> float:
    """All is kept of nothing."""
    return after / before if before else 1.0
