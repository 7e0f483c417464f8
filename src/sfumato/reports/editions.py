"""Two editions of the same facts: for the holder, and for whoever gets the release.

The external one holds nothing that cannot be derived from the release and the policy, except figures for which the
original was looked at (before the release, losses, guesses), in whole percents. No measure that compares with the
original, no adversary who was scored by it, no file name, no digest of input or policy, no key, no note that
was written for the holder, no combination of columns by which people stand out, no group that is the worst, and no
reason why a run made nothing.
"""

from __future__ import annotations

from dataclasses import replace

from sfumato.reports.facts import ColumnFact, LossFact, ReportFacts, RiskFact, RowsFact, SecretFact, SizeFact

__all__ = ["external", "fingerprint"]

_UNSHOWN = ("identifier", "individual", "drop", "weight")
"""Roles of columns that no release has: that there are such is nobody's business."""


def fingerprint(facts: ReportFacts) -> str:
    """The first digits of the SHA-256 of ``release.json``, to be compared by eye."""
    return "-".join(facts.fingerprint[at : at + 4] for at in range(0, 16, 4)) if facts.fingerprint else ""


def external(facts: ReportFacts) -> ReportFacts:
    """The edition that may be handed on. Of a run without a release, that there is none: why tells of the table."""
    if not facts.released:
        return ReportFacts("external", facts.outcome, facts.made)
    return replace(
        facts,
        edition="external",
        criteria=tuple(replace(criterion, raw=None, groups=()) for criterion in facts.criteria),
        columns=tuple(_column(column) for column in facts.columns if column.role not in _UNSHOWN),
        risk=None if facts.risk is None else _risk(facts.risk, facts.rows),
        sizes=tuple(_size(size) for size in facts.sizes),
        secrets=tuple(_secret(secret) for secret in facts.secrets),
        loss=None if facts.loss is None else _loss(facts.loss),
        measures=(),
        adversaries=(),
        notes=(),
        lopsided=tuple(each for each in facts.lopsided if each.rows is not None),
        plan=(),
        inside=None,
    )


def _whole(share: float | None) -> float | None:
    """In whole percents."""
    return None if share is None else round(share, 2)


def _risk(risk: RiskFact, rows: RowsFact | None) -> RiskFact:
    alone = risk.alone_before
    if alone is not None and rows is not None and rows.table:
        alone = round(rows.table * round(alone / rows.table, 2))
    thresholds = tuple(
        replace(each, before=_whole(each.before), after=round(each.after, 2)) for each in risk.thresholds
    )
    return replace(
        risk,
        worst_before=_whole(risk.worst_before),
        mean_before=_whole(risk.mean_before),
        mean=round(risk.mean, 2),
        alone_before=alone,
        thresholds=thresholds,
    )


def _column(column: ColumnFact) -> ColumnFact:
    seen = replace(column, loss=_whole(column.loss), promises=())
    return replace(seen, level=None, height=None, values=None, changed=None, terms=None)


def _loss(loss: LossFact) -> LossFact:
    return replace(loss, value=round(loss.value, 2), correspondence=_whole(loss.correspondence))


def _size(size: SizeFact) -> SizeFact:
    return replace(size, before=_whole(size.before))


def _secret(secret: SecretFact) -> SecretFact:
    return replace(secret, before=_whole(secret.before), mean=round(secret.mean, 2), worst=round(secret.worst, 2))
