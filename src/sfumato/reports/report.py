"""The way in: a report of a release, for its holder or for whoever gets it, in several forms and languages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Protocol, runtime_checkable

from sfumato.adversaries.attack import attacked
from sfumato.adversaries.contract import Arms
from sfumato.adversaries.registry import AdversaryLike, adversary_of
from sfumato.auditor.audit import judge
from sfumato.auditor.inspected import more_than_a_table
from sfumato.auditor.verdict import Audit
from sfumato.errors import AuditFailed, Infeasible, InputError, NoneFound, Refused, SfumatoError
from sfumato.measures.contract import Circumstances
from sfumato.measures.measure import measured
from sfumato.measures.registry import MEASURES, MeasureLike, measure_of
from sfumato.policy.load import PolicyLike
from sfumato.progress import Progress, silent
from sfumato.release.opening import ManifestLike
from sfumato.release.subject import Holder, Subject
from sfumato.reports.collect import Findings, collect, collect_failed
from sfumato.reports.editions import external, nameless
from sfumato.reports.facts import Edition, Outcome, ReportFacts
from sfumato.reports.file import ReportFile
from sfumato.reports.wording import Wording
from sfumato.risk.assess import assess

__all__ = ["Report", "report", "without_release"]

QUICK: tuple[str, ...] = ("average-class-size", "discernibility", "ncp", "loss", "glp")
"""Measures that a report comes with unless others are named."""
ADVERSARIES: tuple[str, ...] = ("homogeneity",)
"""Adversaries likewise."""


@runtime_checkable
class JudgedHolder(Holder, Protocol):
    """A release in the hands of who made it, that was judged already: `sfumato.Release`, and once written `Written`."""

    def judged(self) -> Audit: ...


@dataclass(frozen=True)
class Report:
    """ReportFacts of one result, and how they are shown: ``internal`` for the holder, ``external`` for others.

    facts     for the holder
    sharing   finds those for others, which takes a second look at the release; None: the same, as far as they may be
              handed on
    """

    facts: ReportFacts
    sharing: Callable[[], ReportFacts] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def shared(self) -> ReportFacts:
        """The facts for others."""
        return nameless(self.facts) if self.sharing is None else self.sharing()

    def __repr__(self) -> str:
        return f"<Report: {self.facts.outcome}, of {self.facts.made}>"

    def edition(self, edition: Edition = "internal") -> ReportFacts:
        """The facts of one edition."""
        return self.shared if edition == "external" else self.facts

    def html(self, edition: Edition = "internal", language: str = "en") -> str:
        """One self-contained page, without script, which prints to A4."""
        from sfumato.reports.html.page import page

        return page(self.edition(edition), Wording.of(language))

    def markdown(self, edition: Edition = "internal", language: str = "en") -> str:
        """The same as text."""
        from sfumato.reports.markdown import markdown

        return markdown(self.edition(edition), Wording.of(language))

    def json(self, edition: Edition = "internal") -> str:
        """The facts themselves, as `sfumato schema facts` describes them."""
        return json.dumps(self.edition(edition).to_dict(), ensure_ascii=False, indent=1) + "\n"

    def save(self, path: str | Path, edition: Edition = "internal", language: str = "en") -> Path:
        """Write it, by the ending of the name: ``.html``, ``.md`` or ``.json``; whole or not at all.

        What stands there is replaced. The internal edition can be read by its owner alone.
        """
        return ReportFile.of(path, edition, language, force=True).write(self)

    def _repr_html_(self) -> str:
        """In a notebook, the page in a frame of its own, so that its style stays its own."""
        from sfumato.reports.markup import tag

        return str(tag("iframe", srcdoc=self.html(), width="100%", height=900, sandbox="", title="report"))


def report(
    release: object,
    policy: PolicyLike | None = None,
    manifest: ManifestLike | None = None,
    *,
    original: object | None = None,
    population: object | None = None,
    measures: Iterable[MeasureLike] | None = None,
    adversaries: Iterable[AdversaryLike] | None = None,
    made: date | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> Report:
    """A report of a release that can be signed: verdict, risk before and after, losses, what is not covered.

    release       what `Release.write` answers, for a report of this very run; a folder with ``release.json``, a table
                  file, any frame, or a `Release` that is not written, whose report has no fingerprint and cannot be
                  signed; or the error of a run that made none, of which the report says why
    policy        what its columns are; a `Release` brings it along, with its table
    manifest      the holder's, for a written release
    original      the table it was made from; without it there is no "before"
    population    a register that a journalist may have, for their risk
    measures      which to list in the annex; a few that are soon computed, if it is not given
    adversaries   likewise who is tried
    made          the day it is dated; today
    seed          of what is drawn at random
    progress      called with (stage, done, in all)
    """
    day = made or date.today()
    if isinstance(release, SfumatoError):
        return Report(without_release(release, day))
    subject = Subject.of(release, policy, manifest, original, inspect=more_than_a_table)
    known = [name for name in QUICK if name in MEASURES]
    chosen = [measure_of(each) for each in (known if measures is None else measures)]
    tried = [adversary_of(each) for each in (ADVERSARIES if adversaries is None else adversaries)]
    held = Findings(
        subject,
        release.judged() if isinstance(release, JudgedHolder) and manifest is None else judge(subject.received),
        measured(subject, chosen, Circumstances(seed, progress)),
        assess(subject, population, progress=progress),
        attacked(subject, tried, Arms(seed=seed, progress=progress)) if subject.original is not None else None,
    )
    facts = collect(held, day)
    return Report(facts, lambda: _shared(facts, held, population, day))


def _shared(facts: ReportFacts, held: Findings, population: object | None, day: date) -> ReportFacts:
    """What is found by the release and the policy alone, and what only the holder can add."""
    received = held.subject.received
    if held.subject.original is None and received.evidence.manifest is None:
        return nameless(facts)
    alone = Subject(received.alone(), None, held.subject.blank)
    found = Findings(alone, judge(alone.received), measured(alone, (), Circumstances()), assess(alone, population))
    return external(facts, collect(found, day), bool(alone.seen.needs))


def without_release(error: SfumatoError, made: date) -> ReportFacts:
    """Of a run that made no release: why."""
    if isinstance(error, AuditFailed):
        return collect_failed(error.audit, made)
    outcome: Outcome = "refused"
    if isinstance(error, Infeasible):
        outcome = "infeasible"
    elif isinstance(error, NoneFound):
        outcome = "none found"
    elif not isinstance(error, Refused):
        raise InputError("a report tells of a release, or of a run that was refused, infeasible or found none")
    first, *others = str(error).splitlines() or [""]
    remedies = tuple(line.strip() for line in others if line.strip())
    return ReportFacts("internal", outcome, made.isoformat(), reason=first, remedies=remedies)
