"""The step `suppress-terms`: in two phases, or in one that weighs terms against generalization."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sfumato.fit import Fit, adapted, fit_apart, refused
from sfumato.knowledge.belief import LabelPromise
from sfumato.models.contract import Model
from sfumato.partition.contract import Partition, Partitioner, Task
from sfumato.partition.steps.contract import Bind
from sfumato.partition.steps.terms.balance import Balance
from sfumato.partition.steps.terms.costs import Pricing
from sfumato.partition.steps.terms.onephase import one_step
from sfumato.partition.steps.terms.search import TermSearch
from sfumato.partition.steps.terms.suppression import Asked, suppress_terms
from sfumato.policy.promises import all_of, groups_of
from sfumato.policy.steps import TermSuppression
from sfumato.table.domain import SetDomain

__all__ = ["Suppressed", "parted"]


@dataclass(frozen=True)
class Suppressed:
    """Groups by an algorithm, and fewer terms in those that break a promise about them."""

    base: Partitioner
    options: TermSuppression
    bind: Bind

    def fit(self, model: Model) -> Fit:
        return self._fit(model, persons=False)

    def fit_persons(self, model: Model) -> Fit:
        return self._fit(model, persons=True)

    def _fit(self, model: Model, persons: bool) -> Fit:
        rest, asked = parted(model, self.bind)
        fit = fit_apart(self.base, rest) if persons else self.base.fit(rest)
        if fit.status == "refused" or not asked:
            return fit
        if self.options.infeasible == "merge" and (persons or not rest.survives_merging):
            return refused("groups that no suppression helps would be joined, which breaks them; infeasible: withhold")
        return adapted(f"it searches with {rest.promise.title}, and terms are suppressed in what it finds")

    def partition(self, task: Task) -> Partition:
        rest, promises = parted(task.model, self.bind)
        if not promises:
            return self.base.partition(task)
        task = replace(task, recodes=False)  # groups that are joined show what covers them
        codes = task.table.each().codes
        asked = [Asked(column, found, codes[column.name]) for column, found in promises]
        search = self._search(task, rest)
        if self.options.phases == "one":
            balance = Balance(float(self.options.balance), self._pricing)
            return one_step(task, self.base, rest, asked, search, balance, self.bind)
        return suppress_terms(task, self.base.partition(replace(task, model=rest)), asked, search)

    def _search(self, task: Task, rest: Model) -> TermSearch:
        """Where suppressed rows are kept as a class, none is added to it: groups are joined, where they may be."""
        given = self.options
        instead: Literal["merge", "fail"] = "merge" if rest.survives_merging and task.table.person is None else "fail"
        otherwise = instead if given.infeasible == "withhold" and task.keep else given.infeasible
        return TermSearch(given.search, given.work, self._pricing, otherwise, instead)

    @property
    def _pricing(self) -> Pricing:
        return Pricing(self.options.cost, self.options.weights)


def parted(model: Model, bind: Bind) -> tuple[Model, Sequence[tuple[SetDomain, tuple[LabelPromise, ...]]]]:
    """The model without promises about terms, and these by column."""
    asked: dict[str, tuple[SetDomain, tuple[LabelPromise, ...]]] = {}
    for found in filter(None, (part.terms_asked for part in model.conjuncts)):
        known = asked.get(found.column.name, (found.column, ()))[1]
        asked[found.column.name] = found.column, (*known, found.promise)
    rest = [part.promise for part in model.conjuncts if part.terms_asked is None]
    if not asked:
        return model, ()
    return bind(all_of(*rest) if rest else groups_of(1)), tuple(asked.values())
