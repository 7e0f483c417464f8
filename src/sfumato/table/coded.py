"""A table as integers: what partitioners, models and publishers see of the data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.knowledge.linking import Links, TermSets, Unknown, link
from sfumato.knowledge.table import Knowledge
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["CodedColumn", "CodedTable", "SetColumn"]


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """One column: a code per row, and what a code stands for.

    Codes follow the column's order: leaf order of its taxonomy, numeric or date order, the policy's `order:`, or
    plain text order. A missing value, where it is a category, is the last code, and a child of the root.

    codes       a code per row
    values      the base value of every code (polars series, null for missing)
    taxonomy    the tree over the codes, or None
    positions   where each code lies on a line, for numbers and dates without a tree (missing: NaN), or None
    missing     the code of the missing value, or None
    counts      rows of the whole original table per code
    ordered     whether the order of codes means something (numbers, dates, `order:`)
    beside      codes that count as values of the column though no row here has them: rows that were left out do
    """

    name: str
    codes: NDArray[np.int32]
    values: pl.Series
    taxonomy: Taxonomy | None = None
    positions: NDArray[np.float64] | None = None
    missing: int | None = None
    ordered: bool = False
    beside: NDArray[np.bool_] | None = None

    @property
    def size(self) -> int:
        """How many codes there are, including leaves of the taxonomy that no row has."""
        return len(self.values)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        return np.bincount(self.codes, minlength=self.size).astype(np.int64)

    @property
    def occurring(self) -> NDArray[np.bool_]:
        """Per code, whether it is a value of the column: some row has it, here or beside."""
        return self.counts > 0 if self.beside is None else (self.counts > 0) | self.beside

    def telling(self, rows: NDArray[np.bool_]) -> CodedColumn:
        """The same column, nodes of its taxonomy called by nothing but the values of these rows."""
        if self.taxonomy is None or self.taxonomy.naming is None:
            return self
        told = np.bincount(self.codes[rows], minlength=self.size) > 0
        return replace(self, taxonomy=self.taxonomy.telling(told))

    def take(self, rows: NDArray[np.int64]) -> Self:
        """The same column for some of the rows."""
        return replace(self, codes=self.codes[rows])


@dataclass(frozen=True, eq=False)
class SetColumn(CodedColumn):
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
        return TermSets.of(self.told, self.sets)

    @cached_property
    def links(self) -> Links:
        """The labels of every set. That its length is known rules out none of them as long as all terms are shown."""
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

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Where the terms of every row begin, if those of row after row stand in one line; and where they end."""
        return np.concatenate(([0], np.cumsum(self.terms.lengths[self.codes]))).astype(np.int64)


@dataclass(frozen=True, eq=False)
class CodedTable:
    """The quasi-identifiers, sensitive and quasi-sensitive columns of a table, coded.

    person    a code per row that says whose it is, if somebody has several; None: one row each
    beside    codes of the other columns that are published: rows that differ there are not interchangeable
    """

    rows: int
    quasi: tuple[CodedColumn, ...]
    sensitive: tuple[CodedColumn, ...]
    person: NDArray[np.int32] | None = None
    beside: tuple[NDArray[np.int32], ...] = ()
    sets: tuple[SetColumn, ...] = ()
    _by_name: dict[str, CodedColumn] = field(init=False, repr=False)
    _joints: dict[tuple[str, ...], tuple[NDArray[np.int32], NDArray[np.int32]]] = field(
        init=False, repr=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {column.name: column for column in self.columns})

    @property
    def columns(self) -> tuple[CodedColumn, ...]:
        return (*self.quasi, *self.sensitive, *self.sets)

    def __getitem__(self, name: str) -> CodedColumn:
        return self._by_name[name]

    def telling(self, told: NDArray[np.bool_], shown: NDArray[np.bool_]) -> CodedTable:
        """The same table, hierarchies' nodes called by nothing but the rows that are published.

        told    rows whose quasi-identifiers are published
        shown   rows whose sensitive values are
        """
        quasi = tuple(column.telling(told) for column in self.quasi)
        sensitive = tuple(column.telling(shown) for column in self.sensitive)
        if (*quasi, *sensitive) == (*self.quasi, *self.sensitive):
            return self
        return replace(self, quasi=quasi, sensitive=sensitive)

    @cached_property
    def canonical(self) -> NDArray[np.int64]:
        """Row numbers in an order that follows from the rows themselves, not from how the input was sorted."""
        keys: list[NDArray[Any]] = [*self.apart, *self._keys]
        return np.lexsort(keys)

    @cached_property
    def content(self) -> NDArray[np.int64]:
        """A number per row that follows from what it holds, in canonical order; equal rows share it."""
        order = self.canonical
        new = np.zeros(self.rows, np.bool_)
        keys: list[NDArray[Any]] = [*self.apart, *self._keys]
        for key in keys:
            new[1:] |= key[order][1:] != key[order][:-1]
        numbers = np.empty(self.rows, np.int64)
        numbers[order] = np.cumsum(new)
        return numbers

    @property
    def apart(self) -> tuple[NDArray[np.int32], ...]:
        """What makes rows of the same quasi-identifiers and sensitive values not interchangeable."""
        sets = tuple(column.codes for column in self.sets)
        return (*sets, *self.beside) if self.person is None else (self.person, *sets, *self.beside)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the rows as a set: the same in whatever order they came."""
        hashed = hashlib.sha256()
        for column in self.columns:
            texts = column.values.cast(pl.String).to_list()
            hashed.update(json.dumps([column.name, texts]).encode())
        persons = () if self.person is None else (self.person,)
        for key in (*self._keys, *persons):
            hashed.update(key[self.canonical].tobytes())
        return hashed.hexdigest()

    @cached_property
    def _keys(self) -> tuple[NDArray[np.uint64], ...]:
        """All codes of a row, packed into as few numbers as hold them."""
        keys: list[NDArray[np.uint64]] = [np.zeros(self.rows, dtype=np.uint64)]
        room = 1
        for column in self.columns:
            room *= max(column.size, 1)
            if room >= 2**64:
                keys.append(np.zeros(self.rows, dtype=np.uint64))
                room = max(column.size, 1)
            keys[-1] = keys[-1] * np.uint64(max(column.size, 1)) + column.codes.astype(np.uint64)
        return tuple(keys)

    def joint(self, columns: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """One dense code per row for a combination of columns, and the component codes of every such code."""
        wanted = tuple(columns)
        if wanted not in self._joints:
            self._joints[wanted] = self._combined([self[name] for name in wanted])
        return self._joints[wanted]

    @staticmethod
    def _combined(columns: Sequence[CodedColumn]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        sizes = [max(column.size, 1) for column in columns]
        if prod(sizes) >= 2**63:
            stacked = np.stack([column.codes for column in columns], axis=1)
            combinations, codes = np.unique(stacked, axis=0, return_inverse=True)
            return codes.astype(np.int32).reshape(-1), combinations.astype(np.int32)
        keys = np.zeros(len(columns[0].codes), dtype=np.int64)
        for column, size in zip(columns, sizes, strict=True):
            keys = keys * size + column.codes
        found, codes = np.unique(keys, return_inverse=True)
        parts = np.empty((len(found), len(sizes)), dtype=np.int32)
        for place in reversed(range(len(sizes))):
            found, parts[:, place] = np.divmod(found, sizes[place])
        return codes.astype(np.int32).reshape(-1), parts
