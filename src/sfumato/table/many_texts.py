"""Many different texts, told apart and put in order by Arrow, which takes a fraction of what an Enum of them would.

Missing values have the code behind all texts. Texts are in the order of their bytes, as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.table.positions import positions, series

__all__ = ["encoded", "unified"]

Places: TypeAlias = NDArray[np.int64]


def encoded(column: pl.Series) -> tuple[Places, pl.Series]:
    """The code of every cell of a column of texts, and its different texts in ascending order.

    >>> codes, texts = encoded(pl.Series(["b", None, "a", "b"]))
    >>> codes.tolist(), texts.to_list()
    ([1, 2, 0, 1], ['a', 'b'])
    """
    found = column.to_arrow().dictionary_encode()
    rank, texts = _ascending(found.dictionary)
    return rank[positions(found, len(texts))], texts


def unified(dictionaries: Sequence[pa.Array]) -> tuple[list[Places], pl.Series]:
    """The different texts of several dictionaries in ascending order, and where those of each stand among them; behind
    the last of each comes the code of a missing value.

    >>> places, texts = unified([pa.array(["b", "a"]), pa.array(["c", None, "a"])])
    >>> [each.tolist() for each in places], texts.to_list()
    ([[1, 0, 3], [2, 3, 0, 3]], ['a', 'b', 'c'])
    """
    there = [each.is_valid().to_numpy(zero_copy_only=False) for each in dictionaries]
    known = [each.drop_null() if each.null_count else each for each in dictionaries]
    chunks = [_itself(each.cast(pa.large_string())) for each in known]
    together = pa.chunked_array(chunks, _KIND).unify_dictionaries()
    whole = together.chunk(0).dictionary if len(dictionaries) else pa.array([], pa.large_string())
    rank, texts = _ascending(whole)
    places = []
    for valid, chunk in zip(there, together.chunks, strict=True):
        made = np.full(len(valid) + 1, len(texts), dtype=np.int64)
        made[:-1][valid] = rank[positions(chunk, len(texts))]
        places.append(made)
    return places, texts


_KIND = pa.dictionary(pa.int32(), pa.large_string())


def _itself(texts: pa.Array) -> pa.DictionaryArray:
    """A dictionary as a column of which every row has another text."""
    return pa.DictionaryArray.from_arrays(pa.array(np.arange(len(texts), dtype=np.int32)), texts)


def _ascending(texts: pa.Array) -> tuple[Places, pl.Series]:
    """The place of each of different texts in ascending order, and last that of a missing one; and that order."""
    import pyarrow.compute as pc  # a tenth of a second that few texts do not need

    order = pc.array_sort_indices(texts).to_numpy()
    rank = np.empty(len(order) + 1, dtype=np.int64)
    rank[order] = np.arange(len(order))
    rank[-1] = len(order)
    return rank, series(texts.take(pa.array(order))).cast(pl.String)
