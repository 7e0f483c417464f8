"""What went wrong, as a page: what it is in plain words, what helps, and the button that does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.responses import Response

from sfumato.reports.markup import Child, Markup, tag
from sfumato.reports.wording import Wording
from sfumato.workbench.asks import Failure
from sfumato.workbench.desk import Workdesk
from sfumato.workbench.parts import button, form, link, page
from sfumato.workbench.saying import promises_said

__all__ = ["CASES", "failure_banner", "failure_page"]

_MARKS: tuple[tuple[str, str], ...] = (
    ("delimiter", "the header can be split at"),
    ("ragged", "the header has"),
    ("encoding", "input.encoding"),
    ("empty", "has no rows"),
    ("header", "the columns"),
    ("header", "header:"),
    ("hierarchy", "hierarchy"),
)
"""Cases of a table that have words of their own, by what their message speaks of."""

_KNOWN = {
    "Infeasible": "infeasible",
    "NoneFound": "none_found",
    "AuditFailed": "audit",
    "Refused": "refused",
    "PolicyError": "policy",
    "HierarchyError": "hierarchy",
    "gone": "gone",
    "crash": "crash",
    "kind": "kind",
    "policy_kind": "policy_kind",
    "large": "large",
    "large_groups": "large_groups",
    "missing": "missing",
    "garbled": "garbled",
}


CASES = ("table", *dict.fromkeys(case for case, _ in _MARKS), *dict.fromkeys(_KNOWN.values()))
"""All cases that there are words for."""
_ASKED = ("delimiter", "encoding")
"""Cases that are a question more than a mistake."""
_LINE = 300
"""Bytes of a first line that are shown."""


def failure_page(desk: Workdesk, step: str, failure: Failure, name: str = "", status: int = 200) -> Response:
    """The page of a failure."""
    case = _case(failure)
    banner, actions = failure_banner(desk, step, failure, name), _actions(desk, case, failure, step)
    title = desk.words(f"failed.{case}_title")
    return page(desk, step, title, banner, tag("div", actions, class_="foot"), status=status)


def failure_banner(desk: Workdesk, step: str, failure: Failure, name: str = "") -> Markup:
    """What went wrong, to stand on a page."""
    words, case = desk.words, _case(failure)
    title = words(f"failed.{case}_title")
    lines: list[Child] = [tag("h1", title), tag("p", words(f"failed.{case}", name=name))]
    if failure.problems:
        lines.append(tag("ul", (tag("li", _problem(path, allowed)) for path, allowed in failure.problems), lang="en"))
    elif failure.message and case != "delimiter":
        lines.append(tag("p", _plainly(failure.message), class_="says", lang="en"))
    if failure.nearest:
        said = promises_said(failure.nearest, words)
        lines.append(tag("p", tag("b", words("failed.nearest")), " ", " ".join(said)))
    if step != "data":
        lines.append(tag("p", words("failed.nothing")))
    if case in _ASKED:
        lines.append(_first_line(desk))
    look = "ask" if case in _ASKED else "bad"
    return tag("div", lines, class_=f"banner {look}", role="alert")


def _case(failure: Failure) -> str:
    if failure.kind in _KNOWN:
        return _KNOWN[failure.kind]
    return next((case for case, mark in _MARKS if mark in failure.message), "table")


def _plainly(message: str) -> str:
    """What an error says, without the settings that a person with a policy would write: here there are buttons.

    >>> _plainly("a.csv: line 7 has 4 fields, the header has 3; quote them, or set input.delimiter")
    'a.csv: line 7 has 4 fields, the header has 3'
    """
    return "; ".join(part for part in message.split("; ") if "input." not in part)


def _first_line(desk: Workdesk) -> Child:
    """The names of the columns as they are written, for who is asked how."""
    if desk.source is None or desk.source.path.suffix != ".csv":
        return None
    with desk.source.path.open("rb") as file:
        line = file.readline(_LINE).decode("utf-8", "replace").rstrip("\r\n")
    return tag("pre", line, tabindex="0")


def _problem(path: str, allowed: str) -> Child:
    return [tag("code", path), " ", allowed]


def _actions(desk: Workdesk, case: str, failure: Failure, step: str) -> Child:
    words = desk.words
    made: list[Child] = [_ACTIONS[case](failure, words)] if case in _ACTIONS else []
    if step != "data":
        made += [
            link(words("failed.to_promise"), "/promise", "btn quiet"),
            link(words("failed.to_columns"), "/columns", "btn quiet"),
        ]
    made.append(link(words("failed.to_data"), "/data", "btn quiet"))
    return made


def _delimiters(failure: Failure, words: Wording) -> Child:
    """A question, not a setting."""
    signs = ((",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "bar"))
    buttons = (button(words(f"failed.{name}"), "", name="delimiter", value=sign) for sign, name in signs)
    return form("/give", buttons, class_="inline")


def _encodings(failure: Failure, words: Wording) -> Child:
    signs = (("cp1252", "windows"), ("latin-1", "latin"))
    buttons = (button(words(f"failed.{name}"), "", name="encoding", value=sign) for sign, name in signs)
    return form("/give", buttons, class_="inline")


def _nearest(failure: Failure, words: Wording) -> Child:
    made: list[Child] = []
    if failure.instead:
        made.append(form("/nearest", button(words("failed.use_instead"), name="use", value="instead")))
    if failure.nearest:
        made.append(form("/nearest", button(words("failed.use_nearest"), name="use", value="nearest")))
    made.append(form("/relax", button(words("failed.relax"), "quiet")))
    return made


_ACTIONS: Mapping[str, Callable[[Failure, Wording], Child]] = {
    "delimiter": _delimiters,
    "ragged": _delimiters,
    "encoding": _encodings,
    "infeasible": _nearest,
    "none_found": _nearest,
}
"""What helps at once, by case."""
