"""How the cells of a table are written: those of a release in one way, those of any other tool as it liked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from sfumato.errors import InputError
from sfumato.policy.document import Input

__all__ = ["Blank", "Writing"]

Blank = Literal["auto", "missing", "suppressed"]
"""What an empty cell of a bare table is: a missing value, or one that was suppressed, as sdcMicro writes it.

auto: suppressed if the original column misses nothing, otherwise missing.
"""

_MARKS = ("", "NA", "N/A", "NaN", "nan", "<NA>", "NaT", "NULL", "null", "None")
"""What programs write where there is no value; where a column has such a value, it is that value."""


@dataclass(frozen=True)
class Writing:
    """How a bare table is written: its numbers and days as the policy says of the data, and what an empty cell is."""

    decimal: str = "."
    date: str = "%Y-%m-%d"
    marks: tuple[str, ...] = _MARKS
    blank: Blank = "auto"

    @classmethod
    def of(cls, given: Input, blank: Blank = "auto") -> Writing:
        if blank not in get_args(Blank):
            raise InputError(f"blank: an empty cell is one of {', '.join(get_args(Blank))}")
        return cls(given.decimal, given.date, (*given.missing_values, *_MARKS), blank)
