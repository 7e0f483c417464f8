"""How a third party's piece is found: one literal table per axis, and one entry-point group beside it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import TypeVar, cast

__all__ = ["installed", "registered"]

T = TypeVar("T")


def registered(table: Mapping[str, T], group: str, name: str) -> T | None:
    """The piece of that name, built in or registered by an installed package; None if there is none."""
    if name in table:
        return table[name]
    for entry in entry_points(group=group, name=name):
        return cast(T, entry.load())
    return None


def installed(table: Mapping[str, T], group: str) -> dict[str, T]:
    """Every piece there is, built-in ones first."""
    others = {entry.name: entry for entry in entry_points(group=group) if entry.name not in table}
    return {**table, **{name: cast(T, entry.load()) for name, entry in others.items()}}
