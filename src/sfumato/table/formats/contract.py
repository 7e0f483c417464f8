"""What a kind of table file is to everybody else: a frozen `Format`, one for each kind.

Its readers and its sink keep one promise together: what the sink writes of a frame, `reread` and `opened` read back
with the same cells, and the same cells give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol, TypeAlias, cast, runtime_checkable

import polars as pl

from sfumato.policy.document import Input
from sfumato.progress import Progress
from sfumato.table.arrow import Raw
from sfumato.table.distinct import Distinct, Distincts
from sfumato.table.formats.sink import on_disk
from sfumato.table.labels import NO_LABELS, LabelsOf
from sfumato.table.origin import Origin

__all__ = ["CountedSource", "Format", "OpenedFile", "Record", "Reread", "RowSource"]

Record: TypeAlias = tuple[int, Sequence[str]]
"""The line, from 1, that a record begins on, and its fields."""


class OpenedFile(Protocol):
    """A source whose columns are known, and whose rows are still to be read; `name` is what messages call it."""

    @property
    def name(self) -> str: ...

    @property
    def names(self) -> Sequence[str]: ...

    def parts(self, wanted: Sequence[str]) -> Iterator[tuple[Raw, Origin]]:
        """Some columns, at least one, of all rows, part after part; texts by dictionaries where that can be.

        Nothing of a part holds on to the source. What is said of its origin with the last part holds for all.
        """
        ...

    def frame(self) -> pl.DataFrame:
        """All columns with the types that they have; what has none is text."""
        ...


class RowSource(Protocol):
    """Rows that are not held here, and are asked for as often as they are wanted."""

    @property
    def store(self) -> str:
        """Who keeps their codes: one of `stores/registry.py`."""
        ...

    def columns(self, progress: Progress, most: int | None) -> tuple[Mapping[str, Distinct], Origin]:
        """Every column by itself: an entry for each of its different values, of which all may take so many bytes."""
        ...


@runtime_checkable
class CountedSource(Protocol):
    """A source that counts its rows by itself, so that no more than different ones come from it."""

    @property
    def name(self) -> str: ...

    @property
    def names(self) -> Sequence[str]: ...

    def counted(
        self, wanted: Sequence[str], apart: bool, progress: Progress, most: Callable[[int], int] | None = None
    ) -> tuple[Distincts, Origin]:
        """Some columns, at least one, of all rows: equal rows as one entry; each by itself if they stay apart.

        `most` says how many entries of so many columns may be held here; `TooManyRows` if there are more.
        """
        ...

    def apart(self, wanted: Sequence[str]) -> RowSource:
        """The same columns of rows that stay where they are."""
        ...


@dataclass(frozen=True, eq=False)
class Reread:
    """A table file, read.

    frame    columns of texts may be dictionaries; all others have their own types
    sha256   of its bytes, of which there are `size`
    plain    its reader found its bytes to be such as the sink writes, as far as `told_by_cells` needs to know
    labels   what its document says that columns and values are called, besides
    """

    frame: pl.DataFrame
    sha256: str
    size: int
    plain: bool = False
    labels: LabelsOf = field(default_factory=dict)


def _nothing(path: Path) -> Iterator[str]:
    return iter(())


def _unknown(given: object) -> None:
    return None


@dataclass(frozen=True, eq=False)
class Format:
    """One kind of table file.

    called         in words, as messages have it
    suffixes       how the names of such files end; a file that is written has the first
    opened         bytes, what messages call them, how they are to be read, and columns that may hold lists of texts
                   (None: any), to columns; `TableError` if they are not those of a table
    into           a frame into an open file: nothing but the cells decides the bytes
    reread         a file that the sink may have written, what messages call it and columns that may hold lists, by
                   blocks if the kind allows; None: it is written otherwise, and is to be opened as that of a stranger
    begins         what every file of the kind begins with, or one of several; empty: nothing, it is known by its name
    lists          whether a cell can be a list of texts
    written        how a stranger's file has to be read to find in it what the sink writes
    beside_cells   what is wrong in places of a file that are no cells, in words
    told_by_cells  whether the bytes are no more than the cells, as far as that shows without writing them again
    other_writer   why writing the cells again here cannot give the bytes of a file, in words; None: it must
    large          as `opened`, of a file that is not to be held as a whole, by its path: it comes in parts of about so
                   many bytes; None: such a file is held all the same
    labelled       like `into`, of a kind whose files hold labels of columns and values: these decide bytes too
    extra          what has to be installed to read and write it, as an extra of sfumato; empty: nothing
    records        of texts with one record after another: each with its line, at a delimiter, blank lines left out
    """

    called: str
    suffixes: tuple[str, ...]
    opened: Callable[[bytes, str, Input, Sequence[str] | None], OpenedFile]
    into: Callable[[pl.DataFrame, BinaryIO], None]
    reread: Callable[[io.BufferedReader, str, Sequence[str]], Reread | None]
    begins: bytes | tuple[bytes, ...] = b""
    lists: bool = False
    written: Input = field(default_factory=Input.model_construct)
    beside_cells: Callable[[Path], Iterator[str]] = _nothing
    told_by_cells: Callable[[Reread], bool | None] = _unknown
    other_writer: Callable[[Path], str | None] = _unknown
    large: Callable[[Path, str, Input, Sequence[str] | None, int], OpenedFile] | None = None
    labelled: Callable[[pl.DataFrame, LabelsOf, BinaryIO], None] | None = None
    extra: str = ""
    records: Callable[[str, str], Iterator[Record]] | None = None

    @property
    def suffix(self) -> str:
        """How the name of a file that is written ends."""
        return self.suffixes[0]

    def put(self, frame: pl.DataFrame, labels: LabelsOf, file: BinaryIO) -> None:
        """A frame into an open file, with its labels where such a file holds any."""
        if self.labelled is None:
            self.into(frame, file)
        else:
            self.labelled(frame, labels, file)

    def write(self, frame: pl.DataFrame, path: str | Path, labels: LabelsOf = NO_LABELS) -> str:
        """Write a frame, synced to disk; answers the SHA-256 of its bytes. Who may read them is the caller's to set."""
        with on_disk(Path(path)) as file:
            self.put(frame, labels, cast(BinaryIO, file))
        return file.sha256

    def bytes_of(self, frame: pl.DataFrame) -> bytes:
        """What would be written."""
        made = io.BytesIO()
        self.into(frame, made)
        return made.getvalue()
