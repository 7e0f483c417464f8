"""The `Format` of a dialect; what reads and writes it is loaded when it is used."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import polars as pl

from sfumato.errors import TableError
from sfumato.policy.document import Input
from sfumato.table.formats.contract import Format, OpenedFile, Reread
from sfumato.table.formats.extras import SHEETS
from sfumato.table.formats.sink import hashed
from sfumato.table.formats.statistics.dialect import Dialect, library, writer_of
from sfumato.table.labels import NO_LABELS, LabelsOf
from sfumato.table.words import counted

__all__ = ["format_of"]


def format_of(called: str, suffix: str, begins: bytes | tuple[bytes, ...], dialect: Callable[[], Dialect]) -> Format:
    """A kind of file by its dialect."""

    def opened(data: bytes, name: str, settings: Input, lists: Sequence[str] | None) -> OpenedFile:
        from sfumato.table.formats.statistics.read import opened_by

        return opened_by(dialect(), data, name, settings)

    def labelled(frame: pl.DataFrame, labels: LabelsOf, file: BinaryIO) -> None:
        from sfumato.table.formats.statistics.sink import written_by

        written_by(dialect(), frame, labels, file)

    def into(frame: pl.DataFrame, file: BinaryIO) -> None:
        labelled(frame, NO_LABELS, file)

    def reread(file: io.BufferedReader, name: str, lists: Sequence[str]) -> Reread:
        sha256, size = hashed(file)
        return Reread(opened(file.read(), name, Input(), lists).frame(), sha256, size)

    def beside_cells(table: Path) -> Iterator[str]:
        return _beside_cells(dialect(), table)

    def other_writer(table: Path) -> str | None:
        return _other_writer(dialect(), table)

    return Format(
        called=called,
        suffixes=(suffix,),
        opened=opened,
        into=into,
        reread=reread,
        begins=begins,
        beside_cells=beside_cells,
        other_writer=other_writer,
        labelled=labelled,
        extra=SHEETS,
    )


def _beside_cells(dialect: Dialect, table: Path) -> Iterator[str]:
    """Notes and documents in a file; other places show when its cells are written again."""
    from sfumato.table.formats.statistics.read import loaded

    try:
        _, meta = loaded(dialect, table.read_bytes(), table.name, Input(), metadataonly=True)
    except TableError:
        return  # unreadable: the reader says so
    if meta.notes:
        yield f"has {counted(len(meta.notes), 'note')} that are not part of the table"
    if any(meta.missing_ranges.values()):
        yield "declares user-missing values, of which a release has none"


def _other_writer(dialect: Dialect, table: Path) -> str | None:
    """Which other version of the library wrote a file, so that writing its cells here does not give its bytes."""
    from sfumato.table.formats.statistics.read import OWN, loaded

    ours = str(library(dialect.called).__version__)
    _, meta = loaded(dialect, table.read_bytes(), table.name, Input(), metadataonly=True)
    found = OWN.fullmatch(str(meta.file_label or ""))
    if found is None or found[0] == writer_of(ours):
        return None
    return (
        f"was written with pyreadstat {found[1]}, and this is pyreadstat {ours}: whether its bytes are more than its"
        " cells shows only with that version, or by the internal manifest; install it to judge this file"
    )
