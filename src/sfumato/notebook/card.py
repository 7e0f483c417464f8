"""What every card is made of: a fragment of HTML with a style of its own that fits whatever is around it.

Text has the colour of its surroundings and washes let them through, so that a card can be read in the light and the
dark theme of any notebook, whatever the system prefers. Every text is escaped where it is put in; there is no script,
and nothing is loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from sfumato.reports.charts.svg import chart_style
from sfumato.reports.markup import Child, Markup, styled, tag
from sfumato.reports.wording import Wording

__all__ = ["ENGLISH", "NOTHING", "Look", "bullets", "card", "facts", "heading", "table", "verdict"]

ENGLISH = Wording.of("en")
"""The words that reports and cards share."""
NOTHING = ENGLISH("numbers.nothing")
Look = Literal["met", "open", "fails"]
_SIGNS = {"met": "✓", "open": "?", "fails": "✗"}


def card(*inside: Child) -> Markup:
    """The fragment that a notebook shows."""
    return tag("div", _style(), *inside, class_="sfumato")


@cache
def _style() -> Markup:
    own = (files("sfumato.notebook") / "notebook.css").read_text(encoding="utf-8")
    return styled(own + chart_style())


def verdict(look: Look, title: str, *beside: Child) -> Markup:
    """What was found, in a strip that says by sign, words and colour whether it is met."""
    return tag("div", tag("strong", f"{_SIGNS[look]} {title}"), *beside, class_=f"verdict {look}")


def heading(words: str) -> Markup:
    return tag("h2", words)


def facts(*told: str) -> Markup:
    """A line of facts."""
    return tag("p", " · ".join(filter(None, told)), class_="soft small")


def bullets(lines: Iterable[Child]) -> Child:
    """A list; nothing if there is nothing to list."""
    items = [tag("li", line) for line in lines]
    return tag("ul", items, class_="small") if items else None


def table(head: Sequence[str], rows: Iterable[Sequence[Child]], numbers: Sequence[int] = ()) -> Markup:
    """A table, wider than the page if it must be.

    numbers    columns that hold numbers, which stand at the right
    """
    names = [tag("th", name, class_="number" if at in numbers else None) for at, name in enumerate(head)]
    body = [
        tag("tr", [tag("td", cell, class_="number" if at in numbers else None) for at, cell in enumerate(row)])
        for row in rows
    ]
    inside = tag("table", tag("thead", tag("tr", names)), tag("tbody", body))
    return tag("div", inside, class_="scroll")
