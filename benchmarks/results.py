"""Ratios of this run against the targets and against those that are stored.

Only ratios to the floor are stored: they say the same on a fast and on a slow machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from benchmarks.contract import Target

__all__ = ["LARGE", "Result", "Stored", "load", "merged", "save"]

LARGE = 100_000
"""Rows from which a multiple of the floor is asked for; on less, fixed costs decide."""

Entry: TypeAlias = dict[str, float | None]
Stored: TypeAlias = dict[str, dict[str, dict[str, Entry]]]
"""Kernel, data, rows, then `ratio` and `target`."""


@dataclass(frozen=True)
class Result:
    """One kernel on one table."""

    kernel: str
    data: str
    size: str
    rows: int
    ms: float
    ratio: float
    target: Target

    @property
    def most(self) -> float | None:
        """The multiple of the floor that it may take on this table."""
        return self.target.most(self.data) if self.rows >= LARGE else None

    @property
    def most_ms(self) -> float | None:
        """The milliseconds that it may take on this table; they are meant for Adult itself."""
        return self.target.ms if self.rows < LARGE and self.data == "duplicated" else None

    @property
    def met(self) -> bool | None:
        """Whether it keeps its target; None if it has none here."""
        if self.most is not None:
            return self.ratio <= self.most
        return None if self.most_ms is None else self.ms <= self.most_ms

    def before(self, stored: Stored) -> float | None:
        """The stored ratio."""
        entry = stored.get(self.kernel, {}).get(self.data, {}).get(self.size)
        return None if entry is None else entry["ratio"]

    def fault(self, stored: Stored, tolerance: float) -> str | None:
        """What a check objects to: the target missed, or worse than stored. Milliseconds depend on the machine."""
        where, before = f"{self.kernel}, {self.data}, {self.size} rows", self.before(stored)
        if self.most is not None and self.ratio > self.most:
            return f"{where}: {self.ratio:.2f} × floor, target {self.most:g}"
        if before is not None and self.ratio > before * (1 + tolerance):
            return f"{where}: {self.ratio:.2f} × floor, stored {before:g}, tolerance {tolerance:.0%}"
        return None


def merged(stored: Stored, results: Iterable[Result], kernels: Iterable[str]) -> Stored:
    """The stored ratios of these kernels, with those of this run in their place."""
    known = list(kernels)
    made = {name: {data: dict(sizes) for data, sizes in stored[name].items()} for name in known if name in stored}
    for result in results:
        sizes = made.setdefault(result.kernel, {}).setdefault(result.data, {})
        sizes[result.size] = {"ratio": float(f"{result.ratio:.3g}"), "target": result.most}
    return {name: made[name] for name in known if name in made}


def load(path: Path) -> Stored:
    """What is stored; nothing, if there is no such file."""
    stored: Stored = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return stored


def save(stored: Mapping[str, object], path: Path) -> None:
    """Replace what is stored."""
    path.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8", newline="\n")
