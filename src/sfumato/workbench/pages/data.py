"""The first step: a table is opened, or a policy that was made before."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from sfumato.errors import SfumatoError
from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.asks import Failure
from sfumato.workbench.desk import OpenedTable, Workdesk
from sfumato.workbench.pages.failures import failure_page
from sfumato.workbench.parts import button, card, form, go, link, page, rows_table, waiting
from sfumato.workbench.reopening import PACKED, reopened
from sfumato.workbench.uploads import SUFFIXES, most_bytes, sent
from sfumato.workbench.working import failed

__all__ = ["demo", "give", "open_file", "open_policy", "show"]

_TABLES = tuple(suffix for suffix in SUFFIXES if suffix not in (".yaml", ".yml", ".json", ".toml", ".txt", PACKED))
_POLICIES = (".yaml", ".yml", ".json", ".toml", PACKED)
_DEMO = "patients.csv"
_BEFORE = (("Eve", "14853", "50"), ("Finn", "14853", "55"), ("Gil", "14850", "47"), ("Hana", "14850", "49"))
_SECRETS = (("cancer", "heart", "infection", "infection"), ("infection", "cancer", "infection", "heart"))


async def show(desk: Workdesk, request: Request) -> Response:
    if desk.looking is not None:
        await desk.worker.within(desk.looking)
        desk.take_look()
        if desk.draft is not None:
            return go("/columns")
    if desk.failure is not None:
        failure, desk.failure = desk.failure, None
        name = desk.source.name if desk.source is not None else ""
        return failure_page(desk, "data", failure, name)
    words = desk.words
    body: list[Child] = [tag("h1", words("open.title")), tag("p", words("open.lead"), class_="lead")]
    if desk.looking is not None:
        name = desk.source.name if desk.source is not None else ""
        body.append(card(tag("h2", words("open.reading", name=name)), waiting(words, "reading")))
        return page(desk, "data", words("frame.data"), *body)
    body += [_opened(desk, words), _drop(desk, words), _hero(words) if desk.draft is None else None, _tri(words)]
    return page(desk, "data", words("frame.data"), *body)


async def open_file(desk: Workdesk, request: Request) -> Response:
    """Take a table that was sent."""
    given = await sent(request, desk.folder)
    if given.file is None or not given.name:
        return go("/data")
    if not given.name.lower().endswith(_TABLES):
        given.file.unlink()
        return failure_page(desk, "data", Failure("kind", ""), given.name)
    desk.open(OpenedTable(given.file, given.name))
    return go("/data")


async def demo(desk: Workdesk, request: Request) -> Response:
    """Open a synthetic hospital."""
    folder = desk.folder.new("demo")
    folder.mkdir(mode=0o700)
    desk.open(OpenedTable(_demo_table(folder), _DEMO))
    return go("/data")


async def give(desk: Workdesk, request: Request) -> Response:
    """Say how the file is written, which it does not say itself."""
    given = await sent(request, desk.folder)
    allowed = {"delimiter": (",", ";", "\t", "|"), "encoding": ("utf-8", "latin-1", "cp1252"), "decimal": (".", ",")}
    said = {key: given.fields[key] for key, values in allowed.items() if given.fields.get(key) in values}
    if desk.source is not None and said:
        source = desk.source
        desk.open(OpenedTable(source.path, source.name, {**source.input, **said}))
    return go("/data")


async def open_policy(desk: Workdesk, request: Request) -> Response:
    """Take up a policy that was made before, for the table that is open."""
    given = await sent(request, desk.folder)
    if given.file is None or not given.name or desk.looked is None:
        return go("/data")
    try:
        if not given.name.lower().endswith(_POLICIES):
            return failure_page(desk, "data", Failure("policy_kind", ""), given.name)
        desk.draft = reopened(given.file, desk.folder, [column.name for column in desk.looked.columns])
    except SfumatoError as error:
        return failure_page(desk, "data", failed(error, {str(given.file): given.name}), given.name)
    finally:
        given.file.unlink(missing_ok=True)
    desk.said = desk.words("open.policy_taken", name=given.name)
    return go("/columns")


def _demo_table(folder: Path) -> Path:
    from sfumato.demo.hospital import write_demo

    paths = write_demo(folder)
    for file in folder.iterdir():
        file.chmod(0o600)
    return paths.data


def _opened(desk: Workdesk, words: Wording) -> Child:
    """The table that is open, and how to go on."""
    if desk.looked is None or desk.source is None:
        return None
    size = words("open.size", rows=words.count(desk.looked.rows), columns=len(desk.looked.columns))
    policy = form(
        "/policy",
        tag("label", words("open.policy"), for_="policy"),
        tag("input", type="file", name="file", id="policy", accept=",".join(_POLICIES)),
        button(words("open.policy_use"), "quiet"),
        files=True,
        class_="inline",
    )
    return card(
        tag("h2", desk.source.name),
        tag("p", size, class_="soft"),
        tag("p", link(words("open.on"), "/columns")),
        tag("details", tag("summary", words("open.policy_again")), policy),
    )


def _drop(desk: Workdesk, words: Wording) -> Markup:
    most = most_bytes()
    title = "open.another" if desk.looked is not None else "open.drop"
    chooser = form(
        "/open",
        tag("p", tag("b", words(title))),
        tag("p", words("open.kinds", most=words.count(most // 2**20)), class_="soft small"),
        tag("label", tag("span", words("open.choose"), class_="btn"), _file(), class_="chooser"),
        tag("p", words("open.chosen"), class_="state soft", role="status", data_large=words("failed.large_title")),
        button(words("open.send"), "send"),
        files=True,
        class_="dropform",
    )
    hospital = form("/demo", button(words("open.demo"), "quiet"))
    return tag("div", chooser, hospital, class_="drop", data_most=str(most))


def _file() -> Markup:
    return tag("input", type="file", name="file", id="file", accept=",".join(_TABLES), required="")


def _hero(words: Wording) -> Markup:
    """One person's row before and after."""
    names = {key: words(f"hero.{key}") for key in ("name", "zip", "age", "disease", "cancer", "heart", "infection")}
    before = [[*row, names[secret]] for row, secret in zip(_BEFORE, _SECRETS[0], strict=True)]
    after = [["1485*", "[47, 55]", names[secret]] for secret in _SECRETS[1]]
    marks = {names["zip"]: "hit", names["age"]: "hit", names["name"]: "gone"}
    head = [names[key] for key in ("name", "zip", "age", "disease")]
    return tag(
        "div",
        tag(
            "div",
            tag("h2", words("hero.before")),
            rows_table(head, before, marks, words("hero.before")),
            tag("p", words("hero.before_says"), class_="small"),
        ),
        tag("div", "→", class_="to", aria_hidden="true"),
        tag(
            "div",
            tag("h2", words("hero.after")),
            rows_table(head[1:], after, marks, words("hero.after")),
            tag("p", words("hero.after_says"), class_="small"),
        ),
        class_="card hero",
    )


def _tri(words: Wording) -> Markup:
    cards = (
        card(tag("h2", words(f"hero.{name}")), tag("p", words(f"hero.{name}_says"), class_="soft small"))
        for name in ("decide", "kept", "stays")
    )
    return tag("div", cards, class_="tri")
