"""Facts from a judgement: criteria, their worst groups, and secrets that are nearly alike in some group."""

from __future__ import annotations

from fractions import Fraction

from sfumato.auditor.levels import readable
from sfumato.auditor.verdict import Audit, Criterion, JudgedGroup
from sfumato.release.subject import Subject
from sfumato.reports.facts import CriterionFact, GroupFact, LopsidedFact, Outcome

__all__ = ["judged", "outcome_of", "uneven"]

_LONG = 40


def outcome_of(audit: Audit) -> Outcome:
    """What it comes to."""
    if audit.holds:
        return "met"
    failed = audit.problems or any(each.verdict == "fails" for each in audit.criteria)
    return "not met" if failed else "undecidable"


def judged(audit: Audit, raw: Audit | None = None, subject: Subject | None = None) -> tuple[CriterionFact, ...]:
    """Every criterion.

    raw       the judgement of the original table as it is
    subject   the release, to say what a group shows
    """
    before = {} if raw is None else {_key(each): each for each in raw.criteria if each.verdict != "undecidable"}
    return tuple(_criterion(each, before.get(_key(each)), subject) for each in audit.criteria)


def _key(criterion: Criterion) -> tuple[str, str | None]:
    return criterion.promise, criterion.on


def _criterion(each: Criterion, before: Criterion | None, subject: Subject | None) -> CriterionFact:
    groups = tuple(_group(group, subject) for group in each.groups)
    if not groups and each.worst is not None and each.verdict == "fails":
        worst = each.worst
        values = None if each.on is None else worst.values
        groups = (GroupFact(1, False, _level(each), worst.size, values, worst.counts),)
    return CriterionFact(
        promise=each.model,
        parameters=dict(each.parameters),
        title=each.promise,
        on=each.on,
        verdict=each.verdict,
        level=_level(each),
        needs=each.needs,
        required=each.required,
        broken=each.violating_groups,
        broken_rows=each.violating_rows,
        raw=None if before is None else before.violating_rows,
        asked=each.model not in _UNASKED,
        groups=groups,
    )


_UNASKED = ("suppression", "left-out-rows", "rows-per-person")
"""Criteria that no promise of a policy names."""


def _level(each: Criterion | JudgedGroup) -> str:
    return "" if each.level is None else readable(each.level)


def _group(group: JudgedGroup, subject: Subject | None) -> GroupFact:
    shows: dict[str, str] = {}
    if subject is not None and group.row is not None and not subject.seen.exact:
        people = subject.people[0]
        shows = {name: str(people[name][group.row - 1])[:_LONG] for name in subject.quasi}
    return GroupFact(
        groups=group.groups,
        kept=group.kept,
        level=_level(group),
        size=group.size,
        values=group.values,
        counts=group.counts,
        row=group.row,
        group=group.group,
        shows=shows,
        add=group.add,
        leave=group.leave,
    )


def uneven(audit: Audit) -> tuple[LopsidedFact, ...]:
    """Secrets of which nearly all rows of some group are alike."""
    return tuple(
        LopsidedFact(
            column=each.column,
            share=_share(each.share) or 0.0,
            groups=each.groups,
            rows=each.rows,
            alike=each.alike,
            table=_share(each.table),
            in_rows=each.in_rows,
            promises=each.promises,
            counted=each.counted,
        )
        for each in audit.lopsided
    )


def _share(level: Fraction | str | None) -> float | None:
    return None if level is None else float(Fraction(level))
