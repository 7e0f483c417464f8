"""The way in: measure a release."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sfumato.extension import settings_of
from sfumato.measures.contract import Circumstances, Measure
from sfumato.measures.measured import Measured, Measurement
from sfumato.measures.registry import MEASURES, MeasureLike, measure_of
from sfumato.policy.load import PolicyLike
from sfumato.progress import Progress, silent
from sfumato.release.opening import ManifestLike
from sfumato.release.subject import Lacking, Subject
from sfumato.release.writing import Blank
from sfumato.risk.assess import assess
from sfumato.risk.report import Reidentification
from sfumato.risk.thresholds import ThresholdLike

__all__ = ["measure", "measured"]

_RISK = "risk"
"""Stands among measures by name, and is a section of its own: it has more than one number."""


def measure(
    release: object,
    policy: PolicyLike | None = None,
    manifest: ManifestLike | None = None,
    *,
    original: object | None = None,
    only: Iterable[MeasureLike] | None = None,
    population: object | None = None,
    thresholds: Iterable[ThresholdLike] | ThresholdLike | None = None,
    seed: int = 0,
    progress: Progress = silent,
    blank: Blank = "auto",
) -> Measured:
    """Measure what a release says and what it lost, and the risk of being found before and after.

    release      a `Release`, a folder with ``release.json``, a table file, any frame; also one that another tool made
    policy       what its columns are; a `Release` brings it along, with its table
    manifest     the holder's, for a written release
    original     the table it was made from: most measures compare with it. Without it, those say that they need it
    only         which measures, by name or with settings, ``"risk"`` being the risk; everything, if it is not given
    population   a register of people that an attacker may have, with some of the quasi-identifiers, for the risk
    thresholds   risks to count people by: ``0.09`` (it must be below that), ``"1/11"`` or ``"<=0.2"``
    seed         of what is drawn at random, such as queries
    progress     called with (stage, done, in all)
    blank        what an empty cell of a bare table is: ``missing``, ``suppressed``, or (``auto``) suppressed where the
                 original column misses nothing
    """
    subject = Subject.of(release, policy, manifest, original, blank)
    asked = [*MEASURES, _RISK] if only is None else [*only]
    chosen = [measure_of(each) for each in asked if not _is_risk(each)]
    wanted = len(chosen) < len(asked) or population is not None or thresholds is not None
    risk = assess(subject, population, thresholds, progress=progress) if wanted else None
    return measured(subject, chosen, Circumstances(seed, progress), risk)


def _is_risk(each: MeasureLike) -> bool:
    return each == _RISK or (isinstance(each, Mapping) and dict(each) == {"measure": _RISK})


def measured(
    subject: Subject, chosen: Iterable[Measure], given: Circumstances, risk: Reidentification | None = None
) -> Measured:
    """Every measure that was chosen, or what it lacks."""
    every = tuple(chosen)
    found = []
    for place, each in enumerate(every):
        given.progress(f"measure: {each.name}", place, len(every))
        found.append(_one(subject, each, given))
    given.progress("measure", len(every), len(every))
    return Measured(subject.rows, subject.suppressed, tuple(found), risk)


def _one(subject: Subject, each: Measure, given: Circumstances) -> Measurement:
    settings = settings_of(each)
    try:
        return Measurement(each.name, each.about, settings, each.of(subject, given))
    except Lacking as lacks:
        return Measurement(each.name, each.about, settings, lacks=str(lacks))
