"""Places of a file that nobody looks at, and that could hold what was not published.

A table file has many: metadata of fields, dictionaries, statistics, gaps between pages, quotes that are not needed. So
nothing but its cells may decide its bytes: what was read, written again, must give them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import polars as pl

__all__ = ["hidden_places", "more_than_cells"]

_PARQUET = b"PAR1"
_WRITER = re.compile(r"Polars \(python\) version ([0-9a-z.]{1,20}) \(build [0-9a-f]{40}\)", re.ASCII)
_PACKED = (b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")


def hidden_places(table: Path, kind: str) -> Iterator[str]:
    """What is wrong with a table file apart from its cells."""
    if table.is_symlink():
        yield f"{table.name}: is a link to a file elsewhere"
    with table.open("rb") as file:
        start = file.read(6)
    if start.startswith(_PACKED):
        yield f"{table.name}: is compressed, which its document does not say"
    if start.startswith(_PARQUET) != (kind == "parquet"):
        yield f"{table.name}: is not the {kind} file that its document says"
    elif kind == "parquet":
        yield from _metadata(table)


def _metadata(table: Path) -> Iterator[str]:
    import pyarrow.parquet

    try:
        keys = set(pyarrow.parquet.read_metadata(table).metadata or ())
    except (OSError, ValueError):
        return  # unreadable: the reader says so
    if keys - {b"ARROW:schema"}:
        yield f"{table.name}: has {len(keys - {b'ARROW:schema'})} pieces of metadata that are not part of the table"


def more_than_cells(table: Path, kind: str, frame: pl.DataFrame, vouched: bool = False) -> Iterator[str]:
    """Whether the bytes of a table are more than its cells, as they were read.

    `vouched`: the holder's manifest says that they are those that were audited when they were written. Then they need
    not be compared with what another version of the writer makes of the cells.
    """
    from sfumato.table.sink import csv_into, parquet_into

    with table.open("rb") as file:
        compared = _Compared(file)
        (parquet_into if kind == "parquet" else csv_into)(frame, cast(BinaryIO, compared))
        if compared.same and not file.read(1):
            return
    made = _WRITER.fullmatch(_writer(table)) if kind == "parquet" else None
    if made is not None and _writer(table) != _own_writer():
        if vouched:
            return
        yield (
            f"{table.name}: was written with polars {made[1]}, and this is {pl.__version__}: whether its bytes are"
            " more than its cells shows only with that version, or by the internal manifest; install it to judge this"
            " file"
        )
    else:
        yield (
            f"{table.name}: its bytes are not those that its cells are written with; something may be hidden between"
            " the cells"
        )


class _Compared(io.RawIOBase):
    """Takes what is written, and compares it with a file instead of keeping it."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self.file = file
        self.same = True

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        given = bytes(cast(bytes, data))
        self.same = self.same and self.file.read(len(given)) == given
        return len(given)


def _writer(table: Path | BinaryIO) -> str:
    import pyarrow.parquet

    try:
        return str(pyarrow.parquet.read_metadata(table).created_by)
    except (OSError, ValueError):
        return ""


def _own_writer() -> str:
    from sfumato.table.sink import parquet_into

    made = io.BytesIO()
    parquet_into(pl.DataFrame({"": [0]}), made)
    return _writer(io.BytesIO(made.getvalue()))
