"""The step `refine`: blocks by an algorithm, cut into groups of different values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from sfumato.errors import NoneFound
from sfumato.fit import Fit, KeepsPersonsApart, adapted
from sfumato.models.contract import Model
from sfumato.partition.contract import Partition, Partitioner, Task
from sfumato.partition.steps.contract import Bind
from sfumato.partition.steps.refine import demand, fit_refined, refined
from sfumato.policy.steps import Refine

__all__ = ["Refined"]


@dataclass(frozen=True)
class Refined:
    """Where the promise does not survive merging, the algorithm searches for blocks that can be cut."""

    base: Partitioner
    options: Refine
    bind: Bind

    def fit(self, model: Model) -> Fit:
        return self._fit(model, persons=False)

    def fit_persons(self, model: Model) -> Fit:
        return self._fit(model, persons=True)

    def _fit(self, model: Model, persons: bool) -> Fit:
        fit = fit_refined("refine", model, persons)
        if fit.status == "refused":
            return fit
        searched = self._searched(model)
        fit = self.base.fit(searched)
        if fit.status == "refused" and persons and isinstance(self.base, KeepsPersonsApart):
            fit = self.base.fit_persons(searched)
        if fit.status == "refused" or searched is model:
            return fit
        return adapted(f"it searches with {searched.promise.title}, and what it finds is cut into groups that differ")

    def partition(self, task: Task) -> Partition:
        # Values are cut apart as they are, and what the algorithm would have shown of its blocks is not shown.
        model, task = self._searched(task.model), replace(task, edits=False, blank={}, recodes=False)
        own = self.options.residuals == "own"
        if model is task.model and (task.alone is None or task.table.person is None):
            return refined(task, self.base.partition(task), own=own)
        # A class of suppressed rows would have to keep what does not survive merging, or hold different persons: then
        # the search leaves none out.
        limits = [Fraction(0)] if task.alone is not None else list(dict.fromkeys([task.limit, Fraction(0)]))
        for limit in limits:
            try:
                return refined(task, self.base.partition(replace(task, model=model, limit=limit)), own=own)
            except NoneFound:
                if limit == limits[-1]:
                    raise
        raise AssertionError("a limit is tried")

    def _searched(self, model: Model) -> Model:
        return model if model.survives_merging else self.bind(demand(model))
