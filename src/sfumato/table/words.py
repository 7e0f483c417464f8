"""Words that messages about tables share."""

from __future__ import annotations

__all__ = ["counted"]


def counted(count: int, noun: str, several: str = "") -> str:
    """A number with its noun; `several` if that is not the noun with an s.

    >>> counted(1, "row"), counted(3, "missing value"), counted(2, "criterion", "criteria")
    ('1 row', '3 missing values', '2 criteria')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {several or f'{noun}s'}"
