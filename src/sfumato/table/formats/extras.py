"""Libraries that a kind of file needs and that come with an extra: asked for in words where they are missing."""

from __future__ import annotations

from sfumato.errors import InputError

__all__ = ["SHEETS", "lacking"]

SHEETS = "sheets"
"""The extra with what reads Excel, Stata and SPSS files."""


def lacking(package: str, called: str) -> InputError:
    """What to install for files that are called so."""
    return InputError(
        f"{called} files need {package}, which comes with the extra `{SHEETS}`: pip install 'sfumato[{SHEETS}]'"
    )
