"""What a hierarchy is that comes with the package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from sfumato.taxonomy.text import Kind

__all__ = ["Ready", "Value"]

Value = str | int | float | date


@dataclass(frozen=True)
class Ready:
    """A hierarchy that needs no file.

    types     of the columns that it serves
    levels    what the levels are called, from the finest
    source    where its facts come from
    example   a value that it knows
    place     the labels above a value, one per level; None: it does not know the value
    meaning   what a label covers; None: it is no label
    labels    the labels that it has, as far as they can be listed
    """

    name: str
    types: tuple[Kind, ...]
    levels: tuple[str, ...]
    source: str
    example: Value
    place: Callable[[Value], Sequence[str] | None]
    meaning: Callable[[str], str | None]
    labels: Callable[[], Sequence[str]]
