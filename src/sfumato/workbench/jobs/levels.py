"""How the values of a column grow vaguer: the levels of its hierarchy, as far as they can be shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.workbench.jobs.opened import WorkerTable

if TYPE_CHECKING:
    import sfumato as sf

__all__ = ["LevelsShown", "levels"]

_PATHS = 12
_RULES = {"intervals", "mask", "prefix", "dates"}
"""Hierarchies that are the same however many rows a value has, and that every value fits into or none."""


@dataclass(frozen=True)
class LevelsShown:
    """height   steps from a value to the root
    values   how many different ones the column has; all have a place, or there would be no hierarchy
    labels   different labels on each level, finest first
    paths    some values and what stands above each, from the value up to the root, spread over the column
    """

    height: int
    values: int
    labels: tuple[int, ...]
    paths: tuple[tuple[str, ...], ...]


def levels(given: Mapping[str, Any], bench: WorkerTable, tell: Callable[[str, int, int], None]) -> LevelsShown:
    """given: source, column, hierarchy, type, base."""
    import sfumato as sf

    source, column, hierarchy = given["source"], given["column"], given["hierarchy"]
    frame = bench.values(source, column, isinstance(hierarchy, Mapping) and not _RULES & hierarchy.keys())
    if isinstance(hierarchy, Mapping) and "file" in hierarchy:
        file = bench.folder / str(hierarchy["file"])
        chosen = {key: hierarchy.get(key) for key in ("header", "format")}
        tree = sf.check_hierarchy(file, frame, column, type=given["type"], input=source["input"], **chosen).taxonomy
    else:
        tree = sf.build_hierarchy(frame, column, hierarchy, type=given["type"], input=source["input"])
    step = max(tree.size - 1, 1) / (_PATHS - 1)
    places = range(tree.size) if tree.size <= _PATHS else [round(at * step) for at in range(_PATHS)]
    paths = tuple(tuple(tree.path(place)) for place in places)
    labels = [len(set(tree.labels[: tree.size])), *_above(tree)]
    return LevelsShown(tree.height, tree.size, tuple(labels), paths)


def _above(tree: sf.Taxonomy) -> list[int]:
    """Different nodes that values are shown by on each level above the values, up to the root."""
    import numpy as np

    here, made = np.arange(tree.size), []
    for _ in range(tree.height):
        here = np.unique(np.where(tree.parent[here] >= 0, tree.parent[here], here))
        made.append(len(here))
    return made
