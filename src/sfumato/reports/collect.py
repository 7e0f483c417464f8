"""Where facts come from: the audit, documents, measures, risk and adversaries. Nothing is judged here."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from sfumato import __version__
from sfumato.adversaries.attacked import Attack, Attacked
from sfumato.auditor.verdict import Audit
from sfumato.measures.measured import Measured, Measurement
from sfumato.release.documents import Manifest, ReleaseDocument
from sfumato.release.opening import Opened
from sfumato.release.subject import Subject
from sfumato.reports.facts import (
    AdversaryFact,
    Inside,
    LossFact,
    MeasureFact,
    ReportFacts,
    RiskFact,
    RowsFact,
    SecretFact,
    SizeFact,
    ThresholdFact,
)
from sfumato.reports.judgements import judged, outcome_of, uneven
from sfumato.reports.secrets import spread_of
from sfumato.reports.treated import columns_of
from sfumato.risk.report import Reidentification, Side
from sfumato.risk.sizes import SizeCounts

__all__ = ["Findings", "collect", "collect_failed"]

_SMALLEST = 8


@dataclass(frozen=True, eq=False)
class Findings:
    """What was found of a release, each by who finds it.

    raw   the judgement of the original table as it is, but for names
    """

    subject: Subject
    audit: Audit
    measured: Measured
    risk: Reidentification
    attacked: Attacked | None = None
    raw: Audit | None = None


def collect(found: Findings, made: date) -> ReportFacts:
    """All facts, for the holder."""
    evidence, policy = found.subject.received.evidence, found.subject.policy
    document, manifest, shown = evidence.document, evidence.manifest, SizeCounts.of(found.subject.classes[2])
    criteria = judged(found.audit, found.raw, found.subject)
    return ReportFacts(
        edition="internal",
        outcome=outcome_of(found.audit),
        made=made.isoformat(),
        fingerprint=_fingerprint(evidence),
        form=str(evidence.form.get("publish", "")),
        method=policy.partition.method,
        criteria=criteria,
        columns=columns_of(found.subject, found.measured, criteria),
        rows=_rows(found.subject, document),
        groups=found.audit.groups,
        smallest=shown.smallest,
        exact=found.subject.seen.exact,
        risk=_risk(found.risk),
        sizes=tuple(_sizes(found.risk.before, shown, _asked(found.audit))),
        secrets=tuple(_secrets(found)),
        loss=_loss(manifest, found.measured),
        measures=tuple(map(_measure, found.measured.measurements)),
        adversaries=() if found.attacked is None else tuple(map(_adversary, found.attacked.attacks)),
        problems=found.audit.problems,
        notes=(*found.audit.notes, *found.risk.notes),
        lopsided=uneven(found.audit),
        files={} if document is None else {name: told for each in document.tables for name, told in each.files if told},
        inside=_inside(found, manifest),
    )


def collect_failed(audit: Audit, made: date) -> ReportFacts:
    """Of a run that published nothing since the audit did not confirm it: what the audit said."""
    return ReportFacts("internal", outcome_of(audit), made.isoformat(), criteria=judged(audit), problems=audit.problems)


def _fingerprint(evidence: Opened) -> str:
    """Of ``release.json``; of a release that is not written yet, there is nothing to compare it with."""
    document = evidence.document
    written = document is not None and all(told for each in document.tables for _, told in each.files)
    return (evidence.document_sha256 or "") if written else ""


def _asked(audit: Audit) -> int:
    """The least rows of a group that a promise asks for; 1: none does."""
    known = [each.parameters.get("k") for each in audit.criteria]
    return max((int(k) for k in known if isinstance(k, int)), default=1)


def _rows(subject: Subject, document: ReleaseDocument | None) -> RowsFact:
    dropped = 0 if document is None else document.rows.dropped
    suppressed = subject.suppressed if document is None else document.rows.suppressed
    known = subject.original is not None or document is not None
    table = subject.rows + dropped if known else None
    return RowsFact(table, subject.published, suppressed, dropped)


def _risk(risk: Reidentification) -> RiskFact | None:
    before, after = risk.before, risk.after
    if after is None:
        return None
    above = {} if before is None else {each.threshold: each.share for each in before.prosecutor.above}
    return RiskFact(
        worst_before=None if before is None else before.prosecutor.largest,
        worst=after.prosecutor.largest,
        mean_before=None if before is None else before.marketer,
        mean=after.marketer,
        alone_before=None if before is None else before.unique.rows / max(before.sizes.rows, 1),
        alone=after.unique.rows,
        journalist=None if after.journalist is None else after.journalist.largest,
        thresholds=tuple(
            ThresholdFact(each.threshold, each.k, above.get(each.threshold), each.share)
            for each in after.prosecutor.above
        ),
    )


def _sizes(before: Side | None, shown: SizeCounts, asked: int) -> Iterator[SizeFact]:
    """Ranges of sizes: alone, up to what is asked for, and then doubling, by what the release shows."""
    edges = sorted({1, 2, max(asked, 2)})
    while edges[-1] * 2 <= shown.largest and len(edges) < 6:
        edges.append(edges[-1] * 2)
    for low, high in zip(edges, [*(edge - 1 for edge in edges[1:]), None], strict=True):
        share = None if before is None else _share(before.sizes, low, high)
        yield SizeFact(low, high, low < asked, share, _share(shown, low, high))


def _share(sizes: SizeCounts, low: int, high: int | None) -> float:
    rows = sum(each.rows for each in sizes.by_size if low <= each.size and (high is None or each.size <= high))
    return rows / max(sizes.rows, 1)


def _secrets(found: Findings) -> Iterator[SecretFact]:
    for each in found.risk.guesses:
        guess = each.people or each.groups
        if guess is not None:
            spread = spread_of(found.subject, each.column)
            before = None if each.before is None else each.before.mean
            totals = max((value.share for value in spread.values), default=0.0) if each.totals is None else each.totals
            yield SecretFact(
                each.column, guess.largest, guess.mean, before, totals, spread.different, spread.values, spread.rarer
            )


def _loss(manifest: Manifest | None, measured: Measured) -> LossFact | None:
    if manifest is not None and manifest.loss is not None:
        return LossFact(manifest.loss.metric, manifest.loss.value, manifest.loss.correspondence)
    found = next((each.figure for each in measured.measurements if each.name == "ncp" and each.figure), None)
    return None if found is None else LossFact("ncp", found.value)


def _measure(each: Measurement) -> MeasureFact:
    value = None if each.figure is None else each.figure.value
    return MeasureFact(each.name, each.about.title, each.about.formula, each.about.better, value, each.lacks)


def _adversary(each: Attack) -> AdversaryFact:
    persona, worst = each.persona, max(each.exposures, key=lambda found: found.exposed, default=None)
    told = AdversaryFact(each.name, persona.title, persona.assumes, persona.exposes, None, None, None, None, each.lacks)
    if worst is None:
        return told
    return replace(told, exposed=worst.exposed, people=worst.people, right=worst.right, totals=worst.baseline)


def _inside(found: Findings, manifest: Manifest | None) -> Inside | None:
    """What the holder sees besides; None where there is neither a manifest nor a table."""
    original, policy = found.subject.original, found.subject.policy
    if original is None and manifest is None:
        return None
    side = found.risk.before
    sets = () if side is None else tuple((each.columns, each.unique) for each in side.unique.sets)
    sizes = () if found.risk.after is None else found.risk.after.sizes.by_size
    digests = {"policy": policy.digest}
    if manifest is not None:
        digests["input"] = manifest.input.sha256
    return Inside(
        source="" if original is None else original.origin.short,
        combinations=sets,
        smallest=tuple(each.size for each in sizes for _ in range(each.classes))[:_SMALLEST],
        key_id="" if manifest is None else manifest.key_id,
        digests=digests,
        policy=policy.as_dict(),
        versions={"sfumato": __version__, "Python": f"{platform.python_version()}, {platform.system()}"},
    )
