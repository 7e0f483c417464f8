"""The way in: why a release is as it is, why none can be made and what would do, or what fails in a group."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

import polars as pl

from sfumato.advice.outcome import instead_of
from sfumato.advice.relaxed import Relaxed, relaxations
from sfumato.auditor.audit import judge
from sfumato.auditor.verdict import Audit
from sfumato.engine.job import planned, runs
from sfumato.engine.prepared import prepared
from sfumato.errors import AuditFailed, InputError, NoneFound, Refused, SfumatoError
from sfumato.measures.contract import Circumstances
from sfumato.measures.measure import measured
from sfumato.measures.registry import measure_of
from sfumato.policy.load import PolicyLike
from sfumato.progress import Progress, silent
from sfumato.release.opening import ManifestLike, has_document
from sfumato.release.received import receive
from sfumato.release.subject import Holder, Subject
from sfumato.reports.collect import Findings, collect
from sfumato.reports.explained import About, Explanation
from sfumato.reports.facts import RelaxationFact, ReportFacts
from sfumato.reports.judgements import judged, outcome_of, uneven
from sfumato.reports.report import without_release
from sfumato.risk.assess import assess
from sfumato.table.table import Table

__all__ = ["explain"]


def explain(
    what: object,
    policy: PolicyLike | None = None,
    manifest: ManifestLike | None = None,
    *,
    original: object | None = None,
    bare: bool = False,
    group: int | None = None,
    seed: int | None = None,
    progress: Progress = silent,
) -> Explanation:
    """What was done and why, or why nothing was done and what would do, in plain words.

    what       a release: a `Release`, a folder with ``release.json`` or a table beside it; data under its policy, of
               which nothing is published; an `Audit`; or the error of a run
    policy     of the release, or for the data
    manifest   the holder's, for the levels and losses of a release
    original   the table that a release was made from: what every promise would have missed without it
    bare       a table file or frame without ``release.json`` is a release of another tool, and no data
    group      speak only of that group of every promise that fails, 1 being the worst
    seed       as for `publish`, of data
    progress   called with (stage, rows done, rows in all); `Cancelled` raised from it ends it

    Of data the policy is run as `publish` would run it. Where no release can be made, changes of the policy are named
    under which one was made and audited: the smallest ones that were found (`advice.relaxed`).

    >>> print(explain(NoneFound("no recoding keeps it")).parts()[0].title)
    No release found
    """
    number = _number(group)
    if isinstance(what, AuditFailed):
        what = what.audit
    if isinstance(what, Audit):
        return Explanation(_of_audit(what), "release" if group is None else "group", number)
    if isinstance(what, SfumatoError):
        return Explanation(_of_error(what), "policy")
    released = isinstance(what, Holder) or has_document(what) or bare or original is not None or manifest is not None
    if released and not isinstance(what, Table):
        found = _found(Subject.of(what, policy, manifest, original), number, progress)
        return Explanation(collect(found, date.today()), "release" if group is None else "group", number)
    return _of_data(prepared(what, policy, None, None, None), number, seed, progress)


def _number(group: int | None) -> int:
    if group is None:
        return 1
    if group < 1:
        raise InputError(f"group: 1 is the worst one, 2 the next; got {group}")
    return group


def _found(subject: Subject, groups: int, progress: Progress) -> Findings:
    """What is said of a release: the judgement with its worst groups, and what was lost."""
    manifest = subject.received.evidence.manifest
    lost = manifest is not None and manifest.loss is not None
    return Findings(
        subject,
        judge(subject.received, groups=groups),
        measured(subject, [] if lost else [measure_of("ncp")], Circumstances(0, progress)),
        assess(subject, None, progress=progress),
        raw=None if subject.original is None else _raw(subject.original),
    )


def _raw(table: Table) -> Audit | None:
    """The judgement of a table as it is, but for names; None: it cannot be read so."""
    policy, binned = table.policy, table.binned
    names = policy.with_role("quasi", "sensitive", "quasi-sensitive")
    found = {name: table.published_as(name) if name in binned else table.columns[name] for name in names}
    frame = pl.DataFrame([column.spread().alias(name) for name, column in found.items()])
    try:
        return judge(receive(frame, policy), whole=True)
    except SfumatoError:
        return None


def _of_audit(audit: Audit) -> ReportFacts:
    facts = ReportFacts("internal", outcome_of(audit), date.today().isoformat())
    told = replace(facts, criteria=judged(audit), groups=audit.groups, problems=audit.problems, notes=audit.notes)
    return replace(told, lopsided=uneven(audit))


def _of_error(error: SfumatoError) -> ReportFacts:
    """What an error itself says; what it names was tried when it was raised."""
    facts = without_release(error, date.today())
    if not isinstance(error, NoneFound):
        return facts
    named = []
    if error.instead:
        changed = {key: dict(value) for key, value in error.instead.items()}
        after = tuple(f"{key}: {', '.join(map(str, value.values()))}" for key, value in changed.items())
        named.append(RelaxationFact("form" if "form" in changed else "method", (), after, changed, True))
    if error.nearest is not None:
        parts = error.nearest.parts
        named.append(
            RelaxationFact(
                "promise", (), tuple(map(str, parts)), {"privacy": [part.as_dict() for part in parts]}, False
            )
        )
    return replace(facts, reason=error.reason, remedies=(), relaxations=tuple(named))


def _of_data(table: Table, number: int, seed: int | None, progress: Progress) -> Explanation:
    about: About = "policy"
    run = runs(table, seed, silent)
    try:
        job = planned(table, seed, progress, _unsaid)
        release = job.made(progress, _unsaid)
    except NoneFound as error:
        found = relaxations(error, table, run)
        facts = replace(without_release(error, date.today()), reason=error.reason, remedies=())
        return Explanation(replace(facts, relaxations=_facts(found)), about)
    except Refused as error:
        other = NoneFound(str(error), None, instead_of(table, run))
        facts = replace(without_release(error, date.today()), remedies=())
        return Explanation(replace(facts, relaxations=_facts(relaxations(other, table, run))), about)
    except AuditFailed as error:
        return Explanation(_of_audit(error.audit), about, number)
    made = collect(_found(Subject.of(release), number, progress), date.today())
    return Explanation(replace(made, plan=(*job.plan.reasons, *release.notes)), about, number)


def _facts(found: Iterable[Relaxed]) -> tuple[RelaxationFact, ...]:
    return tuple(
        RelaxationFact(
            each.kind,
            each.before,
            each.after,
            dict(each.settings),
            each.least,
            each.release.loss,
            each.release.suppressed,
        )
        for each in found
    )


def _unsaid(caution: str) -> None:
    """Nothing is published that a caution would be about."""
