"""The grammar of CSV, strictly: where records begin and end, and the first place that breaks it.

A field is empty, bare, or quoted. A bare field does not begin with a quote and ends at the delimiter or the end of the
line. A quoted field may hold anything, quotes doubled, and nothing stands between its closing quote and the delimiter.
Lines end with LF, CR LF or CR.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from sfumato.table.formats.text import line_at

__all__ = ["Fault", "fields_at", "first_fault", "quote_fault", "quotes_at_edges", "record", "split_by"]

_QUOTE = 0x22
_BLOCK = 1 << 24
_END = rb"(?:\r\n|\n|\r)"
# Possessive repeats would say what is meant; Python before 3.11.5 goes wrong with those of groups. Nothing here can be
# read in two ways, so that plain ones find the same.
_QUOTED = rb'"[^"]*(?:""[^"]*)*"'
_AT_ONCE = 4096
"""Rows that are looked at in one go: what could be taken back is remembered for so many."""


@dataclass(frozen=True)
class Fault:
    """The first record that breaks the grammar or the width: where, and how.

    `fields` counts the fields of a whole record of another width; None: the quoted field at `offset` does not end
    properly. `stop` is then the offset after its closing quote, or None if it is never closed.
    """

    offset: int
    fields: int | None
    stop: int | None = None

    def words(self, text: bytes, before: int = 0) -> tuple[int, str]:
        """Of a quoted field: the line that it begins on, what is wrong with it, and the remedy.

        So many lines stand `before` the text.
        """
        line = before + line_at(text, self.offset)
        if self.stop is None:
            return line, "a quoted field begins here and is never closed; add its closing quote"
        end = before + line_at(text, self.stop)
        where = "on the same line" if end == line else f"on line {end}"
        return line, (
            f"a quoted field begins here, and text follows its closing quote {where}; "
            "close the quote at the end of the field, and double quotes inside it"
        )


def _field(delimiter: bytes) -> bytes:
    mark = re.escape(delimiter)
    return rb"(?:" + _QUOTED + rb'|[^"\r\n' + mark + rb"][^\r\n" + mark + rb"]*|)"


@cache
def _one_field(delimiter: bytes, spaced: bool) -> re.Pattern[bytes]:
    spaces = rb" *(?! )" if spaced else rb""
    return re.compile(spaces + rb"(" + _field(delimiter) + rb")(" + re.escape(delimiter) + rb"|" + _END + rb"|\Z)")


@cache
def _rows(delimiter: bytes, width: int | None) -> re.Pattern[bytes]:
    """Rows of that width (None: any) that end with their line, or with the text; blank lines among them."""
    field = _field(delimiter)
    times = b"*" if width is None else b"{%d}" % (width - 1)
    row = field + rb"(?:" + re.escape(delimiter) + field + rb")" + times
    return re.compile(rb"(?:" + row + rb"(?:" + _END + rb"|\Z)|[\r\n]){0,%d}" % _AT_ONCE)


def record(text: bytes, delimiter: bytes, start: int = 0) -> list[bytes] | None:
    """The fields of the record that begins at an offset, quotes taken off; None if it is malformed."""
    found = fields_at(text, delimiter, start)
    return None if found is None else found[0]


def fields_at(text: bytes, delimiter: bytes, start: int, spaced: bool = False) -> tuple[list[bytes], int] | None:
    """The same, and where the next record begins. With `spaced`, spaces before a field are no part of it."""
    fields, at = [], start
    while True:
        found = _one_field(delimiter, spaced).match(text, at)
        if found is None:
            return None
        field, end = found.groups()
        fields.append(field[1:-1].replace(b'""', b'"') if field.startswith(b'"') else field)
        at = found.end()
        if end != delimiter:
            return fields, at


def split_by(text: bytes, choices: Sequence[bytes]) -> dict[bytes, list[bytes]]:
    """The first record by each delimiter at which it is well formed."""
    return {choice: fields for choice in choices if (fields := record(text, choice)) is not None}


def quotes_at_edges(text: bytes, delimiter: bytes) -> bool:
    """Whether every quote opens or closes a whole field, or is doubled inside one: a fast sufficient test."""
    array = np.frombuffer(text, dtype=np.uint8)
    edge = np.zeros(256, dtype=np.bool_)
    edge[[*delimiter, *b'\r\n"']] = True
    inside = 0
    for start in range(0, len(array), _BLOCK):
        quotes = np.flatnonzero(array[start : start + _BLOCK] == _QUOTE) + start
        opening, closing = quotes[inside::2], quotes[1 - inside :: 2]
        opens = edge[array[np.maximum(opening - 1, 0)]] | (opening == 0)
        closes = edge[array[np.minimum(closing + 1, len(array) - 1)]]
        if not (opens.all() and closes.all()):
            return False
        inside = (inside + len(quotes)) % 2
    return inside == 0


def first_fault(text: bytes, delimiter: bytes, width: int | None = None) -> Fault | None:
    """The first record that is malformed or, if a width is given, of another width."""
    rows, start, end = _rows(delimiter, width), -1, 0
    while start < end < len(text):
        start, end = end, rows.match(text, end).end()  # type: ignore[union-attr]  # matches even nothing
    if end >= len(text):
        return None
    start = end
    fields = record(text, delimiter, start)
    return Fault(start, len(fields)) if fields is not None else quote_fault(text, delimiter, start)


def quote_fault(text: bytes, delimiter: bytes, start: int, spaced: bool = False) -> Fault:
    """What is wrong with the malformed record that begins at an offset: one of its quoted fields."""
    at = start
    while (found := _one_field(delimiter, spaced).match(text, at)) is not None:
        at = found.end()
    if spaced:
        at += len(text[at:]) - len(text[at:].lstrip(b" "))
    closed = re.compile(_QUOTED).match(text, at)
    return Fault(at, None, closed.end() if closed else None)
