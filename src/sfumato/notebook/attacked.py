"""The card of attacks: who was tried, and what they learnt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sfumato.notebook.card import ENGLISH, NOTHING, bullets, card, facts, heading, table
from sfumato.reports.markup import Child, Markup, tag
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato import Attack, Attacked, Exposure

__all__ = ["attacked_card"]

_HEAD = ("adversary", "about", "people exposed", "surest", "guesses right", "by totals alone")


def attacked_card(attacked: Attacked) -> Markup:
    told = facts(counted(attacked.rows, "row"), f"left out: {ENGLISH.count(attacked.suppressed)}")
    rows = [row for each in attacked.attacks for row in _rows(each)]
    untried: list[Child] = [
        [tag("strong", each.name), f" needs {each.lacks}"] for each in attacked.attacks if each.lacks
    ]
    rest = [heading("Not tried"), bullets(untried)] if untried else None
    return card(told, table(_HEAD, rows, numbers=(2, 3, 4, 5)), rest)


def _rows(each: Attack) -> Iterator[tuple[Child, ...]]:
    """A line for each secret."""
    assumes = tag("span", each.persona.assumes, class_="soft small")
    who: Child = [tag("strong", each.name), f": {each.persona.title}", tag("br"), assumes]
    for at, found in enumerate(each.exposures):
        yield None if at else who, found.on or "who is who", *_learnt(found)


def _learnt(found: Exposure) -> tuple[str, ...]:
    shares = (found.surest, found.right, found.baseline)
    exposed = f"{ENGLISH.count(found.exposed)} of {ENGLISH.count(found.people)}"
    return exposed, *(NOTHING if share is None else ENGLISH.percent(share) for share in shares)
