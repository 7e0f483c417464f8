"""The files that a published table stands in: one, or several that make it up, part after part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from sfumato.errors import InputError
from sfumato.release.documents import TableEntry
from sfumato.table.dictionaries import stacked
from sfumato.table.formats import FORMATS
from sfumato.table.words import counted

__all__ = ["TableFiles", "part_name"]

_DOCUMENT = "release.json"


def part_name(table: str, number: int, ending: str) -> str:
    """What one of the files of a table is called, counted from 0 on."""
    return f"{table}-{number:05d}{ending}"


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

    def problems(self, pieces: Sequence[pl.DataFrame]) -> Iterator[str]:
        """A name that is not sfumato's could tell something; and parts have the rows that are told of them."""
        entry, ending, source = self.entry, FORMATS[self.entry.kind].suffix, self.source.name
        called = {f"{entry.name}{ending}"}
        if source != _DOCUMENT and self.only is not None:
            called.add(self.only.name)
        told = [part_name(entry.name, number, ending) for number in range(len(entry.parts))]
        if entry.file not in called or told != [part.file for part in entry.parts]:
            yield f"{source}: calls a table file otherwise than sfumato does, or than it is called"
        wrong = sum(part.rows != piece.height for part, piece in zip(entry.parts, pieces, strict=False))
        if wrong:
            yield f"{counted(wrong, 'part')} of a table with other rows than {source} says"

    def in_one(self, pieces: list[pl.DataFrame]) -> pl.DataFrame:
        """The table in these pieces, which are let go column by column. `InputError` if they have other columns."""
        names = pieces[0].columns
        if any(piece.columns != names for piece in pieces):
            raise InputError(f"{self.source}: the parts of a table have different columns")
        if len(pieces) == 1:
            return pieces[0]
        columns = []
        for name in names:
            columns.append(stacked([piece[name] for piece in pieces]))
            pieces[:] = [piece.drop(name) for piece in pieces]
        return pl.DataFrame(columns)
