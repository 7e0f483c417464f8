"""Settings of one column: its type, how it grows vaguer, missing values, weight and limit; knowledge of its terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from sfumato.errors import SfumatoError
from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.asks import Ask
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.draft import PolicyDraft
from sfumato.workbench.jobs.levels import LevelsShown
from sfumato.workbench.jobs.look import ColumnLook
from sfumato.workbench.pages.columns import column_of
from sfumato.workbench.pages.failures import failure_page
from sfumato.workbench.pages.levels import asked_levels, chips
from sfumato.workbench.parts import button, card, form, go, link, number, page, select, waiting
from sfumato.workbench.shapes import SHAPES, shape_of, shaped
from sfumato.workbench.uploads import sent
from sfumato.workbench.working import failed

__all__ = ["change", "know", "show"]

_TYPES = ("text", "integer", "number", "date")
_GENERAL = ("quasi", "sensitive", "quasi-sensitive")


async def show(desk: Workdesk, request: Request) -> Response:
    column = column_of(desk, request.path_params["number"])
    if column is None or desk.draft is None or "role" not in desk.draft.columns[column.name]:
        return go("/columns")
    return await _page(desk, column, request.path_params["number"])


async def change(desk: Workdesk, request: Request) -> Response:
    """Take the settings of the form; a mistake in them is said, and nothing is changed."""
    place = request.path_params["number"]
    column = column_of(desk, place)
    given = (await sent(request, desk.folder)).fields
    if column is None or desk.draft is None:
        return go("/columns")
    try:
        made = _taken(desk.draft, column, given)
        _require(made, column.name, desk)
    except SfumatoError as error:
        return failure_page(desk, "columns", failed(error, {}), column.name)
    desk.draft = made
    desk.said = desk.words("settings.saved", name=column.name)
    return go(f"/column/{place}")


async def know(desk: Workdesk, request: Request) -> Response:
    """Take a file that says which terms go with which label."""
    place = request.path_params["number"]
    column = column_of(desk, place)
    given = await sent(request, desk.folder)
    if column is None or desk.draft is None or given.file is None or not given.name:
        return go(f"/column/{place}")
    suffix = "".join(given.file.suffixes) or ".csv"
    kept = desk.folder.new("terms", suffix)
    given.file.rename(kept)
    desk.draft = desk.draft.changed(column.name, {"knowledge": {"file": kept.name}})
    desk.said = desk.words("settings.known", name=given.name)
    return go(f"/column/{place}")


def _require(draft: PolicyDraft, name: str, desk: Workdesk) -> None:
    """That what is set of a column can stand in a policy; columns that are undecided are none yet."""
    import sfumato as sf

    column = {**draft.columns[name]}
    columns = {name: column} if column.get("role") == "quasi" else {name: column, "": {"role": "quasi"}}
    if column.get("role") == "quasi-sensitive" and "knowledge" not in column:
        return
    sf.read_policy({"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]}, base=desk.folder.path)


def _taken(draft: PolicyDraft, column: ColumnLook, given: Mapping[str, str]) -> PolicyDraft:
    """The draft with what the form says of a column; what it does not speak of stays."""
    role = str(draft.columns[column.name]["role"])
    settings: dict[str, Any] = {}
    if "type" in given:
        settings["type"] = None if given["type"] == "text" else given["type"]
    if "shape" in given:
        settings["hierarchy"] = shaped(given, draft.columns[column.name].get("hierarchy"))
    if "missing" in given:
        settings["missing"] = given["missing"] or None
    if role == "identifier":
        settings["pseudonym"] = True if given.get("pseudonym") else None
    if "rows" in given:
        settings["rows"] = None if given["rows"] == "all" else given["rows"]
    if "separator" in given:
        settings["separator"] = given["separator"] or None
    if "order" in given:
        lines = tuple(line.strip() for line in given["order"].splitlines() if line.strip())
        settings["order"] = list(lines) or None
    made = draft.changed(column.name, settings)
    if given.get("rows") == "all":  # told apart by its number, no group can be taken for another
        made = made.section("form", {**made.document.get("form", {"publish": "generalized"}), "group_id": True})
    made = _inner(made, "loss", "weights", column.name, given.get("weight"), "1")
    limit = given.get("limit")
    return _inner(made, "suppression", "columns", column.name, None if limit is None else _share(limit), "1")


def _share(percent: str) -> str:
    from sfumato.workbench.pages.promise import share_of

    return share_of(percent.strip().replace(",", ".") or "100")


def _inner(draft: PolicyDraft, section: str, key: str, name: str, value: str | None, usual: str) -> PolicyDraft:
    """With a number for a column in a section of the policy; the usual one is none."""
    if value is None:
        return draft
    now = dict(draft.document.get(section, {}))
    inner = {other: each for other, each in now.get(key, {}).items() if other != name}
    if value.strip() not in ("", usual):
        inner[name] = value.strip().replace(",", ".")
    others = {part: each for part, each in now.items() if part != key}
    return draft.section(section, {**others, key: inner} if inner else others)


async def _page(desk: Workdesk, column: ColumnLook, place: str) -> Response:
    words, draft = desk.words, desk.draft
    if draft is None:
        return go("/data")
    settings = draft.columns[column.name]
    role = str(settings["role"])
    fields: list[Child] = []
    if role in ("quasi", "sensitive", "insensitive"):
        types = [(each, words(f"types.{each}")) for each in _TYPES]
        fields.append(select("type", types, str(settings.get("type", "text")), words("settings.type"), "type"))
    if role == "quasi":
        fields.append(_shapes(settings.get("hierarchy"), words))
    fields += _beside(draft, column.name, role, settings, words)
    inside = (
        form(f"/column/{place}", fields, tag("p", button(words("settings.save"))), class_="settings")
        if fields
        else None
    )
    head = [tag("h1", column.name), tag("p", words(f"roles.{role}"), " — ", words(f"roles.{role}_then"), class_="lead")]
    parts: list[Child] = [card(inside)] if inside is not None else []
    if role == "quasi-sensitive":
        parts.append(await _knowledge(desk, column.name, place, settings, words))
    side = tag(
        "aside",
        await _preview(desk, column.name, role, words),
        _own(place, words) if role == "quasi" else None,
        card(link(words("settings.back"), f"/columns#c{place}")),
        class_="side",
    )
    return page(desk, "columns", column.name, *head, tag("div", tag("div", parts, class_="stack"), side, class_="cols"))


def _shapes(hierarchy: Any, words: Wording) -> Markup:
    """How values grow vaguer: one of several ways, each with what it asks for."""
    now = shape_of(hierarchy)
    rows = []
    for shape in SHAPES.values():
        mark = tag(
            "input",
            type="radio",
            name="shape",
            value=shape.name,
            id=f"shape-{shape.name}",
            checked="" if shape.name == now else None,
        )
        label = tag("label", words(f"shapes.{shape.name}"), for_=f"shape-{shape.name}")
        text = shape.written(hierarchy) if shape.name == now else shape.usual
        field = (
            tag(
                "input",
                type="text",
                name=f"shape-{shape.name}",
                value=text,
                aria_label=words(f"shapes.{shape.name}_asks"),
                autocomplete="off",
            )
            if shape.asks
            else None
        )
        hint = tag("span", words(f"shapes.{shape.name}_says"), class_="soft small")
        rows.append(tag("div", mark, tag("div", label, " ", field, tag("br"), hint), class_="option"))
    if now not in SHAPES:
        rows.append(
            tag(
                "div",
                tag("input", type="radio", name="shape", value="file", id="shape-file", checked=""),
                tag("div", tag("label", words("shapes.file"), for_="shape-file")),
                class_="option",
            )
        )
    return tag("fieldset", tag("legend", words("shapes.title")), tag("div", rows, class_="options"))


def _beside(draft: PolicyDraft, name: str, role: str, settings: Mapping[str, Any], words: Wording) -> list[Child]:
    """What goes with a role."""
    made: list[Child] = []
    if role in _GENERAL or role == "individual":
        rules = [
            ("", words("missing.as_policy")),
            *((rule, words(f"missing.{rule}")) for rule in ("category", "drop", "error")),
        ]
        made.append(select("missing", rules, str(settings.get("missing", "")), words("missing.title"), "missing"))
    if role == "quasi":
        weight = str(draft.document.get("loss", {}).get("weights", {}).get(name, "1"))
        made.append(_field(words("settings.weight"), number("weight", weight, "weight"), words("settings.weight_says")))
        limit = draft.document.get("suppression", {}).get("columns", {}).get(name)
        percent = "100" if limit is None else _percent(str(limit))
        made.append(
            _field(words("settings.limit"), number("limit", percent, "limit", most="100"), words("settings.limit_says"))
        )
    if role == "identifier":
        mark = tag(
            "input",
            type="checkbox",
            name="pseudonym",
            value="yes",
            id="pseudonym",
            checked="" if settings.get("pseudonym") else None,
        )
        made.append(tag("p", tag("label", mark, " ", words("settings.pseudonym"))))
        made.append(tag("input", type="hidden", name="here", value="yes"))
    if role == "individual":
        rows = [(each, words(f"rows.{each}")) for each in ("one", "one-per-value", "all")]
        made.append(select("rows", rows, str(settings.get("rows", "all")), words("rows.title"), "rows"))
    if role == "quasi-sensitive":
        field = tag("input", type="text", name="separator", value=str(settings.get("separator", "")), id="separator")
        made.append(_field(words("settings.separator"), field, words("settings.separator_says")))
    if role == "sensitive":
        order = "\n".join(settings.get("order", ()))
        text = tag("textarea", order, name="order", id="order", rows="4")
        made.append(_field(words("settings.order"), text, words("settings.order_says")))
    return made


def _percent(share: str) -> str:
    from decimal import Decimal

    return f"{(Decimal(share) * 100).normalize():f}"


def _field(label: str, field: Markup, says: str) -> Markup:
    return tag("div", tag("label", tag("span", label), field, class_="field"), tag("p", says, class_="soft small"))


def _own(place: str, words: Wording) -> Markup:
    """The way to groups that a person makes."""
    way = link(words("grouping.edit"), f"/column/{place}/groups", "btn quiet")
    return card(tag("h2", words("grouping.own")), tag("p", words("grouping.own_says"), class_="soft small"), way)


async def _preview(desk: Workdesk, name: str, role: str, words: Wording) -> Child:
    """All levels, for some values; and that every value has its place."""
    doing = asked_levels(desk, name) if role == "quasi" else None
    if doing is None:
        return None
    await desk.worker.within(doing)
    if not doing.over:
        return card(tag("h2", words("levels.title")), waiting(words, "levels"))
    if doing.failure is not None:
        bad = tag("p", tag("b", f"✗ {words('levels.fails')}"), class_="bad")
        return card(tag("h2", words("levels.title")), bad, tag("p", doing.failure.message, class_="small", lang="en"))
    found: LevelsShown = doing.answer
    paths = (chips(path, words("levels.vaguer")) for path in found.paths)
    whole = tag("p", tag("b", f"✓ {words('levels.whole', values=words.count(found.values))}"), class_="good small")
    counts = tag(
        "p", words("levels.counts", counts=" → ".join(words.count(each) for each in found.labels)), class_="soft small"
    )
    return card(tag("h2", words("levels.title")), whole, counts, paths)


async def _knowledge(desk: Workdesk, name: str, place: str, settings: Mapping[str, Any], words: Wording) -> Markup:
    """Which terms go with which label: a file, and how far it covers the column."""
    upload = form(
        f"/column/{place}/knowledge",
        tag("label", words("settings.knowledge_file"), for_="knowledge"),
        tag("input", type="file", name="file", id="knowledge", accept=".csv,.parquet,.yaml,.yml,.json", required=""),
        button(words("settings.knowledge_use")),
        files=True,
        class_="inline",
    )
    lines: list[Child] = [
        tag("h2", words("settings.knowledge")),
        tag("p", words("settings.knowledge_says"), class_="soft"),
        upload,
    ]
    if "knowledge" in settings and desk.draft is not None and desk.draft.complete:
        doing = desk.worker.ask(Ask("covers", {"source": desk.asked, "document": desk.draft.document}, "covers"))
        await desk.worker.within(doing)
        if not doing.over:
            lines.append(waiting(words, "covers"))
        elif doing.failure is not None:
            lines.append(tag("p", doing.failure.message, class_="bad", lang="en"))
        elif name in doing.answer:
            found = doing.answer[name]
            counts = {
                key: words.count(found[key]) for key in ("labels", "terms", "rows", "linked", "unknown", "certain")
            }
            lines.append(tag("p", words("settings.covers", **counts), class_="says"))
    elif "knowledge" in settings:
        lines.append(tag("p", words("settings.covers_later"), class_="soft small"))
    return card(lines)
