"""What makes a taxonomy right for its column, and the errors that say where it is not.

Labels that stand in a hierarchy file or in the policy may be named in a message; values of the data never are.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sfumato.errors import HierarchyError
from sfumato.taxonomy.tree import Taxonomy

__all__ = ["SeenValues", "Source", "require_covered", "require_distinct"]


@dataclass(frozen=True)
class Source:
    """Where a hierarchy is written: the column it belongs to and its file, as far as there are any."""

    column: str | None = None
    file: Path | None = None

    def named(self, label: str) -> str:
        """A label in an error: as it stands in the policy; what stands in a file may be a value of the data."""
        return repr(label) if self.file is None else "a label"

    def error(self, what: str, line: int | None = None) -> HierarchyError:
        """The error of that place."""
        place = [] if self.column is None else [f"column {self.column!r}"]
        if self.file is not None:
            place.append(str(self.file) + (f", line {line}" if line else ""))
        return HierarchyError(": ".join([*place, what]))


@dataclass(frozen=True)
class SeenValues:
    """How many rows have each distinct value and, if known, the row (from 1) in which it stands first."""

    counts: Sequence[int]
    first_rows: Sequence[int] | None = None


def require_distinct(taxonomy: Taxonomy, source: Source) -> None:
    """Of a taxonomy made from data: no value is empty, `*`, or the label of another node."""
    empty = sum(not label.strip() for label in taxonomy.leaves)
    if empty:
        raise source.error(f"{_values(empty)} empty text, which no label can be; list it under input: missing_values")
    if len(set(taxonomy.labels)) == len(taxonomy.labels):
        return
    groups = set(taxonomy.labels[taxonomy.size :])
    clashes = sum(label in groups for label in taxonomy.leaves)
    if clashes:
        raise source.error(f"{_values(clashes)} equal to the label of another node, such as '*'; rename it in the data")
    raise source.error("two nodes of its hierarchy have one label")


def _values(count: int) -> str:
    return "1 distinct value is" if count == 1 else f"{count} distinct values are"


def require_covered(taxonomy: Taxonomy, texts: Sequence[str], source: Source, seen: SeenValues | None = None) -> None:
    """Every value of the data is a leaf; never a silent `*`."""
    leaves = taxonomy.code_of
    absent = [index for index, text in enumerate(texts) if text not in leaves]
    if not absent:
        return
    named = f" {source.file.name}" if source.file is not None else ""
    verb, them = ("is", "it to the hierarchy") if len(absent) == 1 else ("are", "each of them to it")
    raise Source(source.column).error(
        f"{len(absent)} of {len(texts)} distinct values{_rows(absent, seen)} "
        f"{verb} not in its hierarchy{named}"
        f"{_hint(taxonomy, [texts[index] for index in absent])}; add {them}, or correct the data"
    )


def _rows(absent: Sequence[int], seen: SeenValues | None) -> str:
    if seen is None:
        return ""
    rows = sum(seen.counts[index] for index in absent)
    first = "" if seen.first_rows is None else f", first in row {min(seen.first_rows[index] for index in absent)}"
    return f" ({rows} row{'' if rows == 1 else 's'}{first})"


def _hint(taxonomy: Taxonomy, absent: Sequence[str]) -> str:
    groups = set(taxonomy.labels[taxonomy.size :])
    inner = sum(text in groups for text in absent)
    if inner:
        return f" ({inner} equal to the label of a group, which is not a value)"
    loose = {_loose(label) for label in taxonomy.leaves}
    near = sum(_loose(text) in loose for text in absent)
    return f" ({near} but for case, outer spaces or Unicode form)" if near else ""


def _loose(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip().casefold()
