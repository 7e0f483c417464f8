"""One level per column, step by step: what holds at a choice of levels, and where one step up or down leads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from sfumato.reports.charts.lattice import DrawnNode, StepRow, lattice_picture, readable, steps_picture
from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.asks import Ask
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.draft import PolicyDraft
from sfumato.workbench.pages.exploring import begun, failed_before, promised, underway, use_buttons, used
from sfumato.workbench.parts import button, card, form, go, link, page, waiting
from sfumato.workbench.uploads import sent
from sfumato.workbench.walking import at_node, node_of, walked

if TYPE_CHECKING:
    from sfumato.workbench.jobs.lattice import LatticeSeen, SeenNode

__all__ = ["show", "start", "use"]

_KIND, _PLACE = "lattice", "/lattice"
Levels = tuple[int, ...]
_LEGEND = ("passes", "within", "fails")


async def start(desk: Workdesk, request: Request) -> Response:
    """Look at the lattice of the table under the promise."""
    await sent(request, desk.folder)
    if desk.draft is None or not desk.draft.complete:
        return go("/columns")
    begun(desk, _KIND, walked(desk.draft.document))
    return go(_PLACE)


async def show(desk: Workdesk, request: Request) -> Response:
    if desk.draft is None or not desk.draft.complete:
        return go("/columns")
    busy = underway(desk, _KIND)
    if busy is not None:
        return busy
    known = desk.explored.get(_KIND)
    failure = failed_before(desk, _KIND)
    if known is None or failure is not None or known.document != walked(desk.draft.document):
        return _first(desk, failure, known is not None and failure is None)
    here = _asked(known.answer, request.query_params.get("at", "")) or _usual(known.answer, desk.draft)
    return await _walk(desk, known.answer, known.document, here)


async def use(desk: Workdesk, request: Request) -> Response:
    """Take these levels into the policy, and no others."""
    given = (await sent(request, desk.folder)).fields
    known = desk.explored.get(_KIND)
    if desk.draft is None or known is None or known.document != walked(desk.draft.document):
        return go(_PLACE)
    here = _asked(known.answer, given.get("at", ""))
    if here is None:
        return go(_PLACE)
    desk.draft = PolicyDraft(at_node(desk.draft.document, known.answer.columns, here))
    return used(desk, given.get("then", ""), desk.words("walk.used", levels=_named(known.answer, here)))


def _asked(found: LatticeSeen, text: str) -> Levels | None:
    """The levels that an address names; None: there are no such."""
    parts = text.split(".")
    if len(parts) != len(found.top) or not all(part.isdecimal() and len(part) < 4 for part in parts):
        return None
    levels = tuple(map(int, parts))
    fit = all(low <= level <= high for level, (low, high) in zip(levels, found.bounds, strict=True))
    return levels if fit else None


def _usual(found: LatticeSeen, draft: PolicyDraft) -> Levels:
    """Where a walk begins: at the levels of the policy, else at the best ones, else at the vaguest."""
    own = node_of(draft.document) or {}
    named = _asked(found, ".".join(str(own.get(name, "")) for name in found.columns))
    return named or found.best or tuple(high for _, high in found.bounds)


def _path(levels: Iterable[int]) -> str:
    return f"{_PLACE}?at={'.'.join(map(str, levels))}"


def _named(found: LatticeSeen, levels: Levels) -> str:
    return ", ".join(f"{name} {level}" for name, level in zip(found.columns, levels, strict=True))


def _first(desk: Workdesk, failure: Child, stale: bool) -> Response:
    """What it is, and the button that counts."""
    words = desk.words
    head = [tag("h1", words("walk.title")), tag("p", words("walk.lead"), class_="lead"), failure]
    head.append(tag("p", words("walk.stale"), class_="alert") if stale else None)
    inside = form(_PLACE, tag("p", words("walk.takes")), tag("p", button(words("walk.start"))))
    back = tag("p", link(words("ways.back"), "/promise", "btn quiet"))
    return page(desk, "promise", words("walk.title"), *head, promised(desk), card(inside), back)


async def _walk(desk: Workdesk, found: LatticeSeen, document: Mapping[str, object], here: Levels) -> Response:
    words = desk.words
    head: list[Child] = [tag("h1", words("walk.title")), promised(desk)]
    known = {node.levels: node for node in found.nodes}
    if not known:
        ask = Ask("steps", {"source": desk.asked, "document": document, "at": list(here)}, "steps")
        doing = await desk.worker.within(desk.worker.ask(ask))
        if not doing.over:
            return page(desk, "promise", words("walk.title"), *head, card(waiting(words, "step"), id_="steps"))
        if doing.failure is not None:
            text = tag("p", doing.failure.message, class_="bad", lang="en")
            return page(desk, "promise", words("walk.title"), *head, card(text))
        known = {node.levels: node for node in doing.answer}
    drawn = {levels: _drawn(found, node, here, words) for levels, node in known.items()}
    rows = [_step_row(found, drawn, here, axis) for axis in range(len(here))]
    heads = (words("walk.finer"), words("walk.chosen"), words("walk.vaguer"))
    picture = steps_picture(drawn[here], rows, heads, words("walk.picture"))
    left = tag("div", card(_legend(words), picture), card(_table(found, known, here, words)), class_="stack")
    side = tag("aside", _verdict(desk, found, known[here]), class_="side")
    parts: list[Child] = [tag("div", left, side, class_="cols")]
    if found.nodes and readable([node.levels for node in found.nodes]):
        title = words("walk.whole", columns=", ".join(found.columns))
        whole = lattice_picture([*drawn.values()], title)
        parts.append(card(tag("h2", words("walk.all")), tag("p", title, class_="soft small"), whole, kind="wide"))
    back = tag("p", link(words("ways.back"), "/promise", "btn quiet"))
    return page(desk, "promise", words("walk.title"), *head, *parts, back)


def _drawn(found: LatticeSeen, node: SeenNode, here: Levels, words: Wording) -> DrawnNode:
    best = node.levels == found.best
    differ = [axis for axis, level in enumerate(node.levels) if level != here[axis]]
    named = [f"{found.columns[axis]} {node.levels[axis]}" for axis in differ]
    says = f"{named[0] if len(named) == 1 else _named(found, node.levels)}: {_holds(node, words)}"
    says = f"{says}; {words('walk.loss', loss=words.percent(node.loss))}" if node.allowed else says
    says = f"{says}; {words('walk.best')}" if best else says
    kinds = {"passes": "node passes", "within": "node within", "fails": "node"}
    return DrawnNode(
        node.levels,
        kinds[_state(node)],
        says,
        _brief(node, words),
        _path(node.levels),
        best,
        node.levels == here,
    )


def _state(node: SeenNode) -> str:
    return "passes" if node.passes else "within" if node.allowed else "fails"


def _holds(node: SeenNode, words: Wording) -> str:
    return words(f"walk.{_state(node)}_says", rows=words.count(node.suppressed))


def _brief(node: SeenNode, words: Wording) -> str:
    """In a few signs: whether it holds, rows in groups that fail, the loss."""
    rows, loss = words.count(node.suppressed), words.percent(node.loss)
    return words(f"walk.{_state(node)}_brief", rows=rows, loss=loss)


def _step_row(found: LatticeSeen, drawn: Mapping[Levels, DrawnNode], here: Levels, axis: int) -> StepRow:
    finer, vaguer = (drawn.get(_stepped(here, axis, step)) for step in (-1, 1))
    return StepRow(found.columns[axis], here[axis], found.top[axis], finer, vaguer)


def _stepped(here: Levels, axis: int, step: int) -> Levels:
    return (*here[:axis], here[axis] + step, *here[axis + 1 :])


def _legend(words: Wording) -> Markup:
    marks = (tag("span", tag("i", class_=f"node {each}"), words(f"walk.{each}")) for each in _LEGEND)
    return tag(
        "p", marks, tag("span", f"★ {words('walk.best')}"), tag("span", f"● {words('walk.chosen')}"), class_="legend"
    )


def _table(found: LatticeSeen, known: Mapping[Levels, SeenNode], here: Levels, words: Wording) -> Markup:
    """The same as text: per column what its values look like, and where one step leads."""
    names = ("column", "level", "shown", "finer", "vaguer")
    head = (tag("th", words(f"walk.{name}"), scope="col") for name in names)
    rows = (
        tag(
            "tr",
            tag("td", tag("b", name)),
            tag("td", words("walk.of", level=here[axis], most=found.top[axis])),
            tag("td", tag("span", found.examples[axis][here[axis]], class_="chip")),
            (tag("td", _step_link(name, known.get(_stepped(here, axis, step)), axis, words)) for step in (-1, 1)),
        )
        for axis, name in enumerate(found.columns)
    )
    table = tag("table", tag("thead", tag("tr", head)), tag("tbody", rows), class_="steps-table")
    return tag("div", table, class_="over", tabindex="0", role="region", aria_label=words("walk.picture"))


def _step_link(name: str, node: SeenNode | None, axis: int, words: Wording) -> Child:
    if node is None:
        return words("numbers.nothing")
    label: list[Child] = [tag("span", f"{name} ", class_="hush"), words("walk.to", level=node.levels[axis])]
    return [tag("a", label, href=_path(node.levels)), tag("br"), tag("span", _brief(node, words), class_="small soft")]


def _verdict(desk: Workdesk, found: LatticeSeen, node: SeenNode) -> Markup:
    """What holds here, and the button that publishes it."""
    words, best = desk.words, node.levels == found.best
    sign, look = ("✓", "good") if node.allowed else ("✗", "bad")
    facts = [("groups", words.count(node.classes))]
    facts += [("left" if node.allowed else "failing", words.count(node.suppressed))]
    facts += [("lost", words.percent(node.loss))] if node.allowed else []
    lines: list[Child] = [
        tag("h2", _named(found, node.levels)),
        tag("p", tag("b", f"{sign} {_holds(node, words)}"), class_=look),
        tag("p", f"★ {words('walk.best')}", class_="small") if best else None,
        tag("dl", ([tag("dt", words(f"walk.{name}")), tag("dd", value)] for name, value in facts)),
    ]
    if node.allowed:
        value = ".".join(map(str, node.levels))
        lines.append(form(f"{_PLACE}/use", use_buttons(desk, "at", value, words("walk.use"))))
        lines.append(tag("p", words("ways.one"), class_="soft small"))
    elif found.best is None:
        lines.append(tag("p", words("walk.none"), class_="small"))
    if found.best is not None and not best:
        lines.append(tag("p", link(words("walk.to_best"), _path(found.best), "btn quiet")))
    lines.append(tag("p", words("walk.count", count=words.count(found.count)), class_="soft small"))
    return card(lines, id_="here")
