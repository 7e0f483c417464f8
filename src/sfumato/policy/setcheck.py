"""Mistakes in quasi-sensitive columns, and in promises about them, that no single setting shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from sfumato.errors import Problem, one_line

__all__ = ["check_coarsened", "check_sets", "check_term_weights", "check_terms_promise"]

_OWN = ("separator", "binary", "wide", "knowledge", "unknown", "lengths")
_MADE_OF = ("binary", "wide")
_FOREIGN = ("order", "bins", "difference", "pseudonym")


def check_sets(columns: Mapping[str, Any]) -> Iterator[Problem]:
    """Every such mistake in columns."""
    sets = {name: column for name, column in columns.items() if column.get("role") == "quasi-sensitive"}
    for name, column in columns.items():
        if name not in sets:
            for key in _OWN:
                if column.get(key) is not None:
                    yield Problem(f"columns.{name}.{key}", "", "only a quasi-sensitive column can have it")
    for name, column in sets.items():
        yield from _set(name, column)
    counts = Counter(part for column in sets.values() for key in _MADE_OF for part in _parts(column, key))
    for name, column in sets.items():
        for key in _MADE_OF:
            for part in dict.fromkeys(_parts(column, key)):
                path = f"columns.{name}.{key}"
                if part in columns:
                    yield Problem(path, repr(part), "it is part of this column; give it no role of its own")
                if counts[part] > 1:
                    yield Problem(path, repr(part), "stands twice")


def _parts(column: Mapping[str, Any], key: str) -> list[str]:
    parts = column.get(key)
    return [part for part in parts if isinstance(part, str)] if isinstance(parts, (list, tuple)) else []


def _set(name: str, column: Mapping[str, Any]) -> Iterator[Problem]:
    path = f"columns.{name}"
    if column.get("knowledge") is None:
        allowed = "is required: which terms go with which label, {file: ...} or {labels: ...}"
        yield Problem(f"{path}.knowledge", "", allowed)
    if column.get("binary") is not None and column.get("wide") is not None:
        yield Problem(f"{path}.wide", "", "give either binary or wide, not both")
    if (column.get("type") or "text") != "text":
        yield Problem(f"{path}.type", repr(column["type"]), "terms are text")
    for key in _FOREIGN:
        if column.get(key) not in (None, False):
            yield Problem(f"{path}.{key}", "", "a quasi-sensitive column has none")
    hierarchy = column.get("hierarchy")
    if hierarchy is not None and not (isinstance(hierarchy, Mapping) and hierarchy.keys() & {"file", "tree"}):
        yield Problem(f"{path}.hierarchy", "", "is one of its labels: {file: ...} or {tree: ...}")
    separator = column.get("separator")
    if isinstance(separator, str) and ("*" in separator or (not separator.strip() and separator != "\t")):
        yield Problem(f"{path}.separator", repr(separator), "must not hold '*' nor be a space, which terms may have")


def check_term_weights(raw: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[Problem]:
    """Weights of terms name quasi-sensitive columns."""
    sets = [name for name, column in columns.items() if column.get("role") == "quasi-sensitive"]
    for path, step in _steps(raw):
        weights = step.get("weights") if isinstance(step, Mapping) else None
        for name in weights if isinstance(weights, Mapping) else ():
            if name not in sets:
                allowed = f"must name a quasi-sensitive column: {', '.join(map(one_line, sets)) or 'there is none'}"
                yield Problem(f"{path}.weights.{name}", "", allowed)


def check_coarsened(raw: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[Problem]:
    """Steps name sensitive columns that have a hierarchy."""
    for path, step in _steps(raw):
        given = step.get("columns") if isinstance(step, Mapping) else None
        for name in given if isinstance(given, (list, tuple)) else ():
            column = columns.get(name, {}) if isinstance(name, str) else {}
            if column.get("role") != "sensitive" or column.get("hierarchy") is None:
                yield Problem(f"{path}.columns", repr(name), "must name a sensitive column that has a hierarchy")


def _steps(raw: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What is said of steps, and where."""
    partition = raw.get("partition")
    given = partition if isinstance(partition, Mapping) else {}
    yield "partition.terms", given.get("terms")
    listed = given.get("steps")
    for at, step in enumerate(listed if isinstance(listed, (list, tuple)) else ()):
        yield f"partition.steps[{at}]", step


def check_terms_promise(promise: Mapping[str, Any], path: str, columns: Mapping[str, Any]) -> Iterator[Problem]:
    """Whether a promise about terms has its column."""
    sets = [name for name, column in columns.items() if column.get("role") == "quasi-sensitive"]
    on = promise.get("on")
    if not sets:
        yield Problem(path, "", f"{promise['model']} needs a column with the role 'quasi-sensitive'")
    elif on is None and len(sets) > 1:
        yield Problem(f"{path}.on", "", f"which quasi-sensitive column? one of: {', '.join(map(one_line, sets))}")
    elif on is not None and on not in sets:
        yield Problem(f"{path}.on", repr(on), f"must be a quasi-sensitive column: {', '.join(map(one_line, sets))}")
    elif promise.get("distance") == "hierarchical" and columns[on or sets[0]].get("hierarchy") is None:
        yield Problem(f"{path}.distance", "'hierarchical'", "the column needs a hierarchy of its labels")
