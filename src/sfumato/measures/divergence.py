"""How far what a release says of distributions is from the original's: Kullback-Leibler divergence, in bits.

`kl-marginals` of every column by itself, `kl-pairs` of every quasi-identifier together with a sensitive column. What
the release says is in `spread`: generalized cells lie evenly over what they stand for, a suppressed row over all values
of its columns. Their value is the mean over columns, or pairs.

Reference: Kifer, Gehrke: Injecting utility into anonymized datasets. SIGMOD 2006. https://doi.org/10.1145/1142473.1142499
Deviations: marginals are compared, not all columns at once. A value that the release never shows, as only one with
changed values can, counts as half a row there, so that the divergence stays finite. Numbers and dates with more than
`bins` values are compared in bins of as many rows in pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.measures.contract import About, Circumstances, Figure
from sfumato.measures.spread import CodeRuns, original_pairs, published_pairs, published_values
from sfumato.release.subject import Lacking, Subject

__all__ = ["MarginalDivergence", "PairDivergence", "divergence"]

Floats = NDArray[np.float64]
_REFERENCE = "Kifer, Gehrke, SIGMOD 2006, https://doi.org/10.1145/1142473.1142499"


def divergence(original: Floats, shown: Floats, suppressed: int) -> float:
    """Bits by which rows shown, and suppressed ones, are off the original; both as counts of the same values.

    >>> divergence(np.array([4.0, 0.0]), np.array([2.0, 2.0]), 0), divergence(np.array([1.0, 1.0]), np.ones(2), 0)
    (1.0, 0.0)
    """
    told, rows = original > 0, original.sum()
    if not rows:
        return 0.0
    made = shown + suppressed * told / max(told.sum(), 1)
    made = np.where(told & (made <= 0), 0.5, made)
    share, says = original[told] / rows, made[told] / made.sum()
    return max(float((share * np.log2(share / says)).sum()), 0.0)


@dataclass(frozen=True)
class MarginalDivergence:
    """Bits lost of every column by itself."""

    name: ClassVar[str] = "kl-marginals"
    about: ClassVar[About] = About(
        title="bits by which columns are off the original, each by itself",
        formula="mean over columns of sum over values of p log2(p/q), p the share in the original, q in the release",
        range="0 (the same) upwards",
        better="lower",
        reference=_REFERENCE,
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        names = (*subject.quasi, *subject.sensitive)
        if not names:
            raise Lacking("a quasi-identifier or sensitive column in the release")
        columns = {}
        for name in names:
            domain = subject.domain(name)
            shown = published_values(subject, name)
            columns[name] = divergence(domain.counts.astype(np.float64), shown, subject.suppressed)
        return Figure(sum(columns.values()) / len(columns), columns)


@dataclass(frozen=True)
class PairDivergence:
    """Bits lost of every quasi-identifier together with a sensitive column."""

    bins: int = 100
    name: ClassVar[str] = "kl-pairs"
    about: ClassVar[About] = About(
        title="bits by which quasi-identifiers with sensitive columns are off the original",
        formula="mean over pairs of columns of sum over pairs of values of p log2(p/q)",
        range="0 (the same) upwards",
        better="lower",
        reference=_REFERENCE,
        needs=("the original table", "a sensitive column"),
    )

    def of(self, subject: Subject, given: Circumstances) -> Figure:
        if self.bins < 2:
            raise InputError(f"measure {self.name!r}: there must be 2 bins or more")
        if not subject.quasi or not subject.sensitive:
            raise Lacking("a quasi-identifier and a sensitive column in the release")
        pairs = {}
        for secret in subject.sensitive:
            for name in subject.quasi:
                bins = CodeRuns.few(subject.domain(name), self.bins), CodeRuns.few(subject.domain(secret), self.bins)
                original = original_pairs(subject, name, secret, bins)
                shown = published_pairs(subject, name, secret, bins)
                pairs[name, secret] = divergence(original, shown, subject.suppressed)
        columns = {
            name: sum(value for pair, value in pairs.items() if pair[0] == name) / len(subject.sensitive)
            for name in subject.quasi
        }
        return Figure(sum(pairs.values()) / len(pairs), columns)
