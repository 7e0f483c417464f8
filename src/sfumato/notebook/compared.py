"""The card of a comparison: the picture, the table, and why others made nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.comparisons.page import compared_table, without_release
from sfumato.notebook.card import ENGLISH, card, facts
from sfumato.notebook.plots import ComparedPlots
from sfumato.reports.markup import Markup, tag
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato import Compared

__all__ = ["compared_card"]


def compared_card(compared: Compared) -> Markup:
    bound = "" if compared.bound is None else ENGLISH("compare.bound", bound=ENGLISH.decimal(compared.bound))
    kept = any(way.kept for way in compared.ways)
    return card(
        facts(counted(compared.rows, "row"), bound),
        tag("p", ENGLISH("compare.promise")) if kept else None,
        ComparedPlots(compared).tradeoff().figure if kept else None,
        tag("div", compared_table(compared, ENGLISH), class_="scroll") if kept else None,
        without_release(compared, ENGLISH),
    )
