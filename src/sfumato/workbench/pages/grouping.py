"""Groups of a column that a person makes: a file that is sent, or values gathered, moved and renamed, one by one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.asks import Failure
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.jobs.grouped import GroupedValues, taken, within
from sfumato.workbench.jobs.look import ColumnLook
from sfumato.workbench.pages.columns import column_of
from sfumato.workbench.pages.failures import failure_page
from sfumato.workbench.parts import button, card, form, go, hidden, link, page, select, waiting
from sfumato.workbench.regrouping import Regrouping
from sfumato.workbench.uploads import TooLarge, sent

__all__ = ["change", "give", "show"]

_MOST = 16 * 2**20
"""Bytes of a file of groups."""
_SHOWN, _GROUPS, _NAME = 200, 500, 200
"""What is shown of one group; groups to choose from; signs of a name."""
_UNSURE = "may be a header or a value"
"""What is said of a file that does not settle what its first line is."""
_KINDS = ".csv,.txt,.yaml,.yml,.json"


async def show(desk: Workdesk, request: Request) -> Response:
    place = request.path_params["number"]
    column = _grown(desk, place)
    if column is None:
        return go(f"/column/{place}")
    words, now = desk.words, desk.grouping(column.name)
    if now.running is not None:
        await desk.worker.within(now.running)
        now.take(desk)
    doing = now.looked(desk)
    if now.running is None:
        await desk.worker.within(doing)
    head: list[Child] = [tag("h1", words("grouping.title", name=column.name))]
    if now.failure is not None:
        head.append(_refused(now, now.failure, words))
    head.append(tag("p", words("grouping.lead"), class_="lead"))
    found: GroupedValues | None = None
    left: Child
    if now.running is not None or not doing.over:
        left = card(waiting(words, "groups"))
    elif doing.state != "done":
        failure = doing.failure or Failure("gone", "")
        left = card(tag("p", tag("b", f"✗ {words('levels.fails')}"), class_="bad"), _told(failure))
    else:
        found = doing.answer
        left = _editing(found, place, _opened(now, found, request), now, _mark(desk, now), words)
    side = tag(
        "aside",
        _steps(found, words) if found is not None else None,
        _upload(place, words),
        card(link(words("grouping.back", name=column.name), f"/column/{place}")),
        class_="side after",
    )
    return page(desk, "columns", column.name, *head, tag("div", tag("div", left, class_="stack"), side, class_="cols"))


async def give(desk: Workdesk, request: Request) -> Response:
    """Take a file of groups."""
    place = request.path_params["number"]
    try:
        given = await sent(request, desk.folder, _MOST)
    except TooLarge:
        return failure_page(desk, "columns", Failure("large_groups", ""), status=413)
    column = _grown(desk, place)
    if given.file is None or column is None or not given.name:
        if given.file is not None:
            given.file.unlink(missing_ok=True)
        return go(f"/column/{place}/groups")
    header = {"yes": True, "no": False}.get(given.fields.get("header", ""))
    said = desk.words("grouping.taken", name=given.name)
    desk.grouping(column.name).send(desk, {"file": given.file.name, "header": header}, given.name, said)
    return go(f"/column/{place}/groups")


async def change(desk: Workdesk, request: Request) -> Response:
    """Gather, move, rename, dissolve; or take the last change back. What cannot be is said, and changes nothing."""
    place = request.path_params["number"]
    given = (await sent(request, desk.folder)).fields
    column = _grown(desk, place)
    if column is None:
        return go(f"/column/{place}")
    now, words = desk.grouping(column.name), desk.words
    doing = now.looked(desk)
    if now.running is not None or doing.state != "done" or given.get("of") != _mark(desk, now):
        desk.said = words("grouping.again")
    elif given.get("do") == "undo":
        now.undo(desk)
        desk.said = words("grouping.undone")
    else:
        made = _change(doing.answer, given)
        if isinstance(made, str):
            desk.said = words(f"grouping.{made}")
        else:
            if made["do"] in ("rename", "dissolve"):
                now.open = str(made["name"])
            now.change(desk, made, words("grouping.changed"))
    return go(f"/column/{place}/groups")


def _grown(desk: Workdesk, place: str) -> ColumnLook | None:
    """The column of that number, if its values are to grow vaguer."""
    column = column_of(desk, place)
    if column is None or desk.draft is None or desk.draft.columns[column.name].get("role") != "quasi":
        return None
    return column


def _mark(desk: Workdesk, now: Regrouping) -> str:
    """What a form was made for: another state of the groups is not changed by it."""
    settings = {} if desk.draft is None else desk.draft.columns[now.column]
    return json.dumps([settings.get("hierarchy"), settings.get("type")], sort_keys=True)


def _opened(now: Regrouping, found: GroupedValues, request: Request) -> int:
    """The group that is looked into."""
    asked = request.query_params.get("at", "")
    if asked.isdecimal() and found.size <= int(asked) < len(found.labels):
        now.open = found.labels[int(asked)]
    groups = found.labels[found.size :]
    return found.size + groups.index(now.open) if now.open in groups else len(found.labels) - 1


def _change(found: GroupedValues, given: Mapping[str, str]) -> dict[str, Any] | str:
    """The change that a form asks for, or the name of the sentence that says why it is none."""
    do, name = given.get("do", ""), given.get("name", "").strip()
    chosen = [at for at in range(len(found.labels) - 1) if f"n{at}" in given]
    absent = [label for at, label in enumerate(found.absent) if f"a{at}" in given]
    group, last = _number(given.get("into" if do == "move" else "group", "")), len(found.labels) - 1
    if do not in ("gather", "move", "rename", "dissolve") or not found.size <= group <= last:
        return "again"
    if do in ("gather", "move") and not chosen and not absent:
        return "none_chosen"
    if do in ("gather", "rename") and (not name or name == "*" or len(name) > _NAME or not name.isprintable()):
        return "no_name"
    if do in ("gather", "rename") and taken(found, name):
        return "name_taken"
    if do in ("gather", "move") and within(found, chosen, group):
        return "in_itself"
    if do in ("rename", "dissolve") and group == last:
        return "again"
    if do == "dissolve":
        name = found.labels[found.parent[group]]
    labels = [*(found.labels[at] for at in chosen), *absent]
    return {"do": do, "chosen": labels, "group": found.labels[group], "name": name}


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def _refused(now: Regrouping, failure: Failure, words: Wording) -> Markup:
    """Why a file, or a change, was not taken, and what helps."""
    said = words("grouping.refused", name=now.name) if now.name else words("grouping.refused_change")
    unsure = _UNSURE in failure.message
    shown = Failure(failure.kind, failure.message.partition("; ")[0]) if unsure else failure
    mend = tag("p", words("grouping.mend_header" if unsure else "grouping.mend"))
    return tag("div", tag("h2", said), _told(shown), mend, class_="banner bad", role="alert")


def _told(failure: Failure) -> Child:
    return tag("p", failure.message or failure.kind, class_="says small", lang="en")


def _editing(found: GroupedValues, place: str, at: int, now: Regrouping, mark: str, words: Wording) -> list[Child]:
    """All that can be changed, at one group."""
    action, counts = f"/column/{place}/groups/change", found.counts()
    mine = [hidden("of", mark), hidden("group", str(at))]
    inside = found.inside(at)
    rows = [_row(each, found, counts, place, words) for each in inside[:_SHOWN]]
    more = len(inside) - len(rows)
    open_ = tag(
        "section",
        tag("h2", f"{found.labels[at]}: ", _many(counts[at], words)),
        _way(found, at, place, words) if len(found.way(at)) > 1 else None,
        tag("fieldset", tag("legend", words("grouping.choose"), class_="hush"), tag("ul", rows, class_="ticks")),
        tag("p", words("grouping.more", more=words.count(more)), class_="soft small") if more else None,
        class_="card",
    )
    whole = form(action, *mine, _absent(found, words), open_, _gather(found, at, words), class_="stack")
    after: list[Child] = []
    if at < len(found.labels) - 1:
        after.append(_named(action, mine, found.labels[at], words))
    if now.earlier:
        undo = form(action, hidden("of", mark), button(words("grouping.undo"), "quiet", name="do", value="undo"))
        after.append(card(undo))
    return [whole, *after]


def _absent(found: GroupedValues, words: Wording) -> Child:
    """Values of the table that have no place: how many, and which, for who sits here."""
    if not found.lacking:
        return tag("p", tag("b", f"✓ {words('levels.whole', values=words.count(found.values))}"), class_="good")
    said = words("grouping.absent", lacking=words.count(found.lacking), values=words.count(found.values))
    rows = (_tick(f"a{at}", label) for at, label in enumerate(found.absent))
    return tag(
        "fieldset",
        tag("legend", tag("b", said), class_="bad"),
        tag("p", words("grouping.absent_says")),
        tag("ul", (tag("li", row) for row in rows), class_="ticks"),
        tag("p", words("grouping.more", more=words.count(found.lacking - len(found.absent))), class_="soft small")
        if found.lacking > len(found.absent)
        else None,
        class_="alert",
    )


def _tick(name: str, label: str) -> Markup:
    return tag("label", tag("input", type="checkbox", name=name, id=name, value="yes"), " ", label)


def _row(each: int, found: GroupedValues, counts: list[int], place: str, words: Wording) -> Markup:
    """A value, or a group that can be looked into."""
    tick = _tick(f"n{each}", found.labels[each])
    if each < found.size:
        return tag("li", tick)
    many = _many(counts[each], words)
    name = tag("span", f" {found.labels[each]}", class_="hush")
    return tag("li", tick, " ", link([many, " →", name], f"/column/{place}/groups?at={each}", "small"))


def _many(values: int, words: Wording) -> str:
    return words("grouping.value" if values == 1 else "grouping.values", values=words.count(values))


def _way(found: GroupedValues, at: int, place: str, words: Wording) -> Markup:
    *ups, _ = found.way(at)
    links: list[Child] = [
        [link(found.labels[each], f"/column/{place}/groups?at={each}", "small"), " → "] for each in ups
    ]
    return tag("p", links, found.labels[at], class_="soft small")


def _gather(found: GroupedValues, at: int, words: Wording) -> Markup:
    """What is done with what was chosen; Enter in the name gathers."""
    groups = [at, *(each for each in range(len(found.labels) - 1, found.size - 1, -1) if each != at)][:_GROUPS]
    names = [(str(each), found.labels[each]) for each in groups]
    return card(
        tag("h2", words("grouping.chosen")),
        tag("label", tag("span", words("grouping.new")), _name_field("name", ""), class_="field"),
        tag("p", button(words("grouping.gather"), name="do", value="gather")),
        select("into", names, str(at), words("grouping.into"), "into"),
        tag("p", button(words("grouping.move"), "quiet", name="do", value="move")),
    )


def _named(action: str, mine: list[Markup], label: str, words: Wording) -> Markup:
    """The group itself."""
    field = tag("label", tag("span", words("grouping.called")), _name_field("called", label), class_="field")
    rename = button(words("grouping.rename"), name="do", value="rename")
    dissolve = button(words("grouping.dissolve"), "quiet", name="do", value="dissolve")
    inside = form(action, *mine, field, tag("p", rename, " ", dissolve))
    return card(tag("h2", words("grouping.this", name=label)), inside)


def _name_field(id_: str, value: str) -> Markup:
    return tag("input", type="text", name="name", id=id_, value=value, maxlength=str(_NAME), autocomplete="off")


def _steps(found: GroupedValues, words: Wording) -> Markup:
    """Level by level, what is told apart on each."""
    made = []
    for level, (count, labels) in enumerate(found.steps):
        said = words("grouping.step", step=level, labels=words.count(count))
        shown: list[Child] = [[tag("span", label, class_="chip"), " "] for label in labels]
        more = "…" if count > len(labels) else None
        made.append(tag("details", tag("summary", said), tag("p", shown, more, class_="chips"), id=f"step{level}"))
    return card(tag("h2", words("levels.title")), made)


def _file() -> Markup:
    return tag("input", type="file", name="file", id="groups-file", accept=_KINDS, required="")


def _upload(place: str, words: Wording) -> Markup:
    lines = [(value, words(f"grouping.header_{value or 'look'}")) for value in ("", "no", "yes")]
    inside = form(
        f"/column/{place}/groups",
        tag("label", tag("span", words("grouping.file")), _file(), class_="field"),
        select("header", lines, "", words("grouping.header"), "header"),
        tag("p", button(words("grouping.send"), "quiet")),
        files=True,
    )
    return card(
        tag("h2", words("grouping.upload")), tag("p", words("grouping.upload_says"), class_="soft small"), inside
    )
