"""A table under its policy: read, checked, and ready to be coded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.policy.columns import FileHierarchy, KnowledgeFile
from sfumato.policy.document import Policy
from sfumato.table.bins import Binning, binning
from sfumato.table.coded import CodedTable
from sfumato.table.distinct import Distinct, distinct
from sfumato.table.origin import Origin
from sfumato.table.types import TIME, is_text
from sfumato.taxonomy.text import texts_of

__all__ = ["Table"]


@dataclass(frozen=True, eq=False)
class Table:
    """Microdata together with the policy that describes it. Made by `sfumato.read`.

    frame     every column as it came: text for CSV, own types for other sources
              (a set of terms is a text in one notation, a column of 0 and 1 that is part of it is gone)
    base      quasi-identifiers, (quasi-)sensitive columns and persons as base values (String, Int64, Float64, Date)
    dropped   rows left out by the missing rule; neither `frame` nor `base` has them
    notes     what was done, in words, without values
    digest    SHA-256 of the content as read
    lists     sets of terms that came as lists
    """

    frame: pl.DataFrame = field(repr=False)
    policy: Policy = field(repr=False)
    origin: Origin
    dropped: int
    notes: tuple[str, ...]
    digest: str
    base: pl.DataFrame = field(repr=False)
    lists: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that the table, its hierarchies and its knowledge came from."""
        own = (Path(self.origin.name),) if self.origin.kind in ("csv", "parquet") else ()
        named = (each for column in self.policy.columns.values() for each in (column.hierarchy, column.knowledge))
        files = (each.file for each in named if isinstance(each, (FileHierarchy, KnowledgeFile)))
        return own + tuple(self.policy.base / file for file in files)

    def encode(self) -> CodedTable:
        """The table as integers; computed once."""
        return self._coded

    def published(self) -> pl.DataFrame:
        """The columns as they are published where a form does not change them, in the order of the data.

        A sensitive column is shown by its bins, if it has any; one whose numbers or dates came as text is written in
        one notation, so that equal values look equal. A time of day is shown as text, with its fraction of a second,
        which files would drop.
        """
        return self._published

    @cached_property
    def distinct(self) -> Mapping[str, Distinct]:
        """Distinct values of every column of `base`."""
        return {column.name: distinct(column) for column in self.base.get_columns()}

    @cached_property
    def binned(self) -> Mapping[str, Binning]:
        """Bins of the sensitive columns that have any."""
        made = {name: binning(name, self.policy.columns[name], self.distinct[name]) for name in self.policy.sensitive}
        return {name: bins for name, bins in made.items() if bins is not None}

    @cached_property
    def _coded(self) -> CodedTable:
        from sfumato.table.encode import encode  # which imports this file

        return encode(self)

    @cached_property
    def _published(self) -> pl.DataFrame:
        shown = [column.dt.to_string(TIME) for column in self.frame.select(pl.selectors.time()).get_columns()]
        for name in self.policy.sensitive:
            if name in self.binned:
                shown.append(_spread(self.binned[name].labels, self.binned[name].codes))
            elif self.policy.columns[name].kind != "text" and is_text(self.frame[name].dtype):
                found = self.distinct[name]
                shown.append(_spread(pl.Series(name, texts_of(found.values), dtype=pl.String), found.codes))
        return self.frame.with_columns(shown)


def _spread(values: pl.Series, codes: NDArray[np.int32]) -> pl.Series:
    """The value of every row; null for code -1."""
    return values.extend_constant(None, 1).gather(np.where(codes < 0, len(values), codes))
