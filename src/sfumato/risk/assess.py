"""The way in: risk of a release, before and after."""

from __future__ import annotations

from collections.abc import Iterable

from sfumato.progress import Progress, silent
from sfumato.release.subject import Subject
from sfumato.risk.believed import SURE
from sfumato.risk.byholder import ByHolder
from sfumato.risk.byoutsider import ByOutsider
from sfumato.risk.lookup import Lookup
from sfumato.risk.report import Reidentification
from sfumato.risk.thresholds import ThresholdLike, thresholds_of

__all__ = ["assess"]


def assess(
    subject: Subject,
    population: object | None = None,
    thresholds: Iterable[ThresholdLike] | ThresholdLike | None = None,
    *,
    progress: Progress = silent,
) -> Reidentification:
    """How likely people are found by the original table and by its release, and how sure guesses of secrets are.

    population   a register that a journalist may have: a file or a frame with quasi-identifiers, a row per person
    thresholds   risks to count people by: ``0.09`` (risk must be below it) or ``"<=0.2"``
    """
    asked = thresholds_of(thresholds)
    sure = thresholds_of([*SURE, *(str(each.value) for each in asked if thresholds is not None)])
    register = None if population is None else Lookup.of(population, subject.policy)
    if subject.original is None:
        progress("risk: by the release", 0, 1)
        return ByOutsider(subject, asked, sure, register).found()
    return ByHolder(subject, subject.original, asked, sure, register, progress).found()
