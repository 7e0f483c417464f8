"""What a Parquet file can hold besides its cells, and who wrote it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import polars as pl
import pyarrow as pa

from sfumato.table.formats.parquet.sink import into

__all__ = ["metadata", "other_writer"]

_OWN = "parquet-cpp-arrow"
_LIBRARIES = {_OWN: "pyarrow", "Polars (python)": "polars"}
_WRITER = re.compile(
    r"(parquet-cpp-arrow|Polars \(python\)) version ([0-9A-Za-z.-]{1,20})(?: \(build [0-9a-f]{40}\))?", re.ASCII
)


def metadata(table: Path) -> Iterator[str]:
    """Metadata that is not part of the table."""
    import pyarrow.parquet as pq

    try:
        keys = set(pq.read_metadata(table).metadata or ())
    except (OSError, ValueError):
        return  # unreadable: the reader says so
    if keys - {b"ARROW:schema"}:
        yield f"has {len(keys - {b'ARROW:schema'})} pieces of metadata that are not part of the table"


def other_writer(table: Path) -> str | None:
    """Which other library or version wrote a file, so that writing its cells here does not give its bytes."""
    made = _WRITER.fullmatch(_writer(table))
    if made is None or made[0] == _own_writer():
        return None
    library = _LIBRARIES[made[1]]
    ours = library == _LIBRARIES[_OWN]
    which, remedy = ("that version", "; install it to judge this file") if ours else ("the sfumato of then", "")
    return (
        f"was written with {library} {made[2]}, and this is {_LIBRARIES[_OWN]} {pa.__version__}:"
        f" whether its bytes are more than its cells shows only with {which}, or by the internal manifest{remedy}"
    )


def _writer(table: Path | BinaryIO) -> str:
    import pyarrow.parquet as pq

    try:
        return str(pq.read_metadata(table).created_by)
    except (OSError, ValueError):
        return ""


def _own_writer() -> str:
    made = io.BytesIO()
    into(pl.DataFrame({"": [0]}), made)
    return _writer(io.BytesIO(made.getvalue()))
