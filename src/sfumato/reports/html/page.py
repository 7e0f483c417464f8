"""The report as one HTML file: no script, no address, nothing to load; it prints to A4."""

from __future__ import annotations

import hashlib
from base64 import b64encode

from sfumato import __version__
from sfumato.reports.editions import fingerprint
from sfumato.reports.facts import ReportFacts
from sfumato.reports.html.annex import annex
from sfumato.reports.html.details import columns, pictures
from sfumato.reports.html.sheet import alike, attacks, questions, sign, uncovered, verdict
from sfumato.reports.html.style import sheet_style
from sfumato.reports.markup import Child, Markup, styled, tag
from sfumato.reports.wording import Wording

__all__ = ["page"]


def page(facts: ReportFacts, words: Wording) -> str:
    """The whole document."""
    style = _style(facts, words)
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    title = " ".join(filter(None, (words("page.title"), fingerprint(facts), f"({words(f'page.{facts.edition}')})")))
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=f"default-src 'none'; style-src 'sha256-{digest}'"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        styled(style),
    ]
    body = tag("main", _header(facts, words), _sheet(facts, words), _rest(facts, words))
    whole = tag("html", tag("head", head), tag("body", body, _footer(facts, words)), lang=words.language)
    return f"<!doctype html>{whole}\n"


def _header(facts: ReportFacts, words: Wording) -> Markup:
    edition = tag("span", words(f"page.{facts.edition}"), class_=f"edition {facts.edition}")
    row = tag("div", tag("span", words("page.brand"), class_="brand"), edition)
    name = facts.inside.source if facts.inside is not None and facts.inside.source else words("page.title")
    if facts.rows is not None:
        quasi = sum(column.role == "quasi" for column in facts.columns)
        rows = words.count(facts.rows.published)
        about = {"day": facts.made, "fingerprint": fingerprint(facts) or words("numbers.nothing"), "rows": rows}
        made = words("page.made", quasi=quasi, secrets=len(facts.secrets), **about)
    else:
        made = words("page.made_none", day=facts.made)
    return tag("header", row, tag("h1", name), tag("p", made, class_="soft small"))


def _sheet(facts: ReportFacts, words: Wording) -> Child:
    parts = (verdict, attacks, alike, questions, uncovered, sign)
    return [part(facts, words) for part in parts]


def _rest(facts: ReportFacts, words: Wording) -> Child:
    parts = (columns, pictures, annex)
    return [part(facts, words) for part in parts] if facts.rows is not None else []


def _footer(facts: ReportFacts, words: Wording) -> Markup:
    return tag("footer", words("page.footer", version=__version__, edition=words(f"page.footer_{facts.edition}")))


def _style(facts: ReportFacts, words: Wording) -> str:
    """The style sheet, with what stands in the margin of every printed page."""
    edition, mark = words(f"page.{facts.edition}"), fingerprint(facts)
    left = _quoted(words("page.margin", edition=edition, fingerprint=mark) if mark else edition)
    before, after = words("page.pages", page="\0", pages="\1").split("\0")
    between, behind = after.split("\1")
    number = f"{_quoted(before)} counter(page) {_quoted(between)} counter(pages) {_quoted(behind)}"
    font = "font: 8pt system-ui, -apple-system, Arial, sans-serif; color: #4a505a;"
    margins = f"@page {{ @bottom-left {{ content: {left}; {font} }} @bottom-right {{ content: {number}; {font} }} }}"
    return sheet_style() + margins


def _quoted(text: str) -> str:
    """A text in a style sheet; what could end it, or the element that holds it, is written by its number."""
    return '"' + "".join(f"\\{ord(sign):x} " if sign in '\\"<\n' else sign for sign in text) + '"'
