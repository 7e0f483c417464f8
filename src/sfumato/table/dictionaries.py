"""Columns as dictionaries: every different value once, and a small code per row.

A published table holds its texts so (`polars.Enum`, to others an Arrow dictionary) until a sink writes it. Whoever
looks at texts looks at each different one once, and counts rows by codes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.table.positions import positions, series
from sfumato.table.types import TIME, is_text

__all__ = [
    "Coded",
    "Piece",
    "as_dictionaries",
    "as_texts",
    "as_written",
    "codes_of",
    "column_of",
    "dictionary",
    "dictionary_of",
    "from_pieces",
    "mapped",
    "merged",
    "piece",
    "stacked",
    "tidy",
    "unstacked",
    "values_of",
]

Coded = NDArray[np.integer[Any]]

Piece: TypeAlias = tuple[Coded, pa.Array]
"""Codes of some rows and the texts that they stand for; a code behind them is a missing value."""

_AT_FIRST = 1 << 16
_FEW = 1 << 12


def as_dictionaries(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with every column of texts as a dictionary of the texts that occur; other columns as they are."""
    return pl.DataFrame([tidy(column) if is_text(column.dtype) else column for column in frame.get_columns()])


def as_texts(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with a text in every cell of a dictionary: for who does not know dictionaries."""
    return frame.with_columns(pl.selectors.by_dtype(pl.Enum).cast(pl.String))


def dictionary(name: str, codes: Coded, texts: pl.Series) -> pl.Series:
    """The column with these codes into different texts; a code that is the number of texts is a missing value."""
    rows, missing = pl.Series(name, _small(codes, len(texts))), codes == len(texts)
    rows = rows.set(pl.Series(missing), None) if missing.any() else rows
    return rows.cat.to(pl.Enum(texts))


def column_of(name: str, codes: Coded, values: pl.Series) -> pl.Series:
    """The column of which row i has ``values[codes[i]]``; a dictionary if these are texts, be they in use or not.

    Numbers, dates and truth values are as short as codes, and stay what they are.
    """
    if not is_text(values.dtype):
        return values.gather(codes).alias(name)
    texts = values.cast(pl.String)
    return merged(name, codes, texts.to_list()) if len(texts) <= _FEW else _merged_many(name, codes, texts)


def values_of(column: pl.Series) -> pl.Series:
    """The different texts of a dictionary, in the order of their codes."""
    return cast(pl.Enum, column.dtype).categories


def codes_of(column: pl.Series) -> Coded:
    """The code of every row of a dictionary; a missing value has the number of texts, which always fits."""
    codes = column.to_physical()
    return (codes.fill_null(len(values_of(column))) if codes.null_count() else codes).to_numpy()


def mapped(column: pl.Series, change: Callable[[str], str | None]) -> pl.Series:
    """A dictionary with every text changed; those that become the same are one, and None is a missing value."""
    before = values_of(column).to_list()
    after = [change(text) for text in before]
    return column if after == before else merged(column.name, codes_of(column), after)


def dictionary_of(column: pl.Series) -> pl.Series:
    """The dictionary of any column of single values: texts as a CSV file would show them."""
    if is_text(column.dtype):
        return tidy(column)
    if isinstance(column.dtype, pl.Null):
        return dictionary(column.name, np.zeros(len(column), dtype=np.uint8), pl.Series([], dtype=pl.String))
    try:
        coded = column.to_arrow().dictionary_encode()
    except pa.ArrowException:  # a type that Arrow cannot tell apart
        return tidy(as_written(column))
    size = len(coded.dictionary)
    codes = positions(coded, size)
    shown = series(coded.dictionary).cast(column.dtype)
    return merged(column.name, codes, as_written(shown).to_list())


def piece(column: pa.DictionaryArray) -> Piece:
    """Rows that Arrow has as a dictionary."""
    size = len(column.dictionary)
    return positions(column, size).astype(np.min_scalar_type(size)), column.dictionary


def from_pieces(name: str, pieces: Sequence[Piece]) -> pl.Series:
    """The column whose rows stand in pieces, each with codes into texts of its own."""
    texts = _all_texts([own for _, own in pieces])
    size, at, kind = len(texts), 0, pl.Enum(texts)
    codes = np.empty(sum(len(part) for part, _ in pieces), dtype=np.min_scalar_type(size))
    for part, own in pieces:
        places = series(own).cast(pl.String).cast(kind).to_physical().cast(pl.Int64).fill_null(size).to_numpy()
        codes[at : at + len(part)] = np.append(places, size).astype(codes.dtype)[part]
        at += len(part)
    return dictionary(name, codes, texts)


def _all_texts(pieces: Sequence[pa.Array]) -> pl.Series:
    """The different texts of several dictionaries, in order; those of many are put together a few at a time."""
    known, waiting, size = pl.Series(dtype=pl.String), [], 0
    for number, own in enumerate(pieces, 1):
        waiting.append(series(own).cast(pl.String))
        size += len(own)
        if size > max(len(known), _AT_FIRST) or number == len(pieces):
            known, waiting, size = pl.concat([known, *waiting]).unique(), [], 0
    return known.drop_nulls().sort()


def unstacked(column: pl.Series) -> Piece | pl.Series:
    """A column of texts as codes and texts; another as it is."""
    if not is_text(column.dtype):
        return column
    held = tidy(column)
    return codes_of(held), values_of(held).to_arrow()


def stacked(name: str, columns: Sequence[Piece | pl.Series]) -> pl.Series:
    """Columns below one another, each as codes and texts, or all with another type."""
    pieces = [each for each in columns if not isinstance(each, pl.Series)]
    if len(pieces) == len(columns):
        return from_pieces(name, pieces)
    others = [each for each in columns if isinstance(each, pl.Series)]
    return pl.concat([*others, *(from_pieces(name, [each]).cast(pl.String) for each in pieces)]).alias(name)


def tidy(column: pl.Series) -> pl.Series:
    """A column of texts as the dictionary of those that occur, in ascending order.

    So the same cells have the same dictionary, wherever they come from.
    """
    if not isinstance(column.dtype, pl.Enum):
        return column.cast(pl.Enum(column.unique().drop_nulls().cast(pl.String).sort()))
    texts, codes = values_of(column), codes_of(column)
    used = _used(codes, len(texts))
    if used.all() and texts.is_sorted():
        return column
    told, rank = _ranked(texts.filter(pl.Series(used)))
    place = np.full(len(texts) + 1, len(told), dtype=np.int64)
    place[:-1][used] = rank
    return dictionary(column.name, _small(place, len(told))[codes], told)


def merged(name: str, codes: Coded, texts: Sequence[str | None]) -> pl.Series:
    """The column with these codes into texts of which some may be the same, and None missing, as is the code behind."""
    different = sorted({text for text in texts if text is not None})
    code_of = {text: code for code, text in enumerate(different)}
    place = [len(different) if text is None else code_of[text] for text in (*texts, None)]
    made = _small(np.array(place, dtype=np.int64), len(different))[codes]
    return dictionary(name, made, pl.Series(different, dtype=pl.String))


def _merged_many(name: str, codes: Coded, texts: pl.Series) -> pl.Series:
    """The same, by way of what polars does with many texts at a time."""
    different = texts.drop_nulls().unique().sort()
    place = texts.cast(pl.Enum(different)).to_physical().cast(pl.Int64).fill_null(len(different)).to_numpy()
    made = _small(np.append(place, len(different)), len(different))[codes]
    return dictionary(name, made, different)


def _ranked(texts: pl.Series) -> tuple[pl.Series, NDArray[np.int64]]:
    """Different texts in ascending order, and the place of each of them there."""
    order = texts.arg_sort().to_numpy()
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return texts.gather(order), rank


def as_written(column: pl.Series) -> pl.Series:
    """Values as a CSV file would show them; a plain cast drops the fraction of a second."""
    return column.dt.to_string(TIME) if column.dtype == pl.Time else column.cast(pl.String)


def _used(codes: Coded, size: int) -> NDArray[np.bool_]:
    """Which codes some row has; it stops when all are seen."""
    used = np.zeros(size + 1, dtype=np.bool_)
    used[-1] = True
    start, stop = 0, _AT_FIRST
    while start < len(codes) and not used.all():
        used[codes[start:stop]] = True
        start, stop = stop, 4 * stop
    return used[:-1]


def _small(codes: Coded, largest: int) -> Coded:
    """Codes up to a largest one, in as few bytes as a dictionary has."""
    return codes.astype(np.min_scalar_type(largest), copy=False)
