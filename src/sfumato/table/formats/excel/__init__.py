"""Excel workbooks (.xlsx): cells with the types that they have, of one sheet.

Any workbook is read; one of a single plain sheet is written, by a writer of our own: nothing but cells is in it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import polars as pl

from sfumato.policy.document import Input
from sfumato.table.formats.contract import Format, OpenedFile, Reread

__all__ = ["EXCEL"]


def _opened(data: bytes, name: str, settings: Input, lists: Sequence[str] | None) -> OpenedFile:
    from sfumato.table.formats.excel.read import Workbook

    return Workbook.of(data, name, settings)


def _into(frame: pl.DataFrame, file: BinaryIO) -> None:
    from sfumato.table.formats.excel.sink import into

    into(frame, file)


def _reread(file: io.BufferedReader, name: str, lists: Sequence[str]) -> Reread | None:
    from sfumato.table.formats.excel.own import read_back

    return read_back(file)


def _beside_cells(table: Path) -> Iterator[str]:
    from sfumato.table.formats.excel.own import beside_cells

    return beside_cells(table)


EXCEL = Format(
    called="Excel",
    suffixes=(".xlsx",),
    opened=_opened,
    into=_into,
    reread=_reread,
    begins=b"PK\x03\x04",
    beside_cells=_beside_cells,
)
