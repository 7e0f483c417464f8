"""Words that messages about tables share."""

from __future__ import annotations

__all__ = ["counted"]


def counted(count: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(3, "missing value")
    ('1 row', '3 missing values')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
