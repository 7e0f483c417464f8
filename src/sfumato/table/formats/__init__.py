"""Kinds of table files, in one table: whoever reads, writes, recognises or audits a table file asks here.

Another kind is a file with its `Format` and a line below.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from sfumato.extension import Pieces
from sfumato.table.formats.contract import Format
from sfumato.table.origin import Origin

__all__ = ["FORMATS", "PLAIN", "TYPED", "Format", "either", "endings", "kind_for", "kind_of"]

FORMATS: Pieces[Format] = Pieces(
    {
        "csv": "sfumato.table.formats.csv:CSV",
        "parquet": "sfumato.table.formats.parquet:PARQUET",
        "excel": "sfumato.table.formats.excel:EXCEL",
        "stata": "sfumato.table.formats.stata:STATA",
        "spss": "sfumato.table.formats.spss:SPSS",
    }
)

PLAIN = "csv"
"""What bytes are that no other kind claims, and how a release is described that is only in memory."""

TYPED = "parquet"
"""How tables of other libraries are written unless the holder says otherwise: their types are kept."""


def kind_of(start: bytes, name: str) -> str:
    """The kind of a file by how it begins; if that does not tell, by its name (which may end in ``.gz`` besides).

    >>> kind_of(b"PAR1", "a.csv"), kind_of(b"age,town", "a.csv.gz"), kind_of(b"age,town", "standard input")
    ('parquet', 'csv', 'csv')
    """
    for kind, format in FORMATS.items():
        if format.begins and start.startswith(format.begins):
            return kind
    ending = PurePath(name.lower().removesuffix(".gz")).suffix
    known = endings()
    return known[ending] if ending in known and not FORMATS[known[ending]].begins else PLAIN


def endings() -> dict[str, str]:
    """How names of table files end, and the kind that each ending tells."""
    return {suffix: kind for kind, format in FORMATS.items() for suffix in format.suffixes}


def kind_for(origin: Origin) -> str:
    """The kind that a release of such a table is written in unless another is asked for: its own, if it was a file."""
    return origin.kind if origin.kind in FORMATS else TYPED


def either(words: Iterable[str], joint: str = "or") -> str:
    """Choices in words.

    >>> either([".csv", ".parquet"]), either("abc", "nor")
    ('.csv or .parquet', 'a, b nor c')
    """
    *first, last = words
    return f"{', '.join(first)} {joint} {last}" if first else last
