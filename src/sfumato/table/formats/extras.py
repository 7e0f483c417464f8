"""Libraries that a kind of file needs and that come with an extra: found, or asked for in words."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sfumato.errors import InputError

__all__ = ["SHEETS", "needed"]

SHEETS = "sheets"
"""The extra with what reads Excel, Stata and SPSS files."""


def needed(module: str, package: str, called: str) -> Any:
    """The module; an error that says what to install where it is missing."""
    try:
        return import_module(module)
    except ImportError:
        raise InputError(
            f"{called} files need {package}, which comes with the extra `{SHEETS}`: pip install 'sfumato[{SHEETS}]'"
        ) from None
