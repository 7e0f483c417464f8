"""While the worker is at it: named stages, how far it is, how long it takes, and Stop."""

from __future__ import annotations

from starlette.responses import Response

from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.parts import form, go, page
from sfumato.workbench.worker import Doing

__all__ = ["HOMES", "STAGES", "published", "running"]

_OTHER = "*"
"""Whatever else the work tells of."""

STAGES: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "publish": (
        ("ready", ("", "compiling, once")),
        ("read", ("read", "sort")),
        ("search", ("partition", "boxes", "polish", "refine", "cut", "count", _OTHER)),
        ("publish", ("publish",)),
        ("audit", ("audit",)),
        ("write", ("write",)),
        ("measure", ("measure", "risk", "attack", "pack")),
    ),
    "relax": (("ready", ("", "compiling, once")), ("read", ("read", "sort")), ("tried", (_OTHER,))),
    "compare": (("ready", ("",)), ("read", ("read", "sort")), ("ways", ("compare", _OTHER))),
    "lattice": (("ready", ("",)), ("read", ("read", "sort")), ("levels", ("walk", _OTHER))),
}
"""Per kind of work, its stages in order, and what the work calls what belongs to each."""

HOMES = {"compare": "/compare", "lattice": "/lattice"}
"""Kinds that only look around, and the page of each."""


def running(desk: Workdesk, job: Doing) -> Response:
    """The page of a job that is not over."""
    words = desk.words
    inside = card_of(job, words, desk.worker.ready)
    return page(desk, "promise" if job.ask.kind in HOMES else "release", words(f"running.{job.ask.kind}"), inside)


def published(desk: Workdesk) -> Response:
    """Make the release of the draft, unless something runs: then that is shown."""
    if desk.job is not None and desk.running and desk.job.ask.kind in HOMES:
        desk.said = desk.words("running.busy")
        return go(HOMES[desk.job.ask.kind])
    desk.publish()
    return go("/release")


def card_of(job: Doing, words: Wording, ready: bool) -> Markup:
    stages = STAGES[job.ask.kind]
    name = job.stage.partition(":")[0]
    places = {each: place for place, (_, mine) in enumerate(stages) for each in mine}
    here = places.get(name, places[_OTHER])
    here = 0 if job.state == "waiting" else max(here, 1) if not name else here
    items = [
        tag("li", words(f"stages.{stage}"), class_="on" if place == here else "done" if place < here else "off")
        for place, (stage, _) in enumerate(stages)
    ]
    counted = job.total > 1 and (job.done > 0 or name == "compare") and job.done < job.total
    bar = tag(
        "progress",
        max=str(job.total) if counted else None,
        value=str(job.done) if counted else None,
        aria_label=words("running.progress"),
    )
    said: list[Child] = [words("running.seconds", seconds=words.count(round(job.seconds)))]
    if counted:
        said.append(f" · {words('running.counted', done=words.count(job.done), total=words.count(job.total))}")
    return tag(
        "section",
        tag("h1", words(f"running.{job.ask.kind}")),
        tag("div", bar, class_="track run"),
        tag("ol", items, class_="stages"),
        tag("p", said, class_="soft"),
        tag("p", words("running.looks" if job.ask.kind in HOMES else "running.says"), class_="soft small"),
        form("/stop", tag("button", words("running.stop"), class_="btn danger", id="stop")),
        class_="card",
        id="running",
        data_waiting="",
    )
