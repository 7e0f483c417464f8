"""What pages are made of: plain forms that work without a script, cards, pills, and the frame around all of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from starlette.responses import HTMLResponse, RedirectResponse, Response

from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording, languages
from sfumato.workbench.desk import Workdesk

__all__ = [
    "STEPS",
    "button",
    "card",
    "choice",
    "form",
    "go",
    "hidden",
    "link",
    "number",
    "page",
    "pills",
    "rows_table",
    "select",
    "spark",
    "waiting",
]

STEPS = ("data", "columns", "promise", "release")
"""The steps in the top bar; each is the path of its page."""

_YES = ""


def page(desk: Workdesk, step: str, title: str, *inside: Child, status: int = 200) -> Response:
    """A whole page: the bar of steps, what was just said, and the content."""
    words = desk.words
    said, desk.said = desk.said, ""
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", f"{title} · sfumato"),
        tag("link", rel="icon", href="/static/icon.svg"),
        tag("link", rel="stylesheet", href="/static/workbench.css"),
        tag("link", rel="stylesheet", href="/static/chart.css"),
        tag("script", src="/static/workbench.js", defer=_YES),
    ]
    if any("data-waiting" in str(each) for each in inside):
        head.append(tag("noscript", tag("meta", http_equiv="refresh", content="2")))
    alert = tag("div", said, class_="alert", role="status") if said else None
    body = [
        tag("a", words("frame.skip"), href="#main", class_="skip"),
        _bar(desk, step, words),
        tag("main", alert, *inside, id="main", tabindex="-1"),
    ]
    whole = tag("html", tag("head", head), tag("body", body), lang=words.language)
    return HTMLResponse(f"<!doctype html>{whole}", status)


def _bar(desk: Workdesk, step: str, words: Wording) -> Markup:
    brand = tag("a", tag("i", aria_hidden="true"), "sfumato", href="/data", class_="brand")
    items = [_step(desk, number, name, step, words) for number, name in enumerate(STEPS, 1)]
    steps = tag("nav", tag("ol", items, class_="steps"), aria_label=words("frame.steps"))
    beside = tag("span", tag("span", words("frame.local"), class_="local"), _languages(words), class_="beside")
    return tag("header", tag("div", brand, steps, beside, class_="in"), class_="bar")


def _step(desk: Workdesk, number: int, name: str, here: str, words: Wording) -> Markup:
    reached, done = _reached(desk)[name]
    sign = tag("b", "✓" if done and name != here else str(number), aria_hidden="true")
    label = [sign, tag("span", words(f"frame.{name}"))]
    if not reached:
        return tag("li", tag("span", label, class_="off"))
    current = "step" if name == here else None
    return tag("li", tag("a", label, href=f"/{name}", aria_current=current, class_="done" if done else None))


def _reached(desk: Workdesk) -> Mapping[str, tuple[bool, bool]]:
    """Per step, whether it can be gone to, and whether it is done."""
    opened, made = desk.draft is not None, bool(desk.runs)
    decided = desk.draft is not None and desk.draft.complete
    return {
        "data": (True, opened),
        "columns": (opened, decided),
        "promise": (decided, made),
        "release": (made or desk.job is not None, made),
    }


def _languages(words: Wording) -> Markup:
    """A button for every other language."""
    others = [each for each in languages() if each != words.language]
    return tag(
        "form",
        (tag("button", each.upper(), name="language", value=each, class_="plain", lang=each) for each in others),
        method="post",
        action="/language",
        class_="languages",
        aria_label=words("frame.language"),
    )


def go(path: str) -> Response:
    """Look at that page now."""
    return RedirectResponse(path, 303)


def form(
    action: str,
    *inside: Child,
    live: bool = False,
    files: bool = False,
    class_: str | None = None,
    id_: str | None = None,
) -> Markup:
    """A plain form. `live`: a script sends it when something in it changes; without one, its button does."""
    return tag(
        "form",
        *inside,
        method="post",
        action=action,
        id=id_,
        class_=class_,
        data_live=_YES if live else None,
        enctype="multipart/form-data" if files else None,
    )


def button(words: str, kind: str = "", off: bool = False, name: str | None = None, value: str | None = None) -> Markup:
    look = f"btn {kind}".strip()
    return tag("button", words, class_=look, disabled=_YES if off else None, name=name, value=value)


def link(words: Child, path: str, kind: str = "btn") -> Markup:
    return tag("a", words, href=path, class_=kind)


def hidden(name: str, value: str) -> Markup:
    return tag("input", type="hidden", name=name, value=value)


def card(*inside: Child, kind: str = "", id_: str | None = None) -> Markup:
    return tag("section", *inside, class_=f"card {kind}".strip(), id=id_)


def choice(name: str, value: str, label: Child, chosen: bool, id_: str, kind: str = "") -> Markup:
    """One of several, to be chosen by itself."""
    mark = _YES if chosen else None
    return tag(
        "label",
        tag("input", type="radio", name=name, value=value, checked=mark, id=id_, class_=kind),
        tag("span", label),
    )


def pills(name: str, values: Iterable[tuple[str, str]], chosen: str | None, id_: str, kind: str = "") -> Markup:
    """Several, as pills in a row; each has the class of its value, or that of all."""
    made = (choice(name, value, label, value == chosen, f"{id_}-{value}", kind or value) for value, label in values)
    return tag("div", made, class_="pills")


def select(name: str, values: Iterable[tuple[str, str]], chosen: str | None, label: str, id_: str) -> Markup:
    options = (tag("option", words, value=value, selected=_YES if value == chosen else None) for value, words in values)
    return tag("label", tag("span", label), tag("select", options, name=name, id=id_), class_="field")


def number(
    name: str, value: str, id_: str, least: str = "0", step: str = "any", most: str | None = None, label: str = ""
) -> Markup:
    """A field for a number; its label is said to who does not see where it stands. 1/3 is a number, too."""
    plain = value.replace(".", "", 1).isdecimal()
    return tag(
        "input",
        type="number" if plain or not value else "text",
        name=name,
        value=value,
        id=id_,
        min=least,
        max=most,
        step=step,
        aria_label=label or None,
        inputmode="decimal",
    )


def waiting(words: Wording, id_: str) -> Markup:
    """In place of what is not known yet; a script looks again until it is."""
    return tag("p", tag("span", class_="spin", aria_hidden="true"), words("frame.waiting"), id=id_, data_waiting=_YES)


def spark(bars: Sequence[int]) -> Markup:
    """Counts as small bars: a picture to look at, whose numbers stand elsewhere."""
    most, wide = max([*bars, 1]), 118 / max(len(bars), 1)
    marks = [
        tag(
            "rect",
            x=place * wide,
            y=26 - 25 * count / most,
            width=max(wide - 1, 0.8),
            height=25 * count / most,
            class_="before",
        )
        for place, count in enumerate(bars)
    ]
    return tag("svg", marks, viewBox="0 0 118 26", width=118, height=26, class_="spark", aria_hidden="true")


def rows_table(columns: Sequence[str], rows: Sequence[Sequence[str]], marks: Mapping[str, str], label: str) -> Markup:
    """A few rows; `marks` says how cells of a column look."""
    head = tag("tr", (tag("th", name, scope="col") for name in columns))
    body = (
        tag("tr", (tag("td", cell, class_=marks.get(name)) for name, cell in zip(columns, row, strict=True)))
        for row in rows
    )
    table = tag("table", tag("thead", head), tag("tbody", body))
    return tag("div", table, class_="scroll", tabindex="0", role="region", aria_label=label)
