"""Columns as dictionaries: every different value once, and a small code per row.

A published table holds its texts so (`polars.Enum`, to others an Arrow dictionary) until a sink writes it. Whoever
looks at texts looks at each different one once, and counts rows by codes. Where texts are many and hardly repeat, a
dictionary would be as long as the column: such a column may be held as texts, and becomes a dictionary when it is asked
to be one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.table.many_texts import encoded, unified
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
    "encoded_texts",
    "from_pieces",
    "hardly_repeats",
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
_REPEATED = 4
"""Rows that a text has on average where many of them are held as a dictionary, at least."""


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
    """The column of which row i has ``values[codes[i]]``; a dictionary if these are texts, be they in use or not, or
    texts if these are many and hardly repeat.

    Numbers, dates and truth values are as short as codes, and stay what they are.
    """
    if not is_text(values.dtype):
        return values.gather(codes).alias(name)
    texts = values.cast(pl.String)
    if _hardly_repeat(texts, codes):
        return _gathered(name, codes, texts)
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
    if sum(len(own) for _, own in pieces) > _FEW:
        places, texts = unified([own for _, own in pieces])
    else:
        texts = pl.concat([pl.Series(dtype=pl.String), *_texts_of(pieces)]).unique().drop_nulls().sort()
        places = [_places(own, texts) for own in _texts_of(pieces)]
    codes, at = np.empty(sum(len(part) for part, _ in pieces), dtype=np.min_scalar_type(len(texts))), 0
    for (part, _), place in zip(pieces, places, strict=True):
        codes[at : at + len(part)] = place.astype(codes.dtype)[part]
        at += len(part)
    return _held(name, codes, texts)


def _texts_of(pieces: Sequence[Piece]) -> list[pl.Series]:
    return [series(own).cast(pl.String) for _, own in pieces]


def _places(own: pl.Series, texts: pl.Series) -> NDArray[np.int64]:
    """Where some texts stand among all, and last the code of a missing one."""
    found = own.cast(pl.Enum(texts)).to_physical().cast(pl.Int64).fill_null(len(texts))
    return np.append(found.to_numpy(), len(texts))


def _held(name: str, codes: Coded, texts: pl.Series) -> pl.Series:
    """The column with these codes into different texts: as a dictionary, unless they are many and hardly repeat."""
    return _gathered(name, codes, texts) if _hardly_repeat(texts, codes) else dictionary(name, codes, texts)


def _hardly_repeat(texts: pl.Series, codes: Coded) -> bool:
    return _rare(len(texts), len(codes))


def _rare(different: int, rows: int) -> bool:
    return different > _FEW and rows < _REPEATED * different


def hardly_repeats(column: pl.Series) -> bool:
    """Whether the texts of a column are many and hardly repeat; that follows from its cells, however it is held."""
    if isinstance(column.dtype, pl.Enum):
        size = len(values_of(column))
        return size > _FEW and _rare(int(_used(codes_of(column), size).sum()), len(column))
    return len(column) > _FEW and _rare(column.n_unique() - bool(column.null_count()), len(column))


def _gathered(name: str, codes: Coded, texts: pl.Series) -> pl.Series:
    return pl.concat([texts, pl.Series([None], dtype=pl.String)]).gather(codes).alias(name)


def encoded_texts(column: pl.Series) -> tuple[Coded, pl.Series]:
    """The code of every row of a column of texts, however it is held, and its different texts in ascending order."""
    if isinstance(column.dtype, pl.String) and len(column) > _FEW:
        return encoded(column)
    made = tidy(column)
    return codes_of(made), values_of(made)


def unstacked(column: pl.Series) -> Piece | pl.Series:
    """A column of texts as codes and texts; another as it is."""
    if not is_text(column.dtype):
        return column
    if isinstance(column.dtype, pl.String):
        return piece(column.to_arrow().dictionary_encode())
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
        if len(column) > _FEW:
            return dictionary(column.name, *encoded(column.cast(pl.String)))
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
    """The same, by way of what Arrow does with many texts at a time."""
    place, different = encoded(texts)
    made = _small(np.append(place, len(different)), len(different))[codes]
    return _held(name, made, different)


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
