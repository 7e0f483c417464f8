"""How a piece is found: one literal table per axis that says where each lives, and one entry-point group beside it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import NoneType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from sfumato.errors import InputError, Refused

__all__ = ["Pieces", "broken", "installed", "registered", "settings_of", "why", "with_settings"]

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Pieces(Mapping[str, T]):
    """The built-in pieces of one axis by name. Each is loaded when it is asked for, so that a run loads what it names.

    homes    where each lives, as entry points say it: ``module:name``; or the piece itself

    Names are known without loading anything; `values` and `items` load all of them.
    """

    homes: dict[str, str | T]

    @property
    def places(self) -> dict[str, tuple[str, ...]]:
        """The modules, and what of each is in the table: for `sfumato.exports.lazily`."""
        found: dict[str, tuple[str, ...]] = {}
        for home in self.homes.values():
            if isinstance(home, str):
                module, _, name = home.partition(":")
                found[module] = (*found.get(module, ()), name)
        return found

    def __getitem__(self, name: str) -> T:
        home = self.homes[name]
        return cast(T, _at(home) if isinstance(home, str) else home)

    def __contains__(self, name: object) -> bool:
        return name in self.homes

    def __iter__(self) -> Iterator[str]:
        return iter(self.homes)

    def __len__(self) -> int:
        return len(self.homes)


def _at(home: str) -> Any:
    module, _, name = home.partition(":")
    return getattr(import_module(module), name)


def registered(table: Mapping[str, T], group: str, name: str) -> T | None:
    """The piece of that name, built in or registered by an installed package; None if there is none."""
    if name in table:
        return table[name]
    for entry in _entries(group, name=name):
        try:
            return cast(T, entry.load())
        except Exception as error:  # whatever another package does while it is loaded
            raise Refused(f"{name!r} of {group} is installed but broken: {why(error)}") from error
    return None


def with_settings(table: Mapping[str, type[T]], group: str, kind: str, given: str | Mapping[str, Any] | T) -> T:
    """The piece that a name means, or a mapping with its settings: ``{"measure": "count-queries", "dimensions": 2}``;
    or the piece itself. `InputError` if a setting is not of its type.

    kind   what pieces of the table are called, and the key of the name; each is a dataclass whose fields are settings
    """
    if not isinstance(given, (str, Mapping)):
        for each in fields(given) if is_dataclass(given) else ():
            _fitting(type(given), kind, type(given).__name__, each.name, getattr(given, each.name))
        return given
    settings = {kind: given} if isinstance(given, str) else dict(given)
    name = str(settings.pop(kind, ""))
    found = registered(table, group, name)
    if found is None:
        raise InputError(f"there is no {kind} {name!r}; there are: {', '.join(table)}")
    known = [each.name for each in fields(cast(Any, found))]
    unknown = [key for key in settings if key not in known]
    if unknown:
        there = f"it has {', '.join(known)}" if known else "it has none"
        raise InputError(f"{kind} {name!r}: no such setting: {', '.join(map(repr, unknown))}; {there}")
    return found(**{key: _fitting(found, kind, name, key, value) for key, value in settings.items()})


def _fitting(found: type, kind: str, name: str, key: str, value: object) -> Any:
    """A setting as its field has it; `InputError` if it is of another type."""
    from pydantic import TypeAdapter, ValidationError

    wanted = get_type_hints(found)[key]
    try:
        return TypeAdapter(wanted).validate_python(value)
    except ValidationError:
        raise InputError(f"{kind} {name!r}: {key} must be {_told(wanted)}, not {value!r}") from None


def _told(wanted: Any) -> str:
    """A type in words: the values it has if they are few."""
    asked = [each for each in get_args(wanted) if each is not NoneType]
    if get_origin(wanted) is Literal:
        *others, last = map(str, asked)
        return f"{', '.join(others)} or {last}" if others else last
    if NoneType in get_args(wanted) and len(asked) == 1:
        return _told(asked[0])
    words = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
    return words.get(wanted) or f"of the type {wanted.__name__ if isinstance(wanted, type) else wanted}"


def settings_of(piece: object) -> dict[str, Any]:
    """What such a piece was made with; settings without a value are left out."""
    given = {each.name: getattr(piece, each.name) for each in fields(cast(Any, piece))}
    return {name: value for name, value in given.items() if value is not None}


def installed(table: Mapping[str, T], group: str) -> dict[str, T]:
    """Every piece that can be loaded, built-in ones first."""
    return {**table, **_loaded(table, group)[0]}


def broken(table: Mapping[str, T], group: str) -> dict[str, str]:
    """Every piece of another package that cannot be loaded, and why."""
    return _loaded(table, group)[1]


def _loaded(table: Mapping[str, T], group: str) -> tuple[dict[str, T], dict[str, str]]:
    found: dict[str, T] = {}
    faults: dict[str, str] = {}
    for entry in _entries(group):
        if entry.name in table or entry.name in found:
            continue
        try:
            found[entry.name] = cast(T, entry.load())
        except Exception as error:  # one package's mistake must not hide what everybody else offers
            faults[entry.name] = why(error)
    return found, faults


def _entries(group: str, name: str | None = None) -> tuple[Any, ...]:
    """Entry points of a group. All packages are looked through for them, which takes a thousandth of a second or
    several, and those of a run are asked for again and again: so once, until a folder of the path changes."""
    return _looked_up(entry_points, tuple(map(_state, sys.path)), group, name)


@lru_cache(maxsize=256)
def _looked_up(ask: Callable[..., Any], path: tuple[object, ...], group: str, name: str | None) -> tuple[Any, ...]:
    return tuple(ask(group=group) if name is None else ask(group=group, name=name))


def _state(place: str) -> tuple[int, ...]:
    """Which folder it is, and when something was installed there or taken away."""
    try:
        found = Path(place).stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_mtime_ns


def why(error: Exception) -> str:
    """The first line of what went wrong in another package."""
    return f"{type(error).__name__}: {error}".strip(": ").partition("\n")[0]
