"""What a column is, apart from its rows: its values in order, their tree, and how often each occurs in the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.table.line import Line
from sfumato.taxonomy.tree import Taxonomy

if TYPE_CHECKING:
    from sfumato.knowledge.linking import Links, TermSets, Unknown
    from sfumato.knowledge.table import Knowledge

__all__ = ["Domain", "SetDomain"]


@dataclass(frozen=True, eq=False)
class Domain:
    """The values of one column, as codes from 0 on.

    Codes follow the column's order: leaf order of its taxonomy, numeric or date order, the policy's `order:`, or
    plain text order. A missing value, where it is a category, is the last code, and a child of the root.

    values      the base value of every code (polars series, null for missing)
    counts      rows of the whole original table per code
    shown       how every code is published where a form does not change it; None: as its base value
    taxonomy    the tree over the codes, or None
    positions   where each code lies on a line, for numbers and dates without a tree (missing: NaN), or None
    missing     the code of the missing value, or None
    ordered     whether the order of codes means something (numbers, dates, `order:`)
    elsewhere   codes that count as values of the column though no row counted here has them: rows left out do
    line        where values lie on a line, exactly, if they have an order
    naming      for bins that the data makes, what they are called by nothing but some of the values in them
    """

    name: str
    values: pl.Series
    counts: NDArray[np.int64]
    shown: pl.Series | None = None
    taxonomy: Taxonomy | None = None
    positions: NDArray[np.float64] | None = None
    missing: int | None = None
    ordered: bool = False
    elsewhere: NDArray[np.bool_] | None = None
    line: Line | None = None
    naming: Callable[[NDArray[np.bool_]], pl.Series] | None = None

    @property
    def size(self) -> int:
        """How many codes there are, including leaves of the taxonomy that no row has."""
        return len(self.values)

    @property
    def published(self) -> pl.Series:
        """How every code is published where a form does not change it."""
        return self.values if self.shown is None else self.shown

    @property
    def occurring(self) -> NDArray[np.bool_]:
        """Per code, whether it is a value of the column: some row has it, here or elsewhere."""
        return self.counts > 0 if self.elsewhere is None else (self.counts > 0) | self.elsewhere

    def telling(self, told: NDArray[np.bool_]) -> Self:
        """The same column, nodes of its taxonomy called by nothing but these codes."""
        if self.taxonomy is None or self.taxonomy.naming is None:
            return self
        return replace(self, taxonomy=self.taxonomy.telling(told))


@dataclass(frozen=True, eq=False)
class SetDomain(Domain):
    """A quasi-sensitive column: a code per different set of terms, in the order of the sets as texts.

    sets        the terms of every code, in order
    knowledge   which labels terms may stand for
    unknown     what a term is that the knowledge does not have
    known       whether it is known how many terms a row had
    tree        over the labels, if they have one
    """

    sets: tuple[tuple[str, ...], ...] = ()
    knowledge: Knowledge | None = None
    unknown: Unknown = "drop"
    known: bool = False
    tree: Taxonomy | None = None

    @cached_property
    def told(self) -> Knowledge:
        """The knowledge, which such a column always has."""
        if self.knowledge is None:
            raise ValueError(f"column {self.name!r} has no knowledge")
        return self.knowledge

    @cached_property
    def terms(self) -> TermSets:
        """The sets as codes of the knowledge."""
        from sfumato.knowledge.linking import TermSets  # for tables that have such a column

        return TermSets.of(self.told, self.sets)

    @cached_property
    def links(self) -> Links:
        """The labels of every set. That its length is known rules out none of them as long as all terms are shown."""
        from sfumato.knowledge.linking import link

        return link(self.told, self.terms, self.unknown)

    @cached_property
    def lengths(self) -> NDArray[np.int64] | None:
        """Per code the number of terms that an adversary counts with; None if they do not know it."""
        if not self.known:
            return None
        return self.terms.lengths - (self.terms.unknown if self.unknown == "drop" else 0)

    def marks(self, code: int, stays: NDArray[np.bool_]) -> int:
        """How many suppressed terms of a set must show, for an adversary who counts them: known ones under `drop`."""
        if not self.known:
            return 0
        counted = self.terms[code] >= 0 if self.unknown == "drop" else np.ones(len(stays), np.bool_)
        return int((counted & ~stays).sum())

    def offsets(self, codes: NDArray[np.int32]) -> NDArray[np.int64]:
        """Where the terms of each of some sets begin, if they stand in one line; and where they end."""
        return np.concatenate(([0], np.cumsum(self.terms.lengths[codes]))).astype(np.int64)
