"""Published cells of one column beside the original's values: what they stand for, and how many stand for none."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from sfumato.auditor.exactly import Flags, Ints
from sfumato.auditor.original import Original
from sfumato.auditor.terms import read_cell
from sfumato.release.codes import Codes
from sfumato.release.opening import JOINT
from sfumato.release.spans import CellSpans
from sfumato.release.writing import Writing
from sfumato.table.dictionaries import codes_of, dictionary_of, values_of
from sfumato.table.domain import Domain, SetDomain

__all__ = ["TrueCells", "read_cells"]


@dataclass(frozen=True, eq=False)
class TrueCells:
    """A column: a code per row, and what each of these cells stands for.

    empty    rows whose cell fits no value that the original has
    unread   of these, rows whose cell cannot be read
    hidden   rows of a sensitive column that say nothing by an empty cell
    nothing  per code, whether it says nothing: stars, or an empty cell that stands for a suppressed one
    """

    name: str
    codes: Ints
    spans: CellSpans
    empty: int
    unread: int
    hidden: int
    nothing: Flags


def read_cells(
    published: pl.Series, original: Original, writing: Writing | None, fewer: bool, lists: Collection[str]
) -> TrueCells:
    """Read a published column; of a set of terms, `fewer` may be shown than there are."""
    name = published.name
    domain, column = original.tuples[name], original.every.policy.columns[name]
    found, texts = Codes.of(published)
    if isinstance(domain, SetDomain):
        joint = JOINT if name in lists else column.separator or "|"
        absent = () if writing is None else writing.marks
        spans = _of_sets(texts, domain, joint, absent, fewer)
    else:
        given = _as_shown(domain, original) if column.role == "insensitive" else domain
        spans = CellSpans.of(texts, given, column, writing)
    rows = found.rows.astype(np.int64)
    counts = np.bincount(rows, minlength=len(texts))
    empty = _occurring(spans, domain.counts) == 0
    unread = np.zeros(len(texts), dtype=np.bool_)
    unread[spans.unread] = True
    blank = _blank(texts, domain, writing)
    taken = blank & (spans.values == domain.size)
    hidden = int(counts[blank].sum()) if column.role == "sensitive" and domain.missing is None else 0
    nothing = taken | np.array([text is not None and set(text.strip()) == {"*"} for text in texts], dtype=np.bool_)
    return TrueCells(name, rows, spans, int(counts[empty].sum()), int(counts[unread & empty].sum()), hidden, nothing)


def _occurring(spans: CellSpans, counts: Ints) -> Ints:
    """Per cell, original rows whose value it stands for."""
    summed = np.concatenate(([0], np.cumsum(counts)))
    rows = summed[spans.high + 1] - summed[spans.low]
    torn = np.flatnonzero(spans.torn)
    for cell in torn.tolist():
        rows[cell] = counts[spans.members[spans.starts[cell] : spans.starts[cell + 1]]].sum()
    return np.asarray(rows)


def _as_shown(domain: Domain, original: Original) -> Domain:
    """A column that nothing looks at otherwise, by the texts that its values are published as."""
    shown = dictionary_of(domain.values)
    texts = values_of(shown).to_list()
    made = [texts[code] if code < len(texts) else None for code in codes_of(shown).tolist()]
    return replace(domain, values=pl.Series(domain.name, made, dtype=pl.String))


def _of_sets(
    texts: Sequence[str | None], domain: SetDomain, separator: str, absent: Collection[str], fewer: bool
) -> CellSpans:
    """Sets of the original that have every term of a cell, and as many more as it marks; or no other term at all."""
    sets = [frozenset(terms) for terms in domain.sets]
    place = {terms: code for code, terms in enumerate(sets)}
    having: dict[str, set[int]] = {}
    for code, terms in enumerate(sets):
        for term in terms:
            having.setdefault(term, set()).add(code)
    found = []
    for text in texts:
        cell = read_cell(text, separator, absent)
        terms = frozenset(cell.terms)
        if not fewer:
            found.append([place[terms]] if terms in place else [])
            continue
        holders = sorted((having.get(term, set()) for term in terms), key=len)
        codes = set.intersection(*holders) if holders else {*range(len(sets))}
        found.append(sorted(code for code in codes if len(sets[code]) >= len(terms) + cell.marks))
    return CellSpans.listed(found)


def _blank(texts: Sequence[str | None], domain: Domain, writing: Writing | None) -> Flags:
    """Which cells of a bare table are empty, in whatever word; one that is a value of the column is not."""
    if writing is None:
        return np.zeros(len(texts), dtype=np.bool_)
    values = {str(value) for value in domain.values.to_list() if value is not None}
    blank = [text is None or (text.strip() in writing.marks and text not in values) for text in texts]
    return np.array(blank, dtype=np.bool_)
