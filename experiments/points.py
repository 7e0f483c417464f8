"""Points that were computed are kept, each in a file of its own: a run that was stopped goes on where it was.

A point is known by its settings, by the source of the function that measures it and by the constants of its module
that this names. A change elsewhere does not make it new: then ask for `fresh`. A quick run finds it out: it computes
some points again, and compares them with what is stored.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.contract import Experiment, Found, Row

__all__ = ["PointCache", "computed"]

_PLAIN = (int, float, str, tuple, range, dict)
Told = Callable[[int, int, Row], None]
"""Told how many points are done, of how many, and which is next."""


@dataclass(frozen=True)
class PointCache:
    """A folder of points."""

    folder: Path

    def get(self, experiment: Experiment[Any], settings: Row) -> list[Row] | None:
        file = self._file(experiment, settings)
        return list(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else None

    def put(self, experiment: Experiment[Any], settings: Row, rows: Sequence[Row]) -> None:
        """Whole or not at all, so that a run may be stopped at any time."""
        file = self._file(experiment, settings)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps([dict(row) for row in rows]), encoding="utf-8")
        part.replace(file)

    def _file(self, experiment: Experiment[Any], settings: Row) -> Path:
        told = [inspect.getsource(experiment.measure), *_constants(experiment.measure), sorted(settings.items())]
        digest = hashlib.sha256(json.dumps(told).encode()).hexdigest()[:24]
        return self.folder / experiment.paper / experiment.name / f"{digest}.json"


def _constants(measure: Callable[..., object]) -> list[str]:
    """Numbers and words of its module that a function names."""
    held = {name: measure.__globals__.get(name) for name in measure.__code__.co_names}
    return [f"{name} = {value!r}" for name, value in held.items() if isinstance(value, _PLAIN)]


def computed(
    experiment: Experiment[Any], points: Sequence[Row], cache: PointCache | None, *, fresh: bool, told: Told
) -> Found:
    """Rows of these points, in order; what the cache has is not computed again, unless `fresh`."""
    return Found(tuple(_rows(experiment, points, cache, fresh, told)))


def _rows(
    experiment: Experiment[Any], points: Sequence[Row], cache: PointCache | None, fresh: bool, told: Told
) -> Iterator[Row]:
    data: Any = None
    ready = False
    for done, settings in enumerate(points):
        kept = None if cache is None or fresh else cache.get(experiment, settings)
        if kept is None:
            told(done, len(points), settings)
            if not ready:
                data, ready = experiment.prepare(), True
            kept = list(experiment.measure(data, settings))
            if cache is not None:
                cache.put(experiment, settings, kept)
        yield from ({**settings, **row} for row in kept)
