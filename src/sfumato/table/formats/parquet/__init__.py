"""Parquet: columns with the types that they have."""

from __future__ import annotations

from sfumato.table.formats.contract import Format
from sfumato.table.formats.parquet.places import metadata, other_writer
from sfumato.table.formats.parquet.read import ParquetFile
from sfumato.table.formats.parquet.reread import read_back
from sfumato.table.formats.parquet.sink import into

__all__ = ["PARQUET"]

PARQUET = Format(
    called="Parquet",
    suffixes=(".parquet",),
    opened=ParquetFile.of,
    into=into,
    reread=read_back,
    begins=b"PAR1",
    lists=True,
    beside_cells=metadata,
    other_writer=other_writer,
)
