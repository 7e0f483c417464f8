"""The stored run as a table of the documentation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.choices.run import METHODS, Choice

__all__ = ["STORED", "markdown", "stored"]

STORED = Path(__file__).with_name("results.json")
_HEAD = ("table", "promise", "auto", "CPU s", "it kept", *(name for name in METHODS if name != "auto"))


def stored() -> list[Choice]:
    return [Choice(**each) for each in json.loads(STORED.read_text(encoding="utf-8"))]


def markdown(choices: Iterable[Choice]) -> dict[str, tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """The head and the lines of the table."""
    return {"choices of auto": (_HEAD, list(_rows(list(choices))))}


def _rows(choices: list[Choice]) -> Iterator[tuple[str, ...]]:
    for table, promise in dict.fromkeys((each.table, each.promise) for each in choices):
        found = {each.method: each for each in choices if (each.table, each.promise) == (table, promise)}
        auto = found["auto"]
        others = (_loss(found[name]) for name in METHODS if name != "auto")
        yield table, promise, f"**{_loss(auto)}**", f"{auto.cpu:.1f}", _kept(auto.told), *others


def _loss(choice: Choice) -> str:
    if choice.loss is None:
        return "too long" if choice.told == "too long" else "–"
    return f"{choice.loss:.4f}"


def _kept(told: str) -> str:
    """The method that a note of auto names."""
    if "It kept " in told:
        return told.rpartition("It kept ")[2].removesuffix(", the least")
    return told.removeprefix("auto ran ").rpartition(" (")[0]
