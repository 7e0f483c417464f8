"""How a column grows vaguer, as chips: a value and what stands above it."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.reports.markup import Child, Markup, tag
from sfumato.workbench.asks import Ask
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.jobs.levels import LevelsShown
from sfumato.workbench.parts import waiting
from sfumato.workbench.worker import Doing

__all__ = ["asked_levels", "chips", "levels_of"]

_LONGEST = 6


def asked_levels(desk: Workdesk, name: str) -> Doing | None:
    """Ask for the levels of a column's hierarchy; None if it has none."""
    settings = {} if desk.draft is None else desk.draft.columns[name]
    hierarchy = settings.get("hierarchy")
    if hierarchy is None:
        return None
    given = {"source": desk.asked, "column": name, "hierarchy": hierarchy, "type": settings.get("type", "text")}
    return desk.worker.ask(Ask("levels", given))


def levels_of(desk: Workdesk, name: str) -> Child:
    """The chips of a column that others may know: what its values become."""
    words, doing = desk.words, asked_levels(desk, name)
    if doing is None:
        kind = (
            "interval" if desk.draft is not None and desk.draft.columns[name].get("type", "text") != "text" else "set"
        )
        return tag("p", words(f"levels.{kind}"), class_="then")
    if not doing.over:
        return waiting(words, f"levels-{doing.number}")
    if doing.failure is not None:
        return tag("p", words("levels.fails"), " ", tag("span", doing.failure.message, lang="en"), class_="then bad")
    return chips(_middle(doing.answer), words("levels.vaguer"))


def _middle(found: LevelsShown) -> tuple[str, ...]:
    return found.paths[len(found.paths) // 2]


def chips(path: Sequence[str], label: str) -> Markup:
    """A value and what stands above it; of a long way the middle is left out."""
    shown = [*path] if len(path) <= _LONGEST else [*path[:3], "…", path[-1]]
    made: list[Child] = []
    for place, text in enumerate(shown):
        made.append(tag("span", " → ", class_="arrow", aria_hidden="true") if place else None)
        made.append(tag("span", text, class_="chip"))
    return tag("p", tag("span", label, class_="hush"), made, class_="chips")
