"""The card of suggestions: a role for every column, with its reasons."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sfumato.notebook.card import ENGLISH, NOTHING, bullets, card, facts, table
from sfumato.reports.charts.losses import shortened
from sfumato.reports.markup import Child, Markup, tag
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato import Suggestion, Suggestions

__all__ = ["suggestion_card", "suggestions_card"]

_LONGEST = 60
_HEAD = ("column", "role", "type", "hierarchy", "different values", "why")


def suggestions_card(suggestions: Suggestions) -> Markup:
    open_ = sum(each.role is None for each in suggestions)
    told = f"for a person to decide: {open_}" if open_ else "every role is suggested, and none is sure"
    together = next((each.together for each in suggestions if each.together is not None), None)
    unique = (
        ""
        if together is None
        else f"rows that the quasi-identifiers single out together: {ENGLISH.count(together.unique)}"
    )
    return card(facts(counted(len(suggestions), "column"), told, unique), _listed(suggestions))


def suggestion_card(suggestion: Suggestion) -> Markup:
    return card(_listed([suggestion]))


def _listed(suggestions: Iterable[Suggestion]) -> Markup:
    return table(_HEAD, (_row(each) for each in suggestions), numbers=(4,))


def _row(each: Suggestion) -> tuple[Child, ...]:
    role = tag("span", each.role or "decide", class_=f"role {each.role or 'undecided'}")
    hierarchy = NOTHING if each.hierarchy is None else tag("code", shortened(json.dumps(each.hierarchy), _LONGEST))
    return (
        tag("strong", each.name),
        role,
        each.type,
        hierarchy,
        ENGLISH.count(each.evidence.distinct),
        bullets(each.reasons),
    )
