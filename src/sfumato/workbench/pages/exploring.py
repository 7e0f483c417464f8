"""What pages that look around before a release share: what runs, what went wrong, what is not true any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.responses import Response

from sfumato.reports.markup import Child, Markup, tag
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.pages.failures import failure_banner
from sfumato.workbench.pages.running import HOMES, published, running
from sfumato.workbench.parts import button, card, go, hidden, link
from sfumato.workbench.saying import promises_said

__all__ = ["begun", "explore_card", "failed_before", "promised", "underway", "use_buttons", "used"]


def underway(desk: Workdesk, kind: str) -> Response | None:
    """The page of that work while it runs; what it found is taken."""
    job = desk.job
    if job is not None and not job.over and job.ask.kind == kind:
        return running(desk, job)
    desk.take()
    return None


def begun(desk: Workdesk, kind: str, document: Mapping[str, Any], again: bool = False, **given: Any) -> None:
    """Begin work of that kind, unless other work is under way, which is said."""
    if desk.running and desk.job is not None and desk.job.ask.kind != kind:
        desk.said = desk.words("running.busy")
        return
    desk.begin(kind, document, again, **given)


def failed_before(desk: Workdesk, kind: str) -> Child:
    """Why the last try found nothing, if it did not."""
    job = desk.job
    if job is None or job.ask.kind != kind or job.failure is None:
        return None
    return failure_banner(desk, "data", job.failure, desk.source.name if desk.source else "")


def promised(desk: Workdesk) -> Markup:
    """The promise at hand, in words."""
    draft = desk.draft
    said: Sequence[str] = ()
    if draft is not None:
        said = promises_said(draft.privacy, desk.words, ", ".join(draft.with_role("sensitive")))
    return tag("p", " ".join(said), class_="says")


def use_buttons(desk: Workdesk, name: str, value: str, label: str) -> list[Child]:
    """Take what is chosen into the policy; then look at the promise once more, or make the release at once."""
    words = desk.words
    return [
        hidden(name, value),
        tag("p", button(label, name="then", value="promise")),
        tag("p", button(words("ways.make"), "quiet", name="then", value="release")),
    ]


def used(desk: Workdesk, then: str, said: str) -> Response:
    """After something was taken into the policy."""
    if then == "release":
        return published(desk)
    desk.said = said
    return go("/promise")


def explore_card(desk: Workdesk) -> Markup:
    """The ways there."""
    words = desk.words
    links = (tag("p", link(words(f"{each}.go"), path, "btn quiet")) for each, path in _PLACES)
    return card(tag("h2", words("ways.explore")), links, id_="explore")


_PLACES = (("ways", HOMES["compare"]), ("walk", HOMES["lattice"]))
