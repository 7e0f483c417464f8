"""The third step: what is promised, in words, and whether this table can keep it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from sfumato.errors import SfumatoError
from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.asks import Ask, Failure
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.draft import PolicyDraft
from sfumato.workbench.jobs.allowed import Allowed
from sfumato.workbench.pages.experts import experts
from sfumato.workbench.pages.exploring import explore_card
from sfumato.workbench.pages.secrets import NONE, secret_card, secrets_of
from sfumato.workbench.parts import button, card, form, go, link, number, page, pills, waiting
from sfumato.workbench.promises import ROWS, kinds_for, number_of
from sfumato.workbench.saying import promises_said
from sfumato.workbench.uploads import sent
from sfumato.workbench.worker import Doing
from sfumato.workbench.working import failed

__all__ = ["choose", "nearest", "share_of", "show", "taken"]

_FORM = "promise"
_SIZES = ("3", "5", "10", "12", "20")


async def show(desk: Workdesk, request: Request) -> Response:
    if desk.draft is None or not desk.draft.complete:
        return go("/columns")
    words, draft = desk.words, desk.draft
    asked = desk.worker.ask(Ask("allowed", {"source": desk.asked, "document": draft.document}, "allowed"))
    await desk.worker.within(asked)
    allowed: Allowed | None = asked.answer if asked.state == "done" else None
    strongest = {} if allowed is None else allowed.strongest
    secrets = [
        secret_card(place, name, draft, asked.over, strongest.get(name, {}), words)
        for place, name in enumerate(secrets_of(draft))
    ]
    left = form(
        "/promise",
        _rows(draft, words),
        secrets or card(tag("h2", words("promising.secrets")), tag("p", words("promising.no_secret"))),
        _losing(draft, words),
        experts(desk, draft, words),
        tag("noscript", button(words("promising.check"), "quiet")),
        live=True,
        class_="stack",
        id_=_FORM,
    )
    side = tag("aside", _promised(draft, words), _verdict(asked, draft, words), explore_card(desk), class_="side")
    head = [tag("h1", words("promising.title")), tag("p", words("promising.lead"), class_="lead")]
    return page(desk, "promise", words("frame.promise"), *head, tag("div", left, side, class_="cols"))


async def choose(desk: Workdesk, request: Request) -> Response:
    """Take the promises, limits and settings of the form."""
    taken(desk, (await sent(request, desk.folder)).fields)
    return go("/promise")


def taken(desk: Workdesk, given: Mapping[str, str]) -> bool:
    """Take what the form says, if it can stand in a policy; else everything stays as it was, and why is said."""
    if desk.draft is None:
        return False
    made = _taken(desk.draft, given)
    try:
        made.policy(desk.folder.path)
    except SfumatoError as error:
        problems = failed(error, {}).problems
        what = "; ".join(f"{path.rpartition('.')[2]}: {allowed}" for path, allowed in problems)
        desk.said = desk.words("promising.wrong", what=what)
        return False
    desk.draft = made
    return True


async def nearest(desk: Workdesk, request: Request) -> Response:
    """Use what would be kept instead."""
    given = (await sent(request, desk.folder)).fields
    failure = desk.job.failure if desk.job is not None else None
    offered = _offered(desk, failure)
    if desk.draft is not None and given.get("use") == "instead" and failure is not None:
        for key, settings in failure.instead.items():
            desk.draft = desk.draft.section(key, settings)
    elif desk.draft is not None and offered:
        desk.draft = desk.draft.promised(offered)
    if desk.job is not None and desk.job.over:
        desk.job = None
    return go("/promise")


def _offered(desk: Workdesk, failure: Failure | None) -> list[Mapping[str, Any]]:
    """The nearest promise: of the run that found none, or by what is known of the table."""
    if failure is not None:
        return [*failure.nearest]
    if desk.draft is None:
        return []
    asked = desk.worker.ask(Ask("allowed", {"source": desk.asked, "document": desk.draft.document}, "allowed"))
    return [*asked.answer.nearest] if asked.state == "done" else []


def _taken(draft: PolicyDraft, given: Mapping[str, str]) -> PolicyDraft:
    """The draft with what the form says."""
    privacy = [each for each in draft.privacy if not _editable(draft, each)]
    rows, numbers = next(iter(ROWS.items()))
    privacy.insert(0, {"model": rows, **{each.name: number_of(given.get(each.name, each.usual)) for each in numbers}})
    for place, name in enumerate(secrets_of(draft)):
        kinds = kinds_for(str(draft.columns[name]["role"]))
        kind = given.get(f"kind-{place}", NONE)
        if kind in kinds:
            chosen = {
                each.name: number_of(given.get(f"{each.name}-{place}-{kind}") or each.usual) for each in kinds[kind]
            }
            privacy.append({"model": kind, **chosen, "on": name})
    made = draft.promised(privacy)
    limit = given.get("limit", "0").strip().replace(",", ".") or "0"
    suppression = {
        key: value for key, value in made.document.get("suppression", {}).items() if key not in ("limit", "keep")
    }
    suppression |= {"limit": share_of(limit)} if share_of(limit) != "0" else {}
    suppression |= {"keep": True} if given.get("keep") else {}
    made = made.section("suppression", suppression)
    made = made.section("missing", given.get("missing", "category"))
    for field, section, key in (("method", "partition", "method"), ("form", "form", "publish")):
        now = made.document.get(section, {}).get(key)
        if given.get(field) and given[field] != now:  # another one; settings of the same one stay
            made = made.section(section, {key: given[field]})
    return made


def share_of(percent: str) -> str:
    """Percent as a share, exactly.

    >>> share_of("2.5"), share_of("0")
    ('0.025', '0')
    """
    from decimal import Decimal, InvalidOperation

    try:
        share = Decimal(percent) / 100
    except InvalidOperation:
        return percent
    return f"{share.normalize():f}"


def _editable(draft: PolicyDraft, promise: Mapping[str, Any]) -> bool:
    """Whether the page shows that promise as one of its own."""
    about = promise.get("on")
    if about is None:
        return promise["model"] in ROWS and set(promise) == {"model", *(each.name for each in ROWS[promise["model"]])}
    return about in secrets_of(draft) and promise["model"] in kinds_for(str(draft.columns[about]["role"]))


def _rows(draft: PolicyDraft, words: Wording) -> Markup:
    found = next((each for each in draft.privacy if each["model"] in ROWS and _editable(draft, each)), None)
    chosen = str(found["k"]) if found is not None else "5"
    sizes = sorted({*_SIZES, chosen}, key=lambda size: (len(size), size))
    legend = tag("legend", tag("h2", words("promising.rows")))
    row = pills("k", [(size, size) for size in sizes], chosen, "k", "accent")
    return card(tag("fieldset", legend, row), tag("p", words("promising.rows_says"), class_="then"))


def _losing(draft: PolicyDraft, words: Wording) -> Markup:
    settings = draft.document.get("suppression", {})
    from decimal import Decimal

    percent = f"{(Decimal(str(settings.get('limit', '0'))) * 100).normalize():f}"
    before, _, after = words("promising.limit").partition("[limit]")
    field = number("limit", percent, "limit", "0", "any", "100", label=words("promising.limit_label"))
    keep = tag(
        "input", type="checkbox", name="keep", value="yes", id="keep", checked="" if settings.get("keep") else None
    )
    missing = draft.document.get("missing", "category")
    rules = [(rule, words(f"missing.{rule}")) for rule in ("category", "drop", "error")]
    return card(
        tag("h2", words("promising.losing")),
        tag("p", before, field, after),
        tag("p", tag("label", keep, " ", words("promising.keep"))),
        tag(
            "fieldset",
            tag("legend", words("missing.title")),
            pills("missing", rules, str(missing), "missing", "accent"),
        ),
        tag("p", words("missing.says"), class_="then"),
    )


def _promised(draft: PolicyDraft, words: Wording) -> Markup:
    said = promises_said(draft.privacy, words, ", ".join(draft.with_role("sensitive")))
    return card(tag("h2", words("promising.you")), (tag("p", line, class_="says") for line in said), id_="promised")


def _verdict(asked: Doing, draft: PolicyDraft, words: Wording) -> Markup:
    """Whether it can be kept, and the way on."""
    if not asked.over:
        return card(waiting(words, "verdict-waiting"), _make(words, False), id_="verdict")
    if asked.failure is not None:
        lines: list[Child] = [tag("p", tag("b", f"✗ {words('promising.cannot')}"), class_="bad")]
        lines.append(tag("p", asked.failure.message, class_="small", lang="en"))
        mend = link(words("failed.to_columns"), "/columns", "btn quiet")
        return card(lines, tag("div", mend, _make(words, True), class_="foot"), id_="verdict")
    found: Allowed = asked.answer
    if found.refused and found.possible is not False:
        lines = [
            tag("p", tag("b", f"✗ {words('promising.refused')}"), class_="bad"),
            tag("p", found.refused, class_="small", lang="en"),
        ]
        return card(lines, _make(words, True), id_="verdict")
    if found.possible is False:
        lines = [
            tag("p", tag("b", f"✗ {words('promising.impossible')}"), class_="bad"),
            tag("p", found.reason, class_="small", lang="en"),
        ]
        if found.nearest:
            lines.append(
                tag(
                    "p",
                    tag("b", words("failed.nearest")),
                    " ",
                    " ".join(promises_said(found.nearest, words)),
                    class_="small",
                )
            )
            use = form("/nearest", button(words("failed.use_nearest"), name="use", value="nearest"))
            return card(lines, tag("div", use, _make(words, True), class_="foot"), id_="verdict")
        return card(lines, _make(words, True), id_="verdict")
    sure = "promising.possible" if found.possible else "promising.perhaps"
    return card(tag("p", tag("b", f"✓ {words(sure)}"), class_="good"), _make(words, False), id_="verdict")


def _make(words: Wording, off: bool) -> Markup:
    """The button belongs to the form of the page: what was typed last is promised, too."""
    return tag(
        "button",
        words("promising.make"),
        class_="btn",
        form=_FORM,
        formaction="/run",
        disabled="" if off else None,
        id="make",
    )
