"""A table under its policy: read, checked, and ready to be coded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.errors import one_line
from sfumato.policy.columns import FileHierarchy, KnowledgeFile
from sfumato.policy.document import Policy
from sfumato.table.bins import Binning, binning
from sfumato.table.databases import DATABASES
from sfumato.table.distinct import Distinct, Distincts, entries_of, rows_of
from sfumato.table.formats import FORMATS
from sfumato.table.origin import Origin
from sfumato.table.tuples import Tuples
from sfumato.table.types import TIME, is_text, plain_zero
from sfumato.table.words import counted
from sfumato.taxonomy.text import texts_of

__all__ = ["Lost", "Table"]


@dataclass(frozen=True, eq=False)
class Lost:
    """What rows that the missing rule left out hold, as they came and as base values: secrets, and whose they are."""

    columns: Distincts = field(repr=False)
    distinct: Distincts = field(repr=False)

    @property
    def rows(self) -> int:
        return rows_of(self.columns)

    @classmethod
    def of(cls, columns: Distincts, base: Distincts, policy: Policy, some: NDArray[np.bool_]) -> Lost:
        names = secret_columns(policy)
        return cls(
            {name: columns[name].where(some) for name in names}, {name: base[name].where(some) for name in names}
        )


def secret_columns(policy: Policy) -> tuple[str, ...]:
    """Sensitive and quasi-sensitive columns, and the one that says whose a row is."""
    return policy.with_role("sensitive", "quasi-sensitive", "individual")


@dataclass(frozen=True, eq=False)
class Table:
    """Microdata together with the policy that describes it. Made by `sfumato.read`.

    policy    what each column is, and what is promised
    origin    where it came from
    columns   every column that is more than a name, as it came: text for CSV, own types for other sources
              (a set of terms is a text in one notation, a column of 0 and 1 that is part of it is gone, and so are
              identifiers and columns that are dropped)
    distinct  quasi-identifiers, (quasi-)sensitive columns, persons and sampling weights as base values (String, Int64,
              Float64, Date)
    dropped   rows left out by the missing rule; neither `columns` nor `distinct` has them
    lost      what these hold, None if there are none
    notes     what was done, in words, without values
    digest    SHA-256 of the content as read, rows in any order, identifiers and dropped columns aside; sampling weights
              are content: with others it is another table
    lists     sets of terms that came as lists
    repeated  rows left out since another row of their person stays; nobody is missing by it
    whole     different base values of all rows that were read, if some were left out
    shown     the entries that bins which the data makes are named by; None: all of them
    """

    columns: Distincts = field(repr=False)
    policy: Policy = field(repr=False)
    origin: Origin
    dropped: int
    notes: tuple[str, ...]
    digest: str
    distinct: Distincts = field(repr=False)
    lists: tuple[str, ...] = ()
    lost: Lost | None = field(default=None, repr=False)
    repeated: int = 0
    whole: Mapping[str, pl.Series] | None = field(default=None, repr=False)
    shown: NDArray[np.bool_] | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        left = f", {self.dropped} dropped as missing" if self.dropped else ""
        return f"<Table of {counted(self.rows, 'row')}{left}, from {one_line(self.origin.name)}: {self.policy!r}>"

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return rows_of(self.columns)

    @property
    def entries(self) -> int:
        """How many entries the columns have: rows, or what stands for equal ones."""
        return entries_of(self.columns)

    @property
    def times(self) -> NDArray[np.int64] | None:
        """How many rows each entry stands for; None: each is a row."""
        found = next(iter(self.columns.values()), None)
        return None if found is None or found.entries is None else found.entries.times

    def values(self, name: str) -> pl.Series:
        """Different base values of a column, in order, among all rows that were read."""
        return self.distinct[name].values if self.whole is None else self.whole[name]

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """How many people of the population each row stands for, above 0; None without a column of sampling weights.

        One number per row of the table: rows that were left out are left out here too.
        """
        found = None if self.policy.weight is None else self.distinct.get(self.policy.weight)
        return None if found is None else found.values.cast(pl.Float64).to_numpy()[found.codes]

    @property
    def inputs(self) -> tuple[str | Path, ...]:
        """The files that the table, its hierarchies and its knowledge came from; of a database, the address."""
        one = (self.origin.name,) if self.origin.kind in (*FORMATS, *DATABASES) else ()
        own: tuple[str | Path, ...] = self.origin.files or one
        named = (each for column in self.policy.columns.values() for each in (column.hierarchy, column.knowledge))
        files = (each.file for each in named if isinstance(each, (FileHierarchy, KnowledgeFile)))
        return own + tuple(self.policy.base / file for file in files)

    def apart(self) -> Table:
        """The same without rows: of every column its different values, and how many rows have each."""
        if self.lost is not None:
            return self
        columns = {name: found.apart() for name, found in self.columns.items()}
        base = {name: found.apart() for name, found in self.distinct.items()}
        return replace(self, columns=columns, distinct=base)

    def encode(self) -> Tuples:
        """The different rows, coded and counted; computed once."""
        return self._coded

    @cached_property
    def secrets(self) -> Table:
        """Secrets, and whose they are, of all rows that were read: those that were dropped come last."""
        names, shown = secret_columns(self.policy), self.shown
        columns = {name: self.columns[name] for name in names}
        base = {name: self.distinct[name] for name in names}
        if self.lost is not None:
            told = np.ones(self.entries, np.bool_) if shown is None else shown
            shown = np.concatenate((told, np.zeros(entries_of(self.lost.columns), np.bool_)))
            columns = {name: found.followed_by(self.lost.columns[name]) for name, found in columns.items()}
            base = {name: found.followed_by(self.lost.distinct[name]) for name, found in base.items()}
        return replace(self, columns=columns, distinct=base, lost=None, shown=shown)

    @cached_property
    def promised_texts(self) -> frozenset[str]:
        """Every text in the promises: whoever reads them knows it."""
        return frozenset(text for promise in self.policy.privacy for text in _texts(promise.as_dict()))

    def published_as(self, name: str) -> Distinct:
        """A column as it is published where a form does not change it.

        A sensitive column is shown by its bins, if it has any. A quasi-identifier or sensitive column whose numbers or
        dates came as text is written in one notation: equal values look equal, and how a cell was typed is not told,
        nor that a zero had a sign. A time of day is shown as text, with its fraction of a second, which files would
        drop.
        """
        found = self.columns[name]
        if name in self.binned:
            return Distinct(self.binned[name].labels, self.binned[name].codes, found.entries)
        values, spec = found.values, self.policy.columns[name]
        if isinstance(values.dtype, pl.Time):
            return found.renamed(values.dt.to_string(TIME))
        if spec.role not in ("quasi", "sensitive") or spec.kind == "text":
            return found
        if is_text(values.dtype):
            base = self.distinct[name]
            return base.renamed(pl.Series(name, texts_of(base.values), dtype=pl.String))
        return found.mapped(plain_zero(values)) if values.dtype.is_float() else found

    @cached_property
    def binned(self) -> Mapping[str, Binning]:
        """Bins of the sensitive columns that have any; those that the data makes follow from dropped rows too, so that
        what these hold is told apart in the same way."""
        if self.lost is not None:
            return {name: bins.of_first(self.entries) for name, bins in self.secrets.binned.items()}
        made = {name: binning(name, self.policy.columns[name], self.distinct[name]) for name in self.policy.sensitive}
        found = {name: bins for name, bins in made.items() if bins is not None}
        if self.shown is None:
            return found
        known = self.promised_texts
        return {name: bins.telling(self.distinct[name], self.shown, known) for name, bins in found.items()}

    @cached_property
    def _coded(self) -> Tuples:
        from sfumato.table.encode import encode  # which imports this file

        return encode(self)


def _texts(given: object) -> Iterator[str]:
    """Every text in a promise."""
    if isinstance(given, str):
        yield given
    elif isinstance(given, (Mapping, list, tuple)):
        for each in (*given, *given.values()) if isinstance(given, Mapping) else given:
            yield from _texts(each)
