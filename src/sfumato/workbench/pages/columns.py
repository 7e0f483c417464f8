"""The second step: what every column is, with the evidence, and how many people stand alone by what others may know."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.asks import Ask
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.draft import ROLES, PolicyDraft
from sfumato.workbench.jobs.alone import Alone
from sfumato.workbench.jobs.look import ColumnLook, Looked
from sfumato.workbench.pages.levels import levels_of
from sfumato.workbench.parts import button, card, form, go, hidden, link, page, pills, spark, waiting
from sfumato.workbench.uploads import sent

__all__ = ["decide", "show"]

_USUAL = 4
"""Roles that are always shown; others are there when they are asked for, or chosen."""


async def show(desk: Workdesk, request: Request) -> Response:
    if desk.draft is None or desk.looked is None:
        return go("/data")
    words, looked, draft = desk.words, desk.looked, desk.draft
    quasi = list(draft.with_role("quasi"))
    alone = desk.worker.ask(Ask("alone", {"source": desk.asked, "columns": quasi}, "alone"))
    known = {name: levels_of(desk, name) for name in quasi}
    await desk.worker.within(alone)
    cards = [_column(number, column, draft, known, words) for number, column in enumerate(looked.columns)]
    side = tag(
        "aside",
        _meter(alone.answer, quasi, words) if alone.state == "done" else _counting(words),
        _next(draft, looked, words),
        class_="side",
    )
    head = [tag("h1", words("deciding.title")), tag("p", words("deciding.lead"), class_="lead")]
    return page(desk, "columns", words("frame.columns"), *head, tag("div", tag("div", cards), side, class_="cols"))


async def decide(desk: Workdesk, request: Request) -> Response:
    """Give a column a role."""
    given = (await sent(request, desk.folder)).fields
    column = column_of(desk, given.get("column", ""))
    if desk.draft is not None and column is not None and given.get("role") in ROLES:
        desk.draft = desk.draft.decided(column, given["role"])
    return go("/columns")


def column_of(desk: Workdesk, number: str) -> ColumnLook | None:
    """The column of that number, if there is one."""
    if desk.looked is None or not number.isdecimal() or int(number) >= len(desk.looked.columns):
        return None
    return desk.looked.columns[int(number)]


def _column(number: int, column: ColumnLook, draft: PolicyDraft, known: dict[str, Child], words: Wording) -> Markup:
    settings = draft.columns[column.name]
    role = settings.get("role")
    about = tag("div", tag("h2", column.name), tag("p", _evidence(column, words), class_="why"))
    return tag(
        "article",
        about,
        tag("div", *_seen(column, words), class_="seen"),
        tag(
            "div",
            _roles(number, column, role, words),
            _then(role, words),
            known.get(column.name),
            _more(number, role, words),
        ),
        class_=f"column {role or 'undecided'}",
        id=f"c{number}",
    )


def _evidence(column: ColumnLook, words: Wording) -> Child:
    counts = words("deciding.values", values=words.count(column.distinct))
    missing = words("deciding.missing", missing=words.count(column.missing)) if column.missing else ""
    why = tag("span", f"{'; '.join(column.reasons)}.", lang="en")
    return [f"{counts}{missing}. ", words("deciding.suggested" if column.role else "deciding.open"), " ", why]


def _seen(column: ColumnLook, words: Wording) -> list[Child]:
    if not column.bars:
        return [tag("span", words("deciding.unique"), class_="soft small")] if column.distinct else []
    between = words("deciding.to") if column.ranged else ", "
    text = between.join(column.examples)
    return [spark(column.bars), tag("div", text, class_="eg", title=text)]


def _roles(number: int, column: ColumnLook, role: str | None, words: Wording) -> Markup:
    usual, others = ROLES[:_USUAL], ROLES[_USUAL:]
    first = [(each, words(f"roles.{each}")) for each in (*usual, *((role,) if role in others else ()))]
    rest = [(each, words(f"roles.{each}")) for each in others if each != role]
    legend = tag("legend", words("deciding.what", name=column.name), class_="hush")
    more = tag(
        "details", tag("summary", words("deciding.others")), pills("role", rest, role, f"r{number}"), id=f"o{number}"
    )
    return form(
        "/columns",
        hidden("column", str(number)),
        tag("fieldset", legend, pills("role", first, role, f"r{number}"), more),
        tag("noscript", button(words("deciding.set"), "quiet small")),
        live=True,
    )


def _then(role: str | None, words: Wording) -> Markup:
    return tag("p", f"→ {words(f'roles.{role}_then' if role else 'roles.undecided')}", class_="then")


def _more(number: int, role: str | None, words: Wording) -> Child:
    return (
        None
        if role is None
        else tag("p", link(words("deciding.settings"), f"/column/{number}", "small"), class_="under")
    )


def _counting(words: Wording) -> Markup:
    return card(tag("h2", words("deciding.alone_title")), waiting(words, "alone"), kind="meter", id_="meter")


def _meter(found: Alone, quasi: list[str], words: Wording) -> Markup:
    of = words("deciding.alone", rows=words.count(found.rows), columns=", ".join(quasi) or words("deciding.nothing"))
    order = sorted(found.without.items(), key=lambda pair: pair[1])
    rows = (
        tag("tr", tag("td", words("deciding.without", name=name)), tag("td", words.count(count), class_="number"))
        for name, count in order
    )
    track = tag("progress", max=str(max(found.rows, 1)), value=str(found.alone), aria_label=words("deciding.share"))
    return card(
        tag("h2", words("deciding.alone_title")),
        tag("div", words.count(found.alone), class_="big"),
        tag("p", of),
        tag("div", track, class_="track"),
        tag("table", tag("tbody", rows)) if order else None,
        kind=f"meter {'bad' if found.alone else 'good'}",
        id_="meter",
    )


def _next(draft: PolicyDraft, looked: Looked, words: Wording) -> Markup:
    """Who is missing, or the way on."""
    numbers = {column.name: number for number, column in enumerate(looked.columns)}
    undecided = draft.undecided
    if undecided:
        head = words("deciding.needs_one" if len(undecided) == 1 else "deciding.needs", count=len(undecided))
        names: Child = [[tag("a", name, href=f"#c{numbers[name]}"), " "] for name in undecided]
        says = tag("p", tag("b", head), " ", names)
    elif draft.unknowing:
        names = [[tag("a", name, href=f"/column/{numbers[name]}"), " "] for name in draft.unknowing]
        says = tag("p", tag("b", words("deciding.unknowing")), " ", names)
    elif not draft.with_role("quasi"):
        says = tag("p", tag("b", words("deciding.no_quasi")))
    else:
        says = tag("p", tag("b", words("deciding.decided")))
    on = link(words("deciding.on"), "/promise") if draft.complete else button(words("deciding.on"), off=True)
    return card(says, on, id_="next")
