"""How far long work is: told to whoever watches, who may end it there by raising."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Progress", "silent"]

Progress = Callable[[str, int, int], None]
"""Called with a stage (how it goes may follow a colon), what is done of it and what there is in all, such as rows."""


def silent(stage: str, done: int, total: int) -> None:
    """Nobody is watching."""
