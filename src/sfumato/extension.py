"""How a third party's piece is found: one literal table per axis, and one entry-point group beside it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import TypeVar, cast

from sfumato.errors import Refused

__all__ = ["broken", "installed", "registered", "why"]

T = TypeVar("T")


def registered(table: Mapping[str, T], group: str, name: str) -> T | None:
    """The piece of that name, built in or registered by an installed package; None if there is none."""
    if name in table:
        return table[name]
    for entry in entry_points(group=group, name=name):
        try:
            return cast(T, entry.load())
        except Exception as error:  # whatever another package does while it is loaded
            raise Refused(f"{name!r} of {group} is installed but broken: {why(error)}") from error
    return None


def installed(table: Mapping[str, T], group: str) -> dict[str, T]:
    """Every piece that can be loaded, built-in ones first."""
    return {**table, **_loaded(table, group)[0]}


def broken(table: Mapping[str, T], group: str) -> dict[str, str]:
    """Every piece of another package that cannot be loaded, and why."""
    return _loaded(table, group)[1]


def _loaded(table: Mapping[str, T], group: str) -> tuple[dict[str, T], dict[str, str]]:
    found: dict[str, T] = {}
    faults: dict[str, str] = {}
    for entry in entry_points(group=group):
        if entry.name in table or entry.name in found:
            continue
        try:
            found[entry.name] = cast(T, entry.load())
        except Exception as error:  # one package's mistake must not hide what everybody else offers
            faults[entry.name] = why(error)
    return found, faults


def why(error: Exception) -> str:
    """The first line of what went wrong in another package."""
    return f"{type(error).__name__}: {error}".strip(": ").partition("\n")[0]
