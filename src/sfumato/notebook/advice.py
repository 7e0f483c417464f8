"""The card of an advice: what the table allows, and what the policy does with its promise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import remedies
from sfumato.notebook.card import ENGLISH, Look, bullets, card, facts, heading, table, verdict
from sfumato.reports.markup import Child, Markup, tag
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato import Advice, ColumnAdvice

__all__ = ["advice_card"]

_HEAD = ("secret column", "different values", "rows of the most frequent", "groups that all differ", "at most")
_LOOKS: dict[bool | None, Look] = {True: "met", False: "fails", None: "open"}


def advice_card(advice: Advice) -> Markup:
    answer, promise = advice.policy, str(advice.promise)
    kept: Look = "met" if answer.outcome == "kept" else "fails"
    raised = f" (searched with {advice.searched}: slack)" if advice.searched != advice.promise else ""
    own = [answer.reason if answer.reason != advice.table.reason else "", *remedies(answer.nearest, answer.instead)]
    nearest = "" if advice.table.nearest is None else f"nearest that the table allows: {advice.table.nearest}"
    return card(
        facts(counted(advice.rows, "row"), f"rows that may be left out: {ENGLISH.count(advice.allowed)}"),
        verdict(
            _LOOKS[advice.table.possible],
            f"{promise}: {advice.possible}",
            bullets(filter(None, (advice.table.reason, nearest))),
        ),
        verdict(kept, f"this policy, with its method and form: {answer.outcome}{raised}", bullets(filter(None, own))),
        heading("What each secret column allows"),
        table(_HEAD, (_row(each) for each in advice.columns), numbers=(1, 2, 3)),
        _related(advice),
    )


def _row(each: ColumnAdvice) -> tuple[Child, ...]:
    groups = f"of {each.best_l}" if each.best_l > 1 else "none"
    most = ENGLISH.count(each.top)
    return tag("strong", each.column), ENGLISH.count(each.values), most, groups, bullets(map(str, each.strongest))


def _related(advice: Advice) -> Child:
    lines = [line.strip() for relation in advice.relations for line in relation.lines()]
    return [heading("Promises of other kinds"), bullets(lines)] if lines else None
