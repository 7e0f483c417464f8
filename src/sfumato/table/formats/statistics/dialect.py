"""In what Stata and SPSS files differ: a frozen `Dialect` for each, which one reader and one sink go by."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from sfumato.table.formats.extras import lacking
from sfumato.table.labels import Code

__all__ = ["CATEGORY", "Dialect", "Measure", "Missings", "Stored", "library", "writer_of"]

Measure: TypeAlias = Literal["number", "whole", "day", "moment", "clock", "period", "unknown"]
"""What the display format of a column of numbers says that they are."""

Missings: TypeAlias = Callable[[Code], str]
"""Which kind of missing value a stored value is, in words; empty: it is none."""

CATEGORY = "category"
"""A column whose texts are stored as codes with labels."""


@dataclass(frozen=True)
class Stored:
    """A column as a library writes it: its display format and the labels of its values."""

    format: str
    labels: Mapping[Code, str]


@dataclass(frozen=True, eq=False)
class Dialect:
    """One kind of statistics file.

    kind          of the format, as in `FORMATS`
    called        in words
    reads, writes the functions of pyreadstat
    options       of the one that writes
    formats       how columns are displayed that are written: by what they hold
    measured      what a display format says
    epoch         days from the first day that it counts from to 1 January 1970
    day, second   of how many units of time each consists
    period        a period's number as text, by its display format
    missings      by what the file says of a column, which of its values are missing
    largest       whole numbers from here on cannot be stored
    least, most   codes that may have labels
    label_bytes, column_label, text_bytes   how long labels of values, of columns, and texts may be
    trailing      whether spaces at the end of a text are kept
    named         what is wrong with names of columns
    undated       the bytes without the time at which they were written
    """

    kind: str
    called: str
    reads: str
    writes: str
    options: Mapping[str, Any]
    formats: Mapping[str, str]
    measured: Callable[[str], Measure]
    epoch: int
    day: int
    second: int
    period: Callable[[str, int], str]
    missings: Callable[[Any, str], Missings]
    largest: int
    least: int
    most: int
    label_bytes: int
    column_label: int
    text_bytes: int
    trailing: bool
    named: Callable[[Sequence[str]], Iterator[str]]
    undated: Callable[[bytes], bytes]


def library(called: str) -> Any:
    """What reads and writes such files."""
    try:
        import pyreadstat
    except ImportError:
        raise lacking("pyreadstat", called) from None
    return pyreadstat


def writer_of(version: str) -> str:
    """What the label of a file says that was written here: its bytes follow from its cells with that version."""
    return f"written by sfumato with pyreadstat {version}"
