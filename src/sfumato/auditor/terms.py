"""A quasi-sensitive column as the auditor reads it: cells taken apart, and the labels that their terms may stand for.

A label may be meant if one of its rows in the knowledge table has every term of the cell; a cell without terms may mean
any label. Terms that the table does not have are ignored (`drop`), or leave the cell no label (`strict`); a cell of
nothing else has none either way. Where it is known how many terms a row had, suppressed ones show as `*`, and rows of
the table with fewer terms are ruled out. A set of rows is an integer here, a bit for each.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl

from sfumato.auditor.exactly import Ints
from sfumato.auditor.lookalikes import look
from sfumato.knowledge.named import knowledge_of, tree_of_labels
from sfumato.knowledge.table import Knowledge
from sfumato.policy.columns import Column
from sfumato.release.codes import Codes
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["TermCell", "TermColumn", "read_cell"]

MARK = "*"


@dataclass(frozen=True)
class TermCell:
    """The terms of a cell as they stand there, and how many suppressed ones it marks."""

    terms: tuple[str, ...]
    marks: int = 0

    @property
    def in_order(self) -> bool:
        """Each term once, in the order of their texts."""
        return all(one < other for one, other in zip(self.terms, self.terms[1:], strict=False))


def read_cell(text: str | None, separator: str, absent: Collection[str] = ()) -> TermCell:
    """A published cell, taken apart; what stands for a missing value is no term.

    >>> read_cell("cough|fever|*", "|"), read_cell(None, "|")
    (TermCell(terms=('cough', 'fever'), marks=1), TermCell(terms=(), marks=0))
    """
    parts = [part.strip() for part in (text or "").split(separator)]
    return TermCell(tuple(part for part in parts if part not in ("", MARK) and part not in absent), parts.count(MARK))


@dataclass(frozen=True, eq=False)
class TermColumn:
    """A column: a code per published row, what stands in every code's cell, the knowledge, a tree of its labels."""

    name: str
    column: Column
    codes: Codes
    cells: tuple[TermCell, ...]
    knowledge: Knowledge
    tree: Taxonomy | None = None

    @classmethod
    def of(
        cls, published: pl.Series, column: Column, base: Path, joint: str | None = None, absent: Collection[str] = ()
    ) -> TermColumn:
        """`joint` is what parts terms if it is not the column's separator; `absent` stands for missing values."""
        codes, texts = Codes.of(published)
        separator = joint or column.separator or "|"
        cells = tuple(read_cell(text, separator, absent) for text in texts)
        knowledge = knowledge_of(published.name, column, base, separator)
        tree = tree_of_labels(published.name, column, knowledge, base)
        return cls(published.name, column, codes, cells, knowledge, tree)

    def spelled(self, ways: tuple[str, ...]) -> TermColumn:
        """The same column, with terms that look like one of the knowledge read as that one."""
        known = {look(term, ways): term for term in self.knowledge.terms} if ways else {}

        def read(term: str) -> str:
            return term if term in self._holders else known.get(look(term, ways), term)

        if not known:
            return self
        cells = (TermCell(tuple(dict.fromkeys(map(read, cell.terms))), cell.marks) for cell in self.cells)
        return replace(self, cells=tuple(cells))

    @cached_property
    def alike(self) -> int:
        """Terms of the cells that the knowledge does not have, and that look like one that it has."""
        known = set(map(look, self.knowledge.terms))
        return sum(look(term) in known for term in self._strange)

    @cached_property
    def rows(self) -> Ints:
        """Published rows per code."""
        return np.bincount(self.codes.rows, minlength=self.codes.size).astype(np.int64)

    @cached_property
    def meant(self) -> tuple[tuple[int, ...], ...]:
        """Per code the labels that it may stand for."""
        return tuple(map(self._labels, self.cells))

    @cached_property
    def chances(self) -> tuple[tuple[Fraction, ...], ...] | None:
        """Per code how likely each of them is; None if all are equally likely."""
        known = self.knowledge
        if known.priors is None and known.chances is None:
            return None
        return tuple(self._likely(cell, labels) for cell, labels in zip(self.cells, self.meant, strict=True))

    @property
    def unlinked(self) -> int:
        """Published rows that no label fits."""
        return int(self.rows[[not labels for labels in self.meant]].sum())

    @cached_property
    def unknown(self) -> tuple[int, int]:
        """Different terms that the knowledge does not have, and published rows with one."""
        rows = int(self.rows[[any(term in self._strange for term in cell.terms) for cell in self.cells]].sum())
        return len(self._strange), rows

    @cached_property
    def _strange(self) -> frozenset[str]:
        """Terms that the knowledge does not have."""
        return frozenset(term for cell in self.cells for term in cell.terms if term not in self._holders)

    def estimated(self) -> dict[str, Fraction] | None:
        """How likely every label is over the published rows that are linked; None if none is."""
        sums: dict[int, Fraction] = {}
        linked = 0
        for code, labels in enumerate(self.meant):
            if not labels:
                continue
            rows = int(self.rows[code])
            linked += rows
            shares = [Fraction(1, len(labels))] * len(labels) if self.chances is None else self.chances[code]
            for label, share in zip(labels, shares, strict=True):
                sums[label] = sums.get(label, Fraction(0)) + rows * share
        if not linked:
            return None
        return {self.knowledge.labels[label]: part / linked for label, part in sums.items()}

    @cached_property
    def _ways(self) -> list[tuple[int, frozenset[str]]]:
        """Rows of the knowledge table: a label and its terms."""
        known, ends = self.knowledge, self.knowledge.row_offsets.tolist()
        return [
            (label, frozenset(known.terms[term] for term in known.row_terms[ends[row] : ends[row + 1]].tolist()))
            for row, label in enumerate(known.row_labels.tolist())
        ]

    @cached_property
    def _holders(self) -> Mapping[str, int]:
        """Per term the rows of the knowledge table that have it."""
        found: dict[str, int] = {}
        for row, (_, terms) in enumerate(self._ways):
            for term in terms:
                found[term] = found.get(term, 0) | 1 << row
        return found

    @cached_property
    def _longer(self) -> list[int]:
        """By number n, the rows of the knowledge table that have at least n terms."""
        lengths = [len(terms) for _, terms in self._ways]
        return [
            sum(1 << row for row, length in enumerate(lengths) if length >= least) for least in range(max(lengths) + 1)
        ]

    def _labels(self, cell: TermCell) -> tuple[int, ...]:
        known = [term for term in cell.terms if term in self._holders]
        strange = len(cell.terms) - len(known)
        if strange and (self.column.unknown == "strict" or not known):
            return ()
        least = len(known) + cell.marks if self.column.lengths == "known" else 0
        rows = self._longer[least] if least < len(self._longer) else 0
        for term in known:
            rows &= self._holders[term]
        found = set()
        while rows:
            lowest = rows & -rows
            found.add(self._ways[lowest.bit_length() - 1][0])
            rows ^= lowest
        return tuple(sorted(found))

    def _likely(self, cell: TermCell, labels: tuple[int, ...]) -> tuple[Fraction, ...]:
        known = self.knowledge
        places = [known.code[term] for term in cell.terms if term in self._holders]
        weights = []
        for label in labels:
            weight = Fraction(1) if known.priors is None else known.priors[label]
            if known.chances is not None:
                weight *= math.prod((known.chances[place, label] for place in places), start=Fraction(1))
            weights.append(weight)
        whole = sum(weights, Fraction(0))
        return tuple(weight / whole for weight in weights)
