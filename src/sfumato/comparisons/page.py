"""A comparison as one page: a picture of what each way loses and gives away, the table, and why others made nothing."""

from __future__ import annotations

import hashlib
from base64 import b64encode

from sfumato.comparisons.compared import Compared, Tried
from sfumato.reports.charts.tradeoff import tradeoff_chart
from sfumato.reports.html.style import sheet_style
from sfumato.reports.markup import Child, Markup, styled, tag
from sfumato.reports.wording import Wording

__all__ = ["compared_page", "compared_table", "without_release"]

_HEAD = ("overall", "matches", "surest", "queries", "suppressed", "groups", "seconds", "memory")


def compared_page(found: Compared, words: Wording) -> str:
    """The whole document, without script or address."""
    style = sheet_style()
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    title = words("compare.title")
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=f"default-src 'none'; style-src 'sha256-{digest}'"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        styled(style),
    ]
    rows = tag("p", words("compare.rows", rows=words.count(found.rows)), class_="soft small")
    body = [tag("header", tag("h1", title), rows), tag("p", words("compare.promise")), _bound(found, words)]
    figure = tag("figure", tag("figcaption", words("compare.chart")), tradeoff_chart(found, words))
    inside = tag("main", body, figure, compared_table(found, words), without_release(found, words))
    return f"<!doctype html>{tag('html', tag('head', head), tag('body', inside), lang=words.language)}\n"


def _bound(found: Compared, words: Wording) -> Child:
    return None if found.bound is None else tag("p", words("compare.bound", bound=words.decimal(found.bound)))


def compared_table(found: Compared, words: Wording) -> Markup:
    """Ways that made a release, the least loss first; those that nothing beats in bold."""
    unbeaten = {way.label for way in found.best()}
    kept = sorted((way for way in found.ways if way.kept), key=lambda way: (way.overall or 0.0, way.label))
    head = [tag("th", words("compare.way")), tag("th", words("compare.loss", metric=found.metric), class_="number")]
    head += [tag("th", words(f"compare.{name}"), class_="number") for name in _HEAD]
    rows = [
        tag(
            "tr",
            tag("td", tag("strong", way.label) if way.label in unbeaten else way.label),
            (tag("td", cell, class_="number") for cell in _cells(way, words)),
        )
        for way in kept
    ]
    return tag("table", tag("thead", tag("tr", head)), tag("tbody", rows), class_="wide")


def _cells(way: Tried, words: Wording) -> list[str]:
    nothing = words("numbers.nothing")
    shares = (way.loss, way.overall, way.matches, way.surest, way.queries)
    told = [nothing if share is None else words.percent(share) for share in shares]
    counts = [nothing if count is None else words.count(count) for count in (way.suppressed, way.groups)]
    costs = [nothing if cost is None else words.decimal(cost, 3) for cost in (way.seconds, way.memory)]
    return [*told, *counts, *costs]


def without_release(found: Compared, words: Wording) -> Child:
    """Ways that made none, and why; nothing if all did."""
    others = [way for way in found.ways if not way.kept]
    if not others:
        return None
    items = (tag("li", tag("strong", way.label), f": {way.reason}") for way in others)
    return [tag("h2", words("compare.none")), tag("ul", items, class_="small")]
