"""What a partitioner is: it decides which rows share a group, and nothing about how a group is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.measure.loss import Loss
from sfumato.models.contract import Model
from sfumato.randomness import Randomness
from sfumato.table.coded import CodedTable

__all__ = ["Partition", "Partitioner", "Progress", "Task", "silent"]

Progress = Callable[[str, int, int], None]
"""Called with a stage, the rows that are done and the rows in all."""


def silent(stage: str, done: int, total: int) -> None:
    """No progress shown."""


@dataclass(frozen=True, eq=False)
class Partition:
    """A group label per row, from 0 on without gaps; -1 for a suppressed row."""

    labels: NDArray[np.int64]

    @property
    def suppressed(self) -> int:
        return int((self.labels < 0).sum())


@dataclass(frozen=True, eq=False)
class Task:
    """A table, the promise to keep on it, and what to lose least of."""

    table: CodedTable
    model: Model
    loss: Loss
    randomness: Randomness
    progress: Progress = silent


class Partitioner(Protocol):
    """An algorithm with its options."""

    def refusal(self, model: Model) -> str | None:
        """Why this algorithm cannot serve the model, or None."""
        ...

    def partition(self, task: Task) -> Partition:
        """Groups of which each keeps the promise; the whole table is known to keep it."""
        ...
