"""Two functions in turn, floor and kernel, so that what slows the machine down slows down both."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from statistics import median

__all__ = ["Effort", "Times", "interleaved"]

Action = Callable[[], object]
_SETTLE = 0.002  # seconds: worker threads that ran out of work look for more for a moment


@dataclass(frozen=True)
class Effort:
    """How long to measure.

    rounds    at least; more as long as they take less than `budget` seconds in all, up to `most`
    lap       seconds that a lap should take at least: short functions are called several times in it
    """

    rounds: int = 3
    most: int = 15
    budget: float = 2.0
    lap: float = 0.02


@dataclass(frozen=True)
class Times:
    """Median seconds of CPU time per call, all threads together."""

    floor: float
    kernel: float

    @property
    def ratio(self) -> float:
        return self.kernel / self.floor


def interleaved(floor: Action, kernel: Action, effort: Effort, now: Callable[[], float] = time.process_time) -> Times:
    """Floor, kernel, floor, kernel, …; the first call of each is not counted: it may compile."""
    actions = (floor, kernel)
    for action in actions:
        action()
    once = [_lap(action, 1, now) for action in actions]
    calls = [_calls(seconds, effort.lap) for seconds in once]
    laps: list[tuple[float, ...]] = [tuple(once)] if calls == [1, 1] else []
    begun = now()
    while len(laps) < effort.rounds or (len(laps) < effort.most and now() - begun < effort.budget):
        laps.append(tuple(_lap(action, count, now) for action, count in zip(actions, calls, strict=True)))
    return Times(*map(median, zip(*laps, strict=True)))


def _calls(once: float, lap: float) -> int:
    """How many calls fill a lap; few clocks are finer than a short call."""
    return min(50, max(1, ceil(lap / max(once, 1e-9))))


def _lap(action: Action, calls: int, now: Callable[[], float]) -> float:
    time.sleep(_SETTLE)
    gc.disable()
    try:
        begun = now()
        for _ in range(calls):
            action()
        return (now() - begun) / calls
    finally:
        gc.enable()
