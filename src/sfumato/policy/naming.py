"""Which columns of the data a policy means: each by its own name, several by a wildcard, the rest by `others:`.

``lab_*`` means every column that begins so; ``*`` stands for any characters, also none. A column's own name counts more
than a wildcard, a wildcard more than `others:`. Two wildcards for one column are a mistake: which of them was meant is
not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from sfumato.errors import Problem

__all__ = ["Meant", "is_wildcard", "meant", "names_in"]

T = TypeVar("T")


@dataclass(frozen=True)
class Meant(Generic[T]):
    """Settings by name of a column, in the order of the policy and then of the data.

    by_rule    per wildcard, and under "" for `others:`, the columns that it stands for
    clashes    columns that several wildcards match, with these
    """

    columns: dict[str, T]
    by_rule: dict[str, tuple[str, ...]]
    clashes: dict[str, tuple[str, ...]]

    @property
    def idle(self) -> tuple[str, ...]:
        """Wildcards that no column matches."""
        return tuple(rule for rule, names in self.by_rule.items() if rule and not names)

    def problems(self) -> Iterator[Problem]:
        """What is wrong with the wildcards on this data."""
        for name, rules in self.clashes.items():
            allowed = f"{' and '.join(map(repr, rules))} both match column {name!r}: give it an entry of its own"
            yield Problem(f"columns.{rules[0]}", "", f"{allowed}; for all columns without one there is others:")
        for rule in self.idle:
            yield Problem(f"columns.{rule}", "", "no column of the data has such a name")


def is_wildcard(name: str) -> bool:
    """Whether a key under `columns:` stands for any number of columns."""
    return "*" in name


@cache
def _pattern(wildcard: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, wildcard.split("*"))), re.DOTALL)


def meant(columns: Mapping[str, T], others: T | None, names: Iterable[str], parts: Iterable[str] = ()) -> Meant[T]:
    """What a policy says of columns with these names; `parts` belong to a column that is made of several."""
    wildcards = [key for key in columns if is_wildcard(key)]
    found: dict[str, list[str]] = {key: [] for key in wildcards}
    rest: list[str] = []
    clashes: dict[str, tuple[str, ...]] = {}
    taken = {*parts, *(key for key in columns if not is_wildcard(key))}
    for name in names:
        if name in taken:
            continue
        rules = [name] if name in found else [key for key in wildcards if _pattern(key).fullmatch(name)]
        if len(rules) > 1:
            clashes[name] = tuple(rules)
        (found[rules[0]] if rules else rest).append(name)
    made: dict[str, T] = {}
    for key, settings in columns.items():
        made |= dict.fromkeys(found[key], settings) if key in found else {key: settings}
    if others is not None:
        made |= dict.fromkeys(rest, others)
    by_rule = {key: tuple(listed) for key, listed in found.items()} | ({} if others is None else {"": tuple(rest)})
    return Meant(made, by_rule, clashes)


def names_in(raw: Mapping[str, Any]) -> list[str]:
    """Columns that a document names elsewhere than under `columns:`, as far as it is well formed."""
    found = [*_promised(raw.get("privacy"))]
    for section, key in (
        *(("loss", "weights"), ("suppression", "columns")),
        *(("partition", key) for key in ("minimum", "maximum", "importance", "value_weights")),
    ):
        settings = raw.get(section)
        found += _listed(settings.get(key)) if isinstance(settings, Mapping) else []
    partition = raw.get("partition")
    steps = partition.get("steps") if isinstance(partition, Mapping) else None
    for step in steps if isinstance(steps, (list, tuple)) else ():
        found += _listed(step.get("columns")) if isinstance(step, Mapping) else []
    form = raw.get("form")
    slices = form.get("slices") if isinstance(form, Mapping) else None
    found += [name for part in (slices if isinstance(slices, (list, tuple)) else ()) for name in _listed(part)]
    return list(dict.fromkeys(found))


def _promised(promises: object) -> Iterator[str]:
    for promise in promises if isinstance(promises, (list, tuple)) else ():
        if isinstance(promise, Mapping):
            of = promise.get("of")
            yield from _listed([promise.get("on")])
            yield from _promised([of])
            yield from (name for each in (of if isinstance(of, (list, tuple)) else ()) for name in _listed(each))


def _listed(given: object) -> Sequence[str]:
    return [name for name in given if isinstance(name, str)] if isinstance(given, (list, tuple, Mapping)) else []
