"""The taxonomy of a column, as its policy asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from sfumato.policy.columns import (
    BalancedHierarchy,
    Column,
    DatesHierarchy,
    FileHierarchy,
    IntervalsHierarchy,
    MaskHierarchy,
    PrefixHierarchy,
    ReadyHierarchy,
    TreeHierarchy,
)
from sfumato.taxonomy.check import SeenValues, Source, require_covered, require_distinct
from sfumato.taxonomy.explain import explain
from sfumato.taxonomy.files import read_file
from sfumato.taxonomy.flat import flat
from sfumato.taxonomy.text import text_of, texts_of
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["build", "explain", "text_of"]


def build(name: str, column: Column, values: pl.Series, base: Path, seen: SeenValues | None = None) -> Taxonomy | None:
    """The tree over a column's base values, or None if it has none.

    `values` are the distinct values in ascending order, without null, typed as the column (String, Int64, Float64,
    Date). Leaves are labelled by `text_of` of their value. A hierarchy from a file or the policy keeps all its
    leaves, present or not; one made from data has the values given, and there is none without any. `base` is the
    folder of hierarchy files. `seen` weighs the values for `balanced` and lets errors count rows.
    """
    written = _written(name, column, base)
    if written is not None:
        require_covered(written.taxonomy, texts_of(values), written.source, seen)
        return written.taxonomy
    if column.hierarchy is None or values.is_empty():
        return None
    source = Source(name)
    taxonomy = _made(column, values, source, seen)
    require_distinct(taxonomy, source)
    return taxonomy


@dataclass(frozen=True)
class _Written:
    taxonomy: Taxonomy
    source: Source


def _written(name: str, column: Column, base: Path) -> _Written | None:
    """The tree that somebody wrote, in a file or in the policy."""
    given = column.hierarchy
    if isinstance(given, FileHierarchy):
        source = Source(name, base / given.file)
        found = read_file(base / given.file, given.header, given.format, name)
    elif isinstance(given, TreeHierarchy):
        from sfumato.taxonomy.nested import tree

        source = Source(name)
        found = tree(given.tree, source)
    else:
        return None
    return _Written(found.typed(column.kind, source).taxonomy(), source)


def _made(column: Column, values: pl.Series, source: Source, seen: SeenValues | None) -> Taxonomy:
    """The tree made from the data. What makes it is loaded where it is asked for: a table has few kinds of trees."""
    match column.hierarchy:
        case IntervalsHierarchy(intervals=widths, origin=origin):
            from sfumato.taxonomy.intervals import bands, intervals

            if column.kind == "text":
                return bands(texts_of(values), widths, origin, source)
            _require_type(column, ("integer", "number"), "intervals", source)
            return intervals(values.to_list(), widths, origin, source)
        case MaskHierarchy(mask=side):
            from sfumato.taxonomy.masks import masks

            return masks(texts_of(values), side, source)
        case DatesHierarchy(dates=units):
            from sfumato.taxonomy.dates import dates

            _require_type(column, ("date",), "dates", source)
            return dates(values.to_list(), units, source)
        case PrefixHierarchy(prefix=lengths):
            from sfumato.taxonomy.prefixes import prefixes

            _require_type(column, ("text",), "prefixes", source)
            return prefixes(texts_of(values), lengths, source)
        case ReadyHierarchy(ready=known, unknown=unknown):
            from sfumato.taxonomy.readymade import readymade

            return readymade(values.to_list(), known, column.kind, unknown, source, seen)
        case BalancedHierarchy(balanced=settings):
            from sfumato.taxonomy.balanced import balanced

            return balanced(values.to_list(), seen.counts if seen is not None else None, settings.fanout, source)
        case _:
            return flat(texts_of(values))


def _require_type(column: Column, allowed: tuple[str, ...], what: str, source: Source) -> None:
    if column.kind not in allowed:
        raise source.error(f"{what} need the column's type: {' or '.join(allowed)}")
