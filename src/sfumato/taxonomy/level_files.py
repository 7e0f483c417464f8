"""Hierarchies as CSV: one line per value, from the value up to the root.

Two dialects. ARX: ``;`` between the cells and no header. CSV: ``,`` or ``;``, with or without a header. A label
repeated along a line is one node, so a short branch of an unbalanced tree is padded by repeating a label; lines of
different length are an error. Quoted cells, a byte-order mark, any line ends and blank lines are understood; spaces
before a cell are not part of it unless it is quoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sfumato.errors import HierarchyError
from sfumato.table.formats.csv.lines import Malformed, records
from sfumato.taxonomy.check import Source
from sfumato.taxonomy.tree import Taxonomy
from sfumato.taxonomy.written import Link, WrittenTree, grow

__all__ = ["read_levels", "write_levels"]


@dataclass(frozen=True)
class _Row:
    line: int
    cells: Sequence[str]


def read_levels(text: str, source: Source, header: bool | None = None, delimiter: str | None = None) -> WrittenTree:
    """The tree in a CSV text; `header` and `delimiter` are looked up in it when not given."""
    rows = _rows(text, delimiter, source) if delimiter else _separated(text, source)
    if not rows:
        raise source.error("the file is empty")
    if _has_header(rows, source) if header is None else header:
        rows = rows[1:]
    for row in rows:
        _require_shape(row, rows[0], source)
    return grow(_links(rows, source), source, _values(rows, source))


def _require_shape(row: _Row, first: _Row, source: Source) -> None:
    if len(row.cells) < 2:
        raise source.error("a line needs a value and the groups above it, the last being '*'", row.line)
    if len(row.cells) != len(first.cells):
        raise source.error(
            f"{len(row.cells)} cells where line {first.line} has {len(first.cells)}; "
            "pad a short branch by repeating its label",
            row.line,
        )
    if not all(map(str.strip, row.cells)):
        empty = [bool(cell.strip()) for cell in row.cells].index(False)
        raise source.error(f"cell {empty + 1} is empty", row.line)


def _rows(text: str, delimiter: str, source: Source) -> list[_Row]:
    try:
        return [_Row(line, cells) for line, cells in records(text.removeprefix("\ufeff"), delimiter, spaced=True)]
    except Malformed as error:
        raise source.error(f"is not CSV: {error.words}", error.line) from None


def _separated(text: str, source: Source) -> list[_Row]:
    """The rows under the only delimiter that makes sense of the file."""
    candidates: list[list[_Row]] = []
    failures: list[HierarchyError] = []
    for delimiter in [sign for sign in ";," if sign in text] or [";"]:
        try:
            candidates.append(_rows(text, delimiter, source))
        except HierarchyError as error:
            failures.append(error)
    if not candidates:
        raise failures[0]
    candidates = [rows for rows in candidates if rows and rows[-1].cells[-1] == "*"] or candidates
    fitting = [rows for rows in candidates if _fits(rows)]
    if len(fitting) > 1:
        raise source.error("could be separated by ';' or by ','; set format: arx (which is ';') or correct the file")
    return fitting[0] if fitting else max(candidates, key=lambda rows: sum(len(row.cells) > 1 for row in rows))


def _fits(rows: Sequence[_Row]) -> bool:
    """Whether all rows have as many cells, at least two, and all but a header end in one root."""
    widths = {len(row.cells) for row in rows}
    return len(widths) == 1 and min(widths) > 1 and len({row.cells[-1] for row in rows[1:]}) <= 1


def _has_header(rows: Sequence[_Row], source: Source) -> bool:
    """A header is what does not end in the root. Where that does not settle it, nothing is guessed."""
    first, others = rows[0].cells[-1], {row.cells[-1] for row in rows[1:]}
    malformed = any(len(row.cells) < 2 or not row.cells[-1].strip() for row in rows)
    if first == "*" or malformed:
        return False
    if others == {"*"}:
        return True
    if len(others) == 1 and len(rows) > 2 and first not in others:
        return True
    if len(others) > 1:
        other = next(row.line for row in rows[1:] if row.cells[-1] != rows[1].cells[-1])
        raise source.error("the lines end in different labels; let every line end in the root, '*'", other)
    raise source.error("its first line may be a header or a value; set header: true or header: false", rows[0].line)


def _values(rows: Sequence[_Row], source: Source) -> dict[str, int]:
    values: dict[str, int] = {}
    for row in rows:
        value = row.cells[0]
        if value == "*":
            raise source.error("'*' stands for the root alone; it cannot be a value", row.line)
        if value in values:
            raise source.error(f"{source.named(value)} stands on line {values[value]} already", row.line)
        values[value] = row.line
    return values


def _links(rows: Sequence[_Row], source: Source) -> Iterator[Link]:
    known: set[tuple[str, ...]] = set()
    for row in rows:
        cells = row.cells
        groups = tuple(cells[1:])
        if groups in known and cells[0] != groups[0]:
            yield cells[0], groups[0], row.line
            continue
        known.add(groups)
        chain = [cell for cell, before in zip(cells, (None, *cells), strict=False) if cell != before]
        if len(set(chain)) < len(chain):
            twice = next(label for index, label in enumerate(chain) if label in chain[:index])
            raise source.error(
                f"{source.named(twice)} stands twice on the line, with another label between: a cycle", row.line
            )
        if len(chain) == 1:
            raise source.error(f"{source.named(chain[0])} is a value and also the root", row.line)
        for child, parent in pairwise(chain):
            yield child, parent, row.line


def write_levels(taxonomy: Taxonomy, delimiter: str, header: bool) -> str:
    """The tree as CSV text."""
    columns = [taxonomy.at_level(level).tolist() for level in range(taxonomy.height + 1)]
    shown = [_cell(label, delimiter) for label in taxonomy.labels]
    lines = [delimiter.join(f"level{level}" for level in range(len(columns)))] if header else []
    lines += [delimiter.join([shown[node] for node in nodes]) for nodes in zip(*columns, strict=True)]
    return "\n".join(lines) + "\n"


def _cell(label: str, delimiter: str) -> str:
    special = label != label.strip() or any(sign in label for sign in (delimiter, '"', "\n", "\r", "\ufeff"))
    return '"' + label.replace('"', '""') + '"' if special or not label else label
