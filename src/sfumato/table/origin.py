"""Where a table came from: how to name its rows in a message, and what type to give back."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePath

from sfumato.table.labels import LabelsOf

__all__ = ["Origin"]


@dataclass(frozen=True)
class Origin:
    """The source of a table.

    kind      that of the file or the database, or the library of the frame: pandas, polars, lazy, arrow, duckdb, spark
    name      the path, the address without a password, or words such as "standard input"
    by_line   whether data row i (from 0) stands on line i + 2 of a text file
    title     what a heading calls it
    by_content  whether its rows have no order but that of what stands in them
    files     where there are several, those that were read
    labels    what the file says of columns and of their values beside the cells
    notes     what its reader did, in words, without values
    """

    kind: str
    name: str
    by_line: bool = False
    files: tuple[Path, ...] = ()
    labels: LabelsOf = field(default_factory=dict, repr=False, hash=False)
    notes: tuple[str, ...] = ()
    title: str = ""
    by_content: bool = False

    @property
    def short(self) -> str:
        """The title, or else the name of the file without its folder."""
        return self.title or PurePath(self.name).name

    def place(self, row: int) -> str:
        """The place of a data row, counted from 0, as a person finds it: rows from 1, lines with the header.

        >>> Origin("csv", "a.csv", by_line=True).place(0), Origin("polars", "frame").place(0)
        ('line 2', 'row 1')
        """
        if self.by_content:
            return f"row {row + 1} of them sorted"
        return f"line {row + 2}" if self.by_line else f"row {row + 1}"
