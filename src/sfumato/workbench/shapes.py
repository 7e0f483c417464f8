"""Ways in which values grow vaguer that a person may choose, with what each asks for, as one line of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.workbench.promises import number_of

__all__ = ["SHAPES", "Shape", "shape_of", "shaped"]


@dataclass(frozen=True)
class Shape:
    """One way.

    name     the key of the policy; empty text: no hierarchy
    asks     whether it asks for something, and `usual`, what it is first
    made     the hierarchy of a policy from the text
    written  the text from the hierarchy
    """

    name: str
    made: Callable[[str], Any]
    written: Callable[[Any], str]
    asks: bool = False
    usual: str = ""


def _listed(text: str) -> list[str]:
    return [part for part in text.replace(";", ",").replace(" ", ",").split(",") if part]


def _words(values: Any) -> str:
    return ", ".join(str(value) for value in values)


SHAPES: Mapping[str, Shape] = {
    shape.name: shape
    for shape in (
        Shape("present", lambda text: None, lambda given: ""),
        Shape("flat", lambda text: "flat", lambda given: ""),
        Shape(
            "intervals",
            lambda text: {"intervals": [number_of(each) for each in _listed(text)]},
            lambda given: _words(given["intervals"]),
            True,
            "5, 10, 20",
        ),
        Shape("mask", lambda text: {"mask": text.strip()}, lambda given: str(given["mask"]), True, "right"),
        Shape(
            "prefix",
            lambda text: {"prefix": [number_of(each) for each in _listed(text)]},
            lambda given: _words(given["prefix"]),
            True,
            "3, 1",
        ),
        Shape(
            "dates",
            lambda text: {"dates": _listed(text)},
            lambda given: _words(given["dates"]),
            True,
            "month, quarter, year",
        ),
        Shape(
            "balanced",
            lambda text: {"balanced": {"fanout": number_of(text)}},
            lambda given: str(dict(given["balanced"]).get("fanout", 2)),
            True,
            "2",
        ),
        Shape("ready", lambda text: {"ready": text.strip()}, lambda given: str(given["ready"]), True, "icd10"),
    )
}
"""By name, in the order of the page."""


def shape_of(hierarchy: Any) -> str:
    """Which way a hierarchy of a policy is; `file` and `tree` are ways that are not written in one line."""
    if hierarchy is None:
        return "present"
    if isinstance(hierarchy, str):
        return hierarchy
    return next(str(key) for key in hierarchy if key in (*SHAPES, "file", "tree"))


def shaped(given: Mapping[str, str], now: Any) -> Any:
    """The hierarchy that a form asks for; one that is not written in a line stays as it is."""
    shape = SHAPES.get(given["shape"])
    return now if shape is None else shape.made(given.get(f"shape-{shape.name}", shape.usual))
