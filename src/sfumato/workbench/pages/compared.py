"""Methods and forms side by side: what each keeps, loses and takes; any of them can be taken into the policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from sfumato.reports.charts.tradeoff import tradeoff_chart
from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.draft import PolicyDraft
from sfumato.workbench.pages.experts import FORMS, METHODS
from sfumato.workbench.pages.exploring import begun, failed_before, promised, underway, use_buttons, used
from sfumato.workbench.parts import button, card, form, go, link, page
from sfumato.workbench.uploads import sent

if TYPE_CHECKING:
    import sfumato as sf
    from sfumato.workbench.jobs.compare import ComparedWays

__all__ = ["show", "start", "use"]

_KIND, _PLACE = "compare", "/compare"
_FIGURES = ("kept", "loss", "matches", "surest", "left", "seconds")


async def start(desk: Workdesk, request: Request) -> Response:
    """Try what is ticked."""
    given = (await sent(request, desk.folder)).fields
    if desk.draft is None or not desk.draft.complete:
        return go("/columns")
    methods = [name for name in _methods(desk.draft) if f"method-{name}" in given]
    forms = [name for name in _forms(desk.draft) if f"form-{name}" in given]
    if not methods or not forms:
        desk.said = desk.words("ways.none_ticked")
        return go(f"{_PLACE}?again=1")
    begun(desk, _KIND, desk.draft.document, again=True, methods=methods, forms=forms)
    return go(_PLACE)


async def show(desk: Workdesk, request: Request) -> Response:
    if desk.draft is None or not desk.draft.complete:
        return go("/columns")
    busy = underway(desk, _KIND)
    if busy is not None:
        return busy
    known = desk.explored.get(_KIND)
    failure = failed_before(desk, _KIND)
    if known is None or failure is not None or "again" in request.query_params:
        return _first(desk, desk.draft, failure)
    fresh = _asked(known.document) == _asked(desk.draft.document)
    return _found(desk, known.answer, _chosen(known.answer, request.query_params.get("way", "")), fresh)


async def use(desk: Workdesk, request: Request) -> Response:
    """Take the method and the form of a way into the policy, with the settings that they were tried with."""
    given = (await sent(request, desk.folder)).fields
    known = desk.explored.get(_KIND)
    place = None if known is None else _place(known.answer, given.get("way", ""))
    if desk.draft is None or known is None or place is None:
        return go(_PLACE)
    if _asked(known.document) != _asked(desk.draft.document):
        return go(_PLACE)
    made, (method, publish) = desk.draft, known.answer.pairs[place]
    for section, key, name in (("partition", "method", method), ("form", "publish", publish)):
        tried: Mapping[str, Any] = known.document.get(section, {})
        made = made.section(section, tried if tried.get(key) == name else {key: name})
    desk.draft = made
    return used(desk, given.get("then", ""), desk.words("ways.used", way=known.answer.found.ways[place].label))


def _place(answer: ComparedWays, text: str) -> int | None:
    """Which way is meant; None: none of those that keep the promise."""
    place = int(text) if text.isdecimal() and len(text) < 4 else len(answer.pairs)
    return place if place < len(answer.pairs) and answer.found.ways[place].kept else None


def _asked(document: Mapping[str, Any]) -> dict[str, Any]:
    """What a comparison is about: all of a policy but what it compares."""
    return {key: value for key, value in document.items() if key not in ("partition", "form")}


def _methods(draft: PolicyDraft) -> tuple[str, ...]:
    own = str(draft.document.get("partition", {}).get("method", METHODS[0]))
    return METHODS if own in METHODS else (*METHODS, own)


def _forms(draft: PolicyDraft) -> tuple[str, ...]:
    own = str(draft.document.get("form", {}).get("publish", FORMS[0]))
    return FORMS if own in FORMS else (*FORMS, own)


def _first(desk: Workdesk, draft: PolicyDraft, failure: Child) -> Response:
    """What is to be tried."""
    words = desk.words
    own = str(draft.document.get("form", {}).get("publish", FORMS[0]))
    fields = (
        _ticks("method", _methods(draft), _methods(draft), words),
        _ticks("form", _forms(draft), (own,), words),
        tag("p", words("ways.takes"), class_="soft small"),
        tag("p", button(words("ways.start"))),
    )
    head = [tag("h1", words("ways.title")), tag("p", words("ways.lead"), class_="lead"), failure, promised(desk)]
    back = tag("p", link(words("ways.back"), "/promise", "btn quiet"))
    return page(desk, "promise", words("ways.title"), *head, card(form(_PLACE, fields, class_="settings")), back)


def _ticks(kind: str, names: Iterable[str], ticked: Sequence[str], words: Wording) -> Markup:
    """A box for each."""
    boxes = (
        tag(
            "label",
            tag("input", type="checkbox", name=f"{kind}-{name}", value="yes", checked="" if name in ticked else None),
            " ",
            _called(f"{kind}s", name, words),
        )
        for name in names
    )
    return tag("fieldset", tag("legend", words(f"ways.{kind}s")), tag("div", boxes, class_="ticks"))


def _called(section: str, name: str, words: Wording) -> str:
    return words(f"{section}.{name}") if words.known(f"{section}.{name}") else name


def _chosen(answer: ComparedWays, asked: str) -> int | None:
    """The way that is looked at: the one that was asked for, else that which loses least."""
    place, ways = _place(answer, asked), answer.found.ways
    if place is not None:
        return place
    kept = [place for place, way in enumerate(ways) if way.kept]
    return min(kept, key=lambda place: (ways[place].overall or 0.0, place), default=None)


def _found(desk: Workdesk, answer: ComparedWays, chosen: int | None, fresh: bool) -> Response:
    words, found = desk.words, answer.found
    links = {way.label: _path(place) for place, way in enumerate(found.ways) if way.kept}
    marked = "" if chosen is None else found.ways[chosen].label
    kept = any(way.kept for way in found.ways)
    drawn = tag("figure", tag("figcaption", words("compare.chart")), tradeoff_chart(found, words, links, marked))
    picture = drawn if kept else tag("p", words("ways.nothing"))
    says = tag("p", words("compare.promise"), class_="soft small") if kept else None
    side = tag("aside", _way(desk, answer, chosen, fresh), class_="side")
    head = [
        tag("h1", words("ways.title")),
        promised(desk) if fresh else tag("p", words("ways.stale"), class_="alert"),
        tag("p", words("ways.one"), class_="alert small"),
    ]
    foot = tag(
        "p",
        link(words("ways.again"), f"{_PLACE}?again=1", "btn quiet"),
        link(words("ways.back"), "/promise", "btn quiet"),
        class_="foot",
    )
    body = tag("div", tag("div", card(picture, says), class_="stack"), side, class_="cols")
    return page(desk, "promise", words("ways.title"), *head, body, card(_table(answer, chosen, words)), foot)


def _path(place: int) -> str:
    return f"{_PLACE}?way={place}#chosen"


def _way(desk: Workdesk, answer: ComparedWays, chosen: int | None, fresh: bool) -> Markup:
    """The way that is looked at, and the button that takes it."""
    words = desk.words
    if chosen is None:
        return card(tag("h2", words("ways.nothing")), tag("p", words("ways.nothing_then")), id_="chosen")
    way, (method, publish) = answer.found.ways[chosen], answer.pairs[chosen]
    lines: list[Child] = [
        tag("h2", way.label),
        tag("p", _called("methods", method, words), tag("br"), _called("forms", publish, words), class_="small soft"),
    ]
    best = way.label in {each.label for each in answer.found.best()}
    lines += [
        tag("p", tag("b", f"✓ {words('ways.kept_promise')}"), class_="good"),
        tag("p", words("ways.unbeaten"), class_="small") if best else None,
        tag("dl", (_line(name, value, words) for name, value in zip(_FIGURES, _cells(way, words), strict=True))),
    ]
    if fresh:
        lines.append(form(f"{_PLACE}/use", use_buttons(desk, "way", str(chosen), words("ways.use"))))
    return card(lines, id_="chosen")


def _line(name: str, value: str, words: Wording) -> list[Markup]:
    return [tag("dt", words(f"ways.{name}")), tag("dd", value)]


def _outcome(way: sf.Tried) -> str:
    return way.outcome.replace(" ", "_")


def _table(answer: ComparedWays, chosen: int | None, words: Wording) -> Markup:
    """A row for every way that keeps the promise, the least loss first; then others, by their reasons."""
    ways, unbeaten = answer.found.ways, {way.label for way in answer.found.best()}
    head = [tag("th", words(f"ways.{name}"), scope="col") for name in ("way", "form", "promise")]
    head += [tag("th", words(f"ways.{name}"), class_="number", scope="col") for name in _FIGURES]
    kept = sorted((ways[place].overall or 0.0, place) for place in range(len(ways)) if ways[place].kept)
    rows = [_row(answer, place, place == chosen, ways[place].label in unbeaten, words) for _, place in kept]
    reasons: dict[tuple[str, str, str], list[str]] = {}
    for way, (method, publish) in zip(ways, answer.pairs, strict=True):
        if not way.kept:
            reasons.setdefault((publish, _outcome(way), way.reason), []).append(method)
    rows += [_without(methods, *why, words) for why, methods in reasons.items()]
    table = tag("table", tag("thead", tag("tr", head)), tag("tbody", rows), class_="ways")
    return tag("div", table, class_="over", tabindex="0", role="region", aria_label=words("ways.title"))


def _row(answer: ComparedWays, place: int, chosen: bool, unbeaten: bool, words: Wording) -> Markup:
    way, (method, publish) = answer.found.ways[place], answer.pairs[place]
    name = tag("b", method) if unbeaten else method
    cells = [
        tag("td", tag("a", name, href=_path(place), aria_current="true" if chosen else None)),
        tag("td", publish),
        tag("td", f"✓ {words('ways.met')}", class_="good"),
    ]
    cells += [tag("td", cell, class_="number") for cell in _cells(way, words)]
    return tag("tr", cells, class_="chosen" if chosen else None)


def _without(methods: Sequence[str], publish: str, outcome: str, reason: str, words: Wording) -> Markup:
    """Ways that made no release, all for the same reason."""
    return tag(
        "tr",
        tag("td", ", ".join(methods)),
        tag("td", publish),
        tag("td", f"✗ {words(f'ways.{outcome}')}", class_="bad"),
        tag("td", reason, colspan=len(_FIGURES), class_="small", lang="en"),
    )


def _cells(way: sf.Tried, words: Wording) -> list[str]:
    nothing = words("numbers.nothing")
    kept = None if way.overall is None else 1 - way.overall
    shares = [nothing if each is None else words.percent(each) for each in (kept, way.loss, way.matches, way.surest)]
    left = nothing if way.suppressed is None else words.count(way.suppressed)
    return [*shares, left, nothing if way.seconds is None else words.decimal(way.seconds, 2)]
