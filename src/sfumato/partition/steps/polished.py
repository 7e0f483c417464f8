"""The step `polish`: what an algorithm finds, with less loss."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sfumato.fit import Fit, fit_apart
from sfumato.models.contract import Model
from sfumato.partition.contract import Partition, Partitioner, Task
from sfumato.partition.steps.contract import Bind
from sfumato.partition.steps.polish import polished
from sfumato.policy.steps import Polish

__all__ = ["Polished"]


@dataclass(frozen=True)
class Polished:
    """It serves what the algorithm serves; without any work it is the algorithm."""

    base: Partitioner
    options: Polish
    bind: Bind

    def fit(self, model: Model) -> Fit:
        return self.base.fit(model)

    def fit_persons(self, model: Model) -> Fit:
        return fit_apart(self.base, model)

    def partition(self, task: Task) -> Partition:
        if not self.options.work:
            return self.base.partition(task)
        # What the algorithm would have shown is chosen anew, so limits on blank cells do not bind it.
        return polished(task, self.base.partition(replace(task, blank={}, recodes=False)), self.options.work)
