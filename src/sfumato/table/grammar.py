"""The grammar of CSV, strictly: where records begin and end, and the first place that breaks it.

A field is empty, bare, or quoted. A bare field does not begin with a quote and ends at the delimiter or the end of the
line. A quoted field may hold anything, quotes doubled, and nothing stands between its closing quote and the delimiter.
Lines end with LF, CR LF or CR.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import numpy as np

__all__ = ["Fault", "first_fault", "quotes_at_edges", "record"]

_QUOTE = 0x22
_BLOCK = 1 << 24
_END = rb"(?:\r\n|\n|\r)"
_QUOTED = rb'"(?:[^"]++|"")*+"'


@dataclass(frozen=True)
class Fault:
    """The first record that breaks the grammar or the width: where, and how.

    `fields` counts the fields of a whole record of another width; None: the quoted field at `offset` does not end
    properly. `stop` is then the offset after its closing quote, or None if it is never closed.
    """

    offset: int
    fields: int | None
    stop: int | None = None


def _field(delimiter: bytes) -> bytes:
    mark = re.escape(delimiter)
    return rb"(?:" + _QUOTED + rb'|[^"\r\n' + mark + rb"][^\r\n" + mark + rb"]*+|)"


@cache
def _one_field(delimiter: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"(" + _field(delimiter) + rb")(" + re.escape(delimiter) + rb"|" + _END + rb"|\Z)")


@cache
def _rows(delimiter: bytes, width: int | None) -> re.Pattern[bytes]:
    """As many rows of that width (None: any) as there are, blank lines among them."""
    field = _field(delimiter)
    times = b"*+" if width is None else b"{%d}" % (width - 1)
    row = field + rb"(?:" + re.escape(delimiter) + field + rb")" + times
    return re.compile(rb"(?:" + row + _END + rb"|[\r\n])*+(?:" + row + rb"\Z)?+")


def record(text: bytes, delimiter: bytes, start: int = 0) -> list[bytes] | None:
    """The fields of the record that begins at an offset, quotes taken off; None if it is malformed."""
    fields, at = [], start
    while True:
        found = _one_field(delimiter).match(text, at)
        if found is None:
            return None
        field, end = found.groups()
        fields.append(field[1:-1].replace(b'""', b'"') if field.startswith(b'"') else field)
        if end != delimiter:
            return fields
        at = found.end()


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
    start = _rows(delimiter, width).match(text).end()  # type: ignore[union-attr]  # matches even nothing
    if start >= len(text):
        return None
    fields = record(text, delimiter, start)
    return Fault(start, len(fields)) if fields is not None else _bad_quote(text, delimiter, start)


def _bad_quote(text: bytes, delimiter: bytes, start: int) -> Fault:
    at = start
    while (found := _one_field(delimiter).match(text, at)) is not None:
        at = found.end()
    closed = re.compile(_QUOTED).match(text, at)
    return Fault(at, None, closed.end() if closed else None)
