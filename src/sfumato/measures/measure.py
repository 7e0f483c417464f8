"""The way in: measure a release."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from sfumato.measures.contract import Circumstances, Measure
from sfumato.measures.measured import Measured, Measurement
from sfumato.measures.registry import MEASURES, MeasureLike, measure_of
from sfumato.policy.load import PolicyLike
from sfumato.progress import Progress, silent
from sfumato.release.opening import ManifestLike
from sfumato.release.subject import Lacking, Subject
from sfumato.release.writing import Blank

__all__ = ["measure", "measured"]


def measure(
    release: object,
    policy: PolicyLike | None = None,
    manifest: ManifestLike | None = None,
    *,
    original: object | None = None,
    only: Iterable[MeasureLike] | None = None,
    seed: int = 0,
    progress: Progress = silent,
    blank: Blank = "auto",
) -> Measured:
    """Measure what a release says and what it lost.

    release    a `Release`, a folder with ``release.json``, a table file, any frame; also one that another tool made
    policy     what its columns are; a `Release` brings it along, with its table
    original   the table it was made from: most measures compare with it. Without it, those say that they need it
    only       which measures, by name or with settings; all, if it is not given
    seed       of what is drawn at random, such as queries
    blank      what an empty cell of a bare table is: missing, suppressed, or (auto) suppressed where nothing is missing
    """
    subject = Subject.of(release, policy, manifest, original, blank)
    chosen = [measure_of(each) for each in (MEASURES if only is None else only)]
    return measured(subject, chosen, Circumstances(seed, progress))


def measured(subject: Subject, chosen: Iterable[Measure], given: Circumstances) -> Measured:
    """Every measure that was chosen, or what it lacks."""
    every = tuple(chosen)
    found = []
    for place, each in enumerate(every):
        given.progress(f"measure: {each.name}", place, len(every))
        found.append(_one(subject, each, given))
    given.progress("measure", len(every), len(every))
    return Measured(subject.rows, subject.suppressed, tuple(found))


def _one(subject: Subject, each: Measure, given: Circumstances) -> Measurement:
    settings = _settings(each)
    try:
        return Measurement(each.name, each.about, settings, each.of(subject, given))
    except Lacking as lacks:
        return Measurement(each.name, each.about, settings, lacks=str(lacks))


def _settings(each: Measure) -> dict[str, Any]:
    """What a measure was given, where that is not as it comes."""
    given = {field.name: getattr(each, field.name) for field in fields(each)}  # type: ignore[arg-type]
    return {name: value for name, value in given.items() if value is not None}
