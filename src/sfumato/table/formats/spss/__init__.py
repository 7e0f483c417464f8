"""SPSS files (.sav, and .zsav when read): numbers, dates and texts with labels and user-missing values."""

from __future__ import annotations

from sfumato.table.formats.statistics.dialect import Dialect
from sfumato.table.formats.statistics.format import format_of

__all__ = ["SPSS"]


def _dialect() -> Dialect:
    from sfumato.table.formats.spss.dialect import SPSS_FILES

    return SPSS_FILES


SPSS = format_of("SPSS", ".sav", (b"$FL2@(#)", b"$FL3@(#)"), _dialect)
