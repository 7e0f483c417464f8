"""Parquet: columns with the types that they have.

A table that is none is told apart without what reads and writes one, which is loaded when it is used.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import polars as pl

from sfumato.policy.document import Input
from sfumato.table.formats.contract import Format, OpenedFile, Reread

__all__ = ["PARQUET"]


def _opened(data: bytes, name: str, settings: Input, lists: Sequence[str] | None) -> OpenedFile:
    from sfumato.table.formats.parquet.read import ParquetFile

    return ParquetFile.of(data, name, settings, lists)


def _large(path: Path, name: str, settings: Input, lists: Sequence[str] | None, part: int) -> OpenedFile:
    from sfumato.table.formats.parquet.read import ParquetFile

    return ParquetFile.of(path, name, settings, lists, part)


def _into(frame: pl.DataFrame, file: BinaryIO) -> None:
    from sfumato.table.formats.parquet.sink import into

    into(frame, file)


def _reread(file: io.BufferedReader, name: str, lists: Sequence[str]) -> Reread | None:
    from sfumato.table.formats.parquet.reread import read_back

    return read_back(file, name, lists)


def _beside_cells(table: Path) -> Iterator[str]:
    from sfumato.table.formats.parquet.places import metadata

    return metadata(table)


def _other_writer(table: Path) -> str | None:
    from sfumato.table.formats.parquet.places import other_writer

    return other_writer(table)


PARQUET = Format(
    called="Parquet",
    suffixes=(".parquet",),
    opened=_opened,
    large=_large,
    into=_into,
    reread=_reread,
    begins=b"PAR1",
    lists=True,
    beside_cells=_beside_cells,
    other_writer=_other_writer,
)
