"""What the cells of a table are, whatever order its rows stand in: a table in a database has none.

A file is known by the SHA-256 of its bytes. A table in a database has no bytes of its own: it is known by the SHA-256
of the CSV file that its rows would make if they were sorted, cell by cell from the first column on, by the bytes of
their texts, missing values last.
"""

from __future__ import annotations

import hashlib
import io
from typing import BinaryIO, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.table.dictionaries import codes_of, dictionary_of
from sfumato.table.formats import FORMATS, PLAIN

__all__ = ["cells_sha256", "sorted_rows"]

_JOINT = "\x1f"


def sorted_rows(frame: pl.DataFrame) -> NDArray[np.int64]:
    """The rows in the order of their cells; rows with the same cells stay in the order that they have."""
    return _order(_coded(frame))


def cells_sha256(frame: pl.DataFrame) -> str:
    """The SHA-256 of the cells, in hexadecimal.

    >>> one, other = pl.DataFrame({"a": [1, 2], "b": ["x", None]}), pl.DataFrame({"a": [2, 1], "b": [None, "x"]})
    >>> cells_sha256(one) == cells_sha256(other) == hashlib.sha256(b"a,b\\n1,x\\n2,\\n").hexdigest()
    True
    """
    coded = _coded(frame)
    digest = _Digest()
    FORMATS[PLAIN].into(coded[_order(coded)], cast(BinaryIO, digest))
    return digest.sha256.hexdigest()


def _coded(frame: pl.DataFrame) -> pl.DataFrame:
    return pl.DataFrame([dictionary_of(_single(column)) for column in frame.get_columns()])


def _single(column: pl.Series) -> pl.Series:
    return column.list.join(_JOINT) if isinstance(column.dtype, pl.List) else column


def _order(coded: pl.DataFrame) -> NDArray[np.int64]:
    return np.lexsort([codes_of(column) for column in reversed(coded.get_columns())]).astype(np.int64)


class _Digest(io.RawIOBase):
    """Takes what is written, and keeps its SHA-256 alone."""

    def __init__(self) -> None:
        super().__init__()
        self.sha256 = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        given = memoryview(cast(bytes, data)).cast("B")
        self.sha256.update(given)
        return len(given)
