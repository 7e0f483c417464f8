"""Two editions of the same result: for the holder, and for whoever gets the release.

The external one is what anybody finds who has the release and the policy and nothing else, so that they can make it
again. It has more in three places, which the holder alone can fill:

- figures for which the original was looked at, in whole percents: how things were before, and what was lost;
- the judgement of promises that only the internal manifest decides, which is said of each, without its level;
- where the form keeps from its readers what a judgement needs (rings, values that were changed), what the holder found
  of risk, in whole percents: without it there are only upper bounds.

No measure that compares with the original, no adversary who was scored by it, no file name, no digest of input or
policy, no key, no note that was written for the holder, no combination of columns by which people stand out, no group
that is the worst. Of a run that made no release it says that there is none, and not why: the reason counts rows of the
original.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sfumato.reports.facts import (
    ColumnFact,
    CriterionFact,
    LossFact,
    ReportFacts,
    RiskFact,
    SecretFact,
    SizeFact,
    ThresholdFact,
)

__all__ = ["external", "fingerprint", "nameless"]

_UNSHOWN = ("identifier", "individual", "drop", "weight")
"""Roles of columns that no release has: that there are such is nobody's business."""


def fingerprint(facts: ReportFacts) -> str:
    """The first digits of the SHA-256 of ``release.json``, to be compared by eye."""
    return "-".join(facts.fingerprint[at : at + 4] for at in range(0, 16, 4)) if facts.fingerprint else ""


def nameless(facts: ReportFacts) -> ReportFacts:
    """What an outsider found, as it may be handed on. Of a run without a release, that there is none."""
    if not facts.released:
        return ReportFacts("external", facts.outcome, facts.made)
    return replace(
        facts,
        edition="external",
        criteria=tuple(map(_criterion, facts.criteria)),
        columns=tuple(_column(column) for column in facts.columns if column.role not in _UNSHOWN),
        measures=(),
        adversaries=(),
        notes=(),
        lopsided=tuple(each for each in facts.lopsided if each.rows is not None),
        plan=(),
        inside=None,
    )


def external(held: ReportFacts, outside: ReportFacts, sealed: bool) -> ReportFacts:
    """The edition that may be handed on.

    held      what the holder found
    outside   what is found by release and policy alone
    sealed    the form keeps from its readers what a judgement needs
    """
    found = nameless(outside)
    risk, secrets = (_rounded_risk(held.risk), tuple(map(_rounded_secret, held.secrets))) if sealed else (None, None)
    return replace(
        found,
        outcome=held.outcome,
        criteria=tuple(_criteria(held.criteria, found.criteria)),
        columns=tuple(_columns(found.columns, held.columns)),
        risk=risk or _risk(found.risk, held.risk),
        sizes=tuple(_sizes(found.sizes, held.sizes)),
        secrets=secrets or tuple(_secrets(found.secrets, held.secrets)),
        loss=None if held.loss is None else _loss(held.loss),
    )


def _whole(share: float | None) -> float | None:
    """In whole percents."""
    return None if share is None else round(share, 2)


def _criteria(held: Sequence[CriterionFact], outside: Sequence[CriterionFact]) -> Iterator[CriterionFact]:
    """The holder's judgement; where others cannot judge, that is said."""
    known = {(each.title, each.on): each for each in outside}
    for each in held:
        other = known.get((each.title, each.on))
        same = other is not None and other.verdict == each.verdict
        told = replace(_criterion(each), level="", broken=None, broken_rows=None, by_holder=True)
        yield other if other is not None and same else told


def _criterion(criterion: CriterionFact) -> CriterionFact:
    return replace(criterion, raw=None, groups=())


def _column(column: ColumnFact) -> ColumnFact:
    return replace(column, promises=(), level=None, height=None, values=None, changed=None, terms=None)


def _columns(outside: Sequence[ColumnFact], held: Sequence[ColumnFact]) -> Iterator[ColumnFact]:
    lost = {column.name: column.loss for column in held}
    for column in outside:
        yield replace(column, loss=_whole(lost.get(column.name)))


def _risk(outside: RiskFact | None, held: RiskFact | None) -> RiskFact | None:
    """As others find it, with what was before."""
    if outside is None or held is None:
        return outside
    return replace(
        outside,
        worst_before=_whole(held.worst_before),
        mean_before=_whole(held.mean_before),
        alone_before=_whole(held.alone_before),
        thresholds=tuple(
            replace(each, before=_whole(other.before))
            for each, other in zip(outside.thresholds, held.thresholds, strict=True)
        ),
    )


def _rounded_risk(held: RiskFact | None) -> RiskFact | None:
    """As the holder finds it."""
    if held is None:
        return None
    thresholds = tuple(_rounded_threshold(each) for each in held.thresholds)
    return replace(_risk(held, held) or held, mean=round(held.mean, 2), thresholds=thresholds)


def _rounded_threshold(each: ThresholdFact) -> ThresholdFact:
    return replace(each, before=_whole(each.before), after=round(each.after, 2))


def _sizes(outside: Sequence[SizeFact], held: Sequence[SizeFact]) -> Iterator[SizeFact]:
    """As the release shows them, with what was before."""
    for each, other in zip(outside, held, strict=True):
        yield replace(each, before=_whole(other.before))


def _secrets(outside: Sequence[SecretFact], held: Sequence[SecretFact]) -> Iterator[SecretFact]:
    before = {secret.name: secret.before for secret in held}
    for secret in outside:
        yield replace(secret, before=_whole(before.get(secret.name)))


def _rounded_secret(held: SecretFact) -> SecretFact:
    worst, mean, totals = (round(share, 2) for share in (held.worst, held.mean, held.totals))
    return replace(held, worst=worst, mean=mean, before=_whole(held.before), totals=totals)


def _loss(loss: LossFact) -> LossFact:
    return replace(loss, value=round(loss.value, 2), correspondence=_whole(loss.correspondence))
