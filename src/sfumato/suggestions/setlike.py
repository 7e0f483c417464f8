"""Whether a column holds sets of terms: lists, or texts in which a separator recurs and terms repeat.

A comma also parts a city from its state. There every word has its place; terms of a set stand now here, now there.

>>> told = pl.DataFrame({"value": ["a|b", "b|c", "a|b|c", "c|a"], "rows": [3, 3, 2, 2]})
>>> separated(told)
SetLike(separator='|', different=3, share=1.0)
>>> separated(pl.DataFrame({"value": ["Rome, IT", "Milan, IT", "Nice, FR", "Paris, FR"], "rows": [9, 9, 9, 9]}))
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

__all__ = ["SetLike", "is_list", "listed", "separated"]

# A comma or slash also stands in numbers and dates, so that it parts words only.
_SEPARATORS = {"|": r"\w", ";": r"\w", ",": r"\pL", "/": r"\pL"}
_PARTED = 1 / 3
_OFTEN = 3
_MOVING = 0.5
_WORDY = 0.9


@dataclass(frozen=True)
class SetLike:
    """The separator (None: lists), how many terms differ, and the share of rows that have several."""

    separator: str | None
    different: int
    share: float


def is_list(column: pl.Series) -> bool:
    """Whether its cells are lists of texts."""
    dtype = column.dtype
    return isinstance(dtype, pl.List) and isinstance(dtype.inner, (pl.String, pl.Categorical, pl.Enum, pl.Null))


def listed(column: pl.Series) -> SetLike:
    """What a column of lists holds."""
    lists = column.cast(pl.List(pl.String))
    several = int((lists.list.len() > 1).sum())
    return SetLike(None, lists.explode().drop_nulls().n_unique(), several / max(len(column), 1))


def separated(tally: pl.DataFrame) -> SetLike | None:
    """What texts hold, given each once with its rows; None if they look like no sets."""
    values, rows = tally.to_series(0), tally.to_series(1)
    if values.is_empty() or not isinstance(values.dtype, (pl.String, pl.Categorical, pl.Enum)):
        return None
    texts = values.cast(pl.String)
    found = [terms for separator in _SEPARATORS if (terms := _parted(texts, rows, separator))]
    return max(found, key=lambda terms: terms.share, default=None)


def _parted(texts: pl.Series, rows: pl.Series, separator: str) -> SetLike | None:
    inside = texts.str.contains(separator, literal=True)
    share = int(rows.filter(inside).sum()) / max(int(rows.sum()), 1)
    if share < _PARTED:
        return None
    parts = (
        pl.DataFrame({"cell": pl.int_range(len(texts), eager=True), "rows": rows, "term": texts.str.split(separator)})
        .explode("term")
        .with_columns(pl.col("term").str.strip_chars())
        .with_columns(pl.int_range(pl.len()).over("cell").alias("place"))
        .filter(pl.col("term") != "")
    )
    terms = parts.group_by("term").agg(pl.sum("rows"), pl.col("place").n_unique().alias("places"))
    whole = int(terms["rows"].sum())
    if not whole or whole < _OFTEN * terms.height:
        return None
    moving = int(terms.filter(pl.col("places") > 1)["rows"].sum())
    wordy = int(terms.filter(pl.col("term").str.contains(_SEPARATORS[separator]))["rows"].sum())
    return SetLike(separator, terms.height, share) if moving >= _MOVING * whole and wordy >= _WORDY * whole else None
