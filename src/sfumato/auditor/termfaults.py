"""Whether cells of terms are written as a release writes them: one order, each once, marks only where they belong.

An order of its own could tell what was suppressed; so could a mark where none is expected.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sfumato.release.opening import Opened
from sfumato.table.words import counted

if TYPE_CHECKING:
    from sfumato.auditor.terms import TermColumn

__all__ = ["set_findings", "set_notes"]


def set_findings(evidence: Opened, sets: Mapping[str, TermColumn]) -> Iterator[str]:
    """Every problem of a release; a bare table may be written as it likes."""
    document, manifest = evidence.document, evidence.manifest
    if document is None:
        return
    for name in document.suppressed_terms:
        if name not in sets:
            yield f"column {name!r}: release.json says that terms of it are suppressed, and it has none"
    for name, terms in sets.items():
        mixed = int(terms.rows[[not cell.in_order for cell in terms.cells]].sum())
        if mixed:
            yield f"column {name!r}: terms out of order, or twice, in {counted(mixed, 'row')}"
        marked = sum(cell.marks * rows for cell, rows in zip(terms.cells, terms.rows.tolist(), strict=True))
        if marked and terms.column.lengths == "hidden":
            yield f"column {name!r}: suppressed terms are marked, though lengths are hidden: {marked}"
        if marked and name not in document.suppressed_terms:
            yield f"column {name!r}: suppressed terms are marked, and release.json says that there are none"
        if manifest is not None:
            lost = manifest.suppressed_terms.get(name, 0)
            if marked > lost:
                yield f"column {name!r}: suppressed terms that are marked: {marked}, and the manifest counts {lost}"
            if bool(lost) != (name in document.suppressed_terms):
                yield f"column {name!r}: release.json and the manifest disagree on whether terms are suppressed"
    for name, shares in (manifest.priors if manifest is not None else {}).items():
        if name not in sets or not shares.keys() <= set(sets[name].knowledge.labels):
            yield f"column {name!r}: the manifest's prior speaks of other labels than the knowledge"


def set_notes(evidence: Opened, sets: Mapping[str, TermColumn]) -> Iterator[str]:
    """What a reader should know: names and counts only."""
    for name, terms in sets.items():
        different, rows = terms.unknown
        if terms.unlinked:
            yield (
                f"column {name!r}: rows linked to no label of the knowledge: {terms.unlinked}; they never count as"
                " diversity, and a group of them alone keeps every promise"
            )
        if different:
            how = "they are ignored" if terms.column.unknown == "drop" else "their rows have no label"
            yield f"column {name!r}: terms not in the knowledge: {different}, in rows: {rows}; {how}"
        if terms.alike:
            yield (
                f"column {name!r}: {terms.alike} of them differ from a term of the knowledge only in case, spaces,"
                " invisible characters or Unicode form; to a reader they are the same, so write them alike"
            )
        document, manifest = evidence.document, evidence.manifest
        if document is not None and name in document.suppressed_terms:
            lost = "" if manifest is None else f": {manifest.suppressed_terms.get(name, 0)}"
            yield f"column {name!r}: terms of published rows are suppressed{lost}"
    for one, other in itertools.combinations(sets.values(), 2):
        labels = len(set(one.knowledge.labels) & set(other.knowledge.labels))
        if labels:
            yield (
                f"columns {one.name!r} and {other.name!r}: both may stand for the same labels: {labels}; each was"
                " judged by itself, and who takes them together may believe more"
            )
