"""CSV record by record, each with its line: for files that people write by hand and that must be told where."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sfumato.table.formats.contract import Record
from sfumato.table.formats.csv.grammar import fields_at, quote_fault
from sfumato.table.formats.text import line_at

__all__ = ["Malformed", "records"]

_END = re.compile(r"\r\n|\n|\r")


class Malformed(Exception):
    """A record that breaks the grammar: the line of the field that does, and what is wrong with it."""

    def __init__(self, line: int, words: str) -> None:
        super().__init__(words)
        self.line = line
        self.words = words


def records(text: str, delimiter: str, spaced: bool = False) -> Iterator[Record]:
    """Every record with the line that it begins on; a blank line is none.

    With `spaced`, spaces before a field are no part of it unless they are quoted. `Malformed` if a quoted field does
    not end properly.

    >>> list(records('a,"b\\n"\\n\\nc, d', ",", spaced=True))
    [(1, ['a', 'b\\n']), (4, ['c', 'd'])]
    """
    if '"' in text:
        yield from _quoted(text.encode(), delimiter.encode(), spaced)
        return
    for line, record in enumerate(_END.split(text), 1):
        if record:
            fields = record.split(delimiter)
            yield line, [field.lstrip(" ") for field in fields] if spaced else fields


def _quoted(text: bytes, delimiter: bytes, spaced: bool) -> Iterator[Record]:
    at, line = 0, 1
    while at < len(text):
        found = fields_at(text, delimiter, at, spaced)
        if found is None:
            raise Malformed(*quote_fault(text, delimiter, at, spaced).words(text))
        fields, end = found
        record = text[at:end]
        if record.strip(b"\r\n"):
            yield line, [field.decode() for field in fields]
        line += line_at(record, len(record)) - 1
        at = end
