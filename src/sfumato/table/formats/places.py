"""Places of a file that nobody looks at, and that could hold what was not published.

A table file has many: metadata of fields, dictionaries, statistics, gaps between pages, quotes that are not needed. So
nothing but its cells may decide its bytes: what was read, written again, must give them. Where a kind of file shows
that in another way, nothing is written.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from sfumato.errors import TableError
from sfumato.table.formats import FORMATS, kind_of
from sfumato.table.formats.contract import Format, Reread
from sfumato.table.formats.source import PACKED, START

__all__ = ["hidden_places", "more_than_cells"]


def hidden_places(table: Path, kind: str) -> Iterator[str]:
    """What is wrong with a table file apart from its cells."""
    if table.is_symlink():
        yield f"{table.name}: is a link to a file elsewhere"
    with table.open("rb") as file:
        start = file.read(START)
    begins = FORMATS[kind].begins
    if start.startswith(PACKED) and not (begins and start.startswith(begins)):
        yield f"{table.name}: is compressed, which its document does not say"
    if kind_of(start, f"table{FORMATS[kind].suffix}") != kind:
        yield f"{table.name}: is not the {kind} file that its document says"
    else:
        yield from (f"{table.name}: {problem}" for problem in FORMATS[kind].beside_cells(table))


def more_than_cells(table: Path, kind: str, found: Reread, vouched: bool = False) -> Iterator[str]:
    """Whether the bytes of a table are more than its cells, as they were read.

    `vouched`: the holder's manifest says that they are those that were audited when they were written. Then they need
    not be compared with what another writer makes of the cells.
    """
    format = FORMATS[kind]
    same = format.told_by_cells(found)
    if same or (same is None and _written_again(format, table, found)):
        return
    other = format.other_writer(table)
    if other is None:
        yield (
            f"{table.name}: its bytes are not those that its cells are written with; something may be hidden between"
            " the cells"
        )
    elif not vouched:
        yield f"{table.name}: {other}"


def _written_again(format: Format, table: Path, found: Reread) -> bool:
    """Whether the cells give the same bytes when they are written again; what the sink refuses, it never wrote."""
    with table.open("rb") as file:
        compared = _Compared(file)
        try:
            format.put(found.frame, found.labels, cast(BinaryIO, compared))
        except TableError:
            return False
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
