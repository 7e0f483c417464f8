"""The card of a judgement: every criterion with the level it reaches, problems and notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sfumato.auditor.levels import readable
from sfumato.notebook.card import ENGLISH, NOTHING, Look, bullets, card, facts, heading, table, verdict
from sfumato.reports.facts import CriterionFact
from sfumato.reports.html.sheet import promised
from sfumato.reports.markup import Child, Markup, tag
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato import Audit, Criterion, Written

__all__ = ["audit_card", "criteria", "look_of", "written_card"]

_HEAD = ("promise", "", "reached", "asked for")
_SIGNS = {"holds": "✓ holds", "fails": "✗ fails", "undecidable": "? undecidable"}


def audit_card(audit: Audit) -> Markup:
    return card(verdict(look_of(audit), audit.outcome), *_judged(audit))


def written_card(written: Written) -> Markup:
    """What was written, and the audit of the bytes."""
    files: list[Child] = [tag("code", name) for name in written.public]
    manifest: Child = [tag("code", str(written.manifest)), " for the holder alone: do not hand it on"]
    return card(
        verdict(look_of(written.audit), written.audit.outcome), bullets([*files, manifest]), *_judged(written.audit)
    )


def look_of(audit: Audit) -> Look:
    if audit.holds:
        return "met"
    failed = audit.problems or any(each.verdict == "fails" for each in audit.criteria)
    return "fails" if failed else "open"


def _judged(audit: Audit) -> Iterator[Child]:
    suppressed = "not known" if audit.suppressed is None else ENGLISH.count(audit.suppressed)
    yield facts(counted(audit.rows, "row"), counted(audit.groups, "group"), f"left out: {suppressed}")
    yield criteria(audit)
    for title, lines in (("Problems", audit.problems), ("Notes", audit.notes)):
        if lines:
            yield heading(title)
            yield bullets(lines)


def criteria(audit: Audit) -> Markup:
    """A line for each promise."""
    return table(_HEAD, (_row(each) for each in audit.criteria))


def _row(each: Criterion) -> tuple[Child, ...]:
    fact = CriterionFact(each.model, dict(each.parameters), each.promise, each.on, each.verdict, "")
    said = [tag("strong", promised(fact, ENGLISH)), tag("br"), tag("span", _title(each), class_="soft small")]
    reached = f"needs {each.needs}" if each.verdict == "undecidable" else NOTHING
    return said, _SIGNS[each.verdict], reached if each.level is None else readable(each.level), each.required or NOTHING


def _title(each: Criterion) -> str:
    return each.promise if each.on is None else f"{each.promise} on {each.on}"
