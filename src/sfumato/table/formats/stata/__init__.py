"""Stata files (.dta): numbers, dates and texts with labels; written in the format of Stata 14 and later."""

from __future__ import annotations

from sfumato.table.formats.statistics.dialect import Dialect
from sfumato.table.formats.statistics.format import format_of

__all__ = ["STATA"]

_OLD = tuple(bytes((version, order, 1, 0)) for version in range(0x69, 0x74) for order in (1, 2))


def _dialect() -> Dialect:
    from sfumato.table.formats.stata.dialect import STATA_FILES

    return STATA_FILES


STATA = format_of("Stata", ".dta", (b"<stata_dta>", *_OLD), _dialect)
