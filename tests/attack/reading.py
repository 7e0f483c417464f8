"""A written release as a recipient reads it, and cells as what they denote."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow.parquet

from .case import Case, Cell, Row

__all__ = ["Published", "Secret", "folded", "plain", "read_published"]

_BOUNDS = re.compile(r"[\[(]\s*(\S+)\s*,\s*(\S+)\s*[\])]")
_UNSEEN = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"), None)


@dataclass(frozen=True)
class Published:
    """The tables of a release, cells as texts (sets of terms as they are), and its public document."""

    document: Mapping[str, Any]
    tables: Mapping[str, Sequence[Row]]

    @property
    def people(self) -> Sequence[Row]:
        """The table with a row per person."""
        return next(iter(self.tables.values()))

    @property
    def group_id(self) -> str | None:
        found: str | None = self.document.get("group_id")
        return found


def read_published(folder: Path) -> Published:
    """All tables that the document names."""
    document = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    return Published(document, {entry["name"]: _table(folder / entry["file"]) for entry in document["tables"]})


def _table(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            return [{name: cell or None for name, cell in row.items()} for row in csv.DictReader(file)]
    rows = pyarrow.parquet.read_table(path).to_pylist()
    return [{name: _text(cell) for name, cell in row.items()} for row in rows]


def _text(cell: Any) -> Any:
    if cell is None or isinstance(cell, (str, list)):
        return cell or None
    return cell.isoformat() if isinstance(cell, date) else str(cell)


def folded(text: str) -> str:
    """Without what tells spellings apart: case, spaces around and between, characters that nobody sees."""
    return " ".join(text.translate(_UNSEEN).replace("\u00a0", " ").split()).casefold()


def plain(text: Cell, kind: str) -> Any:
    """What a cell denotes: a number, or its text; None if it is missing."""
    if text is None or text == "":
        return None
    if kind in ("integer", "number"):
        try:
            return Fraction(Decimal(text.strip()))
        except InvalidOperation:
            return text
    return text.strip() if kind == "date" else text


@dataclass(frozen=True)
class Secret:
    """A sensitive column: what its cells denote, in the original and in the release."""

    name: str
    column: Mapping[str, Any]
    numbers: tuple[Fraction, ...] = ()
    fold: bool = True

    @classmethod
    def of(cls, case: Case, name: str, rows: Sequence[Row], fold: bool = True) -> Secret:
        """`rows` are those that a difference is taken between; `fold`: spellings of one text are one value."""
        column = case.columns[name]
        numbers = {number for row in rows if (number := plain(row[name], column.get("type", "text"))) is not None}
        return cls(
            name,
            column,
            tuple(sorted(numbers)) if "difference" in column else (),
            fold and column.get("same") != "none",
        )

    @property
    def binned(self) -> bool:
        return "bins" in self.column or "difference" in self.column

    def original(self, cell: Cell) -> Any:
        """The secret in a cell of the original table."""
        kind = self.column.get("type", "text")
        value = plain(cell, kind)
        if value is None:
            return None
        if self.binned:
            return self._bin(value, value)
        return folded(value) if self.fold and kind == "text" and isinstance(value, str) else value

    def published(self, cell: Cell) -> Any:
        """The secret in a published cell; a text where it is none of the column's."""
        if cell is None or not self.binned:
            return self.original(cell)
        found = _BOUNDS.fullmatch(cell.strip())
        if found is None:
            return f"no bin: {cell}"
        return self._bin(Fraction(Decimal(found[1])), Fraction(Decimal(found[2])))

    def _bin(self, low: Fraction, high: Fraction) -> Any:
        """The bin that holds both: of the policy, or linked by differences."""
        given = self.column.get("bins")
        if isinstance(given, Mapping):
            width, origin = Fraction(given["width"]), Fraction(given.get("origin", 0))
            return origin + (low - origin) // width * width
        if given is not None:
            return next((edge for edge, above in pairwise(map(Fraction, given)) if edge <= low < above), "outside")
        difference, begin = Fraction(self.column["difference"]), low
        for number in reversed(self.numbers):
            if number <= begin and begin - number <= difference:
                begin = number
        return begin
