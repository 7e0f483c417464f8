"""Places of a file that nobody looks at, and that could hold what was not published.

A table file has many: metadata of fields, dictionaries, statistics, gaps between pages, quotes that are not needed. So
nothing but its cells may decide its bytes: what was read, written again, must give them. For most CSV files that is
shown by their length, without writing anything.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import polars as pl
import pyarrow as pa

from sfumato.table import sink
from sfumato.table.dictionaries import codes_of, values_of
from sfumato.table.reread import Reread
from sfumato.table.sink import header_line, written

__all__ = ["hidden_places", "more_than_cells"]

_PARQUET = b"PAR1"
_OWN = "parquet-cpp-arrow"
_LIBRARIES = {_OWN: "pyarrow", "Polars (python)": "polars"}
_WRITER = re.compile(
    r"(parquet-cpp-arrow|Polars \(python\)) version ([0-9A-Za-z.-]{1,20})(?: \(build [0-9a-f]{40}\))?", re.ASCII
)
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


def more_than_cells(table: Path, kind: str, found: Reread, vouched: bool = False) -> Iterator[str]:
    """Whether the bytes of a table are more than its cells, as they were read.

    `vouched`: the holder's manifest says that they are those that were audited when they were written. Then they need
    not be compared with what another writer makes of the cells.
    """
    same = _as_long_as_its_cells(found)
    if same or (same is None and _written_again(table, kind, found.frame)):
        return
    made = _WRITER.fullmatch(_writer(table)) if kind == "parquet" else None
    if made is not None and made[0] != _own_writer():
        if vouched:
            return
        library = _LIBRARIES[made[1]]
        ours = library == _LIBRARIES[_OWN]
        which, remedy = ("that version", "; install it to judge this file") if ours else ("the sfumato of then", "")
        yield (
            f"{table.name}: was written with {library} {made[2]}, and this is {_LIBRARIES[_OWN]} {pa.__version__}:"
            f" whether its bytes are more than its cells shows only with {which}, or by the internal manifest{remedy}"
        )
    else:
        yield (
            f"{table.name}: its bytes are not those that its cells are written with; something may be hidden between"
            " the cells"
        )


def _as_long_as_its_cells(found: Reread) -> bool | None:
    """Whether a plain CSV file is as long as its cells are when they are written; None: that does not tell.

    What is more than cells makes a plain file longer, and nothing makes it shorter: blank lines, and quotes around a
    text that needs none. A text that needs them has them: without, its comma or line end would part it, and its quotes
    would stand inside a field. Only a byte order mark before a text could stand there bare, so who finds one, or a
    quote, must compare byte by byte.
    """
    if not found.plain:
        return None
    frame = found.frame
    length = len(header_line(frame.columns)) + frame.height * frame.width
    for column in frame.get_columns():
        texts, codes = values_of(column), codes_of(column)
        if texts.str.contains('"|^\\u{FEFF}').any():
            return None
        rows = np.bincount(codes, minlength=len(texts) + 1)[: len(texts)]
        length += int(written(texts).str.len_bytes().to_numpy() @ rows)
    return length == found.size


def _written_again(table: Path, kind: str, frame: pl.DataFrame) -> bool:
    """Whether the cells give the same bytes when they are written again."""
    with table.open("rb") as file:
        compared = _Compared(file)
        (sink.parquet_into if kind == "parquet" else sink.csv_into)(frame, cast(BinaryIO, compared))
        return compared.same and not file.read(1)


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
    made = io.BytesIO()
    sink.parquet_into(pl.DataFrame({"": [0]}), made)
    return _writer(io.BytesIO(made.getvalue()))
