"""Places of a table file that nobody looks at, and that could hold what was not published."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

__all__ = ["hidden_places"]

_PARQUET = b"PAR1"
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
