"""The card of a release: what is promised and reached, what became of the rows, what every column lost.

It shows no row, neither of the original nor of what is published.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sfumato.notebook.audit import criteria, look_of
from sfumato.notebook.card import ENGLISH, bullets, card, facts, heading, verdict
from sfumato.notebook.plots import ReleasePlots
from sfumato.reports.markup import Child, Markup, tag
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato import Release

__all__ = ["release_card"]


def release_card(release: Release) -> Markup:
    audit = release.judged()
    return card(
        verdict(look_of(audit), f"Release: {audit.outcome}"),
        _rows(release),
        *_warned(release),
        criteria(audit),
        *_lost(release),
    )


def _rows(release: Release) -> Markup:
    table, policy = release.source, release.source.policy
    left = f"left out to keep the promise: {ENGLISH.count(release.suppressed)}"
    dropped = f"left out as missing: {ENGLISH.count(table.dropped)}" if table.dropped else ""
    rows = f"{ENGLISH.count(release.published.rows)} of {counted(table.rows + table.dropped, 'row')} published"
    groups = counted(release.judged().groups, "group")
    return facts(rows, groups, left, dropped, f"method {policy.partition.method}", f"form {policy.form.publish}")


def _warned(release: Release) -> Iterator[Child]:
    """First of all that little is left, if so."""
    if release.worthless:
        lines = [*release.worthless, *(f"what would help: {each}" for each in release.remedies)]
        yield verdict("open", "Little is left in this release, though it keeps the promise", bullets(lines))


def _lost(release: Release) -> Iterator[Child]:
    metric, lost = release.source.policy.loss.metric, release.lost
    told = f"{ENGLISH.percent(release.loss)} by {metric}"
    if lost is not None and lost.correspondence is not None:
        told += f"; of whose secret is whose {ENGLISH.percent(lost.correspondence)} (GLP)"
    yield heading(f"Detail lost: {told}")
    if lost is not None and lost.exact:
        yield tag(
            "p", "Quasi-identifiers are shown as they are: what is lost is whose secret is whose.", class_="small"
        )
    elif lost is not None:
        yield ReleasePlots(release).losses().picture
    yield bullets(release.notes)
