"""Write tables: CSV and Parquet, synced to disk before the call returns.

CSV is UTF-8 without a byte order mark, lines end with LF, fields are quoted as RFC 4180 says and only where needed. A
missing value is an empty field, an empty text is ``""``. Who may read the file is the caller's to set.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import polars as pl

from sfumato.table.types import is_text

__all__ = ["csv_into", "parquet_into", "write_csv", "write_parquet"]

_ROWS_AT_ONCE = 1 << 18
_QUOTED = r'[",\r\n]|^$|^\u{FEFF}'


def write_csv(frame: pl.DataFrame, path: str | Path) -> None:
    """Write a frame as CSV."""
    with _written(Path(path)) as file:
        csv_into(frame, file)


def write_parquet(frame: pl.DataFrame, path: str | Path) -> None:
    """Write a frame as Parquet, column types kept."""
    with _written(Path(path)) as file:
        parquet_into(frame, file)


def csv_into(frame: pl.DataFrame, file: BinaryIO) -> None:
    """The frame as CSV: the same bytes for the same cells."""
    names = pl.DataFrame([pl.Series(str(at), [name]) for at, name in enumerate(frame.columns)])
    _write_rows(names, file)
    for part in frame.iter_slices(_ROWS_AT_ONCE):
        _write_rows(part, file)


def parquet_into(frame: pl.DataFrame, file: BinaryIO) -> None:
    """The frame as Parquet: the same bytes for the same cells, however they lie in memory, of one version of polars."""
    frame.rechunk().write_parquet(file)


@contextlib.contextmanager
def _written(path: Path) -> Iterator[BinaryIO]:
    """A file that is on disk when the block ends; `OSError` with its name and reason if it could not get there."""
    with path.open("wb") as file:
        try:
            yield file
        except (OSError, pl.exceptions.ComputeError) as error:
            if getattr(error, "strerror", None):
                raise
            raise OSError(errno.EIO, "cannot be written; is the disk full?", str(path)) from None
        _sync(file)


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _write_rows(frame: pl.DataFrame, file: BinaryIO) -> None:
    plain = frame.clone()  # a column called ^a.*$ would be taken for a pattern
    plain.columns = [str(at) for at in range(frame.width)]
    cells = plain.select(_cell(name, dtype) for name, dtype in plain.schema.items())
    cells.write_csv(file, include_header=False, quote_style="never", null_value="", line_terminator="\n")


def _cell(name: str, dtype: pl.DataType) -> pl.Expr:
    """The column as text that stands in the file as it is."""
    text = pl.col(name).cast(pl.String)
    if not is_text(dtype):
        return text
    quoted = '"' + text.str.replace_all('"', '""', literal=True) + '"'
    return pl.when(text.str.contains(_QUOTED)).then(quoted).otherwise(text).alias(name)
