"""Write tables: CSV and Parquet, synced to disk before the call returns.

CSV is UTF-8 without a byte order mark, lines end with LF, fields are quoted as RFC 4180 says and only where needed. A
missing value is an empty field, an empty text is ``""``. Parquet says of texts that they are texts; each row group has
a dictionary of those that occur in it. A column of texts goes from its dictionary into the file: there is never a text
per row. Who may read the file is the caller's to set.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import hashlib
import io
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from sfumato.table.dictionaries import codes_of, dictionary, tidy, values_of
from sfumato.table.types import is_text

__all__ = ["csv_into", "header_line", "parquet_into", "write_csv", "write_parquet", "written"]

_ROWS_AT_ONCE = 1 << 18
_ROWS_IN_GROUP = 1 << 20
_MAYBE_FULL = (errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_QUOTED = r'[",\r\n]|^$|^\u{FEFF}'


def write_csv(frame: pl.DataFrame, path: str | Path) -> str:
    """Write a frame as CSV; answers the SHA-256 of its bytes."""
    with _written(Path(path)) as file:
        csv_into(frame, cast(BinaryIO, file))
    return file.sha256


def write_parquet(frame: pl.DataFrame, path: str | Path) -> str:
    """Write a frame as Parquet, column types kept; answers the SHA-256 of its bytes."""
    with _written(Path(path)) as file:
        parquet_into(frame, cast(BinaryIO, file))
    return file.sha256


def csv_into(frame: pl.DataFrame, file: BinaryIO) -> None:
    """The frame as CSV: the same bytes for the same cells."""
    file.write(header_line(frame.columns))
    columns = [_cells(column).alias(str(at)) for at, column in enumerate(frame.get_columns())]
    for part in pl.DataFrame(columns).iter_slices(_ROWS_AT_ONCE):
        rows = part.with_columns((~pl.selectors.enum()).cast(pl.String))
        rows.write_csv(file, include_header=False, quote_style="never", null_value="", line_terminator="\n")


def header_line(names: Sequence[str]) -> bytes:
    """The first line of a CSV file."""
    return (",".join(written(pl.Series(names, dtype=pl.String))) + "\n").encode()


def written(texts: pl.Series) -> pl.Series:
    """Texts as they stand in a CSV file.

    >>> written(pl.Series(["plain", "a,b", '5" disk', ""])).to_list()
    ['plain', '"a,b"', '"5"" disk"', '""']
    """
    text = pl.lit(texts)
    quoted = '"' + text.str.replace_all('"', '""', literal=True) + '"'
    return pl.select(pl.when(text.str.contains(_QUOTED)).then(quoted).otherwise(text)).to_series()


def parquet_into(frame: pl.DataFrame, file: BinaryIO) -> None:
    """The frame as Parquet: the same bytes for the same cells, however they lie in memory, with one pyarrow."""
    whole = frame.rechunk()
    first = _arrow(whole[:_ROWS_IN_GROUP])
    with pq.ParquetWriter(file, first.schema, compression="zstd", store_schema=False) as writer:
        for start in range(0, max(whole.height, 1), _ROWS_IN_GROUP):
            writer.write_table(_arrow(whole[start : start + _ROWS_IN_GROUP]) if start else first)
        if any(pa.types.is_timestamp(field.type) and field.type.tz for field in first.schema):
            writer.add_key_value_metadata({"ARROW:schema": _zones(first.schema)})


def _zones(given: pa.Schema) -> bytes:
    """Metadata that keeps time zones, for which Parquet has no word of its own; texts are texts in it too."""
    types = [pa.string() if pa.types.is_dictionary(field.type) else field.type for field in given]
    plain = pa.schema([pa.field(name, kind) for name, kind in zip(given.names, types, strict=True)])
    return base64.b64encode(plain.serialize())


def _arrow(frame: pl.DataFrame) -> pa.Table:
    """Texts as dictionaries of those that occur, in ascending order; no metadata."""
    columns = [_coded(column) if is_text(column.dtype) else column.to_arrow() for column in frame.get_columns()]
    return pa.table(columns, names=frame.columns)


def _coded(column: pl.Series) -> pa.DictionaryArray:
    coded = tidy(column).to_arrow()
    return pa.DictionaryArray.from_arrays(coded.indices.cast(pa.int32()), coded.dictionary)


class _Hashed(io.RawIOBase):
    """Passes what is written on to a file, and has its SHA-256."""

    def __init__(self, file: io.FileIO) -> None:
        super().__init__()
        self.file = file
        self.digest = hashlib.sha256()

    @property
    def sha256(self) -> str:
        return self.digest.hexdigest()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        given = memoryview(cast(bytes, data)).cast("B")
        self.digest.update(given)
        done = 0
        while done < len(given):  # a file without a buffer may take less than it is given
            done += self.file.write(given[done:])
        return done


@contextlib.contextmanager
def _written(path: Path) -> Iterator[_Hashed]:
    """A file that is on disk when the block ends; `OSError` with its name and reason if it could not get there."""
    with path.open("wb", buffering=0) as file:
        try:
            yield _Hashed(file)
            os.fsync(file.fileno())
        except (OSError, pl.exceptions.ComputeError, pa.ArrowException) as error:
            number = getattr(error, "errno", None) or errno.EIO
            if number not in _MAYBE_FULL:
                raise
            raise OSError(number, "cannot be written; is the disk full?", str(path)) from None


def _cells(column: pl.Series) -> pl.Series:
    """A column of texts with every one as it stands in the file; others as they are."""
    if not is_text(column.dtype):
        return column
    coded = tidy(column)
    return dictionary(column.name, codes_of(coded), written(values_of(coded)))
