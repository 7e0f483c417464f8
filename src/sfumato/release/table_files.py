"""The files that a published table stands in: one, or several that make it up, part after part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from sfumato.errors import InputError
from sfumato.release.documents import TableEntry
from sfumato.table.dictionaries import stacked, unstacked
from sfumato.table.formats import FORMATS
from sfumato.table.words import counted

__all__ = ["Piece", "TableFiles", "by_bytes", "part_name"]

_DOCUMENT = "release.json"


def part_name(table: str, number: int, ending: str) -> str:
    """What one of the files of a table is called, counted from 0 on."""
    return f"{table}-{number:05d}{ending}"


def by_bytes(file: str, sha256: str) -> str:
    """What a file is called where files of two releases may stand side by side: its bytes tell, and nothing else.

    >>> by_bytes("table-00000.csv", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
    'table-00000-9f86d081884c7d65.csv'
    """
    stem, dot, ending = file.rpartition(".")
    return f"{stem}-{sha256[:16]}{dot}{ending}"


@dataclass(frozen=True)
class TableFiles:
    """The files of a table, each with the SHA-256 that its document tells.

    source   the document
    only     the one file that was asked for, whatever it is called now
    """

    source: Path
    entry: TableEntry
    only: Path | None

    def __iter__(self) -> Iterator[tuple[Path, str | None]]:
        for file, sha256 in self.entry.files:
            yield self.source.with_name(file) if self.only is None else self.only, sha256

    def problems(self, pieces: Sequence[Piece]) -> Iterator[str]:
        """A name that is not sfumato's could tell something; and parts have the rows that are told of them."""
        entry, ending, source = self.entry, FORMATS[self.entry.kind].suffix, self.source.name
        called = {f"{entry.name}{ending}"}
        if entry.sha256 is not None:
            called.add(by_bytes(f"{entry.name}{ending}", entry.sha256))
        if source != _DOCUMENT and self.only is not None:
            called.add(self.only.name)
        told = [part_name(entry.name, number, ending) for number in range(len(entry.parts))]
        bytewise = [by_bytes(file, part.sha256) for file, part in zip(told, entry.parts, strict=True)]
        if entry.file not in called or [part.file for part in entry.parts] not in (told, bytewise):
            yield f"{source}: calls a table file otherwise than sfumato does, or than it is called"
        wrong = sum(part.rows != piece.height for part, piece in zip(entry.parts, pieces, strict=False))
        if wrong:
            yield f"{counted(wrong, 'part')} of a table with other rows than {source} says"

    def in_one(self, pieces: list[Piece]) -> pl.DataFrame:
        """The table in these pieces, which are let go column by column. `InputError` if they have other columns."""
        names = pieces[0].names
        if any(piece.names != names for piece in pieces):
            raise InputError(f"{self.source}: the parts of a table have different columns")
        if len(pieces) == 1 and pieces[0].frame is not None:
            return pieces[0].frame
        return pl.DataFrame([stacked(name, [piece.columns.pop(name) for piece in pieces]) for name in names])


class Piece:
    """A file of a table, read: its columns as codes and texts, or with the types that they have.

    frame   all of it, of a table that is one file
    """

    def __init__(self, frame: pl.DataFrame, whole: bool) -> None:
        self.names, self.height, self.frame = frame.columns, frame.height, frame if whole else None
        self.columns = {} if whole else {column.name: unstacked(column) for column in frame.get_columns()}
