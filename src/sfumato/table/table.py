"""A table under its policy: read, checked, and ready to be coded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.policy.columns import FileHierarchy, KnowledgeFile
from sfumato.policy.document import Policy
from sfumato.table.bins import Binning, binning
from sfumato.table.distinct import Distinct, distinct
from sfumato.table.origin import Origin
from sfumato.table.tuples import Tuples
from sfumato.table.types import TIME, is_text
from sfumato.taxonomy.text import texts_of

__all__ = ["Lost", "Table"]


@dataclass(frozen=True, eq=False)
class Lost:
    """What rows that the missing rule left out hold, as they came and as base values: secrets, and whose they are."""

    frame: pl.DataFrame = field(repr=False)
    base: pl.DataFrame = field(repr=False)

    @classmethod
    def of(cls, frame: pl.DataFrame, base: pl.DataFrame, policy: Policy) -> Lost:
        names = secret_columns(policy)
        return cls(frame.select(names), base.select(names))


def secret_columns(policy: Policy) -> tuple[str, ...]:
    """Sensitive and quasi-sensitive columns, and the one that says whose a row is."""
    return policy.with_role("sensitive", "quasi-sensitive", "individual")


@dataclass(frozen=True, eq=False)
class Table:
    """Microdata together with the policy that describes it. Made by `sfumato.read`.

    frame     every column as it came: text for CSV, own types for other sources
              (a set of terms is a text in one notation, a column of 0 and 1 that is part of it is gone)
    base      quasi-identifiers, (quasi-)sensitive columns and persons as base values (String, Int64, Float64, Date)
    dropped   rows left out by the missing rule; neither `frame` nor `base` has them
    lost      what these hold, None if there are none
    notes     what was done, in words, without values
    digest    SHA-256 of the content as read
    lists     sets of terms that came as lists
    repeated  rows left out since another row of their person stays; nobody is missing by it
    whole     `base` with all rows that were read, if some were left out
    shown     the rows that are published, once that is known; None: all of them
    """

    frame: pl.DataFrame = field(repr=False)
    policy: Policy = field(repr=False)
    origin: Origin
    dropped: int
    notes: tuple[str, ...]
    digest: str
    base: pl.DataFrame = field(repr=False)
    lists: tuple[str, ...] = ()
    lost: Lost | None = field(default=None, repr=False)
    repeated: int = 0
    whole: pl.DataFrame | None = field(default=None, repr=False)
    shown: NDArray[np.bool_] | None = field(default=None, repr=False)

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that the table, its hierarchies and its knowledge came from."""
        own = (Path(self.origin.name),) if self.origin.kind in ("csv", "parquet") else ()
        named = (each for column in self.policy.columns.values() for each in (column.hierarchy, column.knowledge))
        files = (each.file for each in named if isinstance(each, (FileHierarchy, KnowledgeFile)))
        return own + tuple(self.policy.base / file for file in files)

    def encode(self) -> Tuples:
        """The different rows, coded and counted; computed once."""
        return self._coded

    @cached_property
    def secrets(self) -> Table:
        """Secrets, and whose they are, of all rows that were read: those that were dropped come last."""
        names = secret_columns(self.policy)
        frame, base, shown = self.frame.select(names), self.base.select(names), self.shown
        if self.lost is not None:
            told = np.ones(self.frame.height, np.bool_) if shown is None else shown
            shown = np.concatenate((told, np.zeros(self.lost.frame.height, np.bool_)))
            frame, base = frame.vstack(self.lost.frame), base.vstack(self.lost.base)
        return replace(self, frame=frame, base=base, lost=None, shown=shown)

    @property
    def rows(self) -> int:
        return self.frame.height

    def published_as(self, name: str) -> Distinct:
        """How a column is published where a form does not change it."""
        column = self.published()[name]
        return distinct(column.cast(pl.String) if isinstance(column.dtype, (pl.Categorical, pl.Enum)) else column)

    @cached_property
    def promised_texts(self) -> frozenset[str]:
        """Every text in the promises: whoever reads them knows it."""
        return frozenset(text for promise in self.policy.privacy for text in _texts(promise.as_dict()))

    def published(self) -> pl.DataFrame:
        """The columns as they are published where a form does not change them, in the order of the data.

        A sensitive column is shown by its bins, if it has any. A quasi-identifier or sensitive column whose numbers or
        dates came as text is written in one notation: equal values look equal, and how a cell was typed is not told. A
        time of day is shown as text, with its fraction of a second, which files would drop.
        """
        return self._published

    @cached_property
    def distinct(self) -> Mapping[str, Distinct]:
        """Distinct values of every column of `base`."""
        return {column.name: distinct(column) for column in self.base.get_columns()}

    @cached_property
    def binned(self) -> Mapping[str, Binning]:
        """Bins of the sensitive columns that have any; those that the data makes follow from dropped rows too, so that
        what these hold is told apart in the same way."""
        if self.lost is not None:
            return {name: bins.of_first(self.frame.height) for name, bins in self.secrets.binned.items()}
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

    @cached_property
    def _published(self) -> pl.DataFrame:
        shown = [column.dt.to_string(TIME) for column in self.frame.select(pl.selectors.time()).get_columns()]
        for name in (each for each in (*self.policy.quasi, *self.policy.sensitive) if each in self.frame.columns):
            if name in self.binned:
                shown.append(_spread(self.binned[name].labels, self.binned[name].codes))
            elif self.policy.columns[name].kind != "text" and is_text(self.frame[name].dtype):
                found = self.distinct[name]
                shown.append(_spread(pl.Series(name, texts_of(found.values), dtype=pl.String), found.codes))
        return self.frame.with_columns(shown)


def _texts(given: object) -> Iterator[str]:
    """Every text in a promise."""
    if isinstance(given, str):
        yield given
    elif isinstance(given, (Mapping, list, tuple)):
        for each in (*given, *given.values()) if isinstance(given, Mapping) else given:
            yield from _texts(each)


def _spread(values: pl.Series, codes: NDArray[np.int32]) -> pl.Series:
    """The value of every row; null for code -1."""
    return values.extend_constant(None, 1).gather(np.where(codes < 0, len(values), codes))
