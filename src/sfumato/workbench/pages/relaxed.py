"""What would work where a promise was not kept: changes of the policy, each of them tried, each with a button."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.draft import PolicyDraft
from sfumato.workbench.parts import button, card, form, go, hidden, link, page
from sfumato.workbench.uploads import sent

if TYPE_CHECKING:
    import sfumato as sf
    from sfumato.workbench.worker import Doing

__all__ = ["relaxed_page", "search", "use"]


async def search(desk: Workdesk, request: Request) -> Response:
    """Look for what would work: many runs, of which nothing is published."""
    await sent(request, desk.folder)
    if desk.draft is None or not desk.draft.complete:
        return go("/columns")
    desk.begin("relax", desk.draft.document)
    return go("/release")


async def use(desk: Workdesk, request: Request) -> Response:
    """Change the policy as one of them says."""
    given = (await sent(request, desk.folder)).fields.get("change", "")
    job = desk.job
    if desk.draft is not None and job is not None and job.state == "done" and job.ask.kind == "relax":
        found = job.answer.relaxations
        if given.isdecimal() and int(given) < len(found):
            desk.draft = _changed(desk.draft, found[int(given)].policy)
            desk.job = None
    return go("/promise")


def _changed(draft: PolicyDraft, policy: Mapping[str, Any]) -> PolicyDraft:
    """The draft with sections, and settings of columns, as they are written there."""
    made = draft
    for key, settings in policy.items():
        if key == "columns":
            for name, column in settings.items():
                made = made.changed(name, column)
        else:
            made = made.section(key, settings)
    return made


def relaxed_page(desk: Workdesk, job: Doing) -> Response:
    """All changes that were found, the least first; or that none was."""
    words = desk.words
    facts: sf.ReportFacts = job.answer
    changes = [_change(number, each, words) for number, each in enumerate(facts.relaxations)]
    body: list[Child] = [tag("h1", words("relaxed.title"))]
    body.append(tag("p", words("relaxed.lead" if changes else "relaxed.none"), class_="lead"))
    back = tag("p", link(words("failed.to_promise"), "/promise", "btn quiet"), class_="foot")
    return page(desk, "release", words("relaxed.title"), *body, changes, back)


def _change(number: int, found: Any, words: Wording) -> Markup:
    """One of the facts' relaxations."""
    before, after = (", ".join(lines) for lines in (found.before, found.after))
    cost = []
    if found.loss is not None:
        cost.append(words("relaxed.loss", share=words.percent(1 - found.loss)))
    if found.suppressed:
        cost.append(words("relaxed.left", rows=words.count(found.suppressed)))
    return card(
        tag("h2", words(f"relaxed.{found.kind}")),
        tag("p", [tag("code", before), " → "] if before else None, tag("code", after), class_="says"),
        tag("p", " ".join(cost), class_="soft small") if cost else None,
        form("/relax/use", hidden("change", str(number)), button(words("failed.use_nearest"))),
    )
