"""The fourth step: the work while it runs, then the verdict, what to take away, and what became of the table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from sfumato.reports.html.details import columns, pictures
from sfumato.reports.html.sheet import alike, attacks, verdict
from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.asks import Failure
from sfumato.workbench.desk import KeptRun, Workdesk
from sfumato.workbench.jobs.publish import named_files
from sfumato.workbench.pages.failures import failure_page
from sfumato.workbench.pages.promise import taken
from sfumato.workbench.pages.relaxed import relaxed_page
from sfumato.workbench.pages.running import HOMES, published, running
from sfumato.workbench.parts import card, go, link, page, rows_table
from sfumato.workbench.uploads import sent
from sfumato.workbench.worker import Doing

__all__ = ["FINISHED", "choose", "get", "run", "show", "stop"]

FINISHED: Mapping[str, Callable[[Workdesk, Doing], Response]] = {"relax": relaxed_page}
"""Who shows what long work came to, by its kind; what `publish` made is shown here."""

_REPORT = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
"""For a report that is shown: it has one style of its own, whose hash it names itself, and nothing else."""


async def run(desk: Workdesk, request: Request) -> Response:
    """Make a release of what is decided; with what the form of the promise says, if it comes along."""
    given = (await sent(request, desk.folder)).fields
    if desk.draft is None or not desk.draft.complete:
        return go("/columns")
    if given and not desk.running and not taken(desk, given):
        return go("/promise")
    return published(desk)


async def stop(desk: Workdesk, request: Request) -> Response:
    """End what runs."""
    await sent(request, desk.folder)
    if desk.job is None or desk.job.over:
        return go("/promise")
    kind = desk.job.ask.kind
    await asyncio.to_thread(desk.stop)
    desk.said = desk.words("running.stopped_looking" if kind in HOMES else "running.stopped")
    return go(HOMES.get(kind, "/promise"))


async def choose(desk: Workdesk, request: Request) -> Response:
    """Show another run of this session."""
    number = (await sent(request, desk.folder)).fields.get("run", "")
    if number.isdecimal() and 1 <= int(number) <= len(desk.runs):
        desk.shown = int(number) - 1
    return go("/release")


async def show(desk: Workdesk, request: Request) -> Response:
    job = desk.job
    desk.take()
    if job is not None and job.ask.kind in HOMES:  # what only looks around hides no release
        return go(HOMES[job.ask.kind]) if not desk.runs else _shown(desk)
    if job is not None and not job.over:
        return running(desk, job)
    if job is not None and job.state == "failed":
        return failure_page(
            desk, "release", job.failure or Failure("crash", ""), desk.source.name if desk.source else ""
        )
    if job is not None and job.state == "done" and job.ask.kind in FINISHED:
        return FINISHED[job.ask.kind](desk, job)
    return _shown(desk) if desk.runs else go("/promise")


def _shown(desk: Workdesk) -> Response:
    return _released(desk, desk.runs[len(desk.runs) - 1 if desk.shown is None else desk.shown])


async def get(desk: Workdesk, request: Request) -> Response:
    """A file by its key."""
    found = desk.downloads.get(request.path_params["key"])
    if found is None:
        return failure_page(desk, "release", Failure("missing", ""), status=404)
    if found.shown and "save" not in request.query_params:
        return FileResponse(found.path, media_type=found.media, headers={"Content-Security-Policy": _REPORT})
    return FileResponse(found.path, media_type=found.media, filename=found.name)


def _released(desk: Workdesk, shown: KeptRun) -> Response:
    words, facts = desk.words, shown.made.facts
    take = tag("div", _take(shown, words), _runs(desk, shown, words), class_="pair")
    parts: list[Child] = [
        verdict(facts, words),
        _figures(shown, words),
        take,
        _group(shown, words),
        card(attacks(facts, words), alike(facts, words), kind="wide"),
        card(pictures(facts, words), kind="pictures"),
        card(columns(facts, words), kind="wide"),
    ]
    return page(desk, "release", words("frame.release"), tag("h1", words("released.title"), class_="hush"), *parts)


def _figures(shown: KeptRun, words: Wording) -> Markup:
    """Four numbers, each beside what it was."""
    facts = shown.made.facts
    risk, nothing = facts.risk, words("numbers.nothing")
    worst = max(facts.secrets, key=lambda secret: secret.worst, default=None)
    before = None if risk is None else risk.alone_before
    made = [
        _figure(
            words("released.smallest"),
            words.count(facts.smallest),
            words("released.alone_before", share=nothing if before is None else words.percent(before)),
        ),
        _figure(
            words("released.matches"),
            nothing if risk is None else words.percent(risk.mean),
            words(
                "released.was",
                was=nothing if risk is None or risk.mean_before is None else words.percent(risk.mean_before),
            ),
        ),
    ]
    if worst is not None:
        was = words("released.guess_was", totals=words.percent(worst.totals))
        made.append(_figure(words("released.guess", name=worst.name), words.percent(worst.worst), was))
    if facts.loss is not None:
        loss = words("released.loss", metric=facts.loss.metric, value=words.decimal(facts.loss.value, 3))
        made.append(_figure(words("released.detail"), words.percent(1 - facts.loss.value), loss))
    return tag("div", made, class_="figures")


def _figure(label: str, value: str, was: str) -> Markup:
    return tag(
        "div",
        tag("div", label, class_="label"),
        tag("div", value, class_="value"),
        tag("div", was, class_="was"),
        class_="figure",
    )


def _take(shown: KeptRun, words: Wording) -> Markup:
    """What can be taken away: for others first, then for the holder."""
    keys, language = shown.downloads, words.language

    def line(name: str, *links: Child, says: str = "") -> list[Child]:
        about = tag(
            "div",
            tag("b", words(f"released.{name}")),
            tag("br"),
            tag("span", words(f"released.{says or name}_says"), class_="soft small"),
        )
        return [about, tag("div", *links, class_="links")]

    def report(edition: str) -> list[Child]:
        path = f"/get/{keys[f'{edition}.{language}']}"
        label = words(f"released.{edition}")
        opened = tag(
            "a",
            words("released.open"),
            tag("span", f" {label}", class_="hush"),
            href=path,
            target="_blank",
            rel="noopener",
        )
        return [opened, " · ", _fetch(f"{path}?save=1", label, words)]

    files = "policy_files" if named_files(shown.document) else "policy"
    lines = [
        line(
            "release",
            tag(
                "a",
                words("released.download"),
                tag("span", f" {words('released.release')}", class_="hush"),
                href=f"/get/{keys['release']}",
                class_="btn",
            ),
        ),
        line("external", *report("external")),
        line("internal", *report("internal")),
        line("policy", _fetch(f"/get/{keys['policy']}", words("released.policy"), words), says=files),
        line("manifest", _fetch(f"/get/{keys['manifest']}", words("released.manifest"), words)),
        line("holder", _fetch(f"/get/{keys['holder']}", words("released.holder"), words)),
    ]
    return card(tag("h2", words("released.take")), tag("div", lines, class_="take"))


def _fetch(path: str, label: str, words: Wording) -> Markup:
    return tag("a", words("released.download"), tag("span", f" {label}", class_="hush"), href=path)


def _runs(desk: Workdesk, shown: KeptRun, words: Wording) -> Markup:
    """All releases of this session; one of them is to be published."""
    from sfumato.workbench.pages.runs import runs_table

    return card(
        tag("h2", words("released.runs")),
        runs_table(desk.runs, shown, words),
        tag("p", words("released.one"), class_="alert small")
        if len(desk.runs) > 1
        else tag("p", words("released.one"), class_="soft small"),
        tag(
            "p",
            link(words("released.again"), "/promise", "btn quiet"),
            " ",
            link(words("ways.go"), "/compare", "btn quiet"),
            class_="foot",
        ),
    )


def _group(shown: KeptRun, words: Wording) -> Markup:
    made, facts = shown.made, shown.made.facts
    roles = {column.name: column.role for column in facts.columns}
    look = {"quasi": "hit", "identifier": "gone", "individual": "gone", "drop": "gone", "weight": "gone"}
    marks = {name: look[role] for name, role in roles.items() if role in look}
    before, after = words("released.before"), words("released.after")
    note = words("released.before_says" if made.found else "released.before_first")
    left = tag(
        "div",
        tag("h3", before, " ", tag("span", note, class_="soft")),
        rows_table(made.before.columns, made.before.rows, marks, before),
    )
    right = tag(
        "div",
        tag("h3", after, " ", tag("span", words("released.after_says"), class_="soft")),
        rows_table(made.after.columns, made.after.rows, marks, after),
    )
    return card(tag("h2", words("released.group")), tag("div", left, right, class_="pair"))
