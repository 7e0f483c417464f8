"""What a step is: it wraps an algorithm, works on what that finds, and is an algorithm itself.

So steps stand on one another in any number, and whoever runs them sees one partitioner. A step answers `fit` and
`fit_persons` for the algorithm and itself together: which promise it searches with, and whether that is served. It
sees the table only through the task that it is given; a promise of its own it has bound.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from sfumato.models.contract import Model
from sfumato.partition.contract import Partitioner
from sfumato.policy.promises import Promise

__all__ = ["Bind", "StepMaker"]

Bind = Callable[[Promise], Model]
"""The model of a promise on the table that will be partitioned."""


class StepMaker(Protocol):
    """How a step is made: a class with these three fields is one."""

    def __call__(self, base: Partitioner, options: Any, bind: Bind) -> Partitioner:
        """A step with its settings on top of an algorithm, which may have steps of its own."""
        ...
