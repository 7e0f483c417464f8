"""How cells stand in the XML of a sheet: columns by letters, days by numbers, characters that XML has not by codes."""

from __future__ import annotations

import re
from datetime import date
from xml.sax.saxutils import escape, unescape

__all__ = ["EPOCH", "FIRST_DAY", "column_letters", "quoted", "unquoted"]

EPOCH = date(1899, 12, 30)
"""Day 0, as Excel counts from March 1900 on: it takes 1900 for a leap year."""

FIRST_DAY = date(1900, 3, 1)
"""From here on all programs count days alike."""

_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_CODE = re.compile("_x([0-9A-Fa-f]{4})_")


def column_letters(place: int) -> str:
    """The letters of a column, counted from 0.

    >>> column_letters(0), column_letters(25), column_letters(26), column_letters(16383)
    ('A', 'Z', 'AA', 'XFD')
    """
    made, rest = "", place + 1
    while rest:
        rest, last = divmod(rest - 1, 26)
        made = chr(ord("A") + last) + made
    return made


def quoted(text: str) -> str:
    """A text as XML holds it, every character kept.

    >>> quoted("a<b\\r"), quoted("_x0041_")
    ('a&lt;b_x000D_', '_x005F_x0041_')
    """
    return escape(_ODD.sub(lambda found: f"_x{ord(found[0]):04X}_", text))


def unquoted(text: str) -> str:
    """The text again."""
    return _CODE.sub(lambda found: chr(int(found[1], 16)), unescape(text))
