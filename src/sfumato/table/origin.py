"""Where a table came from: how to name its rows in a message, and what type to give back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Kind", "Origin"]

Kind = Literal["csv", "parquet", "pandas", "polars", "lazy", "arrow", "duckdb"]


@dataclass(frozen=True)
class Origin:
    """The source of a table.

    kind      file format, or the library of the frame
    name      the path, or words such as "standard input"
    by_line   whether data row i (from 0) stands on line i + 2 of a text file
    """

    kind: Kind
    name: str
    by_line: bool = False

    @property
    def kind_of_file(self) -> Literal["csv", "parquet"]:
        """The format that a release of such a table is written in unless another is asked for."""
        return "csv" if self.kind == "csv" else "parquet"

    def place(self, row: int) -> str:
        """The place of a data row, counted from 0, as a person finds it: rows from 1, lines with the header.

        >>> Origin("csv", "a.csv", by_line=True).place(0), Origin("polars", "frame").place(0)
        ('line 2', 'row 1')
        """
        return f"line {row + 2}" if self.by_line else f"row {row + 1}"
